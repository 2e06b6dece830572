"""What a sentence states, and whether two of them state the same, the opposite, or one more than the other. Pure."""

from dataclasses import dataclass
from datetime import datetime

from memory.consent import negations_of
from memory.consolidation.drift import Source, unfounded
from memory.retrieval.languages import SAYING_NOTHING, pieces, plain, stem, telling

ALIKE = 0.75  # of all telling words of two sentences
VAGUELY = 0.5  # of all words, where there are no telling ones
# "No longer" and "not any more": beside a negation they say no more than it does.
BESIDE_A_NEGATION = frozenset(map(stem, "longer anymore more mehr mas plus mais больше".split()))
# How much, and how true: said or not, the statement is the same.
DEGREES = frozenset(
    map(
        stem,
        "lot lots really very truly indeed true just quite so sehr wirklich echt muy mucho realmente tres vraiment "
        "beaucoup muito очень действительно बहुत جدا 很 真 非 常".split(),
    )
)
# What people and models put one for the other, without saying anything else.
SYNONYMS = {
    stem(word): stem(group.split()[0])
    for group in (
        "like likes liked love loves enjoy enjoys adore adores",
        "live lives lived reside resides dwell dwells",
        "called named",
        "work works worked serve serves employed",
        "play plays played perform performs",
        "fail failed flunk flunked",
        "gusta gustan encanta encantan",
        "mag mögen liebe liebt lieben",
        "wohne wohnt lebe lebt",
        "aime aimes adore adores",
        "gosto gosta adoro adora",
        "люблю любит нравится",
        "живу живет проживаю проживает",
    )
    for word in group.split()
}
# How a verb speaks of now, and how of before: only where both sentences have it, and nothing in between, is one of
# another time. Of verbs whose forms are also nouns or participles nothing can be told ("named", "interested").
TENSES = [
    (frozenset(pieces(now)), frozenset(pieces(before)))
    for now, before in (
        ("am is are i'm he's she's it's we're they're isn't aren't", "was were wasn't weren't"),
        ("have has haven't hasn't i've", "had hadn't"),
        ("do does don't doesn't", "did didn't"),
        ("live lives", "lived"),
        ("work works", "worked"),
        ("like likes", "liked"),
        ("love loves", "loved"),
        ("play plays", "played"),
        ("study studies", "studied"),
        ("teach teaches", "taught"),
        ("own owns", "owned"),
        ("drive drives", "drove"),
        ("go goes", "went"),
        ("bin bist ist sind", "war warst waren"),
        ("habe hast hat haben", "hatte hattest hatten"),
        ("wohne wohnt wohnen", "wohnte wohnten"),
        ("lebe lebt leben", "lebte lebten"),
        ("arbeite arbeitet arbeiten", "arbeitete arbeiteten"),
        ("soy eres es somos son", "era eras eramos eran fui fue fueron"),
        ("tengo tienes tiene tenemos tienen", "tenia tenias teniamos tenian tuve tuvo"),
        ("vivo vives vive vivimos viven", "vivia vivias viviamos vivian vivi"),
        ("trabaja trabajo trabajan", "trabajaba trabajaban trabaje"),
        ("suis es est sommes sont", "etais etait etions etaient"),
        ("habite habites habitent", "habitais habitait habitaient"),
        ("travaille travailles travaillent", "travaillais travaillait travaillaient"),
        ("sou é somos são", "era eram fui foi foram"),
        ("tenho tem temos têm", "tinha tinham tive teve"),
        ("moro mora moram", "morava moravam morei"),
        ("trabalho trabalha trabalham", "trabalhava trabalhavam trabalhei"),
        ("есть", "был была было были"),
        ("живу живешь живет живут", "жил жила жили"),
        ("работаю работаешь работает работают", "работал работала работали"),
        ("है हूँ हैं हो", "था थी थे"),
    )
]
HAVE = 1


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence with what it is compared by; `at` is when it was said, by the clock of who said it."""

    words: str
    at: datetime
    subject: str | None
    letters: str
    telling: frozenset[str]
    negations: frozenset[str]
    is_vague: bool
    """Whether it has no telling words, so that all of its words stand for them."""
    tenses: frozenset[tuple[int, bool]]

    @property
    def bare(self) -> frozenset[str]:
        """Its telling words without those that turn it around."""
        return self.telling - {stem(word) for word in self.negations} - (BESIDE_A_NEGATION if self.negations else set())


def statement(words: str, at: datetime, subject: str | None = None) -> Statement:
    said, told = set(pieces(words)), {SYNONYMS.get(word, word) for word in telling(words) - DEGREES}
    is_vague = not told or told <= said & SAYING_NOTHING
    every = frozenset(said if is_vague else told)
    return Statement(words, at, subject, plain(words), every, frozenset(negations_of(words)), is_vague, _tenses(said))


def says_the_same(one: Statement, other: Statement) -> bool:
    """Whether the first says what the other does: in the same telling words, in fewer of them, or in nearly the same
    ones about the same subject. It names nothing that the other does not."""
    if one.letters == other.letters:
        return True
    if one.negations != other.negations or not one.telling or is_of_another_time(one, other):
        return False
    subjects = {plain(each) for each in (one.subject, other.subject) if each}
    shared, both = one.telling & other.telling, one.telling | other.telling
    is_within = one.telling == other.telling or (len(one.telling) > 1 and one.telling <= other.telling)
    least = VAGUELY if one.is_vague and other.is_vague else ALIKE
    is_alike = len(subjects) < 2 and len(shared) >= least * len(both)
    return (is_within or is_alike) and not differs(one, other)


def says_more(one: Statement, other: Statement) -> bool:
    """All that the other says, and something besides; not the same of somebody whom the other does not name."""
    if one.subject and plain(one.subject) in one.letters and not telling(one.subject) <= other.telling:
        return False
    is_more = len(other.telling) > 1 and other.telling < one.telling
    return is_more and one.negations == other.negations and not is_of_another_time(one, other)


def is_of_another_time(one: Statement, other: Statement) -> bool:
    """Whether one says of now what the other says of before ("is my boss", "was my boss")."""
    return any((verb, not is_past) in other.tenses for verb, is_past in one.tenses)


def says_the_opposite(one: Statement, other: Statement) -> bool:
    """The same telling words, and only one of them negated."""
    return bool(one.bare) and one.bare == other.bare and bool(one.negations) != bool(other.negations)


def differs(one: Statement, other: Statement) -> bool:
    """Whether it names a number, a day or somebody that the other does not."""
    return bool(unfounded(one.words, [Source(other.words, other.at)]))


def _tenses(said: set[str]) -> frozenset[tuple[int, bool]]:
    """Verbs that speak of one time only, and whether that is over: "has lived" is not."""
    spoken = [(verb, not said.isdisjoint(now), not said.isdisjoint(past)) for verb, (now, past) in enumerate(TENSES)]
    told = {(verb, is_past) for verb, is_now, is_past in spoken if is_now != is_past}
    return frozenset({(verb, is_past) for verb, is_past in told if not is_past} if (HAVE, False) in told else told)
