"""A page on its way through ranking."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.retrieval.routing import UNKNOWN_ROUTE, Route

if TYPE_CHECKING:
    from desktop.core.retrieval.features import PageFeatures, ScoredUnit


@dataclass(slots=True)
class Candidate:
    """What is known of it so far. units: best first, once the page was read.

    could_be_near: cosine of the nearest page, for a page that is still to be embedded.
    """

    page_id: int
    document_id: int
    features: PageFeatures
    found_by: list[str]
    units: list[ScoredUnit] = field(default_factory=list)
    score: float = 0.0
    route: Route = UNKNOWN_ROUTE
    could_be_near: float = 0.0

    @property
    def cover(self) -> float:
        """Weighted share of the question's words on the page, 0 to 1."""
        return self.features.page_cover
