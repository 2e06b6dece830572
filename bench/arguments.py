"""Parses the command line of a benchmark whose options are all integers."""

import argparse
from collections.abc import Sequence


def parse_integers(program: str, arguments: Sequence[str] | None, **defaults: int) -> dict[str, int]:
    parser = argparse.ArgumentParser(prog=f"python -m {program}")
    for name, number in defaults.items():
        parser.add_argument(f"--{name}", type=int, default=number)
    return vars(parser.parse_args(arguments))
