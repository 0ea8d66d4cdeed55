"""What a question has delivered, read from its events, and what of the plan is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.commitments.kinds import MISSING
from desktop.core.events import (
    CitationEvent,
    ConfidenceEvent,
    Event,
    NoteCitationEvent,
    PageRegion,
    ResultEvent,
    RevisionEvent,
    TokenEvent,
)
from desktop.core.revised_text import RevisedText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.core.agent.commitments.kinds import Commitment

ANSWER = "text_response"
REPORT = "export_report"
DRAFT = "draft_email"
_PICTURES = frozenset({"read_page", "visual_interpretation"})


class Delivered:
    """Takes every event of a question."""

    def __init__(self) -> None:
        self._text = RevisedText()
        self._tools: set[str] = set()
        self._pages: list[PageRegion] = []
        self._notes = 0
        self._statements = 0
        self.confidence: float | None = None

    def take(self, event: Event) -> None:
        """Note what an event delivers."""
        match event:
            case TokenEvent() | RevisionEvent():
                self._text.take(event)
            case CitationEvent():
                self._pages.append(event.source)
            case NoteCitationEvent():
                self._notes += 1
            case ConfidenceEvent(value=value):
                self.confidence = value
            case ResultEvent():
                self._tools.add(event.tool)
                if event.tool == ANSWER:
                    self._statements = len({o.get("text") for o in event.objects})
            case _:
                pass

    def kept(
        self,
        commitments: Iterable[Commitment],
        *,
        steps_missing: bool,
        has_figure: Callable[[int, int], bool],
    ) -> tuple[Commitment, ...]:
        """Return the commitments that were kept.

        steps_missing: the critic found that a procedure is not whole. has_figure: whether there
        is one on a page, by document and page index; may block.
        """
        checks: dict[Commitment, Callable[[], bool]] = {
            "answer": lambda: bool(self._text.text.strip()),
            "cite_page": lambda: bool(self._pages or self._notes) or ANSWER not in self._tools,
            "show_figure": lambda: (
                bool(self._tools & _PICTURES)
                or any(has_figure(page.document_id, page.page) for page in self._pages)
            ),
            "list_all_steps": lambda: self._statements > 1 and not steps_missing,
            "export_report": lambda: REPORT in self._tools,
            "draft_email": lambda: DRAFT in self._tools,
        }
        return tuple(each for each in commitments if checks[each]())


def what_is_missing(
    commitments: Iterable[Commitment], kept: Iterable[Commitment]
) -> tuple[str, ...]:
    """Return a sentence for each commitment that was not kept."""
    have = set(kept)
    return tuple(MISSING[each] for each in commitments if each not in have)
