"""Whether a procedure is told whole: every numbered step of the list that an answer takes up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.agent.answering.statement_facts import Ground
from desktop.core.critic.claim import claim_of
from desktop.core.critic.values import Finding
from desktop.core.retrieval.grounding import STEP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.critic.claim import Claim
    from desktop.core.critic.values import CheckedSentence, CitedPassage, PageQuote

_SAME = 0.6  # of a step's words, for a sentence that tells it
_OWN = 0.5  # of what tells a step from a likelier one
_SURELY_A_LIST = 2
"""An answer with so many steps of a list means the list."""

Run = list["PageQuote"]


def runs_of_steps(quotes: Sequence[PageQuote]) -> list[Run]:
    """Return the numbered lists of a page, each from its step 1 on, in order."""
    runs: list[Run] = []
    for quote in quotes:
        match = STEP.match(quote.text)
        if match is None or quote.kind == "window":
            continue
        number = int(match.group(1))
        if number == 1:
            runs.append([quote])
        elif runs and number == len(runs[-1]) + 1:
            runs[-1].append(quote)
    return [run for run in runs if len(run) > 1]


def check_steps(
    sentences: Sequence[CheckedSentence], passages: Sequence[CitedPassage]
) -> Iterator[Finding]:
    """Yield the steps that an answer leaves out."""
    seen: set[str] = set()
    for passage in passages:
        for run in runs_of_steps(passage.quotes):
            key = "\n".join(step.text for step in run)
            if key in seen:
                continue
            seen.add(key)
            told = _tellers(run, sentences)
            said = [index for index in told if index is not None]
            if len(said) >= min(_SURELY_A_LIST, len(run)):
                yield from _left_out(run, told, passage)


def _left_out(run: Run, told: Sequence[int | None], passage: CitedPassage) -> Iterator[Finding]:
    """Yield a finding for each missing step, at the sentence that tells the step before it."""
    first = next(index for index in told if index is not None)
    for position, (step, teller) in enumerate(zip(run, told, strict=True)):
        if teller is not None:
            continue
        before = [index for index in told[:position] if index is not None]
        where = step.label or passage.label
        page = f"page {where}" if where else passage.place
        message = f"Step {position + 1} of {len(run)} on {page} is missing: “{step.text}”"
        yield Finding(
            "missing_step", before[-1] if before else first, message, (), step, passage.number
        )


def _tellers(run: Run, sentences: Sequence[CheckedSentence]) -> list[int | None]:
    """Return for each step the sentence that tells it, None for a step that none tells.

    Where one sentence is the likeliest for two steps ("Open the valve", "Close the valve"), the
    less likely one counts as told only if its own words stand there, too.
    """
    grounds = [Ground([sentence.text]) for sentence in sentences]
    claims = [claim_of(STEP.sub("", step.text, count=1)) for step in run]
    best = [_best(claim, grounds) for claim in claims]
    for place, (claim, found) in enumerate(zip(claims, best, strict=True)):
        if found is None:
            continue
        for rival, theirs in zip(claims, best, strict=True):
            if rival is claim or theirs is None or theirs[0] != found[0] or theirs[1] <= found[1]:
                continue
            own = [group for group in claim.words if not set(group) & rival.ground.terms]
            there = sum(bool(set(group) & grounds[found[0]].terms) for group in own)
            if own and there / len(own) < _OWN:
                best[place] = None
                break
    return [None if found is None else found[0] for found in best]


def _best(claim: Claim, grounds: Sequence[Ground]) -> tuple[int, float] | None:
    """Return the sentence that says most of a step and how much, None if none says enough."""
    shares = [claim.share_in(ground) for ground in grounds]
    top = max(shares, default=0.0)
    return (shares.index(top), top) if top >= _SAME else None
