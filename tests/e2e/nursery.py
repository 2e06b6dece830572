"""Starts the program over and over without paying for its imports each time: a process that has read all the code and
forks. A line on standard input starts one; its number is the answer."""

import os
import signal
import sys

import anthropic.types
import psycopg
import telegram.ext
import tornado.web

import bot.app
import bot.cli

LOADED = (anthropic.types, psycopg, telegram.ext, tornado.web, bot.app)


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        pid = os.fork()
        if pid == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            sys.exit(bot.cli.run(["bot"]))
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


main()
