"""A text as sentences, and a sentence as the parts that can be told apart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.structure.signs import BULLETS, LEADERS, starts_item

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

_WORD = re.compile(r"[^\W_]+")
_END = re.compile(r"[.!?][\"')\]”’]*$")
_ABBREVIATION = re.compile(
    r"^\W*(?:e\.?g|i\.?e|fig|figs|no|nos|approx|resp|max|min|incl|excl|vs|cf|dr|mr|mrs|st|ca|etc|pos"
    r"|z\.b|d\.h|bzw|nr|abb|tab|ggf|evtl|inkl|exkl|u\.a|usw|vgl|bsp|s|p|pp|rev|ver|art)\.\W*$",
    re.IGNORECASE,
)
_UNIT = re.compile(r"(?:min|s|st)\.\W*", re.IGNORECASE)
"""Abbreviations that are units, too: behind a number they may end a sentence, "1 bzw. I2" not."""
_INITIALS = re.compile(r"^\W*(?:[^\W\d_]\.){2,}\W*$")
"""Letters with a dot each: "L.F.", "E.Q."; the word after them is written large like a name."""
_SHORTEST_LAST = 3
"""Letters of a word that ends a sentence before a number; "ca. 100", "Nr. 5964" do not."""
_COUNTS = re.compile(r"\d{1,2}(?:\)\.|\.\))")
_STEP_NUMBER = re.compile(r"\(?\d{1,2}[.):]")
_LETTER = re.compile(r"\W*[^\W\d_]\.\W*$")
_PAGE = re.compile(r"\|?[\w-]{1,6}")


def words_in(text: str) -> list[str]:
    """Return the runs of letters and digits of a text; "P-200" is two."""
    return _WORD.findall(text)


def sentence_spans(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each sentence in a sequence of words."""
    spans = []
    start = 0
    led = False
    for index, word in enumerate(texts):
        following = texts[index + 1] if index + 1 < len(texts) else ""
        before = texts[index - 1] if index > start else ""
        was_led, led = led, _leads(word, before, following)
        ends = (was_led and _PAGE.fullmatch(word)) or _ends(word, before, following)
        if _COUNTS.fullmatch(word) and not any("(" in each for each in texts[start:index]):
            ends = False  # "Check: 1). Wiring 2). Pump"
        if not following or (ends and not led):
            spans.append((start, index + 1))
            start = index + 1
    return spans


def sentences_of(text: str) -> Iterator[str]:
    """Yield the sentences of a text; a line break ends one."""
    for line in text.splitlines():
        words = line.split()
        for first, last in sentence_spans(words):
            if last > first:
                yield " ".join(words[first:last])


def _is_of_letters(word: str, before: str, following: str) -> bool:
    """Whether a word is one of several letters that stand for words: "z. B.", "d. h."."""
    return bool(_LETTER.match(word) and (_LETTER.match(before) or _LETTER.match(following)))


def _leads(word: str, before: str, following: str) -> bool:
    """Whether a word belongs to the dots that lead from a heading to its page."""
    if not word.endswith((".", "…", "·")):
        return False
    if LEADERS.search(word) or _is_dots(following):
        return True
    return _is_dots(word) and _is_dots(before)


def _is_dots(word: str) -> bool:
    return word != "" and not word.strip(".…·")


def _ends(word: str, before: str, following: str) -> bool:
    """Whether a word ends its sentence. before: the word before it in the sentence, or ""."""
    if not _END.search(word):
        return False
    opening = following.lstrip("\"'([“‘•-–")[:1]
    is_short = _ABBREVIATION.match(word) is not None and not _UNIT.fullmatch(word)
    if before[-1:].isdigit() and opening.isupper() and not is_short:  # "5 min. The", "24 V. Then"
        return True
    if _ABBREVIATION.match(word) or _is_of_letters(word, before, following):
        return False
    if _INITIALS.match(word) or _is_short_for(word, following):
        return False
    if not before and starts_item(word):  # "2. Open the flap"
        return False
    return opening.isupper() or opening.isdigit() or not opening.isalnum()


def _is_short_for(word: str, following: str) -> bool:
    """Whether a word with a dot is an abbreviation, by where it stands: "(mind. 3 mm", "ca. 5"."""
    if word.startswith("(") and ")" not in word:
        return True
    letters = sum(sign.isalpha() for sign in word)
    number = following.lstrip("<>±~≤≥+-")[:1].isdigit() and not _STEP_NUMBER.match(following)
    return number and word.endswith(".") and 0 < letters < _SHORTEST_LAST and not word.isupper()


_FEWEST_WORDS = 2
# "Power LED: green." names something; "Supply: 24 V." gives its value.
_MOST_OF_A_NAME = 5
_MOST_BEFORE_COLON = 3
_SPEAKERS = ("Q:", "A:", "F:")
_NUMBERED = re.compile(r"\(?(\d{1,2}|[a-z])\)")


def sentence_parts(texts: Sequence[str], openings: Collection[int] = ()) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each part of a sentence.

    openings: positions of words before which the page leaves more room than between lines.
    """
    marked = {
        index for index, word in enumerate(texts) if word in _SPEAKERS or word.startswith(BULLETS)
    }
    spaced = {index for index in openings if _may_open(texts[index])}
    cuts = [0]
    for index in sorted(marked | spaced | _numbered(texts)):
        if index - cuts[-1] >= _FEWEST_WORDS and len(texts) - index >= _FEWEST_WORDS:
            cuts.append(index)
    return list(zip(cuts, [*cuts[1:], len(texts)], strict=True))


def with_names(texts: Sequence[str], sentences: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return (first, last + 1) of each sentence, a name joined with what is said of it.

    "UP: freeze. Stops the display." says of the key UP that it stops the display; a "Weight:
    5 kg." is told by itself.
    """
    joined: list[tuple[int, int]] = []
    named = False
    for first, last in sentences:
        text = texts[first:last]
        if named and not _is_labelled(text):
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
        named = _is_name(text)
    return joined


def _is_name(sentence: Sequence[str]) -> bool:
    short = 1 < len(sentence) <= _MOST_OF_A_NAME
    value = " ".join(sentence).partition(":")[2]
    return short and _is_labelled(sentence) and not any(map(str.isdecimal, value))


def _is_labelled(sentence: Sequence[str]) -> bool:
    return any(
        word.endswith(":") for word in sentence[: min(_MOST_BEFORE_COLON, len(sentence) - 1)]
    )


def _may_open(word: str) -> bool:
    letter = word.lstrip("\"'([“‘•-–")[:1]
    return letter.isupper() or letter.isdigit()


def _numbered(texts: Sequence[str]) -> set[int]:
    """Return where the points of a list "1) ... 2) ..." begin; one alone is no list.

    A number that closes a bracket, "(Control 2)", is none.
    """
    found: list[int] = []
    open_ = 0
    for index, word in enumerate(texts):
        match = None if open_ else _NUMBERED.match(word)
        open_ = max(0, open_ + word.count("(") - word.count(")"))
        if match is not None and match.group(1) in (
            str(len(found) + 1),
            chr(ord("a") + len(found)),
        ):
            found.append(index)
    return set(found) if len(found) > 1 else set()
