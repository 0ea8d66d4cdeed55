"""What a conversation is called when nobody has given it a name."""

from __future__ import annotations

TITLE_CHARACTERS = 80


def one_line(text: str, most: int = TITLE_CHARACTERS) -> str:
    """Return a text as a title: one line, cut at a word."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[: most - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + "…"
