"""Finds where a text repeats given words, verbatim or reworded, and blanks those spans."""

import re

from memory.language.terms import UNSPACED, key_terms

Span = tuple[int, int]

SENTENCE = re.compile(r"[^.!?…\n。！？؟।]*+[.!?…\n。！？؟।]*+")
PART = re.compile(r"[^.!?…\n。！？؟।,;:()–—，；、،؛]++")
MIN_TERMS = 2
# A letter of a script with spaces between words, so that "green" is not found in "evergreens".
LETTER = UNSPACED.pattern.replace("[", r"[^\W").rstrip("+")


def verbatim_spans(text: str, words: str) -> list[Span]:
    """Return every occurrence of these words, ignoring case and the amount of white space."""
    parts = words.split()
    if not parts:
        return []
    spelled = r"\s+".join(map(re.escape, parts))
    before = rf"(?<!{LETTER})" if re.match(LETTER, parts[0]) else ""
    after = rf"(?!{LETTER})" if re.search(f"{LETTER}$", parts[-1]) else ""
    return [found.span() for found in re.finditer(before + spelled + after, text, re.IGNORECASE)]


def paraphrase_spans(text: str, words: str) -> list[Span]:
    """Sentences that contain every key term of `words` ("Alec is your boss" for "Alec is my boss")."""
    wanted = key_terms(words)
    if len(wanted) < MIN_TERMS:
        return []
    return [span for span in sentence_spans(text) if wanted <= key_terms(text[slice(*span)])]


def source_span(message: str, words: str) -> Span | None:
    """Find where a message states a fact. Return the span of the exact words, or of one or more sentences."""
    if exact := verbatim_spans(message, words):
        return exact[0]
    shared = key_terms(words) & key_terms(message)
    partial = [span for span in sentence_spans(message) if shared & key_terms(message[slice(*span)])]
    complete = [span for span in partial if shared <= key_terms(message[slice(*span)])]
    if complete:
        return complete[0]
    return (partial[0][0], partial[-1][1]) if partial else None


def blank_out(text: str, spans: list[Span], mark: str = "█") -> str:
    parts, done = [], 0
    for start, end in sorted(spans):
        if end > done:
            start = max(start, done)
            parts += [text[done:start], mark * (end - start)]
            done = end
    return "".join(parts) + text[done:]


def sentence_spans(text: str) -> list[Span]:
    """Sentences without surrounding white space, cut at every full stop.

    Unlike `sentence_bounds`, this ignores abbreviations: forgetting must not depend on a list of them.
    """
    return _spans(SENTENCE, text)


def part_spans(text: str) -> list[Span]:
    """The pieces of a text between punctuation marks, including commas and brackets."""
    return _spans(PART, text)


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    found = []
    for match in pattern.finditer(text):
        inner = match[0].strip()
        if inner:
            start = match.start() + match[0].index(inner)
            found.append((start, start + len(inner)))
    return found
