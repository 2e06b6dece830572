"""Every sentence of the review page is shown somewhere, with what fills it, and stands nowhere else."""

import re
from html.parser import HTMLParser
from pathlib import Path

import api.review
from api.review import texts
from memory.translation import Plural

FOLDER = Path(api.review.__path__[0])
TEMPLATES = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("templates/*.html"))}
MODULES = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.py"))}
FILLED = re.compile(r"texts\.([A-Z_]+) \| fill_in\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)")
GAP = re.compile(r"\{(\w+)\}")
NAMED = re.compile(r"(?:^|, )(\w+)=")
JINJA = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.S)
ATTRIBUTE = re.compile(r'[a-z-]+="[^"]*"')  # a macro may give one
SPOKEN = {"aria-label", "title", "placeholder", "alt", "data-confirm"}


class Words(HTMLParser):
    """What a template says by itself: between its tags, or in what is read out of them."""

    def __init__(self, template: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.feed(JINJA.sub("", template))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name in SPOKEN:
                self.handle_data(value or "")

    def handle_data(self, data: str) -> None:
        if any(map(str.isalpha, data)) and not ATTRIBUTE.fullmatch(data.strip()):
            self.said.append(data.strip())


def gaps_of(sentence: str | Plural) -> set[str]:
    forms = [sentence] if isinstance(sentence, str) else [sentence.one, sentence.other]
    [gaps] = {frozenset(GAP.findall(form)) for form in forms}
    return set(gaps)


def longest_form(sentence: str | Plural) -> str:
    return sentence.other if isinstance(sentence, Plural) else sentence


def test_every_sentence_is_used() -> None:
    used = "".join([*TEMPLATES.values(), *(words for name, words in MODULES.items() if name != "texts.py")])
    names = [name for name in vars(texts) if name.isupper()]

    assert [name for name in names if not re.search(rf"\btexts\.{name}\b", used)] == []


def test_whatever_a_template_fills_in_has_its_gap_and_the_other_way_round() -> None:
    wrong = [
        (template, name)
        for template, words in TEMPLATES.items()
        for name, given in FILLED.findall(words)
        if set(NAMED.findall(given)) != gaps_of(getattr(texts, name))
    ]
    count = sum(len(FILLED.findall(words)) for words in TEMPLATES.values())

    assert wrong == []
    assert count > 20


def test_no_sentence_stands_in_a_template() -> None:
    assert {name: said for name, words in TEMPLATES.items() if (said := Words(words).said)} == {}
