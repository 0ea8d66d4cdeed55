"""How a note is called beside an answer: unlike any manual."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from desktop.core.sentences import said, template
from desktop.core.spoken import ENGLISH, in_language

if TYPE_CHECKING:
    from desktop.core.events import NoteSource

_DAYS = (
    *(template("{day} January"), template("{day} February"), template("{day} March")),
    *(template("{day} April"), template("{day} May"), template("{day} June")),
    *(template("{day} July"), template("{day} August"), template("{day} September")),
    *(template("{day} October"), template("{day} November"), template("{day} December")),
)


def note_label(note: NoteSource, today: date | None = None, language: str = ENGLISH) -> str:
    """Return "site note, 12 March, by shift lead".

    The year is told unless it is that of `today`, the present day unless given.
    """
    parts = [
        said("site note") if note.tier <= 4 else said("unverified note"),
        day(note.written, today, language),
        said("by {role}", role=_one_line(note.role)) if note.role.strip() else "",
    ]
    return ", ".join(in_language(part, language) for part in parts if part)


def note_place(note: NoteSource, today: date | None = None, language: str = ENGLISH) -> str:
    """Return the label of a note, what it is about, and the tier of its kind of source."""
    about = [_one_line(note.scope), said("tier {n}", n=note.tier)]
    if note.page is not None:
        pinned = said(
            "pinned to {manual}, page {page}", manual=note.page.document, page=note.page.label
        )
        about.append(pinned)
    told = ", ".join(in_language(part, language) for part in about if part)
    return f"{note_label(note, today, language)} ({told})"


def day(written: str, today: date | None = None, language: str = ENGLISH) -> str:
    """Return "12 March" for an ISO 8601 date or time, with its year if it is not this one's."""
    try:
        found = date.fromisoformat(written[:10])
    except ValueError:
        return ""
    this_year = (today or date.today()).year
    year = "" if found.year == this_year else f" {found.year}"
    return in_language(said(_DAYS[found.month - 1], day=found.day), language) + year


def _one_line(text: str) -> str:
    return " ".join(text.split())
