"""What a person wants made of an answer: an e-mail, a report, a job sheet; what of it is missing.

"What is the torque? Mail it to Anna." asks one thing and wants another made of it. Every clause is
compared with the examples of `resources/deliverables.toml`, by the pieces of its words and, where
the text model is there, by its meaning (`resources/deliverables.json`, learnt from the same
examples by `scripts/learn_deliverables.py`). What is cut out of the question is not searched for.
docs/agent.md says what it is worth. What is promised is planned before anything is done, and
checked at the end.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import tomllib
import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

import numpy as np

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
from desktop.core.retrieval.query import Question
from desktop.models.errors import ModelError
from desktop.resources import resource
from desktop.sentences import joined, said, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from desktop.core.agent.tree_data import TreeData
    from desktop.core.events import Outcome
    from desktop.models.roles import TextEmbedder

    Floats = NDArray[np.float32]

logger = logging.getLogger(__name__)

Deliverable = Literal["draft_email", "export_report", "job_sheet"]
Wish = Literal["draft_email", "export_report", "job_sheet", "show_figure", "list_all_steps"]
DELIVERABLES: Final[frozenset[str]] = frozenset(get_args(Deliverable))
NOTHING: Final = "none"
EXAMPLES: Final = "deliverables.toml"
LEARNT: Final = "deliverables.json"

WHOLE: Final = 0.25
"""By so much a clause is nearer to a wish than to none, to be one as it stands."""
PART: Final = 0.6
"""The same of its beginning or end alone, which has fewer words to tell by."""
ENDING: Final = 0.3
"""The same of the end of a clause that begins with something that is clearly no wish."""
_FEWEST_WORDS: Final = 2
_BY_WORDS_ALONE: Final = 0.5
_HOPELESS: Final = -0.75
"""By words: what is so far from any wish is not looked at by its meaning."""
_FEATURES: Final = 4_096
_RIDGE: Final = 0.3
_OF_MEANING: Final = 2.0
_LONGEST: Final = 600
"""Characters of a clause; what is longer is no request for a report."""
_AT_EITHER_END: Final = 3
"""Clauses of a prompt: a request stands before or after what it is about. What is pasted between
is data: of 30 pages of a manual some sentence always read like a request."""
_CLAUSE = re.compile(r"[^.;:!?,\n]*(?:[.;:!?,](?!\s)[^.;:!?,\n]*)*(?:[.;:!?,]+\s*|\n+|$)")
_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_EDGES = " \t\n,;:.–-"
_OF_ITS_OWN = 2
_OTHER_WORDS = 0.5
"""So much of what a request says of its own must be new, or it is about the last answer."""


@dataclass(frozen=True, slots=True)
class Requested:
    """What is asked and what is wanted.

    question: without the wishes, "" if the last answer is meant. wishes: in their order.
    evidence: the words that say so. recipient: an e-mail address, or "".
    """

    question: str
    wishes: tuple[Wish, ...] = ()
    evidence: tuple[str, ...] = ()
    recipient: str = ""

    @property
    def deliverables(self) -> tuple[Deliverable, ...]:
        """What has to be made of the answer."""
        return cast(
            "tuple[Deliverable, ...]", tuple(each for each in self.wishes if each in DELIVERABLES)
        )


class RequestReader:
    """Reads questions; blocking, callable from any thread."""

    def __init__(self, embedder: TextEmbedder | None = None) -> None:
        """embedder: for the meaning of clauses; None: by their words alone."""
        self._embedder = embedder

    def read(self, prompt: str, history: Sequence[Mapping[str, str]] = ()) -> Requested:
        """Return what is asked and what is wanted.

        history: what was said before: a request for what was just answered has no question.
        """
        wishes: dict[Wish, str] = {}
        kept: list[str] = []
        own: list[str] = []  # what a clause says beside its wish
        clauses = list(_clauses(prompt))
        inner = range(_AT_EITHER_END, len(clauses) - _AT_EITHER_END)
        for place, clause in enumerate(clauses):
            found, rest = ([], "") if place in inner else self._wishes_of(clause)
            deliver = [wish for wish in found if wish in DELIVERABLES]
            for wish in found:
                wishes.setdefault(wish, clause.strip(_EDGES))
            if not deliver:
                kept.append(clause)
            elif rest:
                own.append(rest)
        question = "".join(kept).strip()
        if not any(wish in DELIVERABLES for wish in wishes):
            question = prompt.strip()
        elif not Question.parse(question).groups:
            question = next((rest for rest in own if _is_new(rest, history)), "")
        address = _ADDRESS.search(prompt) if "draft_email" in wishes else None
        return Requested(
            question.strip(_EDGES),
            tuple(wishes),
            tuple(dict.fromkeys(wishes.values())),
            address.group() if address else "",
        )

    def _wishes_of(self, clause: str) -> tuple[list[Wish], str]:
        """Return the wishes of a clause, and what it asks beside them, "" if nothing."""
        text = clause.strip()
        if len(text) > _LONGEST or (not Question.parse(text).groups and len(text.split()) < 2):
            return [], ""
        parts = _parts(text)
        by_words = _words_model().scores([text, *(part.words for part in parts)])
        margins = _margins(by_words)
        if max(margins) < _HOPELESS:
            return [], ""
        told = [
            replace(part, wish=_nearest(row), margin=margin)
            for part, row, margin in zip(parts, by_words[1:], margins[1:], strict=True)
        ]
        chosen = _worth_a_look(told)
        scores = self._scores([text, *(p.words for p in chosen), *(p.rest for p in chosen)])
        margins = _margins(scores)
        found = [
            replace(part, wish=_nearest(row), margin=margin)
            for part, row, margin, rest in zip(
                chosen,
                scores[1:],
                margins[1:],
                margins[len(chosen) + 1 :],
                strict=False,
            )
            if margin >= self._least(PART)
            or (part.ends and rest <= -PART and margin >= self._least(ENDING))
        ]
        if margins[0] >= self._least(WHOLE):
            wish = _nearest(scores[0])
            also = [part.wish for part in found if part.wish != wish and part.margin >= PART]
            rest = next((part.rest for part in found if part.wish == wish), "")
            return list(dict.fromkeys([wish, *also])), rest
        for part in sorted(found, key=lambda part: -part.margin):
            if Question.parse(part.rest).groups:
                return [part.wish], part.rest.strip(_EDGES)
        return [], ""

    def _least(self, margin: float) -> float:
        return margin if self._meaning() is not None else max(margin, _BY_WORDS_ALONE)

    def _scores(self, texts: Sequence[str]) -> Floats:
        by_words = _words_model().scores(texts)
        meaning = self._meaning()
        if meaning is None or self._embedder is None:
            return by_words
        try:
            vectors = self._embedder.embed_queries(texts)
        except ModelError as error:
            logger.info("wishes are read by words alone: %s", type(error).__name__)
            return by_words
        both: Floats = ((by_words + meaning.scores(vectors)) / 2).astype(np.float32)
        return both

    def _meaning(self) -> MeaningModel | None:
        if self._embedder is None:
            return None
        learnt = _meaning_model()
        return learnt if learnt is not None and learnt.model_id == self._embedder.model_id else None


@dataclass(frozen=True, slots=True, eq=False)
class MeaningModel:
    """Scores of text vectors. mean: subtracted first. weights: (dimension + 1, kinds)."""

    model_id: str
    mean: Floats
    weights: Floats

    @classmethod
    def learn(cls, model_id: str, vectors: Floats) -> MeaningModel:
        """Learn from the vectors of the examples, in their order."""
        mean = vectors.mean(axis=0)
        weights = _ridge(_with_one((vectors - mean) * _OF_MEANING))
        return cls(model_id, mean, weights)

    def scores(self, vectors: Floats) -> Floats:
        """Return a row for each vector, a column for each kind."""
        return _with_one((vectors - self.mean) * _OF_MEANING) @ self.weights


@dataclass(frozen=True, slots=True, eq=False)
class WordsModel:
    """Scores of texts by pieces of their words and pairs of words."""

    weights: Floats

    def scores(self, texts: Sequence[str]) -> Floats:
        """Return a row for each text, a column for each kind."""
        return _with_one(_pieces_of(texts)) @ self.weights


@lru_cache(maxsize=1)
def examples() -> dict[str, tuple[str, ...]]:
    """Return the examples of each kind; the last kind is none at all."""
    with resource(EXAMPLES).open("rb") as file:
        return {kind: tuple(texts) for kind, texts in tomllib.load(file).items()}


def example_texts() -> list[str]:
    """Return all of them in their order."""
    return [text for texts in examples().values() for text in texts]


def fingerprint() -> int:
    """Return what changes with the examples."""
    return zlib.crc32(json.dumps(examples()).encode())


@lru_cache(maxsize=1)
def _words_model() -> WordsModel:
    return WordsModel(_ridge(_with_one(_pieces_of(example_texts()))))


@lru_cache(maxsize=1)
def _meaning_model() -> MeaningModel | None:
    try:
        learnt = json.loads(resource(LEARNT).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    if learnt["examples"] != fingerprint():
        logger.info("%s was learnt from other examples", LEARNT)
        return None
    mean, weights = (np.asarray(learnt[key], np.float32) for key in ("mean", "weights"))
    return MeaningModel(learnt["model_id"], mean, weights)


def _clauses(prompt: str) -> Iterator[str]:
    """Yield the clauses; together they are the prompt again."""
    yield from (match.group() for match in _CLAUSE.finditer(prompt) if match.group())


@dataclass(frozen=True, slots=True)
class _Part:
    """The beginning or the end of a clause, and the rest of it. margin: of its wish over none."""

    words: str
    rest: str
    ends: bool
    wish: Wish = "export_report"
    margin: float = 0.0


def _parts(clause: str) -> list[_Part]:
    words = clause.split()
    cuts = [
        (" ".join(words[:at]), " ".join(words[at:]))
        for at in range(_FEWEST_WORDS, len(words) + 1 - _FEWEST_WORDS)
    ]
    begins = [_Part(begin, end, False) for begin, end in cuts]
    return begins + [_Part(end, begin, True) for begin, end in cuts]


def _worth_a_look(parts: Sequence[_Part]) -> list[_Part]:
    """Return the best end by its words, of each wish the best part, and the longest beginning."""
    chosen: dict[_Part, None] = {}
    begins = [part for part in parts if not part.ends and part.margin >= PART]
    chosen.update(dict.fromkeys(begins[-1:]))
    by_margin = sorted(parts, key=lambda part: -part.margin)
    chosen.update(dict.fromkeys([part for part in by_margin if part.ends][:1]))
    best = {part.wish: part for part in reversed(by_margin) if part.margin >= 0}
    chosen.update(dict.fromkeys(best.values()))
    return list(chosen)


def _is_new(rest: str, history: Sequence[Mapping[str, str]]) -> bool:
    """Whether a request says of its own what it is about, other than what was said last."""
    known = {word for kind, texts in examples().items() if kind != NOTHING
             for text in texts for word in _words(text)}  # fmt: skip
    own = [word for word in _words(_ADDRESS.sub(" ", rest)) if word not in known]
    meant = Question.parse(" ".join(own)).groups
    if len(meant) < _OF_ITS_OWN and not any(letter.isdigit() for word in own for letter in word):
        return False  # such as a name: "mail it to Anna"
    last = [turn.get("content", "") for turn in history[-2:]]
    said = set(_words(" ".join(last)))
    new = [word for word in own if word not in said]
    return len(new) > _OTHER_WORDS * len(own)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+|[?@]", text.casefold())


def _pieces_of(texts: Sequence[str]) -> Floats:
    """Return which pieces each text has, rows of unit length, shape (n, features)."""
    found = np.zeros((len(texts), _FEATURES), np.float32)
    for row, text in zip(found, texts, strict=True):
        words = _words(text)
        pieces = {f"{one} {two}" for one, two in zip(["^", *words], [*words, "$"], strict=True)}
        pieces.update(words)
        for word in words:
            marked = f" {word} "
            for size in (3, 4):
                pieces.update(marked[at : at + size] for at in range(len(marked) - size + 1))
        row[[zlib.crc32(piece.encode()) % _FEATURES for piece in pieces]] = 1.0
        row /= max(1.0, float(np.linalg.norm(row)))
    return found


def _ridge(rows: Floats) -> Floats:
    """Return the weights of a ridge regression of the kinds on the examples' rows."""
    kinds = [place for place, texts in enumerate(examples().values()) for _ in texts]
    wanted = np.eye(len(examples()), dtype=np.float32)[kinds]
    kernel = rows @ rows.T + _RIDGE * np.eye(len(rows), dtype=np.float32)
    weights: Floats = (rows.T @ np.linalg.solve(kernel, wanted)).astype(np.float32)
    return weights


def _with_one(rows: Floats) -> Floats:
    return np.hstack([rows, np.ones((len(rows), 1), np.float32)])


def _margins(scores: Floats) -> list[float]:
    """Return how much nearer each row is to its nearest wish than to none."""
    none = list(examples()).index(NOTHING)
    wishes = np.delete(scores, none, axis=1).max(axis=1)
    return [float(each) for each in wishes - scores[:, none]]


def _nearest(row: Floats) -> Wish:
    wishes = [(float(score), kind) for score, kind in zip(row, examples(), strict=True)]
    return cast("Wish", max(each for each in wishes if each[1] != NOTHING)[1])


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
    "list_all_steps": said("The list of steps may not be whole: open the cited page and compare."),
    "export_report": said("No report was saved: choose “Save report…” below the answer."),
    "draft_email": said("No e-mail was drafted: choose “Draft e-mail…” below the answer."),
    "job_sheet": said("No job sheet was saved: choose “Save Job Sheet” in the menu."),
}
"""What is missing, and the next step, by the commitment."""


_NAMES: dict[Commitment, str] = {
    "answer": said("an answer"),
    "cite_page": said("the page it stands on"),
    "show_figure": said("a figure"),
    "list_all_steps": said("all steps"),
    "export_report": said("a report"),
    "draft_email": said("an e-mail draft"),
    "job_sheet": said("a job sheet"),
}
ANSWER = "text_response"
REPORT = "export_report"
DRAFT = "draft_email"
SHEET = "job_sheet"
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
        listed = joined([_NAMES[each] for each in self.commitments], last=said(" and "))
        return said("To be delivered: {listed}.", listed=listed)


def planned(requested: Requested) -> Plan:
    """Return what has to be delivered for what was asked: at least an answer with its page."""
    return Plan(("answer", "cite_page", *requested.wishes), requested.evidence)


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
            "job_sheet": lambda: SHEET in self._tools,
        }
        return tuple(each for each in commitments if checks[each]())


def what_is_missing(
    commitments: Iterable[Commitment],
    kept: Iterable[Commitment],
    errors: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, ...]:
    """Return a sentence for each commitment that was not kept.

    errors: what went wrong, by the tool that should have kept it.
    """
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
        plan = planned(requested)
        tree_data.requested = requested
        tree_data.user_prompt = requested.question or tree_data.user_prompt
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
