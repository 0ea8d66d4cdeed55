"""A draft or report as a file that can be read by itself: below it what its numbers mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.events import CitationEvent
from desktop.core.notes.wording import note_place
from desktop.core.research.draft import read_draft

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.core.events import NoteCitationEvent
    from desktop.core.research.report import CheckedReport

_HEADING = "\n\n## Sources\n"


def with_sources(draft: str, context: Sequence[Mapping[str, Any]]) -> str:
    """Return a draft, whose numbers are those of the context, with the sources it names."""
    cited = sorted({number for each in read_draft(draft) for number in each.cited})
    lines = [f"[{n}] {context[n - 1].get('name', '')}" for n in cited if 1 <= n <= len(context)]
    return draft + (_HEADING + "\n".join(lines) if lines else "")


def with_places(report: CheckedReport) -> str:
    """Return a checked report with the places that it cites."""
    lines = [f"[{each.number}] {_place(each)}: “{each.quote}”" for each in report.citations]
    return report.text + (_HEADING + "\n".join(lines) if lines else "")


def _place(citation: CitationEvent | NoteCitationEvent) -> str:
    if isinstance(citation, CitationEvent):
        source = citation.source
        return f"{source.document}, page {source.label or source.page + 1}"
    return note_place(citation.note)
