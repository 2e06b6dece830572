"""Finds the documents of an export: in a file, in the downloaded archive, or in a folder with either.

Nothing is unpacked to disk. An archive is untrusted: its sizes are checked, and its file names are only displayed.
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
from memory.importing.detection import detect_format
from memory.importing.formats import Format, suffixes, unknown
from memory.refusals import Refusal

MAX_BYTES = 16_000_000_000
SUSPICIOUS, MAX_COMPRESSION = 100_000_000, 200  # a larger file with a higher compression ratio is a zip bomb
MAX_DOCUMENTS, MAX_DEPTH = 2_000, 4
ENCRYPTED = 0x1
ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True, weakref_slot=True)
class ExportDocument:
    """One file, in a folder or in an archive. It can be opened more than once."""

    name: str
    size: int
    path: Path | None = None
    inside: str | None = None
    """Its name in the archive."""
    copy: BinaryIO | None = None
    """A copy of what came through a pipe, which can be read only once."""

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


def find_export(path: Path) -> Export:
    """The documents of one format with the shortest paths. A single file must itself be a document or an archive."""
    shown = visible(str(path))
    if not path.is_dir():
        archive = zipfile.is_zipfile(path) if path.is_file() else False
        return _nearest(shown, _in_archive(path) if archive else [_single_document(path)])
    try:
        return _nearest(shown, _in_folder(path))
    except Refused:
        archives = [each for each in sorted(path.glob("*.zip")) if zipfile.is_zipfile(each)]
        if len(archives) != 1:
            raise
        return find_export(archives[0])


def _nearest(shown: str, candidates: Sequence[ExportDocument]) -> Export:
    refusals = list[Refused]()
    for depth in sorted({_depth(document) for document in candidates}):
        formats: dict[Format, list[ExportDocument]] = {}
        for document in candidates:
            if _depth(document) == depth and (format := _format(document, refusals)):
                formats.setdefault(format, []).append(document)
        if len(formats) > 1 or any(format.read is None and len(formats[format]) > 1 for format in formats):
            raise Refused(Refusal.IMPORT_AMBIGUOUS, name=shown)
        for format, documents in formats.items():
            return Export(format, documents)
    raise refusals[0] if refusals else unknown(shown)


def _format(document: ExportDocument, refusals: list[Refused]) -> Format | None:
    """None for a damaged document. Its refusal is reported only if no export is found."""
    try:
        with document.open() as file:
            return detect_format(file, document.name)
    except Refused as refusal:
        refusals.append(refusal)
        return None


def _depth(document: ExportDocument) -> int:
    return len(PurePosixPath(document.inside or document.name).parts)


def _single_document(path: Path) -> ExportDocument:
    name = visible(str(path))
    if path.is_file():
        return ExportDocument(path.name, path.stat().st_size, path)
    with path.open("rb") as pipe:
        copy = tempfile.TemporaryFile()  # noqa: SIM115  (unnamed; closed together with the document)
        shutil.copyfileobj(pipe, copy)
    document = ExportDocument(name, copy.tell(), copy=copy)
    weakref.finalize(document, copy.close)
    return document


def _in_folder(folder: Path) -> list[ExportDocument]:
    """Its files and those of its direct subfolders."""
    paths = [
        path
        for pattern in ("*", "*/*")
        for path in sorted(path for suffix in suffixes() for path in folder.glob(f"{pattern}{suffix}"))
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
    documents = []
    for entry in entries:
        name = visible(entry.filename)
        if entry.flag_bits & ENCRYPTED:
            raise Refused(Refusal.IMPORT_LOCKED, name=visible(str(path)))
        is_bomb = entry.file_size > SUSPICIOUS and entry.file_size > MAX_COMPRESSION * max(entry.compress_size, 1)
        if is_bomb or entry.file_size > MAX_BYTES:
            raise Refused(Refusal.IMPORT_SUSPICIOUS, name=name)
        documents.append(ExportDocument(name, entry.file_size, path, entry.filename))
    return documents


def _ensure_few(name: str, documents: Sequence[object]) -> None:
    if len(documents) > MAX_DOCUMENTS:
        raise Refused(Refusal.IMPORT_TOO_MANY, name=name, most=MAX_DOCUMENTS)


def _is_document(name: str) -> bool:
    path = PurePosixPath(name)
    is_hidden = any(part == "__MACOSX" or part.startswith("._") for part in path.parts)
    return path.suffix.lower() in suffixes() and not is_hidden and len(path.parts) <= MAX_DEPTH


@contextmanager
def _archive(name: str, path: Path | None) -> Iterator[zipfile.ZipFile]:
    assert path is not None
    try:
        with zipfile.ZipFile(path) as archive:
            yield archive
    except ZIP_ERRORS as error:
        raise Refused(Refusal.IMPORT_DAMAGED, name=name) from error
