"""One message through the program: `enter` (whose chat it is), `chat` (`Chat.say` runs it), `take`, `answer`, `write`.

`state` holds what they share, `outcome` what front ends get: codes and values, never sentences.
"""
