"""The reader: how likely each unit of the pages answers the question, and whether any does.

Regression trees over the observations of `observations.py` (LambdaMART: Burges, MSR-TR-2010-82),
learnt listwise from labelled questions on real manuals (`scripts/reader`): all units of the pages
of one question compete. What they learnt is a file of numbers in `resources/reader`,
hash-verified; nothing overrides their score.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from desktop.core.answering.contributions import there_reasons, unit_reasons
from desktop.core.answering.observations import (
    OBSERVATIONS,
    UnitOnPage,
    observe_vectors,
    observe_words,
    read_text,
)
from desktop.core.answering.reading_together import TogetherReader, Tokens
from desktop.core.answering.units import answer_units
from desktop.models.checksums import verify
from desktop.resources import resource

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.evidence import Evidence
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.query import Question
    from desktop.models.roles import TextEmbedder

Floats = NDArray[np.float32]

WEIGHTS: Final = "answers.safetensors"
WEIGHTS_SHA256: Final = "34390bbed785bd034179866c2892bcdc16201a7128cc4234c88f3d2ce28f0b68"
LIST_OBSERVATIONS: Final = (
    "best",  # score of the best unit
    "ahead",  # of the best unit over the best one of another page
    "spread",  # logarithm of the sum of all chances over the best
    "late",
    "late_own",
    "late_hardest",
    "cosine",
    "window",
    "words",
    "words_absent",
    "lacks_most",
    "lacks",
    "met_anywhere",  # mean over the third of the question's tokens that no unit comes near to
    "least_met",  # the token of the question that the best unit comes least near to
    "codes_missing",
    "asked_length",
    "page",
    "together",  # what the best unit says when it is read together with the question
    "together_highest",  # of all units that were
)
"""What tells whether the best unit answers at all."""
_OF_TOKENS = ("met_anywhere", "least_met", "together", "together_highest")
READ: Final = 32
"""So many units are read by the text model, those that other trees find most worth it.

Each costs a run of it. On `choose` the right page is first in 0.739 with 48, 0.735 with 32 and 24,
and 0.728 with 16; chosen by hand-set weights, it was in 0.728 with 48. With 32 as many of them are
right as were among 48 that were chosen so.
"""
READ_TOGETHER: Final = 16
"""So many of the best units are read together with the question: some 2 ms each."""


@dataclass(frozen=True, slots=True)
class PageToRead:
    """A page with its units and words.

    score: of the first stage. windows: cosine of the windows it has, by their text. prior: what is
    known of its manual beside what it says: it orders the units of several manuals, and says
    nothing of how likely one of them answers.
    """

    evidence: Evidence
    words: PageWords
    score: float = 0.0
    windows: Mapping[str, float] = field(default_factory=dict)
    prior: float = 0.0


@dataclass(frozen=True, slots=True)
class ReadUnit:
    """A unit with its score; higher is better, comparable within one question only."""

    unit: Quote
    score: float
    observed: Floats


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader makes of the pages of one question.

    pages: the units of each page, best first, in the order of the pages. chance: how likely the
    best unit of all answers the question, 0 to 1, calibrated. there: how likely the pages answer
    it at all, by whatever unit. why_best, why_there: what of the observations spoke most for and
    against that unit, and for and against there being an answer.
    """

    pages: tuple[tuple[ReadUnit, ...], ...]
    chance: float
    there: float = 0.0
    why_best: tuple[str, ...] = ()
    why_there: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """All that is seen of a question. Rows are units.

    values: shape (units, observations). read: which units the text model read. met: how near each
    of those comes to each token of the question, (read units, tokens). asked_tokens, tokens: of the
    question, and of each of those units. together: what units say when they are read together with
    the question (`TogetherReader`), not a number for those that were not.
    """

    units: list[UnitOnPage]
    values: Floats
    read: NDArray[np.bool_]
    met: Floats
    asked_tokens: Floats
    tokens: tuple[Tokens, ...]
    together: Floats

    def only(self, kept: NDArray[np.bool_]) -> Observed:
        """Return what is seen of some of the units."""
        units = [unit for unit, stays in zip(self.units, kept, strict=True) if stays]
        of_read = kept[self.read]
        return replace(
            self,
            units=units,
            values=self.values[kept],
            read=self.read[kept],
            met=self.met[of_read] if len(self.met) else self.met,
            tokens=tuple(t for t, stays in zip(self.tokens, of_read, strict=True) if stays),
            together=self.together[kept],
        )

    def read_together(self, scores: Floats, reader: TogetherReader) -> Observed:
        """Read the best units together with the question. scores: by which they are the best.

        Another text model's vectors are not read so.
        """
        if self.asked_tokens.shape[1:] != (reader.dimension,):
            return self
        together = np.full(len(self.units), np.nan, np.float32)
        of_read = np.flatnonzero(self.read)
        best = np.argsort(-scores[of_read], kind="stable")[:READ_TOGETHER]
        together[of_read[best]] = reader.scores(
            self.asked_tokens, [self.tokens[place] for place in best]
        )
        return replace(self, together=together)


class Reader:
    """Reads pages; may be used from any thread, as far as its text model may."""

    def __init__(self, embedder: TextEmbedder | None) -> None:
        self._embedder = embedder
        self._ranker: Ranker | None = None
        self._together: TogetherReader | None = None

    def read(self, question: Question, pages: Sequence[PageToRead]) -> Reading:
        """Score every unit of the pages. Raises: ModelError."""
        observed = self.observe(question, pages)
        if not observed.units:
            return Reading(tuple(() for _ in pages), 0.0)
        ranker = self._learnt()
        with_model = self._embedder is not None
        scores = ranker.scores(observed, with_model=with_model)
        if with_model:
            self._together = self._together or TogetherReader.load()
            observed = observed.read_together(scores, self._together)
        priors = np.array([pages[each.page].prior for each in observed.units], np.float32)
        ranked = scores + priors
        by_page: list[list[ReadUnit]] = [[] for _ in pages]
        for each, score, row in zip(observed.units, ranked, observed.values, strict=True):
            by_page[each.page].append(ReadUnit(each.unit, float(score), row))
        for units in by_page:
            units.sort(key=lambda unit: -unit.score)
        # it was learnt within one manual: what a manual is known by must not raise the chance
        best = int(ranked.argmax())
        alike = priors == priors[best]
        within, of_these = observed.only(alike), scores[alike]
        seen = ranker.list_inputs(within, of_these, with_model=with_model)
        contributed, above = ranker.there_parts(seen, with_model=with_model)
        return Reading(
            tuple(map(tuple, by_page)),
            ranker.chance(seen, with_model=with_model),
            ranker.there(seen, with_model=with_model),
            unit_reasons(ranker, observed, best, question, with_model=with_model),
            there_reasons(within, contributed, above, int(of_these.argmax()), question),
        )

    def _learnt(self) -> Ranker:
        self._ranker = self._ranker or Ranker.load()
        return self._ranker

    def observe(self, question: Question, pages: Sequence[PageToRead]) -> Observed:
        """Return all that is seen of the units of the pages."""
        units = [each for place, page in enumerate(pages) for each in _placed(place, page)]
        weights = [_weights(question, pages[each.page].evidence) for each in units]
        values = observe_words(question, weights, units)
        read = np.zeros(len(units), bool)
        together = np.full(len(units), np.nan, np.float32)
        if self._embedder is None or not units:
            nothing = values[:0, :0]
            return Observed(units, values, read, nothing, nothing, (), together)
        first = _worth_reading(self._learnt().worth(values), units, READ)
        read[first] = True
        texts = [read_text(units[i].unit) for i in first]
        asked, *found = self._embedder.embed_tokens([question.wording, *(t for t, _ in texts)])
        spans = self._embedder.token_spans([t for t, _ in texts])
        own = [
            np.array([end > heading for _, end in span[: len(tokens)]], bool)
            for (_, heading), span, tokens in zip(texts, spans, found, strict=True)
        ]
        rows = values[first]
        read_units = list(zip(found, own, strict=True))
        met = observe_vectors(rows, asked, read_units, [units[i].page for i in first])
        values[first] = rows
        tokens = tuple(Tokens(each, of) for each, of in read_units)
        return Observed(units, values, read, met, asked, tokens, together)


class Ranker:
    """What was learnt: the trees that score units, and what turns their scores into chances."""

    def __init__(self, weights: Mapping[str, NDArray[Any]], card: Mapping[str, object]) -> None:
        """Take the tensors of the file, and what it says of itself."""
        if card.get("observations") != list(OBSERVATIONS):
            raise ValueError("the reader's weights are for other observations")
        self._weights = dict(weights)

    @classmethod
    def load(cls) -> Ranker:
        """Read the weights that come with Groundwork.

        Raises: ModelNotInstalled, ModelDamaged.
        """
        from safetensors import safe_open

        folder = resource("reader")
        verify(folder, {WEIGHTS: WEIGHTS_SHA256})
        with safe_open(folder / WEIGHTS, "numpy") as file:
            card = json.loads(file.metadata()["card"])
            return cls({name: file.get_tensor(name) for name in file.keys()}, card)  # noqa: SIM118

    def scores(self, observed: Observed, *, with_model: bool) -> Floats:
        """Return a score for each unit, a chance's logarithm up to what all units share.

        What the text model did not read stays behind, in the order of the words it shares.
        """
        if not with_model or not observed.read.any():
            return self.scores_of(observed.values, with_model=with_model)
        read = observed.read
        scores = np.zeros(len(read), np.float32)
        scores[read] = self.scores_of(observed.values[read], with_model=True)
        shared = observed.values[~read, OBSERVATIONS.index("words")]
        scores[~read] = scores[read].min() - 1 + np.clip(shared, 0, 1)
        return scores

    def worth(self, values: Floats) -> Floats:
        """Return how much each unit is worth a run of the text model, by what is known before.

        values: shape (units, observations); what tokens tell is not looked at.
        """
        return self._walk("first", values)

    def scores_of(self, values: Floats, *, with_model: bool) -> Floats:
        """Return the scores of rows of observations, shape (rows, observations)."""
        return self._walk(trees_of(with_model=with_model), values)

    def _walk(self, kind: str, values: Floats) -> Floats:
        of = self._of(kind)
        features, thresholds, leaves = of("features"), of("thresholds"), of("leaves")
        known = np.nan_to_num(values)
        rows, trees = np.arange(len(known))[:, None], np.arange(len(leaves))[None]
        nodes = np.zeros((len(known), len(leaves)), np.intp)
        while len(known) and nodes[0, 0] < features.shape[1]:  # a level of all trees at a time
            right = known[rows, features[trees, nodes]] > thresholds[trees, nodes]
            nodes = 2 * nodes + 1 + right
        scores: Floats = leaves[trees, nodes - features.shape[1]].sum(axis=1, dtype=np.float32)
        return scores

    def chance(self, seen: Floats, *, with_model: bool) -> float:
        """Return how likely the unit with the best score answers. seen: `list_inputs`."""
        of = self._of(trees_of(with_model=with_model))
        return _logistic(seen @ of("list") + of("list.bias")[0])

    def there(self, seen: Floats, *, with_model: bool) -> float:
        """Return how likely any unit answers. seen: `list_inputs`."""
        of = self._of(trees_of(with_model=with_model))
        return _logistic(seen @ of("there") + of("there.bias")[0])

    def there_parts(
        self, seen: Floats, *, with_model: bool
    ) -> tuple[dict[str, float], dict[str, bool]]:
        """Return what each observation of the list adds to the logarithm of the odds of `there`.

        And whether it is higher than with the questions that this was learnt from.
        """
        weights = self._of(trees_of(with_model=with_model))("there")
        parts = zip(LIST_OBSERVATIONS, (seen * weights).tolist(), strict=True)
        return dict(parts), dict(zip(LIST_OBSERVATIONS, (seen > 0).tolist(), strict=True))

    def list_inputs(self, observed: Observed, scores: Floats, *, with_model: bool) -> Floats:
        """Return what is seen of the best unit among the others, scaled, an observation each."""
        of = self._of(trees_of(with_model=with_model))
        found = (list_observations(observed, scores) - of("list.mean")) / of("list.scale")
        if not with_model:  # it was learnt where tokens were read: here that is not known
            found[[LIST_OBSERVATIONS.index(name) for name in _OF_TOKENS]] = math.nan
        row: Floats = np.nan_to_num(found)
        return row

    def _of(self, kind: str) -> Callable[[str], NDArray[Any]]:
        return lambda name: self._weights[f"{kind}.{name}"]


def trees_of(*, with_model: bool) -> str:
    """Return what the tensors are called by that order units: those with the text model, or not."""
    return "model" if with_model else "words"


def _logistic(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def list_observations(observed: Observed, scores: Floats) -> Floats:
    """Return what tells whether the best unit answers: shape (len(LIST_OBSERVATIONS),)."""
    best = int(scores.argmax())
    page = observed.units[best].page
    elsewhere = [s for s, u in zip(scores, observed.units, strict=True) if u.page != page]
    ahead = scores[best] - max(elsewhere, default=scores[best] - 3)
    row = dict(zip(OBSERVATIONS, observed.values[best], strict=True))
    return np.array(
        [
            scores[best],
            min(float(ahead), 6.0),
            np.log(np.exp(scores - scores[best]).sum()),
            row["late"],
            row["late_own"],
            row["late_hardest"],
            row["cosine"],
            row["window"],
            row["words"] + row["words_heading"],
            row["words_absent"],
            row["lacks_most"],
            row["lacks"],
            *_met(observed, best),
            row["has_codes"] * (1 - row["codes"]),
            row["asked_length"],
            row["page"],
            *_together(observed, best),
        ],
        np.float32,
    )


def _met(observed: Observed, best: int) -> tuple[float, float]:
    """Return `met_anywhere` and `least_met`; 0 where no text model read the best unit."""
    if not observed.met.size or not observed.read[best]:
        return 0.0, 0.0
    anywhere = np.sort(observed.met.max(axis=0))
    own = observed.met[int(observed.read[:best].sum())]
    return float(anywhere[: max(1, len(anywhere) // 3)].mean()), float(own.min())


def _together(observed: Observed, best: int) -> tuple[float, float]:
    """Return `together` and `together_highest`; 0 where nothing was read so."""
    seen = observed.together[~np.isnan(observed.together)]
    if not len(seen):
        return 0.0, 0.0
    own = observed.together[best]
    return float(seen.min() if np.isnan(own) else own), float(seen.max())


def _placed(place: int, page: PageToRead) -> list[UnitOnPage]:
    """Return what may answer of a page; a table of contents leads to answers and has none."""
    if page.evidence.contents:
        return []
    height = float(page.words.boxes[:, 3].max()) if len(page.words) else 1.0
    floor = min(page.windows.values(), default=math.nan)
    lines = {line: near for text, near in page.windows.items() for line in text.split("\n")}
    units = answer_units(page.evidence.passages, page.words)
    return [
        UnitOnPage(
            unit,
            place,
            page.score,
            _window(unit, lines, floor),
            unit.boxes[0].y0 / max(height, 1.0),
            page.evidence.cover,
        )
        for unit in units
    ]


def _window(unit: Quote, lines: Mapping[str, float], floor: float) -> float:
    parts = unit.parts or (unit,)
    found = [lines[part.text] for part in parts if part.text in lines]
    if found:
        return max(found)
    text = parts[0].text
    return max((near for line, near in lines.items() if text in line), default=floor)


def _weights(question: Question, evidence: Evidence) -> tuple[float, ...]:
    return evidence.term_weights or (1.0,) * len(question.groups)


def _worth_reading(scores: Floats, units: Sequence[UnitOnPage], most: int) -> NDArray[np.intp]:
    """Return the units that are worth a run of the text model, at least one of each page.

    scores: how much each is, see `Ranker.worth`.
    """
    order = np.argsort(-scores, kind="stable")
    chosen: dict[int, None] = {}
    for page in dict.fromkeys(u.page for u in units):
        chosen[next(int(i) for i in order if units[i].page == page)] = None
    for i in order:
        if len(chosen) >= most:
            break
        chosen[int(i)] = None
    return np.sort(np.array(list(chosen), np.intp))
