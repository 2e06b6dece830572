"""`python -m bot.catalogues`: brings the `.po` files in `memory/locale` up to date with the English sentences.

An English sentence is its own key. Translations are kept, sentences that are gone are dropped, and new ones get an
empty translation. What is missing or wrong is printed, and the exit status is 1. With `--check` nothing is written.
"""

import argparse
import io
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from gettext import c2py
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from api.review import texts as page_texts
from bot import texts
from memory import shared_texts
from memory.language.lexicon import languages
from memory.refusals import ENGLISH_ONLY, SENTENCES
from memory.translation import LOCALE, Plural

# No file has a date or a program in its header, so that a diff shows nothing but the sentences that changed.
HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural_forms}\\n"

"""
# A prompt, characters for `str.translate`, and names that are typed as they stand.
NOT_TRANSLATED = {"PROMPT", "MARKS", "ASSISTANT", "SPACE_PERSONAL"}
# What a translation repeats as it stands in the English sentence.
GAP = re.compile(r"\{(\w*)[^{}]*\}")
COMMAND = re.compile(r"(?<![\w/.])/[a-z]+(?: (?:undo|accept|reject|use personal|yes))?")
TYPED_NAME = re.compile(r"https?://[^\s)]+|`[^`]+`|[A-Z]+_[A-Z_]+|--\w+|@\w+|Ctrl-\w|(?<![A-Z])ID(?![A-Za-z])")
LINE = re.compile(r"^ +/[a-z]+(?: [a-z]+(?= |$))?", re.MULTILINE)
MARKS = "✓▸✎•✗‹→�"
COUNTS = range(200)  # show which counts share a plural form

Sentence = str | Plural


def sentences() -> dict[Sentence, str]:
    """Every sentence that is translated, with its name in the source."""
    found: dict[Sentence, str] = {}
    for module in (texts, page_texts, shared_texts):
        for name, value in vars(module).items():
            if name.isupper() and name not in NOT_TRANSLATED:
                for sentence in _sentences_in(value):
                    found.setdefault(sentence, name)
    for code, sentence in SENTENCES.items():
        if code not in ENGLISH_ONLY:
            found.setdefault(sentence, f"Refusal.{code.name}")
    return found


def _sentences_in(value: Any) -> Iterator[Sentence]:
    match value:
        case str():
            if any(map(str.isalpha, value)):
                yield value
        case Plural():
            yield value
        case tuple():
            for item in value:
                yield from _sentences_in(item)
        case Mapping():
            for item in value.values():
                yield from _sentences_in(item)
        case _ if is_dataclass(value) and not isinstance(value, type):
            for part in fields(value):
                yield from _sentences_in(getattr(value, part.name))


def read_catalogue(language: str) -> Catalog:
    path = LOCALE / f"{language}.po"
    if not path.exists():
        return Catalog(locale=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update(before: Catalog, found: Mapping[Sentence, str]) -> Catalog:
    """A catalogue of exactly these sentences, with the translations they had."""
    after = Catalog(locale=before.locale)
    for sentence, name in found.items():
        id = (sentence.one, sentence.other) if isinstance(sentence, Plural) else sentence
        former = before.get(id)
        is_same = former is not None and former.id == id and not former.fuzzy
        after.add(id, former.string if former is not None and is_same else "", auto_comments=[name])
    return after


def render(catalogue: Catalog, language: str) -> str:
    """The text of the file."""
    body = io.BytesIO()
    write_po(body, catalogue, width=0, omit_header=True)
    return HEADER.format(language=language, plural_forms=catalogue.plural_forms) + body.getvalue().decode()


def problems(catalogue: Catalog, found: Iterable[Sentence]) -> Iterator[str]:
    """Which sentences have no translation, and which translations lack something or have something of their own."""
    plural_form = c2py(catalogue.plural_expr)
    counts_of_form = Counter(plural_form(count) for count in COUNTS)
    for sentence in found:
        if isinstance(sentence, Plural):
            message = catalogue.get(sentence.one)
            forms = tuple(message.string or ()) if message and message.pluralizable else ()
            for number in range(catalogue.num_plurals):
                form = forms[number] if number < len(forms) else ""
                # "A card", or a dual: a form of a single number need not name it.
                optional = sentence.gap if counts_of_form[number] <= 1 else ""
                yield from _problems(sentence.other, form, optional)
        else:
            message = catalogue.get(sentence)
            yield from _problems(sentence, str(message.string) if message else "")


def _problems(english: str, translation: str, optional: str = "") -> Iterator[str]:
    if not translation:
        yield f"not translated: {english}"
        return
    expected, found = _traits(english, optional), _traits(translation, optional)
    for what in expected:
        if expected[what] != found[what]:
            yield f"{what} should be {expected[what]}, not {found[what]}: {translation}"


def _traits(sentence: str, optional: str = "") -> dict[str, object]:
    """What has to be the same in every language; one gap may be optional."""
    return {
        "gaps": sorted(gap[0] for gap in GAP.finditer(sentence) if gap[1] != optional),
        "commands": sorted(COMMAND.findall(sentence)),
        "names": sorted(TYPED_NAME.findall(sentence)),
        "lines": LINE.findall(sentence) if "\n" in sentence else [],
        "line breaks": sentence.count("\n"),
        "marks": [mark for mark in MARKS if mark in sentence],
        "mark at the start": sentence[0] if sentence[0] in MARKS else "",
        "spaces at the edges": sentence.split(sentence.strip()),
    }


def run(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot.catalogues", description="Updates the catalogues.")
    parser.add_argument("--check", action="store_true", help="write nothing, only tell what is missing or wrong")
    check: bool = parser.parse_args(arguments).check
    found, lines = sentences(), list[str]()
    for language in (code for code in languages() if code != "en"):
        path: Path = LOCALE / f"{language}.po"
        catalogue = update(read_catalogue(language), found)
        text = render(catalogue, language)
        if check:
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                lines.append(f"{path.name}: out of date, run `python -m bot.catalogues`")
        else:
            path.write_text(text, encoding="utf-8")
        lines += [f"{path.name}: {problem}" for problem in problems(catalogue, found)]
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 1 if lines else 0


if __name__ == "__main__":
    raise SystemExit(run(sys.argv[1:]))
