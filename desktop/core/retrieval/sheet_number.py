"""Which sheet of a set of drawings a page is, as its title block says: "Sheet 2 of 11".

Drawings are printed along the long side of the paper, so the line may run in any direction.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from desktop.core.retrieval.drawing_labels import DrawnLabel, printed_once

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.question import Question

_ASKED = re.compile(
    r"\b(?:which|what)\s+(?:\w+\s+)?sheets?\b|\bsheet number\b"
    r"|\bwelche[ms]?\s+(?:\w+\s+)?blatt\b|\bblattnummer\b",
    re.IGNORECASE,
)
_SHEET = re.compile(r"(?:sheet|blatt):?", re.IGNORECASE)
_NUMBERED = re.compile(r"\d{1,3}\s?(?:of|von|/)\s?\d{1,3}(?!\S)", re.IGNORECASE)
# The number stands in the same field of the title block: within so many lengths of the word.
_REACH = 5
_MOST_PARTS = 3


def asked_sheet(
    question: Question, indices: Sequence[int], words: PageWords
) -> tuple[DrawnLabel, ...]:
    """Return the words of a drawing that number its sheet, if a question asks for that.

    indices: of the page's words that lie in the drawing. Only a number with the total counts:
    "see sheet 3" speaks of another one.
    """
    if not _ASKED.search(question.text):
        return ()
    own = printed_once(indices, words)
    for index in own:
        if not _SHEET.fullmatch(words.texts[index]):
            continue
        for line in _lines_from(index, own, words):
            for parts in range(1, _MOST_PARTS + 1):
                told = line[:parts]
                if _NUMBERED.fullmatch(" ".join(words.texts[i] for i in told)):
                    held = (index, *told)
                    text = " ".join(words.texts[i] for i in held)
                    return (DrawnLabel(text, held, words.hull(held)),)
    return ()


def _lines_from(index: int, others: Sequence[int], words: PageWords) -> list[list[int]]:
    """Return the words beside one, nearest first, once in each direction of its line."""
    own = np.array(others, np.intp)
    middles = np.column_stack(words.centres)
    sides = words.boxes[index, 2:] - words.boxes[index, :2]
    along = int(np.argmax(sides))
    away = middles[own] - middles[index]
    near = np.abs(away[:, 1 - along]) <= sides[1 - along] / 2
    near &= np.abs(away[:, along]) <= _REACH * sides[along]
    lines = []
    for sign in (1, -1):
        ahead = near & (sign * away[:, along] > 0)
        lines.append(own[ahead][np.argsort(sign * away[ahead, along], kind="stable")].tolist())
    return lines
