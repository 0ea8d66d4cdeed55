"""Whether the cited places say a sentence: its words, its values, and not the opposite."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.agent.answering.statement_facts import Ground
from desktop.core.critic.claim import Claim, claim_of, together
from desktop.core.critic.negation import denies
from desktop.core.critic.values import Finding
from desktop.core.retrieval.tokens import query_terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.critic.values import CheckedSentence, CitedPassage, PageQuote

# Shares of a sentence's words, values left out.
_CARRIED = 0.3  # the cited places must say this much of it
_ALIKE = 0.6  # a quote that says this much may be what the sentence tells again
_SAME_WORDS = 0.75  # then its values are compared one by one
_FEWEST_WORDS = 2
_CLAUSE = re.compile(r"[,;:](?=\s)|[()]|\b(?:and|und)\b")


def check_support(
    index: int, sentence: CheckedSentence, passages: Sequence[CitedPassage], question: Ground
) -> Finding | None:
    """Return what is wrong with a sentence, None if its citations carry it.

    passages: those that the sentence cites. question: names and values that were asked with.
    """
    claim = claim_of(sentence.text)
    if sentence.is_opening or not (claim.facts or claim.words):
        return None
    if not passages:
        return Finding("unsupported", index, f"{_told(sentence)} cites no page.")
    places = _places(passages)
    ground = together(passage.ground for passage in passages)
    missing = tuple(f for f in claim.missing_in(ground) if not question.supports(f))
    share = claim.share_in(ground)
    if not claim.words and claim.facts:
        share = 1 - len(missing) / len(claim.facts)
    if share < _CARRIED:
        message = f"{_told(sentence)} does not stand in the cited words of {places}."
        return Finding("unsupported", index, message, tuple(f.text for f in missing))
    best = _best_quote(claim, passages)
    if missing:
        return _missing_value(index, sentence, tuple(f.text for f in missing), passages, best)
    if best is None:
        return None
    number, quote = best
    swapped = _said_otherwise(claim, quote)
    if swapped and not _said_elsewhere(claim, swapped, quote, passages):
        message = f"{_listed(swapped)} stands on {places}, but not for this: “{quote.text}”"
        return Finding("value", index, message, swapped, quote, number)
    if denies(claim.text, quote.text):
        message = f"{places.capitalize()} says the opposite: “{quote.text}”"
        return Finding("negation", index, message, (), quote, number)
    return None


def _missing_value(
    index: int,
    sentence: CheckedSentence,
    missing: tuple[str, ...],
    passages: Sequence[CitedPassage],
    best: tuple[int, PageQuote] | None,
) -> Finding:
    page = together(passage.whole_page for passage in passages)
    facts = [f for f in claim_of(sentence.text).facts if f.text in missing]
    elsewhere = all(page.supports(fact) for fact in facts)
    missing_there, places = _listed(missing), _places(passages)
    message = f"{missing_there} does not stand anywhere on {places}."
    if elsewhere:
        message = f"{missing_there} does not stand in the cited words of {places}."
    if best is None:
        return Finding("value", index, message, missing)
    return Finding("value", index, message, missing, best[1], best[0])


def _best_quote(claim: Claim, passages: Sequence[CitedPassage]) -> tuple[int, PageQuote] | None:
    """Return the touched quote that says most of the sentence, of equals the shortest."""
    best: tuple[float, int] = (_ALIKE, -1_000_000)
    found = None
    if len(claim.words) < _FEWEST_WORDS:
        return None
    for passage in passages:
        for quote in passage.touched:
            says = Ground.of_quote(quote.text, quote.context)
            lacking = len(claim.missing_in(says))
            worth = (claim.share_in(says) - 0.1 * lacking, -len(quote.text))
            if worth > best:
                best, found = worth, (passage.number, quote)
    return found


def _said_otherwise(claim: Claim, quote: PageQuote) -> tuple[str, ...]:
    """Return values that the quote in the sentence's own words gives differently."""
    says = Ground.of_quote(quote.text, quote.context)
    if claim.share_in(says) < _SAME_WORDS:
        return ()
    lacking = [fact for fact in claim.missing_in(says) if not fact.capitals]
    other = any(
        not claim.ground.supports(fact) for fact in claim_of(quote.text).facts if not fact.capitals
    )
    return tuple(fact.text for fact in lacking) if other else ()


def _said_elsewhere(
    claim: Claim, values: Sequence[str], quote: PageQuote, passages: Sequence[CitedPassage]
) -> bool:
    """Whether another cited quote gives these values, in some of the sentence's words.

    A count that it gives of the same things is enough, "up to 250 users", and so is a clause
    of its own: a sentence may join what two places say.
    """
    facts = [fact for fact in claim.facts if fact.text in values]
    enough = _SAME_WORDS * claim.share_in(Ground.of_quote(quote.text, quote.context))
    for other in (each for passage in passages for each in passage.touched if each != quote):
        says = Ground.of_quote(other.text, other.context)
        if not all(says.supports(fact) for fact in facts):
            continue
        if claim.share_in(says) > enough:
            return True
        if all(_counted_in(claim.text, v) & _counted_in(other.text, v) for v in values):
            return True
        if all(_clause_share(claim.text, value, says) >= _SAME_WORDS for value in values):
            return True
    return False


def _clause_share(text: str, value: str, says: Ground) -> float:
    """Return how much of the clause that has a value is said; 0 if that is all of the text."""
    clauses = [clause for clause in _CLAUSE.split(text) if clause.strip()]
    clause = next((clause for clause in clauses if value in clause), "")
    told = claim_of(clause)
    return told.share_in(says) if len(clauses) > 1 and told.words else 0.0


def _counted_in(text: str, value: str) -> frozenset[str]:
    """Return the terms of the words right after a bare number: of what it is the count."""
    match = re.search(rf"(?<![\w.,]){re.escape(value)}\s+(\w+(?:\s+\w+)?)", text)
    if match is None or not value.isdigit():
        return frozenset()
    return frozenset(term for group in query_terms(match.group(1)) for term in group)


def _told(sentence: CheckedSentence) -> str:
    words = sentence.text.split()
    return f"“{' '.join(words[:12])}{' …' if len(words) > 12 else ''}”"


def _listed(values: Sequence[str]) -> str:
    return ", ".join(f"“{value}”" for value in values)


def _places(passages: Sequence[CitedPassage]) -> str:
    return " and ".join(dict.fromkeys(passage.place for passage in passages))
