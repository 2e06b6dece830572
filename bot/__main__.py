"""`keepsake` and `python -m bot`. Imports take a moment, in which Ctrl-C is no error either."""

import sys


def main() -> None:
    try:
        from bot.cli.main import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
