"""What one question gave and how it went, its facts checked; and the figures over many.

Facts are quantities, codes, words in capitals; comparing them needs no model. "5 amps"
is 5 A and 0.3 A is 300 mA, see `core.quantities`. It says nothing about statements
without such facts.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.agent.decision import DECISION
from desktop.core.claims.comparison import ITEM_SIGN
from desktop.core.evaluation.cited import (
    LEAST_RECALL,
    cited_statements,
    marked_words,
    mean_precision,
    region_recall,
    without_marks,
)
from desktop.core.events import (
    ANSWERED,
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    RevisedText,
)
from desktop.core.quantities import codes_in, is_written, plain, quantities_in, stands_among
from desktop.core.question.tokens import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop.core.evaluation.cited import CitedWords
    from desktop.core.evaluation.gold import GoldQuestion
    from desktop.core.events import Event, Outcome, PageRegion
    from desktop.core.quantities import Quantity


@dataclass(frozen=True, slots=True)
class Fact:
    """What can be checked in a text, as it stands there. quantity: None of a code or a name."""

    text: str
    quantity: Quantity | None = None

    @property
    def is_value(self) -> bool:
        """Whether it is a number, a quantity or a code, not a word in capitals."""
        return any(sign.isdigit() for sign in self.text)


class Ground:
    """The words that facts are looked for in."""

    def __init__(self, texts: Iterable[str]) -> None:
        joined = "\n".join(texts)
        self._plain = plain(joined)
        self._quantities = quantities_in(joined)

    @property
    def words(self) -> frozenset[str]:
        """Its words in small letters, without those that say nothing."""
        return frozenset(re.findall(r"\w+", self._plain.casefold())) - STOPWORDS

    def supports(self, fact: Fact) -> bool:
        """Whether the fact stands here."""
        if is_written(fact.text, self._plain):
            return True
        return fact.quantity is not None and stands_among(fact.quantity, self._quantities)


def facts_of(text: str) -> list[Fact]:
    """Return quantities, codes and words in capitals, no repeats."""
    said = "\n".join(ITEM_SIGN.sub("", line) for line in plain(text).splitlines())
    quantities = quantities_in(said)
    found = [Fact(said[each.start : each.end], each) for each in quantities]
    found += [Fact(code) for code in codes_in(said, quantities)]
    found += [
        Fact(name)
        for name in re.findall(r"(?<![\w-])[^\W\d_a-z]{2,}(?![\w-])", said)
        if name.isupper() and name.casefold() not in STOPWORDS
    ]
    return list({fact.text: fact for fact in reversed(found)}.values())[::-1]


@dataclass(frozen=True, slots=True)
class FactCheck:
    """An answer beside the expected one.

    recall: share of the expected facts that it says, 0 to 1; of the expected words if
    nothing in them can be checked to the letter. values: the same for numbers, values
    and codes alone, without words in capitals; None without any. missing: expected
    facts that it lacks. wrong: facts of the answer that neither the expected answer nor
    a cited region says. said: how many facts the answer has.
    """

    recall: float
    values: float | None
    missing: tuple[str, ...]
    wrong: tuple[str, ...]
    said: int

    @property
    def score(self) -> int:
        """0 to 100: what of the expected is there, less the share of what is wrong."""
        sound = 1 - len(self.wrong) / self.said if self.said else 1.0
        return round(100 * self.recall * sound)


def check_answer(answer: str, expected: str, regions: str = "", question: str = "") -> FactCheck:
    """Compare an answer with the expected one.

    regions: the words that its citations point to; facts that stand there are not wrong.
    question: facts that it brings itself need not be told again.
    """
    plain = without_marks(answer)
    ground = Ground([plain])
    wanted = wanted_facts(expected, question)
    lacking = [fact for fact in wanted if not ground.supports(fact)]
    values = sum(fact.is_value for fact in wanted)
    missing = tuple(fact.text for fact in lacking)
    known = Ground([expected, regions])
    facts = facts_of(plain)
    wrong = tuple(fact.text for fact in facts if not known.supports(fact))
    if wanted:
        recall = 1 - len(missing) / len(wanted)
    else:
        words = Ground([expected]).words
        recall = len(words & ground.words) / len(words) if words else 1.0
    told = 1 - sum(fact.is_value for fact in lacking) / values if values else None
    return FactCheck(recall, told, missing, wrong, len(facts))


def wanted_facts(expected: str, question: str = "") -> list[Fact]:
    """Return the facts of an expected answer that the question does not bring itself."""
    given = Ground([question])
    return [fact for fact in facts_of(expected) if not given.supports(fact)]


def check_grounding(answer: str, regions: Mapping[int, str]) -> tuple[int, int]:
    """Return how many statements claim something, and how many of those their regions carry.

    A region carries a statement if it says its numbers, units and codes. regions: the words in the
    regions of each citation number.
    """
    claims = [each for each in cited_statements(answer) if not each.is_opening]
    grounded = 0
    for statement in claims:
        texts = [regions[number] for number in statement.cited if number in regions]
        ground = Ground(texts)
        if any(texts) and all(ground.supports(fact) for fact in facts_of(statement.text)):
            grounded += 1
    return len(claims), grounded


@dataclass(frozen=True, slots=True)
class Conduct:
    """What the events of a question say about the agent.

    text: the answer as it stands in the end, with its marks. regions: all words that it cites.
    statements, grounded: see `check_grounding`. decisions: how many were carried out or refused.
    fallen_back: a decision could not be used, see `DecisionRejected`. errors: all of them.
    """

    outcome: Outcome
    text: str
    regions: str
    statements: int
    grounded: int
    decisions: int
    steps: int
    seconds: float
    fallen_back: bool
    errors: tuple[str, ...]

    @property
    def answered(self) -> bool:
        """Whether it ended with an answer."""
        return self.outcome in ANSWERED

    @property
    def fully_grounded(self) -> bool:
        """Whether every statement has a citation that carries it."""
        return 0 < self.statements == self.grounded

    def compared(self, expected: str, question: str = "") -> FactCheck:
        """Compare its answer with the expected one, to the letter; see `check_answer`."""
        return check_answer(self.text, expected, self.regions, question)


def conduct_of(events: Sequence[Event], region_text: Callable[[PageRegion], str]) -> Conduct:
    """Read all events of one question. region_text: returns the words that stand in a region."""
    regions: dict[int, list[str]] = defaultdict(list)
    for event in events:
        if isinstance(event, CitationEvent):
            regions[event.number] += [event.quote, region_text(event.source)]
    texts = {number: "\n".join(parts) for number, parts in regions.items()}
    text = RevisedText(events).text.strip()
    statements, grounded = check_grounding(text, texts)
    errors = [event for event in events if isinstance(event, ErrorEvent)]
    last = last_event(events)
    return Conduct(
        outcome=last.outcome if last else "failed",
        text=text,
        regions="\n".join(texts.values()),
        statements=statements,
        grounded=grounded,
        decisions=sum(isinstance(event, DecisionEvent) for event in events),
        steps=last.steps if last else 0,
        seconds=last.milliseconds / 1000 if last else 0.0,
        fallen_back=any(error.tool == DECISION for error in errors),
        errors=tuple(error.message for error in errors),
    )


def last_event(events: Sequence[Event]) -> CompleteEvent | None:
    """Return what ended a question; None if it never ended."""
    return next((each for each in reversed(events) if isinstance(each, CompleteEvent)), None)


Page = tuple[str, int]
"""A document's file name and a zero-based page index."""


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """What asking one question gave.

    ranked: pages in the order found. cited: the first page that the answer cites, None
    without an answer. answered: False for "not in your
    manuals". milliseconds: question to last event. conduct: how the agent went about it.
    judged: 0 to 100, what a language model says of the answer; None if it was not asked.
    warned: whether the warnings of the cited sections came along, None if there are none.
    citations: the words that each citation marks. gold_words: those of each gold region that
    has words.
    """

    question: GoldQuestion
    ranked: tuple[Page, ...]
    cited: Page | None
    answered: bool
    milliseconds: float
    conduct: Conduct | None = None
    judged: int | None = None
    warned: bool | None = None
    citations: tuple[CitedWords, ...] = ()
    gold_words: tuple[tuple[Page, frozenset[int]], ...] = ()

    @property
    def position(self) -> int | None:
        """Place of the first gold page, from 0; None if it was not found."""
        gold = self.question.gold_pages()
        return next((i for i, page in enumerate(self.ranked) if page in gold), None)

    @property
    def region_recall(self) -> float | None:
        """Share of the best covered gold region's words that citations mark; None without words."""
        if not self.question.answerable or not self.gold_words:
            return None
        marked = marked_words(self.citations if self.answered else ())
        return max(region_recall(words, marked.get(page, set())) for page, words in self.gold_words)

    @property
    def region_precision(self) -> float | None:
        """Mean over the citations of an answer, see `region_measures.region_precision`."""
        return mean_precision(self.citations) if self.answered else None

    @property
    def fact_recall(self) -> float | None:
        """Share of the expected numbers, values and codes that are in the answer.

        What the question says itself does not count. None if the gold names none; 0 without an
        answer.
        """
        gold = self.question
        if self.conduct is None or not gold.answerable:
            return None
        told = self.conduct.compared(gold.answer, gold.question).values
        return told if told is None or self.answered else 0.0

    @property
    def both_pages(self) -> bool:
        """Whether a page of every document in the gold is among the first five."""
        documents = {document for document, _ in self.question.gold_pages()}
        first = set(self.ranked[:5]) & self.question.gold_pages()
        return documents == {document for document, _ in first}


def figures(outcomes: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Return the figures of a group of questions; None where none of them counts.

    refusal_precision: share of the refusals that were right. refusal_recall: share of what the
    manuals do not answer that was refused. region_covered: share of the questions with at
    least 95 % of a gold region's words marked. warnings_carried: share of the answers that cite
    a section with grave warnings and brought all of them.
    """
    answerable = [o for o in outcomes if o.question.answerable]
    unanswerable = [o for o in outcomes if not o.question.answerable]
    cross = [o for o in answerable if len({d for d, _ in o.question.gold_pages()}) > 1]
    regions = [(o, recall) for o in answerable if (recall := o.region_recall) is not None]
    refused = [o for o in outcomes if not o.answered]
    times = sorted(o.milliseconds for o in outcomes)
    places = [math.inf if o.position is None else o.position for o in answerable]
    return {
        "n": len(outcomes),
        **{f"hit@{k}": _mean(place < k for place in places) for k in (1, 3, 5)},
        "mrr": _mean(1 / (place + 1) for place in places),
        "region_recall": _mean(recall for _, recall in regions),
        "region_covered": _mean(recall >= LEAST_RECALL for _, recall in regions),
        "region_precision": _mean(
            o.region_precision for o in answerable if o.region_precision is not None
        ),
        "region_recall_when_first": _mean(recall for o, recall in regions if o.position == 0),
        "region_covered_when_first": _mean(
            recall >= LEAST_RECALL for o, recall in regions if o.position == 0
        ),
        "both_pages@5": _mean(o.both_pages for o in cross),
        "refused_right": sum(not o.answered for o in unanswerable),
        "refused_wrong": sum(not o.answered for o in answerable),
        "unanswerable": len(unanswerable),
        "refusal_precision": _mean(not o.question.answerable for o in refused),
        "refusal_recall": _mean(not o.answered for o in unanswerable),
        "fact_recall": _mean(o.fact_recall for o in outcomes if o.fact_recall is not None),
        "warnings_carried": _mean(o.warned for o in outcomes if o.warned is not None),
        **_agent_figures(outcomes),
        "p50_ms": round(quantile(times, 0.5), 1),
        "p95_ms": round(quantile(times, 0.95), 1),
    }


def _agent_figures(outcomes: Sequence[QuestionOutcome]) -> dict[str, Any]:
    """Return what the answers rest on, and what it took to get them.

    grounded: share of the answers in which every statement has a citation whose region says
    its numbers, units and codes. statements_grounded: the same per statement. facts: mean
    score of the answers to what the manuals answer, 0 to 100; a refusal scores 0. judged:
    mean score of those a language model judged.
    fallen_back: share of questions in which a decision could not be used.
    """
    conducts = [o.conduct for o in outcomes if o.conduct is not None]
    answers = [conduct for conduct in conducts if conduct.answered]
    statements = sum(conduct.statements for conduct in answers)
    return {
        "grounded": _mean(conduct.fully_grounded for conduct in answers),
        "statements_grounded": _mean([sum(c.grounded for c in answers) / statements])
        if statements
        else None,
        "facts": _mean(
            o.conduct.compared(o.question.answer).score if o.conduct.answered else 0
            for o in outcomes
            if o.conduct is not None and o.question.answerable and o.question.answer
        ),
        "judged": _mean(o.judged for o in outcomes if o.judged is not None),
        "fallen_back": _mean(conduct.fallen_back for conduct in conducts),
        "steps": _mean(conduct.steps for conduct in conducts),
        "seconds": _mean(conduct.seconds for conduct in conducts),
    }


def _mean(values: Iterable[float]) -> float | None:
    collected = list(values)
    return round(sum(collected) / len(collected), 4) if collected else None


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest-rank quantile of sorted values; 0 without any."""
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0
