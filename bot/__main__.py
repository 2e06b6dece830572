"""Entry point of `keepsake` and `python -m bot`. The imports are slow, so Ctrl-C is handled during them too."""

import sys


def main() -> None:
    try:
        from bot.cli.main import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
