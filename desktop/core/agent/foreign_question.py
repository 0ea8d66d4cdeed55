"""A question in one language on a page in the other: codes and values must carry the answer.

The words of the question stand nowhere on such a page, which says nothing against it. So the
statement that would be quoted must name every code of the question and show every kind of value
that is asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.retrieval.asked_codes import asked_codes
from desktop.core.retrieval.asked_values import asked_kinds, without_own_codes
from desktop.core.retrieval.tokens import asked_language, index_term_set, query_terms

if TYPE_CHECKING:
    from desktop.core.page_words import PageWords
    from desktop.core.retrieval.confidence import Support
    from desktop.core.retrieval.grounding import Quote


def answers_foreign(question: str, words: PageWords, quote: Quote, support: Support) -> bool:
    """Whether a page in the other language answers by the codes and values that both share.

    support: what speaks against an answer in any language must not be seen. That no statement
    names the thing is no such sign, its name is another one here.
    """
    asked, written = asked_language(question), asked_language(words.text)
    if asked is None or written is None or asked == written:
        return False
    if support.unnamed or support.lacks_work or support.other_code:
        return False
    codes = asked_codes(question)
    told = without_own_codes(quote.text, question)
    return (
        bool(codes)
        and quote.kind not in ("heading", "label")
        and all(_names(quote, code) for code in codes)
        and all(kind.search(told) for kind in asked_kinds(question))
    )


def _names(quote: Quote, code: str) -> bool:
    """Whether a statement has a code, as one term or as a number under its heading."""
    terms = index_term_set(f"{quote.text} {quote.context}")
    own = index_term_set(quote.text)
    *words, number = query_terms(code)
    return bool(own.intersection(number)) and all(
        terms.intersection(group) or not group[0].isalpha() for group in words
    )
