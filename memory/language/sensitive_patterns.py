"""The patterns that `sensitivity` matches, built from the words of all languages.

They match a simplified sentence: folded words with single spaces, and `^` before each word that was capitalised. `#`
replaces a private matter, `~` a trait and `@` a person.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from memory.language.detection import script_language
from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon_cache import lexicon_cached
from memory.language.terms import fold

HAN: Final = "\u3400-\u9fff\uf900-\ufaff"
PLAIN_CHARACTER: Final = "[^ #~@]"


class SensitivePatterns(NamedTuple):
    """See `lexicon.sensitivity` for the words of each pattern."""

    asides: re.Pattern[str]
    traits: re.Pattern[str]
    matters: re.Pattern[str]
    persons: re.Pattern[str]
    sayings: re.Pattern[str]
    earns: re.Pattern[str]
    makes: re.Pattern[str]
    figure: re.Pattern[str]
    stands: re.Pattern[str]
    parties: re.Pattern[str]
    papers: re.Pattern[str]
    whereabouts: re.Pattern[str]
    at_home: re.Pattern[str]
    calls: re.Pattern[str]
    family: re.Pattern[str]
    named: re.Pattern[str]
    named_family: re.Pattern[str]
    street: re.Pattern[str]
    after_article: re.Pattern[str]
    general_matter: re.Pattern[str]
    about_person: re.Pattern[str]


@lexicon_cached
def _lookalikes() -> dict[int, str]:
    replacements = (language.sensitivity.alike for language in languages().values())
    return str.maketrans(dict(pair for pairs in replacements for pair in pairs.items()))


@lexicon_cached
def _prefixes() -> Mapping[str | None, str]:
    """Patterns for attached prefixes, by the language of the script."""
    sections = {language.name: language.sensitivity for language in languages().values()}
    return {name: f"(?:{section.prefixes})?" for name, section in sections.items() if section.prefixes != NEVER}


def fold_lookalikes(text: str) -> str:
    return fold(text).translate(_lookalikes())


def phrase_pattern(phrases: Iterable[str]) -> str:
    """A pattern for any of the phrases, built as a trie so that a long list is not slower."""
    tries: dict[str, dict[str, Any]] = {}
    for phrase in map(fold_lookalikes, phrases):
        word = phrase.strip("*")
        if re.search(f"[{HAN}]", word):
            begin, end = "", ""
        else:
            begin = "" if phrase.startswith("*") else r" \^?" + _prefixes().get(script_language(word), "")
            end = "*" if phrase.endswith("*") else "$"
        branch = tries.setdefault(begin, {})
        for letter in word + end:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return "(?:" + "|".join(begin + _tree(branch) for begin, branch in tries.items()) + ")"


def _tree(branches: dict[str, Any]) -> str:
    signs = {" ": r" \^?", "*": r"\S*", "$": "(?= )", "": ""}
    # The end of a shorter phrase comes last, so that the longest phrase matches.
    letters = sorted(branches, key=lambda letter: (letter == "", letter))
    patterns = [signs.get(letter, re.escape(letter)) + _tree(branches[letter]) for letter in letters]
    return f"(?:{'|'.join(patterns)})" if len(patterns) > 1 else "".join(patterns)


def _words(*keys: str) -> list[str]:
    sections = [language.sensitivity for language in languages().values()]
    return [fold_lookalikes(word) for key in keys for section in sections for word in getattr(section, key)]


def _phrases(*keys: str) -> str:
    return phrase_pattern(_words(*keys))


def _anywhere(key: str) -> str:
    """A pattern for the words without word boundaries."""
    return "|".join(dict.fromkeys(map(re.escape, _words(key))))


def _any_pattern(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


@lexicon_cached
def sensitive_patterns() -> SensitivePatterns:
    no_name = rf"(?!{_phrases('no_names')})"
    family = _phrases("kin", "family")
    signs = [section for language in languages().values() if (section := language.sensitivity.signs)]
    return SensitivePatterns(
        asides=re.compile(_phrases("asides")),
        traits=re.compile(_phrases("traits")),
        matters=re.compile(_phrases("matters")),
        persons=re.compile(_phrases("kin", "persons")),
        sayings=re.compile(_phrases("sayings")),
        earns=re.compile(_phrases("earns")),
        makes=_makes(),
        # An amount of money: three digits or more, but not a year.
        figure=re.compile(
            r" (?:(?!(?:19|20)\d\d )\d{3,}|\d+k(?= )|\d+ \d{3}(?= )|"
            rf"\d+ (?:currency|{_anywhere('currencies')})|currency \d)"
        ),
        stands=re.compile(_phrases("stands")),
        parties=re.compile(_phrases("parties")),
        papers=re.compile(_phrases("papers")),
        whereabouts=re.compile(_phrases("whereabouts")),
        at_home=re.compile(_phrases("at_home")),
        calls=re.compile(_phrases("calls")),
        family=re.compile(family),
        named=re.compile(_phrases("named")),
        named_family=_any_pattern(
            *(rf"{family}{section.called}(?![{section.not_called}])" for section in signs),
            rf"{_phrases('mine')}{family}(?: (?:{_anywhere('called')}))? \^\w",
            rf"{no_name} \^\w+(?:{_phrases('copulas')}|{_phrases('links')})?{_phrases('mine')}{family}",
        ),
        street=_any_pattern(
            rf" \d{{1,5}}[a-z]?(?:(?!{_phrases('no_street')}) \^?[^\W\d]+){{1,2}}{_phrases('streets_after')}",
            rf"{_phrases('streets_before')}(?: \^?\w+){{0,4}} \d{{1,4}}[a-z]?(?= )",
            rf" \d{{1,4}}(?: (?:{_anywhere('number_suffixes')}))?{_phrases('streets_behind_number')}",
            *(
                rf"[{HAN}][{section.roads}] ?\d{{1,5}} ?[{section.road_numbers}]"
                rf"|\d ?[{section.house_numbers}](?:{'|'.join(section.buildings)})|\d ?(?:{'|'.join(section.rooms)})"
                for section in signs
            ),
        ),
        after_article=re.compile(rf"({_phrases('articles')}) \^"),
        # Works about a matter, such as books, together with the matter unless a person is mentioned.
        general_matter=_any_pattern(
            _phrases("works") + r"(?: (?!@)\S+){1,5}",
            rf" [#~]{_phrases('studies')}",
            *(rf"(?:{'|'.join(section.about)})(?: ?[#~{HAN}]){{1,12}}" for section in signs),
            *(rf" [#~][{HAN}{section.of}]{{0,4}}(?:{'|'.join(section.studies)})" for section in signs),
        ),
        about_person=_any_pattern(
            " @",
            rf"{_phrases('perhaps')} [#~]",
            rf"{_phrases('copulas')}{_phrases('fillers')}? ~",
            rf"{no_name} \^{PLAIN_CHARACTER}+{_phrases('copulas', 'links', 'verbs')}",
            rf"\A{no_name} {PLAIN_CHARACTER}+{_phrases('copulas', 'links', 'verbs')}",
            rf"\A{_phrases('verbs')}",
            rf"\A{no_name} \^?[\u0400-\u04ff\u0600-\u06ff]+ ~",
            rf" \^?(?:{_anywhere('owners')}) \^",
            *(rf"[{section.surnames}][{HAN}]{{1,2}}(?: @|[{section.after_surname}]| [#~])" for section in signs),
        ),
    )


def _makes() -> re.Pattern[str]:
    return re.compile(
        rf" \^?(?:{_anywhere('makes')})(?: \S+){{0,2}} (?:currency \d|\d+k(?= )|"
        rf"\d[\d ]*(?:(?:{_anywhere('thousand')}) )?(?:currency|{_anywhere('amounts')}|(?:{_anywhere('per')}) ))"
    )
