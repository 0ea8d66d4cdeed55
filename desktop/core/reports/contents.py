"""What stands in a report, whatever file it is written to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.notes.wording import note_place
from desktop.core.reports.wording import NOTICE, NOTICE_WITH_NOTES, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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

    @property
    def notice(self) -> str:
        """What a reader must know of where the statements come from."""
        return NOTICE_WITH_NOTES if self.turn.notes else NOTICE

    @property
    def notes(self) -> Iterator[tuple[str, str]]:
        """The notes that are cited: "[3] site note, 12 March, by fitter", and their words."""
        for cited in self.turn.notes:
            where = note_place(cited.note, self.turn.answered_at.date())
            yield (
                f"[{cited.number}] {printable(where, one_line=True)}",
                printable(cited.quote, one_line=True),
            )

    def title_of(self, source: PageRegion) -> str:
        """Return how a person knows a manual, "" if only its file name is known."""
        return self.titles.get(source.document_id, "")
