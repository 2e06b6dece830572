"""Finds secrets in text and takes them out before anything is written: keys, tokens, passwords, card numbers.

Formats of the big providers come from detect-secrets where it has them; the rest are the rows of `OUR_PATTERNS`. What
people call a password is read from the data of their languages.
A pattern may not take more than a bounded look back, so that no message, however long or hostile, makes it slow.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from memory.language.derived import derived
from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon.secrets import SecretWords
from memory.language.lexicon.time import Words

LIBRARY = (
    AWSKeyDetector,
    ArtifactoryDetector,
    AzureStorageKeyDetector,
    DiscordBotTokenDetector,
    GitHubTokenDetector,
    GitLabTokenDetector,
    MailchimpDetector,
    NpmDetector,
    PypiTokenDetector,
    SendGridDetector,
    SlackDetector,
    SquareOAuthDetector,
    StripeDetector,
    TelegramBotTokenDetector,
    TwilioKeyDetector,
)

# Names of fields in programs, which belong to no language; what people call a password stands in `[secrets]` of theirs.
SURE_FIELDS = (
    "password|passwd|pwd|(?<![a-z])pass(?![a-z])|secret[ _-]?key|api[ _-]?key|access[ _-]?key|client[ _-]?secret"
)
# These mean other things too, so their values must look the part.
DOUBTFUL_FIELDS = "secret|token|pin|key"
# Signs of Markdown and of quotations may stand around the name and before the value; what they hold is the value.
AROUND = r"[\"'*_`]{0,3}\s{0,3}"
BEFORE = r"(?:```\w{0,12}\n|[\s>*_`|]){0,8}+"
COLON = rf"{AROUND}(?::|：|=>){BEFORE}"
EQUALS = rf"{AROUND}:?={BEFORE}"
QUOTED = r"\"[^\"\n]{3,}\"|'[^'\n]{3,}'"
BARE = r"[^\s\"']{2,}[^\s\"',;.)!?]"
LIKELY = r"[\"'“«]?(?P<secret>(?=[^\s\"'”»]{0,60}[\d!@#$%^&*_+=])[^\s\"'”»,;]{4,})"

OUR_PATTERNS: tuple[tuple[str, str], ...] = (
    # The whole key, also when its end was cut off.
    (
        "private key",
        r"(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}-----|\Z)",
    ),
    ("private key", r"(?s)PuTTY-User-Key-File-\d:.*?(?:Private-MAC: ?[0-9a-f]{1,128}|\Z)"),
    # From the beginning of a run of its signs, each of which is then looked at once.
    (
        "JWT",
        r"(?<![\w-])(?:(?!(?<![A-Za-z0-9])eyJ)[\w-])*+"
        r"(?P<secret>eyJ[\w-]{5,}+={0,2}\.[\w-]{5,}+={0,2}(?:\.[\w-]*+={0,2})?)",
    ),
    ("API key", r"(?<![A-Za-z0-9])sk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{16,}"),
    ("API key", r"(?<![A-Za-z0-9])(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{10,}"),
    ("API key", r"(?<![A-Za-z0-9])AIza[0-9A-Za-z_-]{35}(?![\w-])"),
    ("API key", r"(?<![A-Za-z0-9])(?:github_pat_|gh[pousr]_|npm_)[A-Za-z0-9_]{20,}"),
    ("API key", r"(?<![A-Za-z0-9])(?:hf_|gsk_|xai-|pplx-|r8_|nvapi-|glpat-|dop_v1_|shpat_|GOCSPX-)[A-Za-z0-9_-]{20,}"),
    ("API key", r"(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,}"),
    ("API key", r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Z])"),
    ("API key", r"(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("token", r"(?i:\bbearer)\s{1,3}(?P<secret>[A-Za-z0-9._~+/-]{16,}={0,2})"),
    ("password", r"(?i:\bauthorization:\s{0,3}basic)\s{1,3}(?P<secret>[A-Za-z0-9+/]{4,}={0,2})"),
    ("password", r"://[^\s/:@]{0,100}:(?P<secret>[^\s/@]{2,200})@"),
)
FORMATS = tuple((kind, re.compile(pattern)) for kind, pattern in OUR_PATTERNS)
# Digits in groups; which of them are a card number, its length, first digits and checksum decide.
DIGITS = re.compile(r"(?<![\w.])\d{2,}(?:[ \u00a0.-]{1,2}\d{2,})*")
GROUP = re.compile(r"\d+")
CARD_BEGINS = re.compile(r"4|5[0-8]|2[2-7]|3[04-9]|6|8[12]")

PIN = re.compile(r"(?i:(?<![a-z])pin(?![a-z]))")
# "accessToken" tells as much as "access_token".
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
SHORTEST_SECRET, BEGINNING = 3, 200
SECRET_NUMBERS = range(1_000, 10**19)  # from a PIN to the longest card number

SLICE, OVERLAP = 1024, 256
LEFT_OUT = "[{} left out]"
ALREADY_OUT = re.compile(r"\[[A-Za-z ]{3,20} left out\]")


@dataclass(frozen=True, slots=True)
class Redacted:
    text: str
    kinds: tuple[str, ...]


@derived
def _surely_secret() -> re.Pattern[str]:
    return re.compile(f"(?i:{_surely_called()})")


@derived
def _perhaps_secret() -> re.Pattern[str]:
    return re.compile(f"(?i:{_perhaps_called()}|authorization)")


@derived
def _named_secrets() -> tuple[re.Pattern[str], ...]:
    """A name, what stands between, and the value."""
    surely, perhaps = _surely_called(), _perhaps_called()
    copulas, unspaced_copulas = _by_spacing(lambda each: each.copulas)
    told = rf"{AROUND}(?:(?<=\s)(?i:{copulas})(?=[\s:：]):?|(?:{unspaced_copulas})[:：]?|\|){BEFORE}"
    # After a colon people also go on talking, or give a link.
    no_values, unspaced_no_values = _by_spacing(lambda each: each.no_values)
    no_talk = rf"(?!(?i:https?:))(?!(?i:(?:{no_values})\b|{unspaced_no_values}))"
    patterns = (
        _named(surely) + EQUALS + rf"(?P<secret>{QUOTED}|{BARE})",
        _named(surely) + COLON + rf"(?P<secret>{QUOTED}|{no_talk}{BARE})",
        # "my password is hunter2", but not "my password is important", nor "my secret: chocolate".
        _named(surely) + told + LIKELY,
        _named(rf"(?<![a-z])(?:{perhaps})") + rf"(?:{COLON}|{EQUALS})" + LIKELY,
        _named(rf"(?:(?<![a-z])|_)(?:{perhaps})") + r"=(?P<secret>[^\s\"',;]{8,})",
    )
    return tuple(re.compile(pattern) for pattern in patterns)


def _named(words: str) -> str:
    """`DB_PASSWORD`, `adminPassword2` and `password` alike."""
    return rf"(?i:(?:{words})\w{{0,20}})"


def _surely_called() -> str:
    return "|".join([SURE_FIELDS, *_words(lambda each: each.surely)])


def _perhaps_called() -> str:
    return "|".join([DOUBTFUL_FIELDS, *_words(lambda each: each.perhaps)])


def _words(listed: Callable[[SecretWords], Words], *, spaced: bool | None = None) -> list[str]:
    """What all languages say for one thing, or only those that part words, or only those that do not."""
    chosen = [each for each in languages().values() if spaced in {None, each.spaced}]
    return [re.escape(word) for each in chosen for word in listed(each.secrets)]


def _by_spacing(listed: Callable[[SecretWords], Words]) -> tuple[str, str]:
    """The same as two patterns: of languages that part words, and of the others."""
    return "|".join(_words(listed, spaced=True)) or NEVER, "|".join(_words(listed, spaced=False)) or NEVER


def redact(text: str) -> Redacted:
    """The text with every secret replaced by what kind of thing stood there, until none is found any more."""
    kinds: list[str] = []
    while spans := sorted(_found(text)):
        parts, done = [], 0
        for start, end, kind in spans:
            if start >= done:
                parts += [text[done:start], LEFT_OUT.format(kind)]
                kinds.append(kind)
            done = max(done, end)
        text = "".join(parts) + text[done:]
    return Redacted(text, tuple(kinds))


def redact_named(name: str, text: str) -> Redacted:
    """The value of a field. Its name may tell of any words that they are a secret: then all of them are left out."""
    if ALREADY_OUT.fullmatch(text):
        return Redacted(text, ())
    words, begins = CAMEL.sub("_", name), text.strip()[:BEGINNING]
    kinds: tuple[str, ...] = ()
    if _surely_secret().search(words):
        kinds = ("password",) if len(begins) >= SHORTEST_SECRET else ()
    elif words.lower() != "key" and _perhaps_secret().search(words):  # a mere key is one of a keyboard or of a table
        kinds = redact(f"{words}={begins}\n{words}: {begins}").kinds
    return Redacted(LEFT_OUT.format(kinds[0]), kinds[:1]) if kinds else redact(text)


def secret_number(name: str, number: float) -> str | None:
    """What kind of secret a number is, if any: a card's, or by its name. Under `tokens` or `keys` it counts them."""
    if int(number) not in SECRET_NUMBERS:
        return None
    if _surely_secret().search(words := CAMEL.sub("_", name)) or PIN.search(words):
        return "password"
    return "card number" if is_card_number(str(int(number))) else None


def _found(text: str) -> Iterator[tuple[int, int, str]]:
    named = (("password", pattern) for pattern in _named_secrets())
    for kind, pattern in (*FORMATS, *named):
        for match in pattern.finditer(text):
            start, end = match.span("secret" if "secret" in pattern.groupindex else 0)
            if not ALREADY_OUT.match(text, start):
                yield start, end, kind
    for match in DIGITS.finditer(text):
        for start, end in _card_numbers(match[0]):
            yield match.start() + start, match.start() + end, "card number"
    for detector in LIBRARY:
        for pattern in detector.denylist:
            yield from _in_slices(text, pattern)


def _in_slices(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int, str]]:
    """The library's patterns were not written for hostile megabytes: they see a bounded piece at a time."""
    for offset in range(0, max(len(text) - OVERLAP, 1), SLICE - OVERLAP):
        for match in pattern.finditer(text[offset : offset + SLICE]):
            group = next((number for number in range(1, pattern.groups + 1) if match[number]), 0)
            yield offset + match.start(group), offset + match.end(group), "API key"


def _card_numbers(run: str) -> Iterator[tuple[int, int]]:
    """Runs of whole groups that are a card number: "4111 1111 1111 1111 12" holds one, and a month."""
    groups = [(found.start(), found.end()) for found in GROUP.finditer(run)]
    for number, (start, _) in enumerate(groups):
        digits = ""
        for begin, end in groups[number : number + 19]:
            digits += run[begin:end]
            if len(digits) > 19:
                break
            if is_card_number(digits):
                yield start, end


def is_card_number(digits: str) -> bool:
    """13 to 19 digits that begin as cards do, with Luhn's checksum."""
    if not 13 <= len(digits) <= 19 or not CARD_BEGINS.match(digits):
        return False
    values = [int(digit) for digit in digits]
    doubled = [sum(divmod(2 * value, 10)) for value in values[-2::-2]]
    return (sum(values[-1::-2]) + sum(doubled)) % 10 == 0
