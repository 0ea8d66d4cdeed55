"""What asking a labelled question gave, and the figures over many, by group and with intervals."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from desktop.core.evaluation.cited import LEAST_RECALL, marked_words, mean_precision, region_recall
from desktop.core.quantities import stands_in
from scripts.bench.uncertainty import (
    calibration_error,
    calibration_error_of_perfect,
    figure,
    mean_figure,
    refusal_curve,
    refused_at,
    sureness,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.core.evaluation.cited import CitedWords
    from scripts.bench.label_files import LabelledManual, LabelledQuestion, QuestionPart
    from scripts.bench.uncertainty import Figure


T = TypeVar("T")

LabelPage = tuple[str, int]
"""The slug of a manual, "" for one without labels, and a zero-based page index."""

REFUSED_ANSWERABLE = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0)
"""The prices at which the refusal curve is told."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """What was answered. confidence: as stated, 0 to 1, None if nothing was."""

    answered: bool
    text: str
    confidence: float | None
    citations: tuple[CitedWords, ...]


@dataclass(frozen=True)
class LabelOutcome:
    """What asking one question gave. answer: None of a search that only ranks pages.

    expected: of each part that the manual answers, its values as the manual says them; empty
    for a part without one, or with none that the words of its place say themselves.
    """

    manual: LabelledManual
    question: LabelledQuestion
    ranked: tuple[LabelPage, ...]
    seconds: float
    answer: GivenAnswer | None = None
    expected: tuple[tuple[str, ...], ...] = ()

    @property
    def answered(self) -> bool:
        """Whether there is an answer."""
        return self.answer is not None and self.answer.answered

    @cached_property
    def position(self) -> int | None:
        """Place of the first page that answers, from 0; None if it was not found."""
        gold = {(self.manual.slug, page) for page in self.question.pages}
        return next((i for i, page in enumerate(self.ranked) if page in gold), None)

    @property
    def right_manual(self) -> bool:
        """Whether the first page is of the manual that answers."""
        return bool(self.ranked) and self.ranked[0][0] == self.manual.slug

    @cached_property
    def region_recall(self) -> float:
        """Mean over the answered parts of the share of their words that is marked; 0 refused."""
        parts = [self._covered(part) for part in self.question.answered_parts]
        return sum(parts) / len(parts) if parts else 0.0

    @cached_property
    def region_hit(self) -> bool:
        """Whether the citations cover one place of every part that the manual answers."""
        parts = self.question.answered_parts
        return bool(parts) and all(self._covered(part) >= LEAST_RECALL for part in parts)

    @cached_property
    def region_precision(self) -> float | None:
        """Mean over the citations; None without a marked word."""
        if not self.answered or self.answer is None:
            return None
        return mean_precision(self.answer.citations)

    @cached_property
    def gold_share(self) -> float | None:
        """Share of all marked words that are gold words; None without a marked word.

        Quoting a whole page would buy recall and precision together: this would tell.
        """
        if not self.answered or self.answer is None:
            return None
        gold: dict[LabelPage, set[int]] = defaultdict(set)
        for part in self.question.answered_parts:
            for place in part.places:
                gold[self.manual.slug, place.page] |= place.indices
        marked = self._marked
        count = sum(map(len, marked.values()))
        right = sum(len(words & gold[page]) for page, words in marked.items())
        return right / count if count else None

    @cached_property
    def facts(self) -> float | None:
        """Share of the parts with an expected value that stands in the answer; 0 refused."""
        wanted = [values for values in self.expected if values]
        if self.answer is None or not wanted:
            return None
        if not self.answered:
            return 0.0
        text = self.answer.text
        return sum(any(stands_in(value, text) for value in values) for values in wanted) / len(
            wanted
        )

    def _covered(self, part: QuestionPart) -> float:
        if not self.answered:
            return 0.0
        marked = self._marked
        return max(
            region_recall(place.indices, marked.get((self.manual.slug, place.page), set()))
            for place in part.places
        )

    @cached_property
    def _marked(self) -> dict[LabelPage, set[int]]:
        return marked_words(self.answer.citations if self.answer is not None else ())


GROUPS: dict[str, Callable[[LabelOutcome], str]] = {
    "language": lambda each: each.manual.language,
    "asked in": lambda each: (
        "its language" if each.question.lang == each.manual.language else "another language"
    ),
    "kind": lambda each: each.question.kind or "unanswerable",
    "style": lambda each: each.question.style,
    "scope": lambda each: each.question.scope,
    "trade": lambda each: each.manual.trade,
    "scanned": lambda each: "scanned" if each.manual.scanned else "born digital",
}
"""By what the figures are told apart."""


def figures(outcomes: Sequence[LabelOutcome]) -> dict[str, Figure | None]:
    """Return the figures of one system over some questions; None where none of them counts.

    hit@1, hit@5, mrr, manual@1: of the answerable; the last by the manual of the first page.
    facts: of those with an expected value, see `LabelOutcome`. region_recall, region_hit: of
    the answerable; what was refused counts as missed. region_precision, gold_share: of the
    answers with marks. _when_first: where the right page was ranked first. refused_right: share
    of the unanswerable that was refused, refused_wrong: of the answerable. calibration_error:
    stated confidence of the answers against whether their citations hit, and what perfect
    chances would show. seconds: from question to last event.
    """
    answerable = [each for each in outcomes if each.question.answerable]
    unanswerable = [each for each in outcomes if not each.question.answerable]
    found: dict[str, Figure | None] = {
        "hit@1": _mean(answerable, lambda each: each.position == 0),
        "hit@5": _mean(answerable, lambda each: each.position is not None and each.position < 5),
        "mrr": _mean(answerable, reciprocal_rank),
        "manual@1": _mean(answerable, lambda each: each.right_manual),
    }
    answering = [each for each in answerable if each.answer is not None]
    first = [each for each in answering if each.position == 0]
    found["facts"] = _mean(answerable, lambda each: each.facts)
    for name, some in (("", answering), ("_when_first", first)):
        found[f"region_recall{name}"] = _mean(some, lambda each: each.region_recall)
        found[f"region_hit{name}"] = _mean(some, lambda each: each.region_hit)
        found[f"region_precision{name}"] = _mean(some, lambda each: each.region_precision)
        found[f"gold_share{name}"] = _mean(some, lambda each: each.gold_share)
    found["refused_right"] = _mean(unanswerable, _refused)
    found["refused_wrong"] = _mean(answerable, _refused)
    stated = [each for each in outcomes if each.answered and _confidence(each) is not None]
    chances = _by_manual(stated, lambda each: (_confidence(each) or 0.0, each.region_hit))
    found["calibration_error"] = figure(chances, _calibration)
    found["calibration_error_of_perfect"] = figure(chances, _perfect_calibration)
    seconds = _by_manual(outcomes, lambda each: each.seconds)
    found["seconds_p50"] = figure(seconds, lambda some: float(np.percentile(some, 50)))
    found["seconds_p95"] = figure(seconds, lambda some: float(np.percentile(some, 95)))
    return found


def ahead(ours: Sequence[LabelOutcome], theirs: Sequence[LabelOutcome]) -> dict[str, Figure | None]:
    """Return by how much ours are better, question by question; both in the same order.

    The interval of a difference is narrower than two intervals side by side make believe.
    """
    told: dict[str, Figure | None] = {}
    measures: dict[str, Callable[[LabelOutcome], float]] = {
        "hit@1": lambda each: each.position == 0,
        "mrr": reciprocal_rank,
    }
    for name, measure in measures.items():
        by_manual: dict[str, list[float]] = defaultdict(list)
        for mine, other in zip(ours, theirs, strict=True):
            if mine.question.answerable:
                by_manual[mine.manual.slug].append(measure(mine) - measure(other))
        told[name] = mean_figure(by_manual)
    return told


def reciprocal_rank(outcome: LabelOutcome) -> float:
    """Return 1 for the first place, 1/2 for the second ...; 0 if the page was not found."""
    return 0.0 if outcome.position is None else 1 / (outcome.position + 1)


def refusals(outcomes: Sequence[LabelOutcome]) -> dict[str, Any]:
    """Return the refusal curve as plain values, and where the system stands on it.

    answerable_refused: shares of the answerable; unanswerable_refused: what share of the
    unanswerable can be refused at that price, by refusing what is least sure.
    """
    sure = {
        answerable: [
            sureness(answered=each.answered, confidence=_confidence(each) or 0.0)
            for each in outcomes
            if each.answer is not None and each.question.answerable is answerable
        ]
        for answerable in (True, False)
    }
    curve = refusal_curve(sure[True], sure[False])
    refused = {key: sum(each < 0 for each in found) for key, found in sure.items()}
    return {
        "answerable_refused": list(REFUSED_ANSWERABLE),
        "unanswerable_refused": [refused_at(curve, price) for price in REFUSED_ANSWERABLE],
        "operating_point": {
            "answerable_refused": refused[True] / len(sure[True]) if sure[True] else None,
            "unanswerable_refused": refused[False] / len(sure[False]) if sure[False] else None,
        },
    }


def grouped(
    systems: Mapping[str, Sequence[LabelOutcome]],
) -> dict[str, dict[str, dict[str, dict[str, Figure | None]]]]:
    """Return the figures of each system, by group and by what it is in that group."""
    told: dict[str, dict[str, dict[str, dict[str, Figure | None]]]] = {}
    for group, key in GROUPS.items():
        parts: dict[str, dict[str, list[LabelOutcome]]] = defaultdict(lambda: defaultdict(list))
        for system, outcomes in systems.items():
            for each in outcomes:
                parts[key(each)][system].append(each)
        told[group] = {
            name: {system: figures(some) for system, some in by_system.items()}
            for name, by_system in sorted(parts.items())
        }
    return told


def plain_figures(found: Mapping[str, Figure | None]) -> dict[str, Any]:
    """Return figures as JSON holds them, to four places."""
    return {
        name: {
            key: round(value, 4) if isinstance(value, float) else value
            for key, value in asdict(each).items()
        }
        if each is not None
        else None
        for name, each in found.items()
    }


def outcome_row(outcome: LabelOutcome) -> dict[str, Any]:
    """Return how one question went, without any text of the manual."""
    answer = outcome.answer
    return {
        "manual": outcome.manual.slug,
        "id": outcome.question.id,
        "position": outcome.position,
        "seconds": round(outcome.seconds, 3),
        "answered": outcome.answered,
        "confidence": answer.confidence if answer else None,
        "facts": outcome.facts,
        "region_recall": outcome.region_recall if outcome.question.answerable else None,
        "region_hit": outcome.region_hit if outcome.question.answerable else None,
        "region_precision": outcome.region_precision,
        "gold_share": outcome.gold_share,
    }


def _mean(
    outcomes: Sequence[LabelOutcome], value: Callable[[LabelOutcome], float | None]
) -> Figure | None:
    by_manual: dict[str, list[float]] = defaultdict(list)
    for each in outcomes:
        found = value(each)
        if found is not None:
            by_manual[each.manual.slug].append(float(found))
    return mean_figure(by_manual)


def _by_manual(
    outcomes: Sequence[LabelOutcome], value: Callable[[LabelOutcome], T]
) -> dict[str, list[T]]:
    by_manual: dict[str, list[T]] = defaultdict(list)
    for each in outcomes:
        by_manual[each.manual.slug].append(value(each))
    return by_manual


def _refused(outcome: LabelOutcome) -> float | None:
    return None if outcome.answer is None else not outcome.answered


def _confidence(outcome: LabelOutcome) -> float | None:
    return outcome.answer.confidence if outcome.answer is not None else None


def _calibration(stated: Sequence[tuple[float, bool]]) -> float | None:
    """Return the calibration error; an answer to what nobody can answer hits nothing."""
    return calibration_error([chance for chance, _ in stated], [hit for _, hit in stated])


def _perfect_calibration(stated: Sequence[tuple[float, bool]]) -> float | None:
    return calibration_error_of_perfect([chance for chance, _ in stated])
