"""Where in the manual something stands: the heading that an answer names in front of its quote."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.structure.sections import same_title
from desktop.core.structure.units import CONTEXT_SEPARATOR

if TYPE_CHECKING:
    from desktop.core.retrieval.evidence import Evidence, Passage
    from desktop.core.retrieval.grounding import Quote
    from desktop.core.retrieval.question import Question

# Asked is for a place in the manual or on a display, not for one at the machine.
_PLACE_IN_TEXT = re.compile(
    r"\bwhere\b.*\b(find|found|list(?:ed)?|descri\w+|explain\w*|shown|displayed|see|read|overview"
    r"|documented)\b|\b(?:which|what) (?:page|section|chapter|part of the)\b"
    r"|\bwhere (?:is|are) (?:the|a) (?:list|table|overview|procedure|instructions?|description"
    r"|explanation|specifications?|diagram|drawing|schematic|figure)s?\b"
    r"|\bwo (?:ist|sind) (?:die|der|das|eine?) (?:liste|tabelle|übersicht|anleitung|beschreibung"
    r"|erklärung|schaltplan|zeichnung|abbildung)\w*\b"
    r"|\bwo\b.*\b(finde\w*|steht|stehen|beschrieben|erklärt|angezeigt|sehe|übersicht)\b"
    r"|\bin welche[mr] (?:kapitel|abschnitt)|\bauf welcher seite",
    re.IGNORECASE,
)
# What is longer is a sentence in the print of a heading.
_MOST_WORDS = 10


def told_heading(question: Question, page: Evidence, quote: Quote) -> Passage | None:
    """Return the nearest heading of a quote on its page if it is asked where that stands.

    None if something else is asked, if the section began on a page before, or if the quote
    says its heading itself.
    """
    if quote.kind in ("heading", "label") or not _PLACE_IN_TEXT.search(question.text):
        return None
    headings = [passage for passage in page.passages if passage.kind == "heading"]
    for section in reversed(quote.context.split(CONTEXT_SEPARATOR)):
        found = next((heading for heading in headings if same_title(heading.text, section)), None)
        if found is not None and len(found.text.split()) <= _MOST_WORDS:
            return None if found.text.strip() in quote.text else found
    return None
