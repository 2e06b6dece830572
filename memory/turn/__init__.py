"""A message's way through the program: `open_chat` finds its chat, `chat` runs `store_message`, `answer`, `write`.

`state` holds what these share; `outcome` is what front ends get: codes and values, never sentences.
"""
