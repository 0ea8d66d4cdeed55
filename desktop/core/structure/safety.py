"""Safety words: which blocks are warnings, and how serious."""

from __future__ import annotations

import re

from desktop.resources import words_by_language

_LEVELS = {
    word.replace("_", " ").upper(): level
    for level, words in words_by_language("signal_words.txt").items()
    for word in words
}
_ANY = "|".join(sorted(_LEVELS, key=len, reverse=True))
# A safety word opens the block: in capitals, or followed by a colon, a full stop or an exclamation
# mark. Icons that are characters may stand before it (one is a letter to Unicode), or in its place.
_MARKS = ":!.\uff1a\uff01"
_SIGNAL = re.compile(rf"^(?:\W|\u2139){{0,6}}({_ANY})S?\b\s*([{_MARKS}–-]?)", re.IGNORECASE)
_LETTER_ICON = re.compile(rf"^[^\W\d_] (?=(?:{_ANY})S?\W*$)")
"""The letter that an icon font has for its sign, before a word that stands alone: "A CAUTION"."""
_ICON = re.compile(r"^(?:\W{0,2}[⚠⚡☠☢☣🛑]\W*|!\s+(?=[^\W\d_]))")


# A word of another language is told by its print: capitals and an exclamation mark.
_OUTCRY = re.compile(r"^\W{0,6}([^\W\d_]{4,})\s?!(?=\s|$)")


_MOST_OF_HAZARD = 6  # words


def names_hazard(text: str) -> bool:
    """Whether it says in capitals what kind of hazard there is: "FLYING OBJECT HAZARD!"."""
    words = text.split()
    return text.isupper() and text.endswith("!") and 1 < len(words) <= _MOST_OF_HAZARD


def is_signal_word(text: str) -> bool:
    """Whether the text is nothing but a safety word, its message standing below it."""
    text = _LETTER_ICON.sub("", text)
    match = _opening(text)
    return match is not None and not any(c.isalnum() for c in text[match.end() :])


def without_signal_word(text: str) -> str:
    """Return a warning's message without what opens it, word or icon; the word if that is all."""
    match = _opening(text)
    message = text[match.end() :].lstrip(" :!.–—-•…\n") if match else text
    return message or text


def warning_level(text: str) -> str:
    """Return DANGER, WARNING, CAUTION or NOTE if the block opens with a safety word, else "".

    A sign of danger without a word, "⚠ Hot surface", counts as WARNING, and so does a word that is
    not known, "HAZARD! The blade is sharp", where it alone is in capitals. "! Keep dry" is CAUTION.
    """
    text = _LETTER_ICON.sub("", text)
    match = _SIGNAL.match(text)
    if not match:
        opened = _opening(text)
        if opened is None:
            return ""
        return "CAUTION" if opened[0].strip() == "!" else "WARNING"
    word, mark = match.groups()
    if not (
        word.isupper()
        or (mark and mark in _MARKS)
        or text[match.start(1) :].strip().casefold() == word.casefold()
    ):
        return ""
    return _LEVELS[word.upper()]


def _opening(text: str) -> re.Match[str] | None:
    """Return what opens a warning: a safety word, an icon or an outcry."""
    known = _SIGNAL.match(text) or _ICON.match(text)
    outcry = None if known else _OUTCRY.match(text)
    if outcry is None or not outcry[1].isupper():
        return known
    message = " ".join(text[outcry.end() :].split()[:2])
    return None if message.isupper() else outcry
