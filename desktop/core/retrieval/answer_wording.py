"""How the answer to a kind of question is worded: a reason, an order, a name, not its opposite.

As `answer_signs`: each is a number between 0 and 1 that `quote_ranking` weighs.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from desktop.core.retrieval.asked_values import asked_kinds
from desktop.core.retrieval.tokens import index_term_set, query_terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desktop.core.retrieval.question import Question, TermGroup

_WHY = re.compile(r"\b(why|warum|weshalb|wieso)\b", re.IGNORECASE)
_ASKS_REASON = re.compile(
    r"\b(why|causes?|reasons?|what does it mean|how come|warum|weshalb|wieso|ursachen?|grund)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(because|due to|since|caused?|causing|reasons?|result\w*|means|meaning|so that|so as"
    r"|in order to|therefore|thus|hence|otherwise|to (avoid|prevent|ensure|minimi[sz]e|reduce|make)"
    r"|may be|weil|wegen|da|damit|daher|deshalb|ursache\w*|durch|liegt)\b",
    re.IGNORECASE,
)
_ASKS_REMEDY = re.compile(
    r"\b(fix(ed|es)?|solv\w+|solutions?|remed(y|ies)|cures?|work-?arounds?|avoid(ed|ing)?"
    r"|prevent(ed|ing)?|protect(ed)?|repair\w*|get rid of|overcome"
    r"|(get|make|bring) .{1,40} (to work|going|running|back)"
    r"|what (can|should|must|do|shall|to) (i |we |you |be )?(do|done|try|tried|check)\b|what helps"
    r"|what now|beheb\w+|behoben|abhilfe|vermeid\w+|verhinder\w+|schütz\w+|abstellen|was hilft"
    r"|was (ist zu tun|tun|kann ich|muss ich|soll ich|mache ich)|lös(en|ung)\w*)\b",
    re.IGNORECASE,
)
_REMEDY = re.compile(
    r"\b(work-?arounds?|solutions?|remed(y|ies)|fix(es|ed)?|cures?|recommended|make sure|ensure"
    r"|(to|will|can|could|may|must|should|would)"
    r" (avoid|prevent|protect|solve|fix|correct|overcome|help)"
    r"|(avoided|prevented|solved|corrected|cured|eliminated) (by|if|when|in)|try (to|another|a)\b"
    r"|should be (checked|replaced|removed|cleaned|used|set|changed)"
    r"|abhilfe|beheb\w+|behoben|lösung|empf(ohlen|iehlt)|vermeid\w+|verhinder\w+|schützt)\b",
    re.IGNORECASE,
)
# "If ..., then press", "3. Press": the first word of the sentence or after what opens it.
_FIRST_VERB = re.compile(
    r"^\W*(?:\(?\d{1,2}[.)]\s*)?"
    r"(?:(?:then|now|first|next|finally|please|also|in \w+,|to [^,]{3,60},)\s*)?([a-zäöüß]+)\b",
    re.IGNORECASE,
)
_DOING = frozenset(
    "activate add adjust align apply attach bleed change check choose clean click close configure"
    " confirm connect copy crimp cut deactivate detach disable disconnect do download drain drill"
    " edit enable ensure enter execute fill fit follow go hold insert install isolate issue keep"
    " let lift load lock loosen lower make measure mount move navigate open paste place plug press"
    " pull push put read reboot refill remove rename repeat replace reset restart rinse rotate run"
    " save select send set slide solder start stop strip switch take test tighten turn type unload"
    " unlock unplug unsolder use vent wait write drücken drehen einschalten halten lösen wählen"
    " ziehen prüfen öffnen schließen".split()
)
_ASKS_WHICH = re.compile(r"\b(which|what|welche[rsnm]?)\b", re.IGNORECASE)
# Letters with figures, words in capitals, and names with a capital inside.
_CODE = re.compile(
    r"\b(?=\w*\d)(?=\w*[A-Za-z])[\w/+#.-]*\w|\b[A-Z][A-Z0-9_]{2,}\w*|\b[A-Z]\w*[a-z]\w*[A-Z]\w*"
)
_SET_ASIDE = re.compile(
    r"\b(?:instead of|rather than|other than|unlike|not|statt|anstatt|anstelle)\s+"
    r"((?:\w+[\s-]*){1,5})",
    re.IGNORECASE,
)
_SET_ASIDE_WORDS = 4
_EXAMPLE = re.compile(r"\b(examples?|e\.g\.|z\. ?B\.|beispiel\w*)", re.IGNORECASE)
_DEMAND = re.compile(
    r"\b(must|should|shall|need\w*|requir\w*|ha(?:ve|s) to|muss|müssen|soll\w*)\b", re.IGNORECASE
)
_TABLE = re.compile(r"\b(table|tabelle)\s*\d", re.IGNORECASE)


def asks_why(question: Question) -> bool:
    """Whether a reason is asked for outright."""
    return bool(_WHY.search(question.text))


def tells_reason(question: Question, text: str) -> bool:
    """Whether a reason or meaning is asked for and the text gives one."""
    return bool(_ASKS_REASON.search(question.text) and _REASON.search(text))


def asks_remedy(question: Question) -> bool:
    """Whether it is asked what helps against something."""
    return bool(_ASKS_REMEDY.search(question.text))


def tells_remedy(question: Question, text: str) -> bool:
    """Whether it is asked what helps, and the text says what does, not what the matter is."""
    return asks_remedy(question) and bool(_REMEDY.search(text))


def gives_order(question: Question, text: str) -> bool:
    """Whether it is asked how something is done and the text tells somebody to do something."""
    return question.procedure and tells_what_to_do(text)


def tells_what_to_do(text: str) -> bool:
    """Whether a text tells somebody to do something: "Press ...", "To reset it, hold ..."."""
    first = _FIRST_VERB.match(text)
    return first is not None and first.group(1).lower() in _DOING


def brings_code(question: Question, text: str) -> bool:
    """Whether the text names a part, signal or type, where one is asked for and no value is."""
    if not _ASKS_WHICH.search(question.text) or asked_kinds(question.text):
        return False
    own = {word.lower() for word in re.findall(r"\w+", question.text)}
    return any(match.group().lower() not in own for match in _CODE.finditer(text))


def speaks_of_set_aside(question: Question, text: str) -> float:
    """Return the share of what the question sets aside ("instead of the eMMC") that a text says."""
    aside = _set_aside(question.text)
    terms = index_term_set(text) if aside else frozenset()
    return sum(bool(terms.intersection(group)) for group in aside) / len(aside) if aside else 0.0


def gives_example(question: Question, text: str) -> bool:
    """Whether the text explains by an example and none is asked for."""
    return bool(_EXAMPLE.search(text)) and not _EXAMPLE.search(question.text)


def demands(question: Question, text: str) -> bool:
    """Whether it is asked what must be, and the text says what must be."""
    return bool(_DEMAND.search(question.text) and _DEMAND.search(text))


def is_fragment(text: str) -> bool:
    """Whether a text begins or ends in the middle of a sentence."""
    return text.rstrip().endswith(",") or text[:1].islower()


def is_table(headings: Iterable[str]) -> bool:
    """Whether one of the headings is that of a numbered table."""
    return any(_TABLE.search(heading) for heading in headings)


@lru_cache(maxsize=64)
def _set_aside(question: str) -> tuple[TermGroup, ...]:
    return tuple(
        group
        for match in _SET_ASIDE.finditer(question)
        for group in query_terms(match.group(1))[:_SET_ASIDE_WORDS]
    )
