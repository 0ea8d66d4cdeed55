"""What stands in a report, whatever file it is written to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.notes.wording import note_place
from desktop.core.reports.wording import (
    NOTICE,
    NOTICE_WITH_NOTES,
    moment,
    place,
    printable,
    signal_word,
)
from desktop.core.spoken import in_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.core.events import PageRegion, WarningBlockEvent
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
        return f"Groundwork, {moment(self.turn.answered_at, self.turn.language)}"

    @property
    def notice(self) -> str:
        """What a reader must know of where the statements come from."""
        return self.said(NOTICE_WITH_NOTES if self.turn.notes else NOTICE)

    @property
    def notes(self) -> Iterator[tuple[str, str]]:
        """The notes that are cited: "[3] site note, 12 March, by fitter", and their words."""
        for cited in self.turn.notes:
            where = note_place(cited.note, self.turn.answered_at.date(), self.turn.language)
            yield (
                f"[{cited.number}] {printable(where, one_line=True)}",
                printable(cited.quote, one_line=True),
            )

    def said(self, text: str) -> str:
        """Return what the core says in the language of the question."""
        return in_language(text, self.turn.language)

    def place(self, source: PageRegion) -> str:
        """Return where a statement stands; see `wording.place`."""
        return place(source, self.title_of(source), self.turn.language)

    def signal_word(self, block: WarningBlockEvent) -> str:
        """Return the level of a safety block; see `wording.signal_word`."""
        return signal_word(block.level, self.turn.language)

    def title_of(self, source: PageRegion) -> str:
        """Return how a person knows a manual, "" if only its file name is known."""
        return self.titles.get(source.document_id, "")
