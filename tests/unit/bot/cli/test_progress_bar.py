"""The bar: drawn on one line of a terminal, told by tenths to everything else."""

from io import StringIO

from bot.cli.progress_bar import WIDTH, ProgressBar


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_file_gets_a_line_at_every_tenth() -> None:
    stream = StringIO()
    bar = ProgressBar(stream)
    for done in range(2001):
        bar("Chunks", done, 2000)
    bar("Vectors", 40, 50)
    bar("Vectors", 50, 50)
    bar.close()

    lines = stream.getvalue().splitlines()
    assert lines[:2] == ["· Chunks: 10 % (200 of 2,000)", "· Chunks: 20 % (400 of 2,000)"]
    assert lines[9:] == [
        "· Chunks: 100 % (2,000 of 2,000)",
        "· Vectors: 80 % (40 of 50)",
        "· Vectors: 100 % (50 of 50)",
    ]


def test_a_terminal_gets_one_line_for_each_stage_that_is_drawn_again() -> None:
    stream = Terminal()
    bar = ProgressBar(stream)
    for done in range(101):
        bar("Chunks", done, 100)
    bar("Summaries", 1, 2)
    bar.close()

    chunks, summaries, _ = stream.getvalue().split("\n")
    assert chunks.endswith(f"· [{'#' * WIDTH}] Chunks: 100 % (100 of 100)\x1b[K")
    assert f"[{'#' * (WIDTH // 2)}{'-' * (WIDTH // 2)}] Summaries: 50 % (1 of 2)" in summaries
    assert stream.getvalue().count("\n") == 2


def test_of_nothing_nothing_is_told() -> None:
    stream = StringIO()
    bar = ProgressBar(stream)
    bar("Chunks", 0, 0)
    bar.close()
    ProgressBar(None)("Chunks", 1, 1)

    assert stream.getvalue() == ""
