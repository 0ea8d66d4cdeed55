"""What a vision model saw on pages, as units that an answer can be written from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.agent.answering.passages import PICTURE
from desktop.core.geometry import Box
from desktop.core.retrieval.evidence import Passage
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.agent.environment import Environment
    from desktop.core.retrieval.evidence import Evidence

_SECTION = "seen in the picture of the page"
_LAST = 2**62  # after the units of the page's text


def has_pictures(environment: Environment) -> bool:
    """Whether a vision model has looked at a page."""
    return next(_seen(environment), None) is not None


def with_pictures(environment: Environment, found: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the pages, each with what was seen on it, first in worth."""
    seen: dict[tuple[int, int], list[Passage]] = {}
    for place, unit in _seen(environment):
        seen.setdefault(place, []).append(unit)
    return tuple(_with(page, seen.get((page.document_id, page.page), [])) for page in found)


def _with(page: Evidence, pictures: Sequence[Passage]) -> Evidence:
    if not pictures:
        return page
    best = max((unit.score for unit in page.passages), default=0.0)
    own = [
        replace(unit, context=CONTEXT_SEPARATOR.join((page.title, _SECTION)), score=best + 1)
        for unit in pictures
    ]
    return replace(page, passages=(*own, *page.passages))


def _seen(environment: Environment) -> Iterator[tuple[tuple[int, int], Passage]]:
    for found in environment.to_dict()["objects"].values():
        text = found.get("interpretation")
        if isinstance(text, str) and text.strip() and "page" in found and "document_id" in found:
            boxes = tuple(Box(*map(float, box)) for box in found.get("regions", ()))
            unit = Passage(_LAST, PICTURE, text, "", boxes, (), 0.0)
            yield (found["document_id"], found["page"]), unit
