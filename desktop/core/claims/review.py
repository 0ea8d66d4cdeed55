"""The critic: an answer against the pages that it cites, and what stands there instead.

Shared by ordinary answers and by deep research: whoever has sentences and passages may ask. What
agrees and what contradicts is learnt (`comparison.py`); steps are told by their numbers.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from desktop.core.claims.comparison import (
    CARRIES,
    CONTRADICTS,
    MAY_CARRY,
    STATED,
    amounts_differ,
    says_it,
    values_missing,
)
from desktop.core.question.languages import language_of
from desktop.core.question.tokens import index_term_set
from desktop.core.reader.steps import numbered_runs
from desktop.core.structure.sentences import sentence_spans
from desktop.core.structure.signs import without_number
from desktop.sentences import begun, in_language, joined, said, together

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from desktop.core.claims.cited import CheckedSentence, CitedPassage, PageQuote
    from desktop.core.claims.comparison import Compared, Comparison

FindingKind = Literal["unsupported", "value", "negation", "missing_step", "contradiction"]
"""unsupported: no cited place says it. value: an amount or code that is not there.
negation: the page says something else of it. missing_step: a procedure is not whole.
contradiction: two cited pages say different things."""

_COMPARED = 6  # quotes of the cited places that a sentence is compared with
_MOST_PAIRS = 12
_SHARED = 0.5  # of the words of two quotes of two pages, to be compared at all
_SAME = 0.6  # of a step's words, for a sentence that tells it
_OWN = 0.5  # of what tells a step from a likelier one
_SURELY_A_LIST = 2
"""An answer with so many steps of a list means the list."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with an answer.

    sentence: its index among the checked sentences. message: for a person, in one sentence.
    unsupported: amounts and codes that are not there. instead: what the page says, or the step
    that is missing. passage: the citation that `instead` belongs to, 0 for none.
    """

    kind: FindingKind
    sentence: int
    message: str
    unsupported: tuple[str, ...] = ()
    instead: PageQuote | None = None
    passage: int = 0


def check_answer(
    sentences: Sequence[CheckedSentence],
    passages: Sequence[CitedPassage],
    comparison: Comparison,
    question: str = "",
) -> tuple[Finding, ...]:
    """Return what is wrong with an answer, in the order of its sentences; () if nothing is.

    sentences: the answer's statements, in order. passages: what the citations point to.
    question: what was asked; an amount that stands in it needs no page. Blocks.

    Raises: ModelError.
    """
    by_number = {passage.number: passage for passage in passages}
    findings: list[Finding] = []
    for index, sentence in enumerate(sentences):
        cited = [by_number[number] for number in sentence.cited if number in by_number]
        finding = check_support(index, sentence, cited, comparison, question)
        if finding is not None:
            findings.append(finding)
    findings += check_steps(sentences, passages)
    findings += _contradictions(sentences, passages, comparison)
    return tuple(sorted(findings, key=lambda finding: finding.sentence))


def check_support(
    index: int,
    sentence: CheckedSentence,
    passages: Sequence[CitedPassage],
    comparison: Comparison,
    question: str = "",
) -> Finding | None:
    """Return what is wrong with a sentence, None if its citations carry it.

    passages: those that the sentence cites. Raises: ModelError.
    """
    if sentence.is_opening or not any(sign.isalnum() for sign in sentence.text):
        return None
    if not passages:
        return Finding(
            "unsupported", index, said("{sentence} cites no page.", sentence=_told(sentence))
        )
    if any(_quotes(sentence.text, passage) for passage in passages):
        return None
    likely = _compared(sentence.text, passages, comparison)
    best = max((each[2].agree for each in likely), default=0.0)
    against = max(likely, key=lambda each: each[2].contradict, default=None)
    if against is not None and against[2].contradict >= max(CONTRADICTS, best):
        number, quote, _ = against
        message = said(
            "{passages} says something else: “{told}”",
            passages=begun(next(p.place for p in passages if p.number == number)),
            told=quote.told,
        )
        return Finding("negation", index, message, (), quote, number)
    everything, names = [question], []
    for passage in passages:
        everything += [*(quote.told for quote in passage.touched), passage.region]
        names += [passage.document, passage.label, *(quote.context for quote in passage.touched)]
    missing = values_missing(sentence.text, "\n".join(everything), "\n".join(names))
    if missing and best >= CARRIES:
        listed = joined([said("“{text}”", text=value) for value in missing])
        message = said(
            "{listed} does not appear in the cited words of {passages}.",
            listed=listed,
            passages=_places(passages),
        )
        return Finding("value", index, message, missing)
    if best < CARRIES and not _judged(sentence.text, likely, comparison):
        message = said(
            "{sentence} does not appear in the cited words of {passages}.",
            sentence=_told(sentence),
            passages=_places(passages),
        )
        return Finding("unsupported", index, message, missing)
    return None


def check_steps(
    sentences: Sequence[CheckedSentence], passages: Sequence[CitedPassage]
) -> Iterator[Finding]:
    """Yield the steps that an answer leaves out of a numbered procedure it takes up.

    What is cited from elsewhere tells none of them, however like a step it is.
    """
    seen: set[str] = set()
    cited = {passage.number: (passage.document_id, passage.page) for passage in passages}
    places = [{cited[number] for number in each.cited if number in cited} for each in sentences]
    for passage in passages:
        for run in numbered_runs(passage.quotes):
            key = "\n".join(step.text for step in run)
            if key in seen:
                continue
            seen.add(key)
            if not any(step.cited for step in run):  # another procedure with the same first steps
                continue
            pages = {passage.page, *(step.page for step in run)}
            own = {(passage.document_id, page) for page in pages}
            texts = [
                each.text if not own.isdisjoint(on) else ""
                for each, on in zip(sentences, places, strict=True)
            ]
            told = _tellers(run, texts)
            tellers = [index for index in told if index is not None]
            if len(tellers) >= min(_SURELY_A_LIST, len(run)):
                yield from _left_out(run, told, passage)


def _contradictions(
    sentences: Sequence[CheckedSentence], passages: Sequence[CitedPassage], comparison: Comparison
) -> Iterator[Finding]:
    """Yield pairs of cited quotes of two pages that cannot both be right.

    Each has an amount for which the other one only has others of its kind. On `choose` (375) four
    pairs were told: two boards of one maker with other voltages; and, without such amounts, three
    that say the same or speak of different commands.
    """
    pairs = [
        (one, first, other, second)
        for one, other in combinations(passages, 2)
        if (one.document_id, one.page, one.label) != (other.document_id, other.page, other.label)
        for first in one.touched
        for second in other.touched
        if amounts_differ(first.told, second.told) and amounts_differ(second.told, first.told)
        if _alike(first, second)
        if not (_goes_on(one, other, second) or _goes_on(other, one, first))
    ][:_MOST_PAIRS]
    there = comparison.compare([(first.told, second.told) for _, first, _, second in pairs])
    back = comparison.compare([(second.told, first.told) for _, first, _, second in pairs])
    for (one, first, other, second), *both in zip(pairs, there, back, strict=True):
        if min(each.contradict for each in both) < STATED:
            continue
        at = next((i for i, each in enumerate(sentences) if one.number in each.cited), 0)
        message = said(
            "{one} and {other} contradict each other: “{told}” – “{told2}”",
            one=_named(one, other),
            other=_named(other, one),
            told=first.told,
            told2=second.told,
        )
        yield Finding("contradiction", at, message, (), second, other.number)


def _quotes(text: str, passage: CitedPassage) -> bool:
    """Whether all that is said stands there, sentence by sentence and word by word."""
    touched = passage.touched
    whole = (passage.region, " ".join(quote.text for quote in touched))
    there = [*whole, *(words for quote in touched for words in (quote.text, quote.told))]
    if any(says_it(words, text) for words in there):
        return True
    words = text.split()
    parts = [" ".join(words[first:last]) for first, last in sentence_spans(words)]
    return len(parts) > 1 and all(any(says_it(each, part) for each in there) for part in parts)


def _compared(
    text: str, passages: Sequence[CitedPassage], comparison: Comparison
) -> list[tuple[int, PageQuote, Compared]]:
    """Compare a sentence with the touched quotes that share most with it."""
    terms = index_term_set(text)
    quotes = [(passage.number, quote) for passage in passages for quote in passage.touched]
    quotes.sort(key=lambda pair: -len(terms & index_term_set(pair[1].told)))
    quotes = quotes[:_COMPARED]
    lacking = [len(values_missing(text, quote.told)) for _, quote in quotes]
    least = min(lacking, default=0)  # as in grounding: the row of another part is not meant
    quotes = [each for each, number in zip(quotes, lacking, strict=True) if number == least]
    found = comparison.compare([(quote.told, text) for _, quote in quotes])
    return [(*pair, compared) for pair, compared in zip(quotes, found, strict=True)]


def _judged(
    text: str, likely: Sequence[tuple[int, PageQuote, Compared]], comparison: Comparison
) -> bool:
    """Whether a language model says that the likeliest quote carries a sentence."""
    best = max(likely, key=lambda each: each[2].agree, default=None)
    if best is None or best[2].agree < MAY_CARRY:
        return False
    return comparison.agrees(best[1].told, text)


def _goes_on(passage: CitedPassage, other: CitedPassage, quote: PageQuote) -> bool:
    """Whether a quote of another page is of a procedure that the passage's page begins."""
    return passage.document_id == other.document_id and any(
        step.page == other.page and quote.text in step.text for step in passage.quotes
    )


def _alike(one: PageQuote, other: PageQuote) -> bool:
    """Whether two quotes share enough words to be about the same."""
    first, second = index_term_set(one.told), index_term_set(other.told)
    both = len(first | second)
    return bool(both) and len(first & second) / both >= _SHARED


def _left_out(
    run: Sequence[PageQuote], told: Sequence[int | None], passage: CitedPassage
) -> Iterator[Finding]:
    """Yield a finding for each missing step, at the sentence that tells the step before it."""
    first = next(index for index in told if index is not None)
    for position, (step, teller) in enumerate(zip(run, told, strict=True)):
        if teller is not None:
            continue
        before = [index for index in told[:position] if index is not None]
        where = step.label or passage.label
        page = said("page {where}", where=where) if where else passage.place
        message = said(
            "Step {position} of {run} on {page} is missing: “{text}”",
            position=position + 1,
            run=len(run),
            page=page,
            text=step.text,
        )
        yield Finding(
            "missing_step", before[-1] if before else first, message, (), step, passage.number
        )


def _tellers(run: Sequence[PageQuote], sentences: Sequence[str]) -> list[int | None]:
    """Return for each step the sentence that tells it, None for a step that none tells.

    Where one sentence is the likeliest for two steps ("Open the valve", "Close the valve"), the
    less likely one counts as told only if its own words stand there, too.
    """
    said = [index_term_set(sentence) for sentence in sentences]
    steps = [index_term_set(without_number(step.text)) for step in run]
    best = [_best(step, said) for step in steps]
    for place, (step, found) in enumerate(zip(steps, best, strict=True)):
        if found is None:
            continue
        for rival, theirs in zip(steps, best, strict=True):
            if rival is step or theirs is None or theirs[0] != found[0] or theirs[1] <= found[1]:
                continue
            own = step - rival
            if own and len(own & said[found[0]]) / len(own) < _OWN:
                best[place] = None
                break
    return [None if found is None else found[0] for found in best]


def _best(step: frozenset[str], said: Sequence[frozenset[str]]) -> tuple[int, float] | None:
    """Return the sentence that says most of a step and how much, None if none says enough."""
    shares = [len(step & each) / len(step) if step else 1.0 for each in said]
    top = max(shares, default=0.0)
    return (shares.index(top), top) if top >= _SAME else None


def _told(sentence: CheckedSentence) -> str:
    words = sentence.text.split()
    return said("“{text}”", text=f"{' '.join(words[:12])}{' …' if len(words) > 12 else ''}")


def _places(passages: Sequence[CitedPassage]) -> str:
    places = list(dict.fromkeys(passage.place for passage in passages))
    return joined(places, last=said(" and "))


def _named(one: CitedPassage, other: CitedPassage) -> str:
    """Return a place, with its manual if the other is from a different one."""
    if one.document == other.document or not one.document:
        return one.place
    return joined([one.document, one.place])


@dataclass(frozen=True, slots=True)
class Addition:
    """Words of a page that come after a sentence. passage: the citation they belong to.

    lead: what is said before them; "" for a step, which stands on a line of its own.
    """

    quote: PageQuote
    passage: int
    lead: str = ""


@dataclass(frozen=True, slots=True)
class Correction:
    """What becomes of a sentence.

    text: the sentence from now on, without marks, "" if it is withdrawn. cited: its
    citations from now on. unsupported: what stays in it and is marked. findings: why.
    """

    sentence: int
    text: str
    cited: tuple[int, ...]
    additions: tuple[Addition, ...] = ()
    unsupported: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def reason(self) -> str:
        """The findings in the critic's words."""
        return together([finding.message for finding in self.findings])


def corrections_for(
    findings: Sequence[Finding],
    sentences: Sequence[CheckedSentence],
    passages: Sequence[CitedPassage],
    comparison: Comparison,
    question: str = "",
) -> tuple[Correction, ...]:
    """Return one correction for each sentence that something is wrong with, in their order.

    Blocks. Raises: ModelError.
    """
    of_sentence: dict[int, list[Finding]] = defaultdict(list)
    for finding in findings:
        of_sentence[finding.sentence].append(finding)
    told = {_folded(sentence.text) for sentence in sentences}
    corrections = []
    for index, found in sorted(of_sentence.items()):
        correction = _correction(
            index, found, sentences[index], passages, told, comparison, question
        )
        corrections.append(correction)
        told.add(_folded(correction.text))
    return tuple(corrections)


def _correction(
    index: int,
    findings: Sequence[Finding],
    sentence: CheckedSentence,
    passages: Sequence[CitedPassage],
    told: set[str],
    comparison: Comparison,
    question: str,
) -> Correction:
    text, cited = sentence.text, sentence.cited
    unsupported: tuple[str, ...] = ()
    additions = []
    for finding in findings:
        match finding.kind:
            case "missing_step" if finding.instead is not None:
                additions.append(Addition(finding.instead, finding.passage))
            case "contradiction" if finding.instead is not None:
                place = next((p.place for p in passages if p.number == finding.passage), "")
                but = said("But {place} says:", place=place)
                but = but if place else said("But another page says:")
                lead = in_language(but, language_of(sentence.text))
                additions.append(Addition(finding.instead, finding.passage, lead))
            case "unsupported":
                # another cited place may say it
                cited = next(
                    (
                        (each.number,)
                        for each in passages
                        if each.number not in sentence.cited and each.touched
                        if not check_support(index, sentence, [each], comparison, question)
                    ),
                    (),
                )
                text = text if cited else ""
                unsupported = () if cited else finding.unsupported
            case _ if finding.instead is not None:
                instead = finding.instead.told
                text = "" if _folded(instead) in told else instead
                cited = (finding.passage,)
            case _:
                unsupported = finding.unsupported
    return Correction(index, text, cited, tuple(additions), unsupported, tuple(findings))


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
