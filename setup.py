"""Compiles the catalogues of translations when Keepsake is built or installed; all else is in pyproject.toml."""

from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from setuptools import setup
from setuptools.command.build_py import build_py

LOCALE = Path(__file__).parent / "memory" / "locale"


class BuildWithCatalogues(build_py):  # type: ignore[misc]
    def run(self) -> None:
        for source in LOCALE.glob("*.po"):
            with source.open("rb") as file:
                catalogue = read_po(file, locale=source.stem)
            with source.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
        super().run()


setup(cmdclass={"build_py": BuildWithCatalogues})
