"""Redacts secrets before anything is written: keys, tokens, passwords, card numbers.

Formats of providers come from detect-secrets where it has them, others from `OUR_PATTERNS`. Words for "password" come
from the language data.
Every pattern has bounded backtracking, so that no message, however long or hostile, makes it slow.
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

from memory.language.lexicon import languages
from memory.language.lexicon.notation import NEVER
from memory.language.lexicon.secrets import SecretWords
from memory.language.lexicon.time import Words
from memory.language.lexicon_cache import lexicon_cached

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

# Field names in programs, which belong to no language. Each language lists its own words under `[secrets]`.
CERTAIN_FIELDS = (
    "password|passwd|pwd|(?<![a-z])pass(?![a-z])|secret[ _-]?key|api[ _-]?key|access[ _-]?key|client[ _-]?secret"
)
# These mean other things too, so their values must look like secrets.
POSSIBLE_FIELDS = "secret|token|pin|key"
# Markdown and quotation marks may surround the name and precede the value.
AROUND = r"[\"'*_`]{0,3}\s{0,3}"
BEFORE = r"(?:```\w{0,12}\n|[\s>*_`|]){0,8}+"
COLON = rf"{AROUND}(?::|：|=>){BEFORE}"
EQUALS = rf"{AROUND}:?={BEFORE}"
QUOTED = r"\"[^\"\n]{3,}\"|'[^'\n]{3,}'"
BARE = r"[^\s\"']{2,}[^\s\"',;.)!?]"
LIKELY = r"[\"'“«]?(?P<secret>(?=[^\s\"'”»]{0,60}[\d!@#$%^&*_+=])[^\s\"'”»,;]{4,})"

OUR_PATTERNS: tuple[tuple[str, str], ...] = (
    # The whole key, even when its end was cut off.
    (
        "private key",
        r"(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}-----|\Z)",
    ),
    ("private key", r"(?s)PuTTY-User-Key-File-\d:.*?(?:Private-MAC: ?[0-9a-f]{1,128}|\Z)"),
    # Starts at the beginning of a run of token characters, so that each character is examined only once.
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
# Grouped digits. Length, first digits and checksum decide which groups form a card number.
DIGITS = re.compile(r"(?<![\w.])\d{2,}(?:[ \u00a0.-]{1,2}\d{2,})*")
GROUP = re.compile(r"\d+")
CARD_BEGINS = re.compile(r"4|5[0-8]|2[2-7]|3[04-9]|6|8[12]")

PIN = re.compile(r"(?i:(?<![a-z])pin(?![a-z]))")
# Splits "accessToken" like "access_token".
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


@lexicon_cached
def _certain_secret() -> re.Pattern[str]:
    return re.compile(f"(?i:{_certain_names()})")


@lexicon_cached
def _possible_secret() -> re.Pattern[str]:
    return re.compile(f"(?i:{_possible_names()}|authorization)")


@lexicon_cached
def _named_secrets() -> tuple[re.Pattern[str], ...]:
    """Patterns of a name, a separator and the secret value."""
    surely, perhaps = _certain_names(), _possible_names()
    copulas, unspaced_copulas = _by_spacing(lambda each: each.copulas)
    stated = rf"{AROUND}(?:(?<=\s)(?i:{copulas})(?=[\s:：]):?|(?:{unspaced_copulas})[:：]?|\|){BEFORE}"
    # After a colon people may also just go on talking, or give a link.
    no_values, unspaced_no_values = _by_spacing(lambda each: each.no_values)
    no_talk = rf"(?!(?i:https?:))(?!(?i:(?:{no_values})\b|{unspaced_no_values}))"
    patterns = (
        _named(surely) + EQUALS + rf"(?P<secret>{QUOTED}|{BARE})",
        _named(surely) + COLON + rf"(?P<secret>{QUOTED}|{no_talk}{BARE})",
        # "my password is hunter2", but not "my password is important", nor "my secret: chocolate".
        _named(surely) + stated + LIKELY,
        _named(rf"(?<![a-z])(?:{perhaps})") + rf"(?:{COLON}|{EQUALS})" + LIKELY,
        _named(rf"(?:(?<![a-z])|_)(?:{perhaps})") + r"=(?P<secret>[^\s\"',;]{8,})",
    )
    return tuple(re.compile(pattern) for pattern in patterns)


def _named(words: str) -> str:
    """Matches `DB_PASSWORD`, `adminPassword2` and `password` alike."""
    return rf"(?i:(?:{words})\w{{0,20}})"


def _certain_names() -> str:
    return "|".join([CERTAIN_FIELDS, *_words(lambda each: each.surely)])


def _possible_names() -> str:
    return "|".join([POSSIBLE_FIELDS, *_words(lambda each: each.perhaps)])


def _words(listed: Callable[[SecretWords], Words], *, spaced: bool | None = None) -> list[str]:
    """The words of all languages, or only of those that separate words by spaces, or only of the others."""
    chosen = [each for each in languages().values() if spaced in {None, each.spaced}]
    return [re.escape(word) for each in chosen for word in listed(each.secrets)]


def _by_spacing(listed: Callable[[SecretWords], Words]) -> tuple[str, str]:
    """Two patterns: for languages that separate words by spaces, and for the others."""
    return "|".join(_words(listed, spaced=True)) or NEVER, "|".join(_words(listed, spaced=False)) or NEVER


def redact(text: str) -> Redacted:
    """Replace every secret by its kind, repeatedly until none is found."""
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
    """Redact the value of a field. Where the field's name says that it is a secret, the whole value is left out."""
    if ALREADY_OUT.fullmatch(text):
        return Redacted(text, ())
    words, start = CAMEL.sub("_", name), text.strip()[:BEGINNING]
    kinds: tuple[str, ...] = ()
    if _certain_secret().search(words):
        kinds = ("password",) if len(start) >= SHORTEST_SECRET else ()
    elif words.lower() != "key" and _possible_secret().search(words):  # plain "key" may be of a keyboard or a table
        kinds = redact(f"{words}={start}\n{words}: {start}").kinds
    return Redacted(LEFT_OUT.format(kinds[0]), kinds[:1]) if kinds else redact(text)


def secret_number(name: str, number: float) -> str | None:
    """Return the kind of secret that a number is, if any. A number named `tokens` or `keys` is taken for a count."""
    if int(number) not in SECRET_NUMBERS:
        return None
    if _certain_secret().search(words := CAMEL.sub("_", name)) or PIN.search(words):
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
    """Search in bounded slices, because the library's patterns were not written for hostile megabytes."""
    for offset in range(0, max(len(text) - OVERLAP, 1), SLICE - OVERLAP):
        for match in pattern.finditer(text[offset : offset + SLICE]):
            group = next((number for number in range(1, pattern.groups + 1) if match[number]), 0)
            yield offset + match.start(group), offset + match.end(group), "API key"


def _card_numbers(run: str) -> Iterator[tuple[int, int]]:
    """Yield spans of whole groups that form a card number: "4111 1111 1111 1111 12" holds one, and a month."""
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
    """Whether these are 13 to 19 digits with a card issuer's prefix and a valid Luhn checksum."""
    if not 13 <= len(digits) <= 19 or not CARD_BEGINS.match(digits):
        return False
    values = [int(digit) for digit in digits]
    doubled = [sum(divmod(2 * value, 10)) for value in values[-2::-2]]
    return (sum(values[-1::-2]) + sum(doubled)) % 10 == 0
