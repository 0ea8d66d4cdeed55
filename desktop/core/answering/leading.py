"""Whether the value of a quoted statement may stand large above it, as the answer itself."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from desktop.core.answering.asked_value import asks_for_amount
from desktop.core.events import SURELY_STATED
from desktop.core.quantities import plain, quantities_in
from desktop.core.question.tokens import index_term_set

if TYPE_CHECKING:
    from desktop.core.answering.answer import Statement
    from desktop.core.events import QuotedForm
    from desktop.core.question.query import Question
    from desktop.core.reader.evidence import Evidence
    from desktop.models.roles import TextEmbedder

NEEDS_UNIT: Final = 2.4
"""Logarithm of the odds that an amount is asked for, from which on one without a unit may not lead.

With these rules 21 of 26 values that lead are right, without them 21 of 28 (166 of `learn`);
on `choose` (106) 5 of 7 as before. Two more that have no labelled value no longer lead, one of them
wrong. What is set here was chosen on the same questions, and they are few.
"""
MOST_UNSAID: Final = 0.6
"""Share of a question's words that a statement may lack and its manual has elsewhere."""
LEAST_KNOWN: Final = 0.5
"""Share of them that the manual has: with fewer it is in other words, or in another language."""
AT_MOST_LIKELY: Final = SURELY_STATED - 0.01
"""Chance of a statement whose value may not lead, at most."""


def without_doubtful_value(
    statement: Statement, page: Evidence, embedder: TextEmbedder | None
) -> Statement:
    """Return a statement with nothing told apart in it, unless it speaks of what is asked.

    Its value must also be one. page: it stands there, or its procedure begins there.
    Raises: ModelError.
    """
    form = statement.form
    if form is None or page.asked is None or not (form.value or form.asked >= 0):
        return statement
    value = form.cells[form.asked] if form.asked >= 0 else form.value
    asks = asks_for_amount(page.asked, embedder)
    # amounts with only space between them are of columns that were not told apart
    gaps = [plain(value)[one.end : other.start] for one, other in pairwise(quantities_in(value))]
    doubtful = (
        (bool(gaps) and not "".join(gaps).strip())
        or (asks > NEEDS_UNIT and not _has_unit(value, form))
        or (asks > 0 and _unsaid(page.asked, statement, page) >= MOST_UNSAID)
    )
    return replace(statement, form=told_plainly(form)) if doubtful else statement


def told_plainly(form: QuotedForm) -> QuotedForm:
    """Return how a quote stands on its page with nothing told apart in it."""
    return replace(form, value="", asked=-1, asked_line=-1)


def _unsaid(asked: Question, statement: Statement, page: Evidence) -> float:
    """Return which share of the question's words a statement and its headings lack, 0 to 1.

    Words that the manual has nowhere do not count, rare ones count more.
    """
    context = (*statement.form.section, *statement.form.headings) if statement.form else ()
    terms = index_term_set("\n".join((page.known_as, statement.quote, *context)))
    weights = dict(zip(asked.groups, page.term_weights, strict=False))
    known = {group: weight for group, weight in weights.items() if group not in page.absent}
    if sum(known.values()) <= LEAST_KNOWN * sum(weights.values()):
        return 0.0
    return sum(w for group, w in known.items() if terms.isdisjoint(group)) / sum(known.values())


def _has_unit(value: str, form: QuotedForm) -> bool:
    """Whether an amount has a unit, or its column heading or the name of its row gives one."""
    names = [form.headings[form.asked]] if form.headings and form.asked >= 0 else []
    names += form.cells[:1] if form.asked > 0 else ()
    before = "".join(f"{name} | " for name in names)
    own = quantities_in(f"{before}{value}")[len(quantities_in(before)) :]
    return any(each.unit for each in own)
