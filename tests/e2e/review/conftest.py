"""One browser for all tests of a worker, which therefore share one loop; each looks through a window of its own."""

from tests.browser import browser, database

__all__ = ["browser", "database"]
