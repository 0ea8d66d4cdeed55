"""Questions for what is not so: "which terminals are not bridged?".

Statements of what is so hold all the words that are asked for, and quoted they would be read as
the opposite. Only a statement that itself denies, or names an exception, answers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from desktop.core.retrieval.tokens import index_term_set
from desktop.core.retrieval.unshown.statements import statements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.retrieval.question import Question
    from desktop.core.retrieval.quote_ranking import RankedQuote

_ASKED = re.compile(
    r"\b(?:which|what|who|welche\w*|was|wer)\b[^.?!;]*?"
    r"\b(?:(?:are|is|were|was|does|do|did|has|have)(?:\s+not|n['’]t)"
    r"|(?:sind|ist|wird|werden|hat|haben)\s+(?:\w+\s+)?nicht)\s+([^\W\d_]+)",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:not|no|never|cannot|\w+n['’]t|without|none|nicht|nie|kein\w*|ohne)\b", re.IGNORECASE
)
_EXCEPTS = re.compile(
    r"\b(?:except\w*|exclu\w*|all but|other than|apart from|außer|ausgenommen|ausgeschlossen)\b",
    re.IGNORECASE,
)
_REACH = 4


def lacks_exception(question: Question, ranked: Sequence[RankedQuote]) -> bool:
    """Whether it is asked what is not so, and the best statement says what is."""
    asked = _ASKED.search(question.text)
    best = next(statements(ranked), None)
    if asked is None or best is None:
        return False
    text = best.quote.text
    if _EXCEPTS.search(text):
        return False
    said = index_term_set(asked.group(1))
    words = re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", text)
    places = [i for i, word in enumerate(words) if index_term_set(word) & said]
    if not places:
        return not _DENIES.search(text) and not re.search(rf"\bun{asked.group(1)}", text, re.I)
    return not any(_DENIES.search(" ".join(words[max(0, i - _REACH) : i])) for i in places)
