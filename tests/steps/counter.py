"""Counts the steps of a piece of work: of its regular expressions, of its lines, and of the strings it reads or copies.

A line counts whenever it is run, also when a loop comes back to it. A string method that reads a whole string, and a
slice of one, count as a step for every few signs.
"""

import ast
import builtins
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import SourceFileLoader
from importlib.util import decode_source
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from tests.steps.matcher import Steps, TooManySteps

HERE = str(Path(__file__).parent)
OURS = tuple(f"{Path(__file__).parents[2] / room}/" for room in ("api", "bot", "db", "memory", "tests"))
AT_ONCE = 16  # signs that are read or copied in the time of a step, or more
READS_ALL = frozenset("casefold encode isascii lower replace rsplit split splitlines title translate upper".split())


class Counter:
    """What it counts has to be imported after `watch_slices` and `tests.steps.patterns.count_patterns`."""

    def __init__(self) -> None:
        self.steps = Steps(0)
        self.is_counting = False

    def count(self, work: Callable[[], object], most: int) -> int | None:
        """How many steps it took, or None for more than `most`."""
        self.steps = Steps(most)
        self.resume()
        try:
            work()
        except TooManySteps:
            return None
        finally:
            self.pause()
        return self.steps.taken

    def resume(self) -> None:
        sys.setprofile(self._called)
        sys.settrace(self._entered)
        self.is_counting = True

    def pause(self) -> None:
        self.is_counting = False
        sys.settrace(None)
        sys.setprofile(None)

    def take(self, steps: int) -> None:
        self.steps.left -= steps
        if self.steps.left < 0:
            raise TooManySteps

    def sliced(self, part: Any) -> Any:
        if self.is_counting and isinstance(part, Sequence):
            self.take(len(part) // AT_ONCE)
        return part

    def watch_slices(self) -> None:
        """From now on every `x[a:b]` in a module of ours is counted, by its length."""

        def get_code(loader: SourceFileLoader, name: str) -> CodeType | None:
            if not loader.path.startswith(OURS) or loader.path.startswith(HERE):
                return of_file(loader, name)
            tree = ast.parse(decode_source(loader.get_data(loader.path)), loader.path)
            code: CodeType = compile(ast.fix_missing_locations(_Slices().visit(tree)), loader.path, "exec")
            return code

        of_file = SourceFileLoader.get_code
        SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
        setattr(builtins, SLICED, self.sliced)

    def _entered(self, frame: FrameType, event: str, arg: object) -> Any:
        return None if frame.f_code.co_filename.startswith(HERE) else self._ran

    def _ran(self, frame: FrameType, event: str, arg: object) -> Any:
        if event == "line":
            self.steps.left -= 1
            if self.steps.left < 0:
                raise TooManySteps
        return None  # as before

    def _called(self, frame: FrameType, event: str, arg: Any) -> None:
        if event == "c_call" and self.is_counting:
            text = getattr(arg, "__self__", None)
            self.take(1 + len(text) // AT_ONCE if type(text) is str and arg.__name__ in READS_ALL else 1)


SLICED = "__sliced__"


class _Slices(ast.NodeTransformer):
    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        if not isinstance(node.slice, ast.Slice) or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(ast.Call(ast.Name(SLICED, ast.Load()), [node], []), node)
