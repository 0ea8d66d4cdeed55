"""What the site believes against what the maker says: every pair that is about the same."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from desktop.core.agent.answering.statement_facts import ITEM_SIGN
from desktop.core.research.comparison.statement import Statement
from desktop.core.research.comparison.verdict import Judged, Verdict, judge
from desktop.core.research.draft import NO_AGREEMENT, NO_CONTRADICTION
from desktop.core.research.source_filter import tier_of_item
from desktop.core.research.sources import sentences
from desktop.core.structure.sentences import sentence_spans
from desktop.core.structure.tables import CELL_SEPARATOR
from desktop.core.structure.units import column_headings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from desktop.core.research.sources import ResearchSource, SourceBook
    from desktop.core.retrieval.evidence import Passage
    from desktop.core.settings.reasoning import ReasoningSettings

_SITE_TIER = 4
_AS_NEAR = 0.12
"""A statement whose subject is this much less the same may still be the one that counts."""
_SKIPPED = frozenset({"heading", "label", "caption", "window"})
_MOST_OPEN = 60


@dataclass(frozen=True, slots=True)
class Comparison:
    """A statement of the site beside the maker's about the same. verdict: "open": nobody knows."""

    site: Statement
    official: Statement
    verdict: Verdict
    reason: str = ""
    share: float = 0.0

    def as_object(self) -> dict[str, Any]:
        """Return plain values for a `ResultEvent`; sources are numbers of the context."""
        return {
            "verdict": self.verdict,
            "site_statement": self.site.text,
            "site_source": self.site.number,
            "official_statement": self.official.told,
            "official_source": self.official.number,
            "reason": self.reason,
        }


def compared(
    context: Sequence[Mapping[str, Any]], book: SourceBook, settings: ReasoningSettings
) -> list[Comparison]:
    """Return for each statement of the site the maker's one that it is to be compared with.

    Statements that nothing of the maker's is about are left out, and so is what somebody once
    measured or did. Pure and blocking: a second for some hundred pages.
    """
    best, worst = settings.mode_configs.monitor.compare_tiers
    official = statements_in(context, book, lambda tier: tier <= best)
    site = statements_in(context, book, lambda tier: min(_SITE_TIER, worst) <= tier <= worst)
    weight = weights_of(official)
    found: dict[str, Comparison] = {}
    for statement in site:
        key = statement.text.casefold()
        if statement.observed or key in found:
            continue
        chosen = _best(statement, official, weight)
        if chosen is not None:
            found[key] = chosen
    return list(found.values())


def settled_by_model(
    found: Sequence[Comparison], verdicts: Mapping[int, Verdict]
) -> tuple[Comparison, ...]:
    """Return the comparisons with a model's verdict where rules had none.

    verdicts: by the position among those that are open. What rules have settled stays: a value
    is the same or it is not, whatever a model says.
    """
    settled: list[Comparison] = []
    position = 0
    for each in found:
        if each.verdict != "open":
            settled.append(each)
            continue
        said = verdicts.get(position, "open")
        position += 1
        if said in ("agreement", "contradiction"):
            settled.append(replace(each, verdict=said, reason="the language model's reading"))
        else:
            settled.append(each)
    return tuple(settled)


def monitor_draft(found: Iterable[Comparison]) -> str:
    """Return the lists of contradictions and agreements as a draft, the former first."""
    listed = list(found)
    contradictions = [each for each in listed if each.verdict == "contradiction"]
    agreements = [each for each in listed if each.verdict == "agreement"]
    lines = ["## Contradictions"]
    lines += [_line(each) for each in contradictions] or [NO_CONTRADICTION]
    lines += ["", "## Agreements"]
    lines += [_line(each) for each in agreements] or [NO_AGREEMENT]
    return "\n".join(lines)


def _line(each: Comparison) -> str:
    site, official = _one_sentence(each.site.text), _one_sentence(each.official.told)
    return f"- The site says: {site} [{each.site.number}] " + (
        f"The manual says: {official} [{each.official.number}]"
    )


def _one_sentence(text: str) -> str:
    marks = text.replace("[", "(").replace("]", ")").rstrip(" .")
    return f"“{marks}.”" if marks else "“”"


def _best(
    statement: Statement,
    official: Sequence[Statement],
    weight: Callable[[tuple[str, ...]], float],
) -> Comparison | None:
    """Return the maker's statement that decides, None if none is about the same.

    Of those about as near, one that agrees goes before one that contradicts: a manual gives
    several values of a thing, and it is enough that one of them is the site's.
    """
    near = [(judge(statement, each, weight), each) for each in official]
    near = [(judged, each) for judged, each in near if judged.verdict != "unrelated"]
    if not near:
        return None
    most = max(judged.share for judged, _ in near)
    # a value that is found beside fewer of the words is still found; one that is not, is not
    near = [
        pair
        for pair in near
        if pair[0].share >= most - _AS_NEAR
        or (pair[0].verdict == "agreement" and bool(statement.quantities))
    ]
    order: tuple[Verdict, ...] = ("agreement", "contradiction", "open")
    judged, each = min(near, key=lambda pair: _rank(pair[0], pair[1], order))
    return Comparison(statement, each, judged.verdict, judged.reason, judged.share)


def _rank(judged: Judged, each: Statement, order: Sequence[Verdict]) -> tuple[int, float, int]:
    return order.index(judged.verdict), -judged.share, len(each.text)


def statements_in(
    context: Sequence[Mapping[str, Any]], book: SourceBook, wanted: Callable[[int], bool]
) -> list[Statement]:
    """Return the statements of the sources whose tier is wanted."""
    found: list[Statement] = []
    for number, item in enumerate(context, 1):
        if not wanted(tier_of_item(item)):
            continue
        source = book.of(item)
        if source is None:
            texts = sentences(_without_prefix(str(item.get("description", ""))))
            found += [Statement(text, "", number) for text in texts]
        else:
            found += _of_source(source, number)
    return found


def _of_source(source: ResearchSource, number: int) -> Iterator[Statement]:
    for unit in source.evidence.passages:
        if unit.kind in _SKIPPED or source.evidence.contents:
            continue
        if unit.kind == "row":
            yield Statement(unit.text, unit.context, number, _row(unit))
            continue
        words = unit.text.split()
        for first, last in sentence_spans(words):
            text = ITEM_SIGN.sub("", " ".join(words[first:last]))
            yield Statement(text, unit.context, number)


def _row(unit: Passage) -> str:
    """Return a row with its column headings."""
    cells = unit.text.split(CELL_SEPARATOR)
    headings = column_headings(unit.context)
    if len(cells) != len(headings) or len(cells) < 2:
        return ", ".join(cells)
    return "; ".join(f"{heading}: {cell}" for heading, cell in zip(headings, cells, strict=True))


def weights_of(statements: Sequence[Statement]) -> Callable[[tuple[str, ...]], float]:
    """Return how telling a word is: one that every statement has tells little."""
    counts: Counter[str] = Counter()
    for statement in statements:
        counts.update(statement.own_terms)
    total = len(statements) + 1

    def weight(group: tuple[str, ...]) -> float:
        most = max((counts[term] for term in group), default=0)
        return math.log(1 + total / (1 + most))

    return weight


def _without_prefix(description: str) -> str:
    return description.split("] ", 1)[-1] if description.startswith("[Tier ") else description
