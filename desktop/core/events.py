"""What a running question yields: one closed union that every reader matches on.

The chat, the trace panel, `groundwork ask --json` and the tests read the same stream.
`to_json` gives the NDJSON form; the `type` key is the one of the agent specification.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, get_args

from desktop.sentences import is_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.geometry import Box

Outcome = Literal[
    "answered", "partial", "not_found", "clarification", "impossible", "cancelled", "failed"
]
"""partial: answered, but something that was asked for is missing; the last event says what.
clarification: the agent asked back, the chosen option is the next question."""
ANSWERED: Final = frozenset({"answered", "partial"})
WarningLevel = Literal["DANGER", "WARNING", "CAUTION", "NOTE"]
WARNING_LEVELS: Final[tuple[WarningLevel, ...]] = get_args(WarningLevel)
"""The gravest first."""
GRAVE: Final = frozenset(WARNING_LEVELS[:3])
"""Levels of which no warning may be left out; a note is none of them."""
ResearchMode = Literal["strict", "discovery", "monitor"]
ResearchStage = Literal["gather", "filter", "analyst", "search", "critic", "writer"]
ResearchState = Literal["started", "done", "failed", "timed_out", "cancelled"]


Sureness = Literal["stated", "likely", "check", "differs"]
SURELY_STATED, LIKELY = 0.75, 0.5
"""Calibrated chances from which an answer counts as stated, or as likely."""


@dataclass(frozen=True, slots=True)
class PageRegion:
    """A page and the boxes on it that carry a statement.

    page: zero-based index. label: the number printed on the page ("4-11"), or the
    one-based index as text. regions: PDF points, top-left origin, page as displayed.
    """

    document_id: int
    document: str
    page: int
    label: str
    regions: tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class DecisionEvent:
    """The decider chose a tool. step counts from 1; milliseconds is the time to decide."""

    type: ClassVar[str] = "decision"
    tool: str
    reasoning: str
    inputs: dict[str, Any] = field(default_factory=dict)
    step: int = 1
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class StatusEvent:
    """What a tool is doing right now, one sentence."""

    type: ClassVar[str] = "status"
    message: str


@dataclass(frozen=True, slots=True)
class ResultEvent:
    """A tool's result: objects of plain values, each with its `_REF_ID`."""

    type: ClassVar[str] = "result"
    tool: str
    name: str
    payload_type: str
    objects: tuple[dict[str, Any], ...]
    metadata: dict[str, Any] = field(default_factory=dict)
    message: str = ""
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TokenEvent:
    """A piece of the answer as it is written. Citation marks appear in it as "[1]"."""

    type: ClassVar[str] = "token"
    content: str


QuotedKind = Literal["text", "row", "step", "item", "drawing"]


@dataclass(frozen=True, slots=True)
class QuotedForm:
    """How quoted words appear on their page, for code that draws them, not writes a line.

    told: the line that states them in the answer's text. section: the headings above,
    outermost first; for a row, its table's caption comes last. headings: of a row's
    columns, one for each cell, or none. cells: of a row, left to right, with the line
    breaks that were made on purpose. asked: which cell answers, -1 if that is not
    clear. asked_line: which line of that cell does, -1 for all. value: the amount that
    answers, in a sentence that leads; "" if that is not clear. answers: the words of `told` that
    answer, where others are told around them; mostly "".
    """

    kind: QuotedKind
    told: str
    section: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    cells: tuple[str, ...] = ()
    asked: int = -1
    asked_line: int = -1
    value: str = ""
    answers: str = ""

    @property
    def tells_apart(self) -> bool:
        """Whether something in it is set apart as the answer itself."""
        return bool(self.value) or self.asked >= 0


@dataclass(frozen=True, slots=True)
class CitationEvent:
    """Citation number `number` of the answer: where the quoted words are.

    reference: `_REF_ID` of the retrieved object that the words belong to, "" if there
    is none. newer: the name of the revision that replaces the manual ("Rev C"), "" if
    the manual is the newest. form: of a quote that appears in the answer as it is on
    the page; None if a model rephrases it.
    """

    type: ClassVar[str] = "citation"
    number: int
    source: PageRegion
    quote: str
    reference: str = ""
    newer: str = ""
    form: QuotedForm | None = None


@dataclass(frozen=True, slots=True)
class NoteSource:
    """A note of the site, as an answer names it: never mistaken for a manual.

    piece_id: in the knowledge base. title: its first words. role: of its author, "" if
    nobody said. written: ISO 8601 date, "" if unknown. scope: what it is about ("asset
    P-200", "site 12"), "" for everything. tier: how much its kind of source is worth,
    from 1 (the maker's manual); notes have 4 unless somebody judged them unverified
    (5). page: of the manual it is pinned to, None if it is pinned to none, or if that
    manual is not in the library.
    """

    piece_id: str
    title: str
    role: str = ""
    written: str = ""
    scope: str = ""
    tier: int = 4
    page: PageRegion | None = None


@dataclass(frozen=True, slots=True)
class NoteCitationEvent:
    """Citation number `number` of the answer is a note of the site, not a page of a manual.

    Its numbers and those of `CitationEvent` are one sequence. quote: the note's own
    words.
    """

    type: ClassVar[str] = "note_citation"
    number: int
    note: NoteSource
    quote: str


@dataclass(frozen=True, slots=True)
class RevisionEvent:
    """A sentence that was streamed is marked, corrected or withdrawn.

    sentence: its number in the answer, from 0. start: how many characters of tokens
    came before it. old: its text as it was streamed. new: the text that replaces it;
    the same text if it is only marked, "" if it is withdrawn. unsupported: what no
    cited passage says: numbers, units, codes as they appear in `new`, or in `old` for a
    withdrawn sentence. reason: what the critic says about a sentence that it corrected,
    in one sentence; else "". superseded: nothing was wrong with the sentence, but what
    follows says it better, so it is no longer shown.
    `RevisedText` puts tokens and revisions together.
    """

    type: ClassVar[str] = "revision"
    sentence: int
    start: int
    old: str
    new: str
    unsupported: tuple[str, ...] = ()
    reason: str = ""
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class WarningBlockEvent:
    """A safety block of a cited section, verbatim. text: without the signal word."""

    type: ClassVar[str] = "warning_block"
    level: WarningLevel
    text: str
    source: PageRegion


@dataclass(frozen=True, slots=True)
class NearestPageEvent:
    """A page near the question that may answer it, below a refusal. snippet: its best line."""

    type: ClassVar[str] = "nearest_page"
    source: PageRegion
    snippet: str


@dataclass(frozen=True, slots=True)
class ConfidenceEvent:
    """How sure the answer is, 0 to 1, and why.

    reasons: what spoke for it and against it, the strongest first. read_with: the question
    before, if this one was read as following it up; else "". differs: the manuals answer it, but a
    note of the site gives another value.
    """

    type: ClassVar[str] = "confidence"
    value: float
    reason: str
    reasons: tuple[str, ...] = ()
    read_with: str = ""
    differs: bool = False

    @property
    def sureness(self) -> Sureness:
        """What a person is told instead of a number."""
        if self.differs:
            return "differs"
        if self.value >= SURELY_STATED:
            return "stated"
        return "likely" if self.value >= LIKELY else "check"


@dataclass(frozen=True, slots=True)
class ClarificationChoice:
    """What choosing an option does: ask `prompt` again, only of these manuals.

    manuals: their titles, as the option's button names them.
    """

    prompt: str
    document_ids: tuple[int, ...]
    manuals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClarificationEvent:
    """The agent asks back; the option that a person chooses is the next question.

    choices: empty, or one per option: then the option continues the same question, asked of
    the manuals of its choice.
    """

    type: ClassVar[str] = "clarification"
    question: str
    options: tuple[str, ...]
    choices: tuple[ClarificationChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class ErrorEvent:
    """A step failed. recoverable: the agent goes on and may choose again."""

    type: ClassVar[str] = "error"
    message: str
    recoverable: bool = True
    suggestion: str = ""
    tool: str = ""


@dataclass(frozen=True, slots=True)
class ResearchProposalEvent:
    """The question asks to verify something: deep research can do that more thoroughly."""

    type: ClassVar[str] = "research_proposal"
    question: str
    mode: ResearchMode
    reason: str


@dataclass(frozen=True, slots=True)
class ResearchProgressEvent:
    """Deep research has begun or ended a stage of an iteration.

    iteration: from 1; 0 before the first one. message: what happens, or what came of it, one
    sentence. milliseconds: of a stage that has ended.
    """

    type: ClassVar[str] = "research_progress"
    iteration: int
    max_iterations: int
    stage: ResearchStage
    state: ResearchState
    message: str
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CompleteEvent:
    """The last event of every question.

    missing: what was asked for and not delivered, a sentence each; only if partial.
    """

    type: ClassVar[str] = "complete"
    outcome: Outcome
    milliseconds: float
    steps: int
    missing: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether there is an answer, even if something else is missing."""
        return self.outcome in ANSWERED


ToolEvent = (
    StatusEvent
    | TokenEvent
    | CitationEvent
    | NoteCitationEvent
    | RevisionEvent
    | WarningBlockEvent
    | NearestPageEvent
    | ConfidenceEvent
    | ClarificationEvent
    | ErrorEvent
)
"""What a tool may say while it runs."""
Event = (
    DecisionEvent
    | ResultEvent
    | ToolEvent
    | ResearchProposalEvent
    | ResearchProgressEvent
    | CompleteEvent
)


def to_json(event: Event) -> str:
    """Return the event as one line of JSON, `type` first."""
    return json.dumps({"type": event.type, **asdict(event)}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Some of the text, in order.

    unsupported: the parts that no cited passage says. withdrawn: not part of the
    answer.
    """

    text: str
    unsupported: tuple[str, ...] = ()
    withdrawn: bool = False


class RevisedText:
    """Takes the events of a question; only tokens and revisions change anything."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._streamed = ""
        self._revisions: dict[int, RevisionEvent] = {}
        self._sentences: dict[int, str] = {}
        for event in events:
            self.take(event)

    def take(self, event: Event) -> bool:
        """Take the next event; returns whether the text has changed."""
        match event:
            case TokenEvent(content):
                if is_sentence(content):
                    self._sentences[len(self._streamed)] = content
                self._streamed += content
                return bool(content)
            case RevisionEvent():
                start = self._place(event)
                if start >= 0:
                    self._revisions[start] = event
                return start >= 0
            case _:
                return False

    @property
    def pieces(self) -> list[TextPiece]:
        """The whole text that was streamed, withdrawn sentences included, superseded ones not."""
        found: list[TextPiece] = []
        end = 0
        for start, revision in sorted(self._revisions.items()):
            if start < end:
                continue  # inside one that was revised as a whole
            if start > end:
                found.append(TextPiece(self._between(end, start)))
            withdrawn = not revision.new
            text = revision.old if withdrawn else revision.new
            if not revision.superseded:
                found.append(TextPiece(text, revision.unsupported, withdrawn))
            end = start + len(revision.old)
        if end < len(self._streamed):
            found.append(TextPiece(self._between(end, len(self._streamed))))
        return found

    @property
    def text(self) -> str:
        """The answer, without withdrawn text or the lines that are empty once it is gone."""
        texts = [piece.text for piece in self.pieces if not piece.withdrawn]
        told = [text for text in texts if text.strip()]
        if len(told) == 1 and is_sentence(told[0]):
            return told[0]  # by itself it can be told in another language
        kept = "".join(texts)
        if not self._revisions:
            return kept
        lines = (" ".join(line.split()) for line in kept.split("\n"))
        return "\n".join(line for line in lines if line)

    def _between(self, start: int, end: int) -> str:
        """Return a part of the streamed text: as the known sentence, if it is one."""
        text = self._streamed[start:end]
        found = self._sentences.get(end - len(text.lstrip()), "")
        return found if found == text.strip() else text

    def _place(self, event: RevisionEvent) -> int:
        """Return where the revised text begins, -1 if it was never streamed."""
        if self._streamed.startswith(event.old, event.start):
            return event.start
        return self._streamed.rfind(event.old)
