"""Brings in what other programs wrote down: Telegram's, ChatGPT's and Claude's own exports.

To add a format, write a module like `claude.py`, whose `read` takes an `OpenDocument` and yields messages, and add its
row to `formats.py`. Then name it to people: in `Refusal.IMPORT_UNKNOWN` and in the line of `import` in `bot/texts.py`;
a test fails until both do. Where several people speak in it, `read` fills in the account, and the row has
`needs_owner`.
"""
