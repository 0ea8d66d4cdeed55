"""Translations with marks around them: what stands outside of the marks was never translated.

The values that are put into a translation stay outside, so that English in them is seen too.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QTranslator

from desktop.ui import language

BEGIN, END = "\ue000", "\ue001"
_HOLE = re.compile(r"(\{\w*\}|%n|%L?\d|&(?=\w)|<[^<>]+>)")
_LETTERS = re.compile(r"[^\W\d_]")
_MARKED = re.compile(f"{BEGIN}[^{BEGIN}{END}]*{END}")
_TAG = re.compile(r"<[^<>]+>")
_EDGES = re.compile(r"^[\W\d_]+|[\W\d_]+$")


def marked(text: str) -> str:
    """Return a translation with its own words between marks."""
    pieces = _HOLE.split(text)
    return "".join(
        piece if place % 2 or not _LETTERS.search(piece) else f"{BEGIN}{piece}{END}"
        for place, piece in enumerate(pieces)
    )


def unmarked(text: str) -> list[str]:
    """Return the pieces of a shown text that no translation holds, if they have words."""
    if text.count(BEGIN) != text.count(END):
        return []  # cut off where there was no room; it is seen whole elsewhere
    if "<" in text and ">" in text:
        text = _TAG.sub(" ", text)
    pieces = re.split(f"[\n{END}]", _MARKED.sub(END, text).replace("&", ""))
    stripped = (_EDGES.sub("", piece) for piece in pieces)
    return [piece for piece in stripped if re.search(r"[^\W\d_]{2}", piece)]


class MarkedTexts(language.OneContext):
    """Our translations."""

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        found = super().translate(context, source, disambiguation, n)
        return marked(found) if found else found


class MarkedQt(QTranslator):
    """Qt's own."""

    def translate(
        self, context: str, source: str, disambiguation: str | None = None, n: int = -1
    ) -> str | None:
        found = super().translate(context, source, disambiguation, n)
        return marked(found) if found else None
