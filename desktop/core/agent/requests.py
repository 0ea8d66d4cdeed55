"""What a person wants made of an answer: an e-mail, a report, a job sheet.

"What is the torque? Mail it to Anna." asks one thing and wants another made of it. Every clause is
compared with the examples of `resources/deliverables.toml`, by the pieces of its words and, where
the text model is there, by its meaning (`resources/deliverables.json`, learnt from the same
examples by `scripts/learn_deliverables.py`). What is cut out of the question is not searched for.
docs/agent.md says what it is worth.
"""

from __future__ import annotations

import json
import logging
import re
import tomllib
import zlib
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, cast, get_args

import numpy as np

from desktop.core.question.parts import from_question_word
from desktop.core.question.query import Question
from desktop.models.errors import ModelError
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

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
        clauses = [each.group() for each in _CLAUSE.finditer(prompt) if each.group()]
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
            question = from_question_word(question)
        address = _ADDRESS.search(prompt) if "draft_email" in wishes else None
        return Requested(
            question.strip(_EDGES),
            tuple(wishes),
            tuple(dict.fromkeys(wishes.values())),
            address.group() if address else "",
        )

    def _wishes_of(self, clause: str) -> tuple[list[Wish], str]:
        """Return the wishes of a clause, and what it asks besides them, "" if nothing."""
        text = clause.strip()
        if len(text) > _LONGEST or (not Question.parse(text).groups and len(text.split()) < 2):
            return [], ""
        parts = _parts(text)
        by_words = _scores_by_words([text, *(part.words for part in parts)])
        margins = _margins(by_words)
        if max(margins) < _HOPELESS:
            return [], ""
        told = [
            replace(part, wish=_nearest(row), margin=margin)
            for part, row, margin in zip(parts, by_words[1:], margins[1:], strict=True)
        ]
        chosen = _worth_a_look(told)
        scores = self._scores([text, *(part.words for part in chosen)])
        margins = _margins(scores)
        found = [
            replace(part, wish=_nearest(row), margin=margin)
            for part, row, margin in zip(chosen, scores[1:], margins[1:], strict=True)
            if margin >= self._least(PART)
            or (part.ends and margin >= self._least(ENDING) and self._is_no_wish(part.rest))
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

    def _is_no_wish(self, text: str) -> bool:
        (margin,) = _margins(self._scores([text]))
        return margin <= -PART

    def _least(self, margin: float) -> float:
        return margin if self._meaning() is not None else max(margin, _BY_WORDS_ALONE)

    def _scores(self, texts: Sequence[str]) -> Floats:
        by_words = _scores_by_words(texts)
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
def _weights_of_words() -> Floats:
    return _ridge(_with_one(_pieces_of(example_texts())))


def _scores_by_words(texts: Sequence[str]) -> Floats:
    """Score texts by pieces and pairs of their words: a row for each, a column for each kind."""
    return _with_one(_pieces_of(texts)) @ _weights_of_words()


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
    """Return the best end by its words, each wish's best part, and the longest beginning."""
    chosen: dict[_Part, None] = {}
    begins = [part for part in parts if not part.ends and part.margin >= PART]
    chosen.update(dict.fromkeys(begins[-1:]))
    by_margin = sorted(parts, key=lambda part: -part.margin)
    chosen.update(dict.fromkeys([part for part in by_margin if part.ends][:1]))
    best = {part.wish: part for part in reversed(by_margin) if part.margin >= 0}
    chosen.update(dict.fromkeys(best.values()))
    return list(chosen)


def _is_new(rest: str, history: Sequence[Mapping[str, str]]) -> bool:
    """Whether a request says by itself what it is about, other than what was said last."""
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
