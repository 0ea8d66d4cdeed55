"""The answerer of the Lite profile: it quotes, it never writes.

Every statement is a sentence, row or list as it stands in a manual, with the boxes of exactly
these words. The reader's score chooses them, and its chance decides whether anything is said.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from desktop.core.answering.answer import Answer, Statement
from desktop.core.answering.around import briefly, told_around
from desktop.core.answering.asked_cell import answering_cells, asked_entry
from desktop.core.answering.asked_value import asked_value, asks_for_amount, asks_for_steps
from desktop.core.answering.governing_warnings import is_among, is_part, safety_blocks
from desktop.core.answering.leading import AT_MOST_LIKELY, told_plainly, without_doubtful_value
from desktop.core.answering.lists import MOST_ITEMS, Lists, lists_meant, notes_to, whole_entry
from desktop.core.answering.parts import parts_of
from desktop.core.answering.procedures import PageQuotes, told_once, whole_procedure
from desktop.core.answering.sections import home_of, whole_section
from desktop.core.answering.selection import (
    ENOUGH,
    ChosenUnit,
    chosen_of_parts,
    chosen_units,
    share_told,
    sure_of,
    sure_of_steps,
)
from desktop.core.answering.wording import as_told, quoted_form
from desktop.core.events import LIKELY, WarningBlockEvent
from desktop.core.page_words import PageWords
from desktop.core.quantities import quantities_in
from desktop.core.question.languages import language_of
from desktop.core.question.query import BY_LABEL, Question, codes_of, without_labels
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.reader.quotes import quotes_of
from desktop.core.reader.reader import PageToRead, Reader, Reading
from desktop.core.reader.steps import begins_anew, is_step
from desktop.core.reader.units import COLONS, LIST
from desktop.core.retrieval.in_context import added, after
from desktop.core.retrieval.search import with_reading
from desktop.sentences import in_language, joined, said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.answering.procedures import Step, StepList
    from desktop.core.geometry import Box
    from desktop.core.library.library import Library
    from desktop.core.reader.evidence import Evidence
    from desktop.core.reader.quotes import Quote
    from desktop.core.settings.sections import AgentSettings
    from desktop.models.roles import TextEmbedder

_MOST_HEADINGS = 6
_PART_ALONE: Final = 1.0
"""Weight of the reading of a part by itself, beside that of the whole question."""
_LEAST_OF_STEPS: Final = 0.4
"""The nearest procedure helps nobody: steps are told if they so likely are those asked for.

Of 194 questions of `choose` that ask for steps, 41 of which have no answer, 108 are answered
rightly, 27 wrongly and 15 of the 41; of 188 of `learn` (26) 137, 14 and 8. Before it was learnt
which questions those are, and how sure the answer is, they were 107, 28, 17 and 127, 16, 12.
"""
_LEAST_OF_ANSWER: Final = 0.2
"""What answers with a smaller chance is not told as an answer: the nearest lines are shown.

Of 1,320 questions of `choose` 22 with an answer fewer are answered so, 7 of them rightly before;
refused are 0.58 of those without one, not 0.54.
"""
_NAMES_SECTIONS = ("heading", "caption")
_OTHER_PLACES: Final = said("Also possible:")


@dataclass(frozen=True, slots=True)
class _Told:
    """What is told of a page. answers: the words that do, where others are told around them.

    of_several: it is a row of an entry, or of a table that is announced, that has several; no cell
    of one answers for all of them.
    section: where the section begins that is told whole, "" for what is not of one; heading: of the
    sub-section of it that begins here.
    """

    page: Evidence
    quote: Quote
    answers: str = ""
    of_several: bool = False
    section: str = ""
    heading: str = ""


class ExtractiveAnswerer:
    """Answers by quoting the library's pages."""

    def __init__(
        self, library: Library, embedder: TextEmbedder | None, settings: AgentSettings
    ) -> None:
        self._library = library
        self._settings = settings
        self._embedder = embedder
        self._reader = Reader(embedder)
        self._pages = PageQuotes(library)

    def answer(self, question: str, evidence: Sequence[Evidence]) -> Answer:
        """Quote what answers `question`, or say that nothing in `evidence` does.

        Pages that were read for another question, or not at all, are read first.
        """
        # where it is told is worth opening, not the line of the contents that leads there
        nearest = tuple(sorted(evidence, key=lambda page: page.contents))
        nearest = nearest[: self._settings.nearest_pages]
        if not evidence:
            return Answer(False, (), (), (), 1.0, said("no similar page"))
        pages = self._read(question, evidence)
        chance, there = pages[0].chance, pages[0].there
        # of a manual that was deleted since the search nothing may be quoted
        chosen = [each for each in chosen_units(pages) if len(self._words(each.page))]
        if _asks_for_page(question, pages[0]):
            return self._overview(question, pages[0])
        # what is said of E24 does not help who asks for E25: see `search.py`, `_CODE`
        if pages[0].unnamed or not chosen:
            return Answer(False, (), (), nearest, 1 - there, _why_not(pages[0]))
        parts = parts_of(
            question, chance, lambda part, within: self._read_part(part, within, question, pages)
        )
        told = [part for part in parts if part.there >= self._settings.least_confidence]
        not_there = Answer(False, (), (), nearest, 1 - there, _why_not(pages[0]))
        if told:
            chosen = chosen_of_parts([part.pages for part in told], pages)
            chance = sum(part.chance for part in told) / len(told)
        elif there < self._settings.least_confidence:
            return not_there
        found_by = joined([said(each) for each in chosen[0].page.found_by])
        reason = said("found by {found_by}", found_by=found_by)
        answer = self._told(question, pages, chosen, chance, reason, len(told))
        steps = asks_for_steps(Question.parse(question), self._embedder)
        if answer.confidence < (_LEAST_OF_STEPS if steps and not told else _LEAST_OF_ANSWER):
            return not_there
        untold = tuple(part.text for part in parts if part not in told) if told else ()
        return replace(answer, unanswered=untold)

    def _read(self, question: str, evidence: Sequence[Evidence]) -> Sequence[Evidence]:
        first = evidence[0]
        if first.units and first.asked is not None and first.asked.text == question:
            return evidence
        return with_reading(evidence, self._reading(Question.parse(question), evidence))

    def _read_part(
        self, part: str, within: str, question: str, pages: Sequence[Evidence]
    ) -> list[Evidence]:
        """Return the pages, which were read for the question, as they answer a part of it.

        Those that were found for the part itself, where it surely is one. What another part leaves
        unsaid is in the words around it: both readings count.
        """
        found = next((dict(page.of_parts) for page in pages if page.of_parts), {})
        if part in found:
            return list(found[part])
        whole = [page for page in pages if page.units]
        asked_part = Question.parse(part)
        asked = [_asked_of(page, asked_part) for page in whole]
        alone = self._reading(asked_part, asked)
        there = alone.there  # asked by itself: what is asked before it has an answer of its own
        if within == question:
            known = Reading(tuple(page.units for page in whole), pages[0].chance, pages[0].there)
            reading = replace(added(known, alone, _PART_ALONE), chance=alone.chance)
        elif within == part:
            reading = alone
        else:
            around = Question.parse(within)
            both = self._reading(around, [_asked_of(page, around) for page in whole])
            reading = after(both, alone, len(asked_part.groups))
        read = with_reading(asked, replace(reading, there=there))
        return sorted(read, key=lambda page: -page.score)

    def _reading(self, question: Question, pages: Sequence[Evidence]) -> Reading:
        to_read = [PageToRead(page, self._words(page), page.score) for page in pages]
        return self._reader.read(question, to_read)

    def _told(
        self,
        question: str,
        pages: Sequence[Evidence],
        chosen: Sequence[ChosenUnit],
        chance: float,
        reason: str,
        parts: int,
    ) -> Answer:
        """Return what is said of the chosen units, in the order in which it is read.

        parts: of the question, that are answered by themselves. chance: how likely the best unit
        answers, or those of the parts do.
        """
        asked, lists = Question.parse(question), Lists(self._pages)
        one = parts > 0 or asks_for_amount(asked, self._embedder) > 0
        # one place answers, or one for each part, or for each of the manuals that are compared
        answering = parts or max(len({page.document_id for page in pages if page.named}), 1)
        steps = asks_for_steps(asked, self._embedder)
        said_of = self._said_of(
            asked, pages, chosen, lists, one=one, steps=steps, parts=parts, answering=answering
        )
        every = [each for passage in said_of for each in passage]
        order = told_once([((each.page.document_id, each.page.page), each.quote) for each in every])
        told = [every[at] for at in order]
        statements = [self._statement(question, each) for each in told]
        best = sum(at < len(said_of[0]) for at in order)
        homes = {
            lists.home(each.page, each.quote) for passage in said_of[:answering] for each in passage
        }
        if not parts:
            # a warning of the place that answers stands above it, and is no other place; nor are
            # those of its sentences repeated that do not answer
            warned = self._safety(statements[:best])
            others = range(best, len(told))
            answers = [
                n
                for n in range(best)
                if not is_part(told[n].quote.text, warned) or _answers_best(told[n], pages)
            ] or list(range(best))
            kept = answers + [n for n in others if not is_among(told[n].quote.text, warned)]
            told, statements = [told[n] for n in kept], [statements[n] for n in kept]
            best = len(answers)
        leads = next((n for n in range(best) if told[n].answers), 0)
        statement = self._with_value(asked, statements[leads], told[leads], chance)
        checked = without_doubtful_value(statement, chosen[0].page, self._embedder)
        sure = checked is statement and told[leads].quote.kind not in _NAMES_SECTIONS
        statements[leads] = replace(checked, quote=statements[leads].quote)
        in_order = lists.page_order(
            [(each.page, each.quote) for each in told], [each.section for each in told]
        )
        told_apart = checked.form is not None and checked.form.tells_apart
        entry = answering == 1 and not parts and told[0].quote.kind == "row"
        names_code = best == 1 and _names_asked_code(question, statements[0].quote)
        if told_apart or entry or names_code:
            in_order = [at for at in in_order if at < best] + [at for at in in_order if at >= best]
        sure = sure and not any(
            begins_anew(told[one].quote, told[below].quote)
            for one, below in pairwise(in_order[:best])
        )
        lines = lists.left_out(
            [(told[at].page, told[at].quote) for at in in_order], one=one, steps=steps
        )
        elsewhere = (n for n in in_order if lists.home(told[n].page, told[n].quote) not in homes)
        # the row of another fault in the same table is another place as well
        other = next(iter(in_order[best:]), None) if entry else next(elsewhere, None)
        language = language_of(question)
        ordered = []
        for at, line in zip(in_order, lines, strict=True):
            above = (_OTHER_PLACES if at == other else "", line, told[at].heading)
            text = "\n".join(in_language(each, language) for each in above if each)
            ordered.append(replace(statements[at], above=text))
        if not parts:
            chance = sure_of_steps(pages) if steps else sure_of(pages, partial(_is_whole, told))
        return self._answered(ordered, chance if sure else min(chance, AT_MOST_LIKELY), reason)

    def _with_value(
        self, asked: Question, statement: Statement, told: _Told, chance: float
    ) -> Statement:
        """Return a statement of just what answers in it, with the amount that does so."""
        form, answers = statement.form, told.answers or told.quote.text
        statement = replace(statement, quote=answers)
        if form is not None and chance < LIKELY:
            return replace(statement, form=told_plainly(form))
        if form is None or form.kind in ("row", "drawing"):
            return statement
        return replace(
            statement, form=replace(form, value=asked_value(asked, answers, self._embedder))
        )

    def _said_of(
        self,
        asked: Question,
        pages: Sequence[Evidence],
        chosen: Sequence[ChosenUnit],
        lists: Lists,
        *,
        one: bool,
        steps: bool,
        parts: int,
        answering: int,
    ) -> list[list[_Told]]:
        """Return what is said of each chosen unit: what stands around it, or the list meant.

        Further ones are left out once the right unit is likely enough in what is said.
        """
        around = [lists.around(each.page, each.unit.unit) for each in chosen]
        meant = lists_meant(around, steps=steps, one=one)
        told: list[list[_Told]] = []
        for at, (each, within) in enumerate(zip(chosen, around, strict=True)):
            if at >= answering and not parts and _enough(pages, told):
                break
            is_steps = within.kind == "numbered" and (each.unit.unit.kind == LIST or not one)
            section = self._section(each, within, lists) if steps else []
            if section:
                told.append(section)
            elif at < answering:
                whole = within if within in meant else None
                told.append(self._said(asked, each.page, each.unit.unit, whole, lists))
            elif is_steps and len(within.steps) <= MOST_ITEMS:  # a part of a procedure helps nobody
                told.append(self._said(asked, each.page, each.unit.unit, within, lists))
            elif each.unit.unit.text.rstrip().endswith(COLONS):  # it says nothing by itself
                told.append(self._said(asked, each.page, each.unit.unit, None, lists))
            else:
                told.append([_Told(each.page, quote) for quote in briefly(each.unit.unit)])
        return _said_anew(self._whole_procedures(told, lists, steps=steps), answering)

    def _whole_procedures(
        self, told: Sequence[Sequence[_Told]], lists: Lists, *, steps: bool
    ) -> list[list[_Told]]:
        """Return what is told with all steps of each procedure that several steps are told of.

        Those that the best place tells may be followed by one that another place does. steps: they
        are asked for; where they are not, a long list may be the legend of a drawing.
        """
        known: dict[tuple[int, StepList], set[int]] = defaultdict(set)
        for each in (each for passage in told for each in passage):
            around = lists.around(each.page, each.quote)
            if around.kind == "numbered":
                at = around.has(each.page.page, each.quote)
                known[each.page.document_id, around].update(at)
        parts = {
            procedure: at
            for procedure, at in known.items()
            if 1 < len(at) < len(procedure[1].steps)
            and (steps or len(procedure[1].steps) <= MOST_ITEMS)
        }
        whole: list[list[_Told]] = []
        for passage in told:
            kept: list[_Told] = []
            for each in passage:
                procedure = each.page.document_id, lists.around(each.page, each.quote)
                if procedure not in parts:
                    kept.append(each)
                elif parts[procedure]:
                    kept += self._steps(each.page, procedure[1].steps)
                    parts[procedure] = set()
            if kept:
                whole.append(kept)
        return whole

    def _said(
        self, asked: Question, page: Evidence, unit: Quote, whole: StepList | None, lists: Lists
    ) -> list[_Told]:
        """Return what is said one after the other: for a list, its items, each with its place.

        A procedure is told to its end, on whatever page that is, and so is an entry of a table.
        whole: the list around the unit, if it is meant.
        """
        if unit.kind == "row":
            quotes = lists.quotes_of(page.document_id)(page.page)
            rows = whole_entry(asked, unit, quotes)
            notes = [_Told(page, each) for each in notes_to(rows, quotes)]
            return [_Told(page, each, of_several=len(rows) > 1) for each in rows] + notes
        if whole is not None:
            steps: Sequence[Step] = whole.steps
        elif unit.kind == LIST and any(part.kind == "item" or is_step(part) for part in unit.parts):
            steps = whole_procedure(page.page, unit.parts, lists.quotes_of(page.document_id))
        else:
            # a setting is explained first, and then its value is told, in the same section
            amount = asks_for_amount(asked, self._embedder) > 0 and bool(quantities_in(unit.text))
            paragraphs = lists.passages(page.document_id, page.page)
            around = told_around(unit, paragraphs, amount=amount)
            several = sum(each.kind == "row" for each in around) > 1
            return [
                _Told(page, each, _words_of(unit, each), of_several=several and each.kind == "row")
                for each in around
            ]
        return self._steps(page, steps)

    def _section(self, chosen: ChosenUnit, around: StepList, lists: Lists) -> list[_Told]:
        """Return what a section says that tells how something is done, if it is no procedure."""
        page, unit = chosen.page, chosen.unit.unit
        if around.kind == "numbered" or unit.kind in ("row", "label"):
            return []
        parts = whole_section(page.page, unit, partial(lists.passages, page.document_id))
        return [
            _Told(
                self._on(page, part.page), part.quote, section=home_of(unit), heading=part.heading
            )
            for part in parts
        ]

    def _steps(self, page: Evidence, steps: Sequence[Step]) -> list[_Told]:
        return [_Told(self._on(page, step.page), step.quote) for step in steps]

    def _on(self, page: Evidence, at: int) -> Evidence:
        """Return another page of the same manual."""
        if at == page.page:
            return page
        label = self._library.label(page.document_id, at)
        return replace(page, page=at, label=label, passages=(), units=())

    def _answered(self, statements: Sequence[Statement], chance: float, reason: str) -> Answer:
        safety = self._safety(statements)
        return Answer(True, tuple(statements), safety, (), chance, reason)

    def _safety(self, statements: Sequence[Statement]) -> tuple[WarningBlockEvent, ...]:
        return safety_blocks(statements, self._library.blocks, self._library.label)

    def _overview(self, question: str, page: Evidence) -> Answer:
        """Tell the headings and captions of a page that is asked for by its label."""
        words = self._words(page)
        named = [p for p in page.passages if p.kind in _NAMES_SECTIONS] or [*page.passages]
        quotes = [quote for each in named for quote in quotes_of(each, words) if quote.boxes]
        quotes = sorted(quotes[:_MOST_HEADINGS], key=lambda quote: quote.boxes[0].y0)
        if not quotes:
            return Answer(False, (), (), (page,), 1.0, said("the page is empty"))
        statements = [self._statement(question, _Told(page, quote)) for quote in quotes]
        return self._answered(statements, 1.0, BY_LABEL)

    def _statement(self, question: str, told: _Told) -> Statement:
        page, quote = told.page, told.quote
        words = self._words(page)
        asked = Question.parse(question)
        quote = asked_entry(asked, quote, words)
        asked_of = slice(None)
        if quote.kind == "row":
            asked_of = answering_cells(asked, quote, page, self._pages.count(page.document_id))
        source = page.region(marked_boxes(quote, words))
        form = quoted_form(quote, words, asked, self._embedder, asked_of=asked_of)
        form = replace(form, answers=as_told(told.answers))
        if told.of_several:
            form = told_plainly(form)
        return Statement(form.told, source, quote.text, form=form)

    def _words(self, evidence: Evidence) -> PageWords:
        return self._pages.words(evidence.document_id, evidence.page) or PageWords.empty()


def marked_boxes(quote: Quote, words: PageWords) -> tuple[Box, ...]:
    """Return the boxes of a quote's words; for a row, also those of its column headings.

    PDF points, top-left origin, page as displayed.
    """
    boxes = dict.fromkeys(quote.boxes)
    for row in quote.parts or (quote,):
        above = np.zeros(len(words), bool)  # or below a column that the row has cells in
        for box in row.boxes:
            above |= (words.boxes[:, 0] < box.x1) & (words.boxes[:, 2] > box.x0)
        for header in row.header:
            kept = [index for index in words.inside([header]) if above[index]]
            if kept:
                boxes[words.hull(kept)] = None
    return tuple(boxes)


def _said_anew(passages: Sequence[list[_Told]], answering: int) -> list[list[_Told]]:
    """Return the passages without further ones that say word for word what is said before them."""
    said_before: set[str] = set()
    anew = []
    for at, passage in enumerate(passages):
        texts = {each.quote.text.casefold() for each in passage}
        if at < answering or not texts <= said_before:
            anew.append(passage)
        said_before |= texts
    return anew


def _answers_best(told: _Told, pages: Sequence[Evidence]) -> bool:
    """Whether what is told has words of the best unit of all."""
    read = ((unit, page) for page in pages for unit in page.units[:1])
    unit, page = max(read, key=lambda pair: pair[0].score)
    return _is_told([[told]], page, unit.unit)


def _enough(pages: Sequence[Evidence], told: Sequence[Sequence[_Told]]) -> bool:
    """Whether the right unit is likely enough among those that are told, in part at least."""
    return share_told(pages, partial(_is_told, told)) >= ENOUGH


def _is_told(told: Sequence[Sequence[_Told]], page: Evidence, unit: Quote) -> bool:
    """Whether a unit has words of what is said."""
    own, place = set(unit.indices), (page.document_id, page.page)
    return any(
        (each.page.document_id, each.page.page) == place and not own.isdisjoint(each.quote.indices)
        for passage in told
        for each in passage
    )


def _is_whole(told: Sequence[_Told], page: Evidence, unit: Quote) -> bool:
    """Whether all words of a unit are said, from there or another place."""
    place = (page.document_id, page.page)
    if any(unit.text in each.quote.text for each in told):
        return True
    own = (each for each in told if (each.page.document_id, each.page.page) == place)
    return set(unit.indices) <= {index for each in own for index in each.quote.indices}


def _words_of(unit: Quote, quote: Quote) -> str:
    """Return the words of a unit in what is told around it, "" if that is all or none of them."""
    own, others = set(unit.indices), set(quote.indices)
    if own == others or own.isdisjoint(others):
        return ""
    if own >= others:
        return quote.text
    return unit.text if unit.text in quote.text else ""


def _asked_of(page: Evidence, question: Question) -> Evidence:
    """Return a page with the weights that it has for the words of another question."""
    known = dict(zip(page.asked.groups, page.term_weights, strict=False)) if page.asked else {}
    usual = sum(known.values()) / len(known) if known else 1.0
    weights = tuple(known.get(group, usual) for group in question.groups)
    return replace(page, asked=question, term_weights=weights)


def _asks_for_page(question: str, page: Evidence) -> bool:
    """Whether a question names a page by its label and hardly anything else."""
    if BY_LABEL not in page.found_by:
        return False
    known = index_term_set(page.known_as)
    others = [g for g in query_terms(without_labels(question)) if known.isdisjoint(g)]
    return len(others) <= 1


def _names_asked_code(question: str, quote: str) -> bool:
    """Whether a quote names a code of the question."""
    return not set(codes_of(question.casefold())).isdisjoint(codes_of(quote.casefold()))


def _why_not(first: Evidence) -> str:
    """Return what is missing, for the trace."""
    if first.unnamed:
        return said("no manual mentions {unnamed}", unnamed=", ".join(first.unnamed))
    return said("no page says enough about what is asked")
