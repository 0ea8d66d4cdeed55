"""An answer's text as it stands after its revisions: read from tokens and revisions alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.events import RevisionEvent, TokenEvent

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.events import Event


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Some of the text, in order.

    unsupported: what of it no cited passage says. withdrawn: it is no part of the answer.
    """

    text: str
    unsupported: tuple[str, ...] = ()
    withdrawn: bool = False


class RevisedText:
    """Takes the events of a question; others than tokens and revisions change nothing."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._streamed = ""
        self._revisions: dict[int, RevisionEvent] = {}
        for event in events:
            self.take(event)

    def take(self, event: Event) -> bool:
        """Take the next event; returns whether the text has changed."""
        match event:
            case TokenEvent(content):
                self._streamed += content
                return bool(content)
            case RevisionEvent():
                start = self._place(event)
                if start >= 0:
                    self._revisions[start] = event
                return start >= 0
            case _:
                return False

    @property
    def pieces(self) -> list[TextPiece]:
        """The whole text that was ever streamed, withdrawn sentences included."""
        found: list[TextPiece] = []
        end = 0
        for start, revision in sorted(self._revisions.items()):
            if start < end:
                continue  # inside one that was revised as a whole
            if start > end:
                found.append(TextPiece(self._streamed[end:start]))
            withdrawn = not revision.new
            text = revision.old if withdrawn else revision.new
            found.append(TextPiece(text, revision.unsupported, withdrawn))
            end = start + len(revision.old)
        if end < len(self._streamed):
            found.append(TextPiece(self._streamed[end:]))
        return found

    @property
    def text(self) -> str:
        """The answer: what was withdrawn is not in it, nor lines that are empty without it."""
        kept = "".join(piece.text for piece in self.pieces if not piece.withdrawn)
        if not self._revisions:
            return kept
        lines = (" ".join(line.split()) for line in kept.split("\n"))
        return "\n".join(line for line in lines if line)

    def _place(self, event: RevisionEvent) -> int:
        """Return where the revised text begins, -1 if it was never streamed."""
        if self._streamed.startswith(event.old, event.start):
            return event.start
        return self._streamed.rfind(event.old)
