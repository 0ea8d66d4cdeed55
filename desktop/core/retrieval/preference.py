"""Which manual of a product a question is for, as the library's domains tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FIRST_PAGES = 3
"""Among so many pages stands every manual of one product that is asked for alike."""

# A page that says much less of what was asked than the first one does not help.
_LEAST_COVER = 0.5


class Preferences(Protocol):
    """Knows which manuals belong together and what each is for; blocking, any thread."""

    def preferred(self, question: str) -> Sequence[Mapping[int, float]]:
        """Return an opinion per product: document id -> 0 to 1.

        1: nothing speaks for another manual instead. Several with 1 are to be looked at
        together. A product without an opinion is left out.
        """


class Ranked(Protocol):
    """A page in a ranking: its manual, and the share of the question's words on it."""

    @property
    def document_id(self) -> int:
        """The page's manual."""

    @property
    def cover(self) -> float:
        """Weighted share of the question's words on the page, 0 to 1."""


Page = TypeVar("Page", bound=Ranked)


@dataclass(frozen=True, slots=True)
class Preference:
    """The opinions about one question."""

    opinions: Sequence[Mapping[int, float]] = ()

    def off_route(self, document_id: int) -> float:
        """Return how much speaks for another manual of the same product, 0 to 1.

        It compares manuals of one product only: a manual that no domain covers, and the
        one that is asked for, both have 0.
        """
        return max((1 - each.get(document_id, 1.0) for each in self.opinions), default=0.0)

    def kept_together(self, ranked: list[Page]) -> list[Page]:
        """Return pages with every manual that is asked for alike among the first ones.

        Only if the first page is of one of them: else the question is about something else.
        """
        for opinion in self.opinions:
            alike = [document for document, weight in opinion.items() if weight == 1.0]
            if len(alike) > 1 and ranked and ranked[0].document_id in alike:
                ranked = _with_best_of(alike, ranked)
        return ranked


def _with_best_of(documents: Sequence[int], ranked: list[Page]) -> list[Page]:
    """Move the best page of each document that the first pages lack to their end."""
    shown = {page.document_id for page in ranked[:FIRST_PAGES]}
    least = _LEAST_COVER * ranked[0].cover
    best: dict[int, Page] = {}
    for page in ranked[FIRST_PAGES:]:
        if page.document_id in documents and page.cover >= least:
            best.setdefault(page.document_id, page)
    moved = [page for document, page in best.items() if document not in shown]
    kept = [page for page in ranked if not any(page is other for other in moved)]
    place = max(1, FIRST_PAGES - len(moved))
    return [*kept[:place], *moved, *kept[place:]]
