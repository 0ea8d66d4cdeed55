"""A note that was changed here and elsewhere: both changes kept where they are of other fields."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TypeVar

from desktop.ui.notes.written import Written
from knowledge.errors import KnowledgeRefused

Value = TypeVar("Value")


class ChangedElsewhere(KnowledgeRefused):
    """The same field was changed here and elsewhere."""


def merged(mine: Written, begun_from: Written, kept: Written) -> Written:
    """Return a note with the changes of both sides.

    begun_from: the note that `mine` was made of. kept: as it is kept now.

    Raises:
        ChangedElsewhere: both changed a field, and not alike.
    """
    note = mine.note
    for field in fields(note):
        sides = (getattr(each.note, field.name) for each in (mine, begun_from, kept))
        note = replace(note, **{field.name: _either(*sides)})
    return Written(note, _either(mine.relations, begun_from.relations, kept.relations))


def _either(mine: Value, before: Value, kept: Value) -> Value:
    if mine in (before, kept):
        return kept
    if kept == before:
        return mine
    raise ChangedElsewhere("This note was changed elsewhere since it was opened.")
