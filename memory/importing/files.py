"""Finds the documents of an export: in a file, in the archive as it was downloaded, or in the folder of either.

Nothing is unpacked. An archive may come from anywhere: what it claims is checked, its names are only ever shown.
"""

import lzma
import shutil
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from memory.cleaning import visible
from memory.errors import Refused
from memory.importing.detection import format_of
from memory.importing.formats import Format, suffixes, unknown

MOST_BYTES = 16_000_000_000
SUSPICIOUS, MOST_SHARE = 100_000_000, 200  # so many bytes that were packed so small are a trap
MOST_DOCUMENTS, DEEPEST = 2_000, 4
ENCRYPTED = 0x1
TROUBLE = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)
DAMAGED = "{name} is a damaged archive, or one that I cannot open."


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ExportDocument:
    """One file, alone or in an archive. It can be opened more than once."""

    name: str
    size: int
    path: Path | None = None
    inside: str | None = None
    """Its name in the archive."""
    copy: BinaryIO | None = None
    """What came through a pipe, and comes only once."""

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        if self.copy is not None:
            self.copy.seek(0)
            yield self.copy
        elif self.path is not None and self.inside is None:
            with self.path.open("rb") as file:
                yield file
        else:
            with _archive(self.name, self.path) as archive, archive.open(self.inside or "") as packed:
                yield packed  # type: ignore[misc]


@dataclass(frozen=True, slots=True)
class Export:
    format: Format
    documents: Sequence[ExportDocument]

    @property
    def size(self) -> int:
        return sum(document.size for document in self.documents)


def find(path: Path) -> Export:
    """The documents of one format that stand nearest to the surface; a file must be one itself."""
    shown = visible(str(path))
    if not path.is_dir():
        archive = zipfile.is_zipfile(path) if path.is_file() else False
        return _nearest(shown, _in_archive(path) if archive else [_alone(path)])
    try:
        return _nearest(shown, _in_folder(path))
    except Refused:
        archives = [each for each in sorted(path.glob("*.zip")) if zipfile.is_zipfile(each)]
        if len(archives) != 1:
            raise
        return find(archives[0])


def _nearest(shown: str, found: Sequence[ExportDocument]) -> Export:
    trouble = list[Refused]()
    for depth in sorted({_depth(document) for document in found}):
        formats: dict[Format, list[ExportDocument]] = {}
        for document in found:
            if _depth(document) == depth and (format := _format(document, trouble)):
                formats.setdefault(format, []).append(document)
        if len(formats) > 1 or any(format.read is None and len(formats[format]) > 1 for format in formats):
            raise Refused("{name} holds more than one export. Name the one that you mean.", name=shown)
        for format, documents in formats.items():
            return Export(format, documents)
    raise trouble[0] if trouble else unknown(shown)


def _format(document: ExportDocument, trouble: list[Refused]) -> Format | None:
    """Beside an export a broken document is none; where there is no other it is worth a word of its own."""
    try:
        with document.open() as file:
            return format_of(file, document.name)
    except Refused as refusal:
        trouble.append(refusal)
        return None


def _depth(document: ExportDocument) -> int:
    return len(PurePosixPath(document.inside or document.name).parts)


def _alone(path: Path) -> ExportDocument:
    name = visible(str(path))
    if path.is_file():
        return ExportDocument(path.name, path.stat().st_size, path)
    with path.open("rb") as pipe:
        copy = tempfile.TemporaryFile()  # noqa: SIM115  (it has no name, and goes with the document)
        shutil.copyfileobj(pipe, copy)
    document = ExportDocument(name, copy.tell(), copy=copy)
    weakref.finalize(document, copy.close)
    return document


def _in_folder(folder: Path) -> list[ExportDocument]:
    """Its own files, and those of the folders in it."""
    paths = [
        path
        for place in ("*", "*/*")
        for path in sorted(path for suffix in suffixes() for path in folder.glob(f"{place}{suffix}"))
    ]
    _ensure_few(visible(str(folder)), paths)
    return [
        ExportDocument(visible(str(path.relative_to(folder))), path.stat().st_size, path)
        for path in paths
        if path.is_file()
    ]


def _in_archive(path: Path) -> list[ExportDocument]:
    with _archive(visible(str(path)), path) as archive:
        entries = [entry for entry in archive.infolist() if _is_document(entry.filename)]
    _ensure_few(visible(str(path)), entries)
    found = []
    for entry in entries:
        name = visible(entry.filename)
        if entry.flag_bits & ENCRYPTED:
            raise Refused(
                "{name} is locked with a password. Unpack it, and import the folder.", name=visible(str(path))
            )
        is_trap = entry.file_size > SUSPICIOUS and entry.file_size > MOST_SHARE * max(entry.compress_size, 1)
        if is_trap or entry.file_size > MOST_BYTES:
            raise Refused("{name} claims to hold far more than an export does, so I did not open it.", name=name)
        found.append(ExportDocument(name, entry.file_size, path, entry.filename))
    return found


def _ensure_few(name: str, documents: Sequence[object]) -> None:
    if len(documents) > MOST_DOCUMENTS:
        raise Refused(
            "{name} holds more than {most:,} documents. Name the one that you mean.", name=name, most=MOST_DOCUMENTS
        )


def _is_document(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = any(part == "__MACOSX" or part.startswith("._") for part in path.parts)
    return path.suffix.lower() in suffixes() and not hidden and len(path.parts) <= DEEPEST


@contextmanager
def _archive(name: str, path: Path | None) -> Iterator[zipfile.ZipFile]:
    assert path is not None
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except TROUBLE as error:
        raise Refused(DAMAGED, name=name) from error
