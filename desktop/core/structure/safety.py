"""Safety words: which blocks are warnings, and how serious."""

from __future__ import annotations

import re

_LEVELS = {
    "DANGER": "DANGER",
    "GEFAHR": "DANGER",
    "LEBENSGEFAHR": "DANGER",
    "WARNING": "WARNING",
    "WARNUNG": "WARNING",
    "CAUTION": "CAUTION",
    "VORSICHT": "CAUTION",
    "ACHTUNG": "CAUTION",
    "ATTENTION": "CAUTION",
    "NOTE": "NOTE",
    "NOTICE": "NOTE",
    "IMPORTANT": "NOTE",
    "HINWEIS": "NOTE",
    "WICHTIG": "NOTE",
}
# A safety word opens the block: in capitals, or followed by a colon or an exclamation mark.
_SIGNAL = re.compile(r"^\W{0,3}(" + "|".join(_LEVELS) + r")S?\b\s*([:!.–-]?)", re.IGNORECASE)


def is_signal_word(text: str) -> bool:
    """Whether the text is nothing but a safety word, its message standing below it."""
    match = _SIGNAL.match(text)
    return match is not None and not any(c.isalnum() for c in text[match.end() :])


def without_signal_word(text: str) -> str:
    """Return a warning's message without the word that opens it; the word if that is all."""
    match = _SIGNAL.match(text)
    message = text[match.end() :].lstrip(" :!.–-") if match else text
    return message or text


def warning_level(text: str) -> str:
    """Return DANGER, WARNING, CAUTION or NOTE if the block opens with a safety word, else ""."""
    match = _SIGNAL.match(text)
    if not match:
        return ""
    word, mark = match.groups()
    if not (word.isupper() or mark in (":", "!") or text.strip().casefold() == word.casefold()):
        return ""
    return _LEVELS[word.upper()]
