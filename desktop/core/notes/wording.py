"""How a note is called beside an answer: unlike any manual."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.events import NoteSource

_MONTHS = (
    "January February March April May June July August September October November December"
).split()


def note_label(note: NoteSource, today: date | None = None) -> str:
    """Return "site note, 12 March, by shift lead".

    The year is told unless it is that of `today`, the present day unless given.
    """
    parts = [
        "site note" if note.tier <= 4 else "unverified note",
        day(note.written, today),
        f"by {_one_line(note.role)}" if note.role.strip() else "",
    ]
    return ", ".join(part for part in parts if part)


def note_place(note: NoteSource, today: date | None = None) -> str:
    """Return the label of a note, what it is about, and the tier of its kind of source."""
    about = [_one_line(note.scope), f"tier {note.tier}"]
    if note.page is not None:
        about.append(f"pinned to {note.page.document}, page {note.page.label}")
    return f"{note_label(note, today)} ({', '.join(part for part in about if part)})"


def day(written: str, today: date | None = None) -> str:
    """Return "12 March" for an ISO 8601 date or time, with its year if it is not this one's."""
    try:
        found = date.fromisoformat(written[:10])
    except ValueError:
        return ""
    this_year = (today or date.today()).year
    year = "" if found.year == this_year else f" {found.year}"
    return f"{found.day} {_MONTHS[found.month - 1]}{year}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
