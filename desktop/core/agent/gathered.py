"""The evidence that searches of one question have gathered, kept beside the environment.

The environment holds plain objects for a model to read; answers need the evidence
itself, so it lies in the hidden environment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.agent.environment import Environment
    from desktop.core.retrieval.evidence import Evidence

_KEY = "evidence"


@dataclass(frozen=True, slots=True)
class Gathering:
    """What one search found, best first. query: what it searched for, "" if not in words."""

    query: str
    found: tuple[Evidence, ...]


def keep_evidence(environment: Environment, found: Iterable[Evidence], query: str = "") -> None:
    """Keep what a search found, with what it was asked."""
    kept: list[Gathering] = environment.hidden_environment.setdefault(_KEY, [])
    kept.append(Gathering(query, tuple(found)))


def gatherings(environment: Environment) -> tuple[Gathering, ...]:
    """Return what every search found, in their order."""
    return tuple(environment.hidden_environment.get(_KEY, ()))


def kept_evidence(environment: Environment) -> tuple[Evidence, ...]:
    """Return every page found so far once, in the order of the searches, best first in each."""
    pages: dict[tuple[int, int], Evidence] = {}
    for gathering in gatherings(environment):
        for page in gathering.found:
            pages.setdefault((page.document_id, page.page), page)
    return tuple(pages.values())


def references_of_pages(environment: Environment) -> dict[tuple[int, int], str]:
    """Return the `_REF_ID` of the first object about each page, by document and page index.

    Also of objects that a summary has taken the place of.
    """
    references: dict[tuple[int, int], str] = {}
    for reference, found in environment.to_dict()["objects"].items():
        page = (found.get("document_id"), found.get("page"))
        if isinstance(page[0], int) and isinstance(page[1], int):
            references.setdefault(page, reference)
    return references
