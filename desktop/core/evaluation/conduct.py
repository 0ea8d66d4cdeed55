"""How one question went: steps, fallbacks, what the answer rests on, and its facts checked.

Facts are quantities, codes, words in capitals; to compare them needs no model. "5 amps" is 5 A and
0.3 A is 300 mA, see `core.quantities`. It says nothing about statements without such facts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.agent.decision import DECISION
from desktop.core.evaluation.cited import cited_statements, without_marks
from desktop.core.events import (
    ANSWERED,
    CitationEvent,
    CompleteEvent,
    DecisionEvent,
    ErrorEvent,
    RevisedText,
)
from desktop.core.quantities import codes_in, is_written, plain, quantities_in, stands_among
from desktop.core.retrieval.stopwords import STOPWORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from desktop.core.events import Event, Outcome, PageRegion
    from desktop.core.quantities import Quantity

_ITEM = re.compile(r"^\s*(?:[-•*–]|\(?\d{1,2}[.)])\s+", re.MULTILINE)
"""What opens a list item: its number says nothing about the equipment."""


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
    said = _ITEM.sub("", plain(text))
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

    recall: share of the expected facts that it says, 0 to 1; of the expected words if nothing
    in them can be checked to the letter. values: the same of numbers, values and codes alone,
    without words in capitals; None without any. missing: expected facts that it lacks. wrong:
    facts of the answer that neither the expected answer nor a cited region says. said: how
    many facts the answer has.
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
    recall = 1 - len(missing) / len(wanted) if wanted else _shared_words(ground, expected)
    told = 1 - sum(fact.is_value for fact in lacking) / values if values else None
    return FactCheck(recall, told, missing, wrong, len(facts))


def wanted_facts(expected: str, question: str = "") -> list[Fact]:
    """Return the facts of an expected answer that the question does not bring itself."""
    given = Ground([question])
    return [fact for fact in facts_of(expected) if not given.supports(fact)]


@dataclass(frozen=True, slots=True)
class GroundingCheck:
    """statements: what claims something. grounded: of those, the ones their regions carry."""

    statements: int
    grounded: int

    @property
    def complete(self) -> bool:
        """Whether there are statements and all of them are grounded."""
        return 0 < self.statements == self.grounded


def check_grounding(answer: str, regions: Mapping[int, str]) -> GroundingCheck:
    """Look whether each statement cites regions that say its numbers, units and codes.

    regions: the words in the regions of each citation number.
    """
    claims = [each for each in cited_statements(answer) if not each.is_opening]
    grounded = 0
    for statement in claims:
        texts = [regions[number] for number in statement.cited if number in regions]
        ground = Ground(texts)
        if any(texts) and all(ground.supports(fact) for fact in facts_of(statement.text)):
            grounded += 1
    return GroundingCheck(len(claims), grounded)


def _shared_words(ground: Ground, expected: str) -> float:
    words = Ground([expected]).words
    return len(words & ground.words) / len(words) if words else 1.0


@dataclass(frozen=True, slots=True)
class Conduct:
    """What the events of a question say about the agent.

    text: the answer as it stands in the end, with its marks. regions: all words that it cites.
    statements, grounded: see `GroundingCheck`. decisions: how many were carried out or refused.
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
    """Read the events of one question, all of them.

    region_text: returns the words that stand in a region.
    """
    regions: dict[int, list[str]] = defaultdict(list)
    for event in events:
        if isinstance(event, CitationEvent):
            regions[event.number] += [event.quote, region_text(event.source)]
    texts = {number: "\n".join(parts) for number, parts in regions.items()}
    text = RevisedText(events).text.strip()
    grounding = check_grounding(text, texts)
    errors = [event for event in events if isinstance(event, ErrorEvent)]
    last = next((e for e in reversed(events) if isinstance(e, CompleteEvent)), None)
    return Conduct(
        outcome=last.outcome if last else "failed",
        text=text,
        regions="\n".join(texts.values()),
        statements=grounding.statements,
        grounded=grounding.grounded,
        decisions=sum(isinstance(event, DecisionEvent) for event in events),
        steps=last.steps if last else 0,
        seconds=last.milliseconds / 1000 if last else 0.0,
        fallen_back=any(error.tool == DECISION for error in errors),
        errors=tuple(error.message for error in errors),
    )
