"""What a question asks to be delivered: planned before anything is done, checked at its end."""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, cast

from pydantic import ValidationError

from desktop.core.agent.answering.refusals import parts_not_found
from desktop.core.agent.answering.review import steps_missing
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
from desktop.core.language.errors import AnswerNotUnderstood
from desktop.core.sentences import said
from desktop.models.errors import ModelError, ModelStopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from desktop.core.agent.tree_data import TreeData
    from desktop.core.events import Outcome
    from desktop.models.roles import LanguageModel

logger = logging.getLogger(__name__)

Commitment = Literal[
    "answer", "cite_page", "show_figure", "list_all_steps", "export_report", "draft_email"
]

MISSING: Final[dict[Commitment, str]] = {
    "answer": "There is no answer.",
    "cite_page": "No page is cited: open the nearest pages and look there.",
    "show_figure": "No figure was shown: the cited pages have none. Ask for the page by its "
    "number to see it whole.",
    "list_all_steps": "The list of steps may not be whole: open the cited page and compare.",
    "export_report": "No report was saved: choose “Save report…” below the answer.",
    "draft_email": "No e-mail was drafted: choose “Draft e-mail…” below the answer.",
}
"""What is missing, and the next step, by the commitment."""


# A wish begins a clause: "How do I export a report on the panel?" is none.
_BEGINS = (
    r"(?:^|[.;,!?:–]\s*|\b(?:and|then|also|please|und|dann|auch|bitte|can you|could you|kannst du"
    r"|können sie)\s+)"
)
_ASKS_HOW = re.compile(r"^(?:please\s+)?(?:how|wie|where|wo|when|wann)\b[^.;!?]*", re.IGNORECASE)
_PATTERNS: dict[Commitment, str] = {
    "draft_email": (
        rf"{_BEGINS}(?:draft|write|prepare|send|compose|create|make|schreibe?|entwirf"
        r"|erstelle?|schicke?|sende?)\b[^.;!?]{0,40}\b(?:e-?mail|mail)\b"
        rf"|{_BEGINS}(?:e-?)?mail\s+(?:it|this|that|me|them|him|her|the|to)\b"
    ),
    "export_report": (
        rf"{_BEGINS}(?:export|save|create|make|write|generate|prepare|give me|exportiere?"
        r"|speichere?|erstelle?|schreibe?)\b[^.;!?]{0,40}"
        r"\b(?:report|pdf|markdown|bericht|protokoll)\b"
    ),
    "show_figure": (
        rf"{_BEGINS}(?:show|display|open|zeige?|öffne)\b[^.;!?]{{0,60}}"
        r"\b(?:figure|drawing|diagram|picture|schematic|image|illustration|photo|sketch"
        r"|(?:ab)?bild(?:ung)?|zeichnung|schaltplan|skizze|foto)\b"
    ),
    "list_all_steps": (
        r"\b(?:all|every|each|complete|full)\b[^.;!?]{0,30}\b(?:steps?|procedure)\b"
        r"|\bstep[- ]by[- ]step\b|\balle\b[^.;!?]{0,30}\bschritte\b|\bschritt für schritt\b"
    ),
}
_WISHES = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
_MENTIONS = re.compile(
    r"\b(?:e-?mail|mail|report|pdf|figure|drawing|diagram|picture|schematic|steps|bericht"
    r"|zeichnung|schaltplan|abbildung|schritte)\b",
    re.IGNORECASE,
)
_NAMES: dict[Commitment, str] = {
    "answer": "an answer",
    "cite_page": "the page it stands on",
    "show_figure": said("a figure"),
    "list_all_steps": "all steps",
    "export_report": said("a report"),
    "draft_email": "an e-mail draft",
}
_TOKENS = 80
_BY_MODEL = said("the language model read it so")
ANSWER = "text_response"
REPORT = "export_report"
DRAFT = "draft_email"
_PICTURES = frozenset({"read_page", "visual_interpretation"})
# What was delivered may be right all the same.
_NOT_DELIVERED = 0.9


@dataclass(frozen=True, slots=True)
class Plan:
    """What has to be delivered. evidence: the words of the question that ask for it."""

    commitments: tuple[Commitment, ...]
    evidence: tuple[str, ...] = ()

    @property
    def thought(self) -> str:
        """The plan in a sentence."""
        named = [_NAMES[each] for each in self.commitments]
        listed = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
        return f"To be delivered: {listed}."


def planned_by_rules(prompt: str) -> Plan:
    """Return what the words of a question plainly ask for."""
    text = " ".join(prompt.split())
    asks_how = _ASKS_HOW.match(text)
    commitments: list[Commitment] = ["answer", "cite_page"]
    evidence: list[str] = []
    for name, pattern in _WISHES.items():
        found = pattern.search(text)
        if found is None:
            continue
        within_how = asks_how is not None and found.end() <= asks_how.end()
        if within_how and name != "list_all_steps":
            continue
        commitments.append(name)
        evidence.append(found.group().strip(" ,.;:!?–"))
    return Plan(tuple(commitments), tuple(evidence))


class ModelPlanner:
    """Rules, and a model's word where a delivery is named but not plain.

    Most questions name nothing to be delivered: for them the model is not asked.
    """

    def __init__(self, language_model: Callable[[], LanguageModel | None]) -> None:
        self._language_model = language_model

    async def plan(self, tree_data: TreeData) -> Plan:
        """Return the plan; it never fails: an answer with its page is the least."""
        plan = planned_by_rules(tree_data.user_prompt)
        if plan.evidence or _MENTIONS.search(tree_data.user_prompt) is None:
            return plan
        model = self._language_model()
        if model is None:
            return plan
        from desktop.core.language.program import LanguageProgram

        try:
            module = await asyncio.to_thread(_commitment_module)
            program = LanguageProgram(
                model, max_tokens=_TOKENS, on_part=tree_data.trace.spent.listener("plan")
            )
            prediction = await program.arun(module, user_prompt=tree_data.user_prompt)
        except ModelStopped:
            raise
        except (AnswerNotUnderstood, ModelError, ValidationError) as error:
            logger.info("the model's plan is not used: %s", type(error).__name__)
            return plan
        wanted = tuple(dict.fromkeys(prediction.deliveries))
        evidence = (_BY_MODEL,) if wanted else ()
        return replace(plan, commitments=(*plan.commitments, *wanted), evidence=evidence)


def _commitment_module() -> Any:
    from desktop.core.language.dspy_setup import load_dspy

    dspy = load_dspy()
    from desktop.core.agent.signatures import CommitmentSignature

    return dspy.Predict(CommitmentSignature)


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


class Promises:
    """Plans what a question has to deliver and checks it at the end."""

    def __init__(
        self,
        planner: ModelPlanner | None = None,
        has_figure: Callable[[int, int], bool] = lambda _document_id, _page: False,
    ) -> None:
        """planner: None for rules alone.

        has_figure: whether a page has one, by document and page index; blocking.
        """
        self._planner = planner
        self._has_figure = has_figure

    async def plan(self, tree_data: TreeData) -> None:
        """Write down what has to be delivered."""
        if self._planner is None:
            plan = planned_by_rules(tree_data.user_prompt)
        else:
            plan = await self._planner.plan(tree_data)
        tree_data.commitments = plan.commitments
        tree_data.trace.planned(plan.thought, plan.commitments, plan.evidence)

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
            missing = what_is_missing(promised, kept) + parts_not_found(tree_data.unanswered)
            outcome = "partial" if missing else "answered"
        confidence = delivered.confidence
        if confidence is not None and missing:
            confidence = round(confidence * _NOT_DELIVERED ** len(missing), 4)
        if tree_data.still_read and outcome in ("answered", "partial"):
            outcome, missing = "partial", missing + tree_data.still_read
        tree_data.trace.finished(outcome, kept, missing, confidence)
        return outcome, missing
