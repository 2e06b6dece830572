"""What a benchmark may be told on the command line, where that is whole numbers only."""

import argparse
from collections.abc import Sequence


def whole_numbers(program: str, arguments: Sequence[str] | None, **usual: int) -> dict[str, int]:
    """Each by its name, as given with `--name`, or else as usual."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}")
    for name, number in usual.items():
        parser.add_argument(f"--{name}", type=int, default=number)
    return vars(parser.parse_args(arguments))
