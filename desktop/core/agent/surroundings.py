"""What the agent is told about the person who asks and about the place they are at."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from knowledge.composition import with_remarks

if TYPE_CHECKING:
    from desktop.core.library.places import Place
    from knowledge.atlas import Atlas

Told = str | Callable[[str], str]
"""A text, or what returns it for a question, blocking; a `KnowledgeBase` does."""


class MakesAtlas(Protocol):
    """Makes the Atlas of a question; blocking, on any thread."""

    def __call__(self, *, user_profile: str, context: str) -> Atlas:
        """Return who the agent is, with what it is told about the person and the place."""


def plain_atlas(*, user_profile: str = "", context: str = "") -> Atlas:
    """Return an Atlas without any domain."""
    return with_remarks(user_profile=user_profile, context=context)


def text_of(told: Told, question: str) -> str:
    """Return the text, asking for it if it has to be asked for."""
    return (told(question) if callable(told) else told).strip()


def context_at(place: Place, context: str) -> str:
    """Return what is said about the place: where the person is, then what they wrote."""
    return " ".join(part for part in (_where(place), context) if part)


def _where(place: Place) -> str:
    if place.site and place.asset:
        return f"The engineer is at {place.site}, working on {place.asset}."
    if place.site:
        return f"The engineer is at {place.site}."
    return f"The engineer is working on {place.asset}." if place.asset else ""
