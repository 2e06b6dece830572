"""`python -m bot.catalogues`: brings the catalogues in `memory/locale` up to what the program says now.

Every sentence is its own name in them. What is translated stays, what is said no more goes, what is new stands there
with an empty translation.
"""

import ast
import io
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

import memory
from api.review import texts as page_texts
from bot import texts
from memory.language.lexicon import languages
from memory.translation import written

FOLDER = Path(str(files("memory"))) / "locale"
HEADER = 'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
# A sign before the line, what only a model reads, and a name that is typed as it stands.
NOT_SAID = {"PROMPT", "MARKS", "ASSISTANT", "SPACE_PERSONAL"}
TOLD = {"Refused", "NotFound", "KeyMissing", "ModelAway"}
KINDS = TOLD | {"SettingsError"}  # one with a class of its own says its sentence there
# These answer a model or another program, and a person never reads them.
FOR_MODELS = {
    "events/contents.py",
    "ledgers/decisions.py",
    "ledgers/handoff.py",
    "ledgers/tasks.py",
    "model/tools/notes.py",
    "model/tools/update_task.py",
}


def sentences() -> dict[str, str]:
    """All that is said to people, with the name under which it stands in the source."""
    found: dict[str, str] = {}
    for module in (texts, page_texts):
        for name, value in vars(module).items():
            if name.isupper() and name not in NOT_SAID:
                for sentence in _strings(value):
                    found.setdefault(sentence, name)
    runtime = Path(memory.__path__[0])
    for path in sorted(runtime.rglob("*.py")):
        if (name := path.relative_to(runtime).as_posix()) not in FOR_MODELS:
            for sentence in _errors(ast.parse(path.read_text(encoding="utf-8"))):
                found.setdefault(sentence, f"memory/{name}")
    return found


def _strings(value: Any) -> Iterator[str]:
    match value:
        case str():
            if any(map(str.isalpha, value)):
                yield value
        case tuple():
            for item in value:
                yield from _strings(item)
        case Mapping():
            for item in value.values():
                yield from _strings(item)
        case _ if is_dataclass(value) and not isinstance(value, type):
            for part in fields(value):
                yield from _strings(getattr(value, part.name))


def _errors(module: ast.Module) -> Iterator[str]:
    """The sentences of errors, written where they are raised, under a name of the module, or in a class of its own."""
    named = {
        target.id: node.value
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for sentence in _told(module):
        if isinstance(sentence, ast.Name):
            sentence = named.get(sentence.id, sentence)
        if isinstance(sentence, ast.Constant) and isinstance(sentence.value, str):
            yield sentence.value


def _told(module: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef) and KINDS & {base.id for base in node.bases if isinstance(base, ast.Name)}:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "super().__init__":
                    yield from inner.args[:1]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TOLD:
            yield from node.args[:1]


def updated(before: Catalog, said: Mapping[str, str]) -> Catalog:
    after = Catalog(locale=before.locale)
    for sentence, name in said.items():
        former = before.get(sentence)
        after.add(sentence, former.string if former else "", auto_comments=[name])
    return after


def as_file(catalogue: Catalog, language: str) -> str:
    """Without a day or a program in its head, so that a change shows the sentences that changed and nothing else."""
    written = io.BytesIO()
    write_po(written, catalogue, width=0, omit_header=True)
    return HEADER.format(language=language) + written.getvalue().decode()


def main() -> int:
    """Whether a translation is missing is the status."""
    said, missing = sentences(), 0
    FOLDER.mkdir(exist_ok=True)
    for language in (code for code in languages() if code != "en"):
        path = FOLDER / f"{language}.po"
        catalogue = updated(written(language) if path.exists() else Catalog(locale=language), said)
        path.write_text(as_file(catalogue, language), encoding="utf-8")
        empty = [str(message.id) for message in catalogue if message.id and not message.string]
        missing += len(empty)
        sys.stdout.write("".join(f"{language}.po has no words for: {sentence}\n" for sentence in empty))
    return 1 if missing else 0


if __name__ == "__main__":
    raise SystemExit(main())
