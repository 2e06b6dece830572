"""Finds where a text repeats some words, literally or in other words, and blanks what was found."""

import re

from memory.language.terms import UNSPACED, telling

Span = tuple[int, int]

SENTENCE = re.compile(r"[^.!?…\n。！？؟।]*+[.!?…\n。！？؟।]*+")
PART = re.compile(r"[^.!?…\n。！？؟।,;:()–—，；、،؛]++")
LEAST_TERMS = 2
# Of a script that parts its words: "green" does not stand in "evergreens".
LETTER = UNSPACED.pattern.replace("[", r"[^\W").rstrip("+")


def word_for_word(text: str, words: str) -> list[Span]:
    """Every place where these words stand, whatever their case and the white space between them."""
    parts = words.split()
    if not parts:
        return []
    spelled = r"\s+".join(map(re.escape, parts))
    before = rf"(?<!{LETTER})" if re.match(LETTER, parts[0]) else ""
    after = rf"(?!{LETTER})" if re.search(f"{LETTER}$", parts[-1]) else ""
    return [found.span() for found in re.finditer(before + spelled + after, text, re.IGNORECASE)]


def in_other_words(text: str, words: str) -> list[Span]:
    """Sentences that hold every telling word ("Alec is your boss" for "Alec is my boss")."""
    told = telling(words)
    if len(told) < LEAST_TERMS:
        return []
    return [span for span in sentence_spans(text) if told <= telling(text[slice(*span)])]


def source_span(message: str, words: str) -> Span | None:
    """Where in the owner's message a fact comes from: the sentence, or the shortest run of them, with its words."""
    if exact := word_for_word(message, words):
        return exact[0]
    told = telling(words) & telling(message)
    holding = [span for span in sentence_spans(message) if told & telling(message[slice(*span)])]
    whole = [span for span in holding if told <= telling(message[slice(*span)])]
    if whole:
        return whole[0]
    return (holding[0][0], holding[-1][1]) if holding else None


def blanked(text: str, spans: list[Span], mark: str = "█") -> str:
    parts, done = [], 0
    for start, end in sorted(spans):
        if end > done:
            start = max(start, done)
            parts += [text[done:start], mark * (end - start)]
            done = end
    return "".join(parts) + text[done:]


def sentence_spans(text: str) -> list[Span]:
    """From mark to mark, without the white space around them. Unlike `sentences` this knows no abbreviations: what is
    forgotten must not depend on a list of them."""
    return _spans(SENTENCE, text)


def part_spans(text: str) -> list[Span]:
    """What stands between two marks, of a sentence or within one."""
    return _spans(PART, text)


def _spans(pattern: re.Pattern[str], text: str) -> list[Span]:
    found = []
    for match in pattern.finditer(text):
        inner = match[0].strip()
        if inner:
            start = match.start() + match[0].index(inner)
            found.append((start, start + len(inner)))
    return found
