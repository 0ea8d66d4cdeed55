"""What stands in a report, whatever file it is written to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.core.events import PageRegion
    from desktop.core.reports.answered_turn import AnsweredTurn
    from desktop.core.reports.cited_pictures import CitedPicture


@dataclass(frozen=True, slots=True)
class ReportContents:
    """titles: of the manuals by document id; one that is missing has left the library."""

    turn: AnsweredTurn
    pictures: tuple[CitedPicture, ...]
    titles: Mapping[int, str]

    @property
    def byline(self) -> str:
        """Who wrote the report and when."""
        return f"Groundwork, {self.turn.answered_at:%Y-%m-%d %H:%M}"

    def title_of(self, source: PageRegion) -> str:
        """Return how a person knows a manual, "" if only its file name is known."""
        return self.titles.get(source.document_id, "")
