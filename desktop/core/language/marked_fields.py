"""The fields of a signature, told apart in a model's text while it is being written.

DSPy's chat format puts a marker `[[ ## name ## ]]` before each field and one for `completed`
after the last. Its own listener holds text back for up to ten tokens, and loses what follows
a "[["; here a marker is recognised exactly, and only what could still become one is held.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

COMPLETED = "completed"


@dataclass(frozen=True, slots=True)
class FieldText:
    """Some characters of one field's value, in order."""

    field: str
    text: str


def marker(field: str) -> str:
    """Return the marker before a field's value."""
    return f"[[ ## {field} ## ]]"


class MarkedFields:
    """Splits a text that arrives in pieces.

    fields: the fields that may come. If there is only one, its value needs no marker,
    and any markers that come all the same are removed.

    White space around a value is not part of it. The first value of a field counts.
    """

    def __init__(self, fields: Sequence[str]) -> None:
        self._markers = {marker(field): field for field in (*fields, COMPLETED)}
        self._single = len(fields) == 1
        self._current = fields[0] if self._single else None
        self._seen: set[str] = set()
        self._completed = False
        self._held = ""
        self._space = ""
        self._begun = False

    def feed(self, text: str) -> list[FieldText]:
        """Take some more of the text; returns what can be shown of it now."""
        pieces: list[FieldText] = []
        self._held += text
        while (found := self._first_marker()) is not None:
            place, mark = found
            self._show(self._held[:place], pieces)
            self._held = self._held[place + len(mark) :]
            self._pass(self._markers[mark])
        keep = self._possible_marker()
        shown, self._held = self._held[: len(self._held) - keep], self._held[-keep:] if keep else ""
        self._show(shown, pieces)
        return pieces

    def finish(self) -> list[FieldText]:
        """Say that nothing follows; returns what was held back."""
        pieces: list[FieldText] = []
        self._show(self._held, pieces)
        self._held = ""
        return pieces

    def _pass(self, field: str) -> None:
        if field == COMPLETED:
            self._completed = True
        elif not self._single:
            self._current = None if field in self._seen else field
            self._seen.add(field)
            self._space, self._begun = "", False

    def _show(self, text: str, pieces: list[FieldText]) -> None:
        if self._current is None or self._completed:
            return
        if not self._begun:
            text = text.lstrip()
        text = self._space + text
        shown = text.rstrip()
        self._space = text[len(shown) :]
        if shown:
            self._begun = True
            pieces.append(FieldText(self._current, shown))

    def _first_marker(self) -> tuple[int, str] | None:
        places = [(self._held.find(mark), mark) for mark in self._markers]
        return min(((place, mark) for place, mark in places if place >= 0), default=None)

    def _possible_marker(self) -> int:
        """Count the characters at the end that a marker may begin with."""
        start = self._held.find("[", max(0, len(self._held) - self._longest + 1))
        while start >= 0:
            tail = self._held[start:]
            if any(mark.startswith(tail) for mark in self._markers):
                return len(tail)
            start = self._held.find("[", start + 1)
        return 0

    @property
    def _longest(self) -> int:
        return max(map(len, self._markers))
