"""The patterns by which `sensitivity` reads a sentence, made of the words of all languages.

A sentence is words alone, folded, one space around each, `^` before those that were capitalised. In it `#` stands for a
private matter, `~` for what somebody is, `@` for a person.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from memory.language.derived import derived
from memory.language.detection import script_language
from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.terms import fold

HAN: Final = "\u3400-\u9fff\uf900-\ufaff"
NO_SIGN: Final = "[^ #~@]"


class SensitivePatterns(NamedTuple):
    """What each finds is said at the key of the words it is made of, in `lexicon.sensitivity`."""

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
    of_the_world: re.Pattern[str]
    about_somebody: re.Pattern[str]


@derived
def _alike() -> dict[int, str]:
    alike = (language.sensitivity.alike for language in languages().values())
    return str.maketrans(dict(pair for pairs in alike for pair in pairs.items()))


@derived
def _prefixes() -> Mapping[str | None, str]:
    """By the language whose script a word is in."""
    sections = {language.name: language.sensitivity for language in languages().values()}
    return {name: f"(?:{each.prefixes})?" for name, each in sections.items() if each.prefixes != NEVER}


def folded_alike(text: str) -> str:
    return fold(text).translate(_alike())


def any_of(phrases: Iterable[str]) -> str:
    """A pattern for any phrase of a list, as a tree of letters, so that the list's length costs nothing."""
    kinds: dict[str, dict[str, Any]] = {}
    for phrase in map(folded_alike, phrases):
        word = phrase.strip("*")
        if re.search(f"[{HAN}]", word):
            begin, end = "", ""
        else:
            begin = "" if phrase.startswith("*") else r" \^?" + _prefixes().get(script_language(word), "")
            end = "*" if phrase.endswith("*") else "$"
        branch = kinds.setdefault(begin, {})
        for letter in word + end:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return "(?:" + "|".join(begin + _tree(branch) for begin, branch in kinds.items()) + ")"


def _tree(branches: dict[str, Any]) -> str:
    signs = {" ": r" \^?", "*": r"\S*", "$": "(?= )", "": ""}
    # The end of a shorter phrase comes last: the longest is meant.
    letters = sorted(branches, key=lambda letter: (letter == "", letter))
    patterns = [signs.get(letter, re.escape(letter)) + _tree(branches[letter]) for letter in letters]
    return f"(?:{'|'.join(patterns)})" if len(patterns) > 1 else "".join(patterns)


def _words(*keys: str) -> list[str]:
    """What stands under these keys, in all languages."""
    sections = [language.sensitivity for language in languages().values()]
    return [folded_alike(word) for key in keys for section in sections for word in getattr(section, key)]


def _one(*keys: str) -> str:
    return any_of(_words(*keys))


def _plain(key: str) -> str:
    """The words as they are, whatever stands around them."""
    return "|".join(dict.fromkeys(map(re.escape, _words(key))))


def _either(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


@derived
def sensitive_patterns() -> SensitivePatterns:
    no_name = rf"(?!{_one('no_names')})"
    family = _one("kin", "family")
    signs = [section for language in languages().values() if (section := language.sensitivity.signs)]
    return SensitivePatterns(
        asides=re.compile(_one("asides")),
        traits=re.compile(_one("traits")),
        matters=re.compile(_one("matters")),
        persons=re.compile(_one("kin", "persons")),
        sayings=re.compile(_one("sayings")),
        earns=re.compile(_one("earns")),
        makes=_makes(),
        # Money: three digits or more, but no year.
        figure=re.compile(
            r" (?:(?!(?:19|20)\d\d )\d{3,}|\d+k(?= )|\d+ \d{3}(?= )|"
            rf"\d+ (?:currency|{_plain('currencies')})|currency \d)"
        ),
        stands=re.compile(_one("stands")),
        parties=re.compile(_one("parties")),
        papers=re.compile(_one("papers")),
        whereabouts=re.compile(_one("whereabouts")),
        at_home=re.compile(_one("at_home")),
        calls=re.compile(_one("calls")),
        family=re.compile(family),
        named=re.compile(_one("named")),
        named_family=_either(
            *(rf"{family}{each.called}(?![{each.not_called}])" for each in signs),
            rf"{_one('mine')}{family}(?: (?:{_plain('called')}))? \^\w",
            rf"{no_name} \^\w+(?:{_one('copulas')}|{_one('links')})?{_one('mine')}{family}",
        ),
        street=_either(
            rf" \d{{1,5}}[a-z]?(?:(?!{_one('no_street')}) \^?[^\W\d]+){{1,2}}{_one('streets_after')}",
            rf"{_one('streets_before')}(?: \^?\w+){{0,4}} \d{{1,4}}[a-z]?(?= )",
            rf" \d{{1,4}}(?: (?:{_plain('number_suffixes')}))?{_one('streets_behind_number')}",
            *(
                rf"[{HAN}][{each.roads}] ?\d{{1,5}} ?[{each.road_numbers}]"
                rf"|\d ?[{each.house_numbers}](?:{'|'.join(each.buildings)})|\d ?(?:{'|'.join(each.rooms)})"
                for each in signs
            ),
        ),
        after_article=re.compile(rf"({_one('articles')}) \^"),
        # Works on a matter, and the matters they are on, as far as no person turns up in them.
        of_the_world=_either(
            _one("works") + r"(?: (?!@)\S+){1,5}",
            rf" [#~]{_one('studies')}",
            *(rf"(?:{'|'.join(each.about)})(?: ?[#~{HAN}]){{1,12}}" for each in signs),
            *(rf" [#~][{HAN}{each.of}]{{0,4}}(?:{'|'.join(each.studies)})" for each in signs),
        ),
        about_somebody=_either(
            " @",
            rf"{_one('perhaps')} [#~]",
            rf"{_one('copulas')}{_one('fillers')}? ~",
            rf"{no_name} \^{NO_SIGN}+{_one('copulas', 'links', 'verbs')}",
            rf"\A{no_name} {NO_SIGN}+{_one('copulas', 'links', 'verbs')}",
            rf"\A{_one('verbs')}",
            rf"\A{no_name} \^?[\u0400-\u04ff\u0600-\u06ff]+ ~",
            rf" \^?(?:{_plain('owners')}) \^",
            *(rf"[{each.surnames}][{HAN}]{{1,2}}(?: @|[{each.after_surname}]| [#~])" for each in signs),
        ),
    )


def _makes() -> re.Pattern[str]:
    return re.compile(
        rf" \^?(?:{_plain('makes')})(?: \S+){{0,2}} (?:currency \d|\d+k(?= )|"
        rf"\d[\d ]*(?:(?:{_plain('thousand')}) )?(?:currency|{_plain('amounts')}|(?:{_plain('per')}) ))"
    )
