"""What an answer has to deliver, planned before anything is done and checked at the end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal, cast

from desktop.core.agent.answering.refusals import parts_not_found
from desktop.core.agent.answering.review import steps_missing
from desktop.core.agent.requests import Requested, RequestReader
from desktop.core.events import (
    CitationEvent,
    ConfidenceEvent,
    Event,
    NoteCitationEvent,
    PageRegion,
    ResultEvent,
    RevisedText,
    RevisionEvent,
    TokenEvent,
)
from desktop.sentences import joined, said, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop.core.agent.tree_data import TreeData
    from desktop.core.events import Outcome
    from desktop.sentences import Sentence

Commitment = Literal[
    "answer",
    "cite_page",
    "show_figure",
    "list_all_steps",
    "export_report",
    "draft_email",
    "job_sheet",
]

MISSING: Final[dict[Commitment, str]] = {
    "answer": said("There is no answer."),
    "cite_page": said("No page is cited: open the nearest pages and look there."),
    "show_figure": said(
        "No figure was shown: the cited pages have none. Ask for the page by its "
        "number to see it whole."
    ),
    "list_all_steps": said("The list of steps may be incomplete: open the cited page and compare."),
    "export_report": said("No report was saved: choose “Save report…” below the answer."),
    "draft_email": said("No e-mail was drafted: choose “Draft e-mail…” below the answer."),
    "job_sheet": said("No job sheet was saved: choose “Save job sheet” in the menu."),
}
"""What is missing, and the next step, by the commitment."""


_NAMES: dict[Commitment, str] = {
    "answer": said("an answer"),
    "cite_page": said("the page it is on"),
    "show_figure": said("a figure"),
    "list_all_steps": said("all steps"),
    "export_report": said("a report"),
    "draft_email": said("an e-mail draft"),
    "job_sheet": said("a job sheet"),
}
ANSWER = "text_response"
_PICTURES = frozenset({"read_page", "visual_interpretation"})
# What was delivered may be right all the same.
_NOT_DELIVERED = 0.9


def planned(requested: Requested) -> tuple[Commitment, ...]:
    """Return what has to be delivered for what was asked: at least an answer with its page."""
    return ("answer", "cite_page", *requested.wishes)


def plan_told(commitments: Iterable[Commitment]) -> Sentence:
    """Return a plan in a sentence."""
    listed = joined([_NAMES[each] for each in commitments], last=said(" and "))
    return said("Planned: {listed}.", listed=listed)


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

        steps_missing: the critic found that a procedure is incomplete. has_figure:
        whether there is one on a page, by document and page index; may block.
        """
        checks: dict[str, Callable[[], bool]] = {
            "answer": lambda: bool(self._text.text.strip()),
            "cite_page": lambda: bool(self._pages or self._notes) or ANSWER not in self._tools,
            "show_figure": lambda: (
                bool(self._tools & _PICTURES)
                or any(has_figure(page.document_id, page.page) for page in self._pages)
            ),
            "list_all_steps": lambda: self._statements > 1 and not steps_missing,
        }
        return tuple(
            each
            for each in commitments
            if (checks[each]() if each in checks else each in self._tools)
        )


def what_is_missing(
    commitments: Iterable[Commitment],
    kept: Iterable[Commitment],
    errors: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, ...]:
    """Return a sentence for each commitment not kept. errors: by the tool that should have."""
    have = set(kept)
    went_wrong = errors or {}
    return tuple(
        together([MISSING[each], *went_wrong.get(each, ())[-1:]])
        for each in commitments
        if each not in have
    )


class Promises:
    """Plans what a question has to deliver and checks it at the end."""

    def __init__(
        self,
        reader: RequestReader | None = None,
        has_figure: Callable[[int, int], bool] = lambda _document_id, _page: False,
    ) -> None:
        """reader: tells what is wanted; None: by the words of a question alone.

        has_figure: whether a page has one, by document and page index; blocking.
        """
        self._reader = reader or RequestReader()
        self._has_figure = has_figure

    async def plan(self, tree_data: TreeData) -> None:
        """Write down what has to be delivered; what is asked stays in the question."""
        requested = await asyncio.to_thread(
            self._reader.read, tree_data.user_prompt, tree_data.conversation_history
        )
        commitments = planned(requested)
        tree_data.requested = requested
        tree_data.user_prompt = requested.question or tree_data.user_prompt
        tree_data.commitments = commitments
        tree_data.trace.planned(plan_told(commitments), commitments, requested.evidence)

    async def conclude(
        self, tree_data: TreeData, delivered: Delivered, outcome: Outcome
    ) -> tuple[Outcome, tuple[str, ...]]:
        """Return the outcome of the question and what is missing, a sentence each.

        An answer that lacks something else that was asked for is partial.
        """
        promised = cast("tuple[Commitment, ...]", tree_data.commitments)
        missing: tuple[str, ...] = ()
        kept: tuple[Commitment, ...] = ()
        if outcome == "answered":
            kept = await asyncio.to_thread(
                delivered.kept,
                promised,
                steps_missing=steps_missing(tree_data.environment),
                has_figure=self._has_figure,
            )
            missing = what_is_missing(promised, kept, tree_data.errors)
            missing += parts_not_found(tree_data.unanswered)
            outcome = "partial" if missing else "answered"
        confidence = delivered.confidence
        if confidence is not None and missing:
            confidence = round(confidence * _NOT_DELIVERED ** len(missing), 4)
        if tree_data.still_read and outcome in ("answered", "partial"):
            outcome, missing = "partial", missing + tree_data.still_read
        tree_data.trace.finished(outcome, kept, missing, confidence)
        return outcome, missing
