"""Text of manuals as the agent may be told it: short, on one line, and in quotation marks.

Titles and headings come from files that anybody may have written. They are data, so they
are quoted as titles and never stand where an instruction could.
"""

from __future__ import annotations

import unicodedata

LONGEST_TITLE = 120
"""Characters of a title that the agent is told."""

# What would end the quotation, open a tag or a heading of our own.
_MARKUP = str.maketrans({'"': "'", "“": "'", "”": "'", "„": "'", "`": "'", "<": "(", ">": ")"})


def plain(text: str, longest: int = LONGEST_TITLE) -> str:
    """Return text on one line without control or format characters, cut at a word.

    longest: most characters of the result, an ellipsis included.
    """
    visible = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in text)
    line = " ".join(visible.split())
    if len(line) <= longest:
        return line
    cut = line[: longest - 1]
    return f"{cut.rsplit(' ', 1)[0] if ' ' in cut[longest // 2 :] else cut}…"


def quoted(title: str, longest: int = LONGEST_TITLE) -> str:
    """Return a title in quotation marks that nothing inside it can close."""
    return f'"{plain(title, longest).translate(_MARKUP).lstrip("#*-= ")}"'
