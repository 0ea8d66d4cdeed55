"""How well an entry fits what is typed: every word must begin one of its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.ui.palette.entry import Entry

_WHOLE_WORD, _BEGINNING, _ELSEWHERE = 3.0, 2.0, 1.0
_FIRST_WORD = 0.5
_IN_ORDER = 1.0
_SAME = 4.0
_WEIGHTS = {"manual": 0.4, "action": 0.3, "heading": 0.2, "page": 0.1, "question": 0.0}


def score(needle: Sequence[str], entry: Entry) -> float:
    """Return how well an entry fits what `needle_of` returns, 0 if a part of it is not there.

    A whole word counts more than a beginning, the title more than what else is known, and
    words that begin the title in their order most. A long title is worth a little less.
    """
    total = 0.0
    for word in needle:
        beginning = f" {word}"
        if f"{beginning} " in entry.line:
            total += _WHOLE_WORD
        elif beginning in entry.line:
            total += _BEGINNING
        elif beginning in entry.also_line:
            total += _ELSEWHERE
        else:
            return 0.0
    if entry.words and needle:
        typed = f" {' '.join(needle)}"
        total += _FIRST_WORD * entry.line.startswith(f" {needle[0]}")
        total += _IN_ORDER * entry.line.startswith(typed)
        total += _SAME * (entry.line == f"{typed} ")
    return total / max(1, len(needle)) + _WEIGHTS[entry.kind] - len(entry.words) / 100


def best(needle: Sequence[str], entries: Iterable[Entry], limit: int) -> list[Entry]:
    """Return the entries that fit, the best first; all of them in their order without words."""
    if not needle:
        return list(entries)[:limit]
    scored = [(score(needle, entry), entry) for entry in entries]
    fitting = [pair for pair in scored if pair[0] > 0]
    fitting.sort(key=lambda pair: (-pair[0], pair[1].title.casefold()))
    return [entry for _, entry in fitting[:limit]]
