"""Keeps secrets out of a trace: passwords, keys and tokens are cut where they begin.

What a secret is, the knowledge base decides (`knowledge.security`): a trace keeps nothing that
a note would be refused for.
"""

from __future__ import annotations

import importlib.util
import re
from typing import Any

from knowledge.security import secret_in

AVAILABLE = importlib.util.find_spec("detect_secrets") is not None
"""Without the patterns of known secrets nothing may be recorded."""

REMOVED = "***"
_WORD = re.compile(r"\S+")


def redacted(text: str) -> str:
    """Return `text` without its secrets; from a secret to its line's end nothing is kept."""
    if secret_in(text) is None:
        return text
    return "\n".join(map(_line, text.split("\n")))


def redacted_values(values: Any, name: str = "") -> Any:
    """Return plain values (of JSON) with every text in them redacted.

    name: the key they stand under: {"password": "x"} is a secret only together with it.
    """
    if isinstance(values, str):
        if name and secret_in(f"{name}: {values}") and not secret_in(values):
            return REMOVED
        return redacted(values)
    if isinstance(values, dict):
        return {str(key): redacted_values(value, str(key)) for key, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [redacted_values(value, name) for value in values]
    if isinstance(values, (int, float, bool)) or values is None:
        return values
    return redacted(str(values))


def warm_up() -> None:
    """Load the patterns, a third of a second the first time; blocks."""
    secret_in("nothing://secret-in-here-0")


def _line(line: str) -> str:
    """Cut a line before the word without which there is no secret in it; the last such one."""
    if secret_in(line) is None:
        return line
    for word in reversed(list(_WORD.finditer(line))):
        without = line[: word.start()] + REMOVED + line[word.end() :]
        if secret_in(without) is None:
            kept = f"{line[: word.start()]}{REMOVED}"
            return kept if secret_in(kept) is None else REMOVED
    return REMOVED
