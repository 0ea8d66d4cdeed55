"""The notes as an agent's `knowledge_provider`: what is known at a place, by section."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.notes.entities import STANDS_AT, entities_of
from knowledge.provider import KnowledgeProvider

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.core.library.places import Place
    from desktop.core.notes.desk import NoteDesk
    from knowledge.group import KnowledgeGroup


class NotesKnown:
    """Called with what a person asks, it returns a text for each info_type; blocking."""

    def __init__(self, desk: NoteDesk, place: Callable[[], Place]) -> None:
        """place: where the person is, when the question is asked."""
        self._desk = desk
        self._place = place

    def __call__(self, user_input: str) -> dict[str, str]:
        """Return what is known of the asset or site, and of everything.

        Raises: KnowledgeError, LibraryError.
        """
        if not self._desk.exists:
            return {}
        base = self._desk.base()
        nearest, *others = entities_of(self._place(), base.graph_store) or (None,)
        provider = KnowledgeProvider(base)
        groups = provider.groups(user_input, nearest, tuple(each for each in others if each))
        return provider.texts({name: _telling(group) for name, group in groups.items()})


def _telling(group: KnowledgeGroup) -> KnowledgeGroup:
    """Return a group without where an asset stands: every question is told that anyway."""
    told = tuple(each for each in group.relations if each["relation_type"] != STANDS_AT)
    return replace(group, relations=told)
