"""Whether a question leans on the one before, or stands alone (English, German)."""

from __future__ import annotations

import re

from desktop.core.conversations.question_words import (
    ASKING,
    AUXILIARIES,
    LEADS,
    MEASURES,
    PREPOSITIONS,
    Words,
    carries_meaning,
    without_lead,
)

MOST_AFTER_LEAD = 4
MOST_WITH_PRONOUN = 6
MOST_WITH_POINTER = 3
"""Words with a meaning: a question that has more says itself what it is about."""

PRONOUNS = frozenset(
    "it its they them their theirs er ihn ihm dessen deren dafür davon damit dabei dazu danach"
    " darin darauf daran".split()
)
POINTERS = frozenset(
    "this these those dies diese dieser dieses diesen diesem jene jener jenes".split()
)
GENERIC = frozenset(
    "device unit product manual appliance machine system equipment station library document page"
    " time case way order moment kind type gerät anlage handbuch fall zeit art seite".split()
)
"""After "this" they mean what the manuals are about, not what was asked before."""

_ONE = re.compile(
    r"\b(?:the|that|this|which|another|each)\s+(?:[\w-]+\s+)?(?:ones?|other)\b"
    r"|\b(?:der|die|das|den|dem)\s+ander(?:e|en|er|es)\b\s*\W*$",
    re.IGNORECASE,
)
_SAYS_NOTHING = re.compile(  # "is it possible to ...": the pronoun stands for what follows
    r"\b(?:is it|it is|it's|was it|ist es)\s+(?:\w+\s+)?\w+\s+"
    r"(?:to|that|for|if|when|zu|dass|wenn)\b"
    r"|\bit\s+(?:normally\s+|usually\s+)?takes?\b.*\b(?:to|until|before|for|till)\b",
    re.IGNORECASE,
)
_BOUNDARY = re.compile(
    r"[,;:.!?](?=\s)|\b(?:when|if|after|before|while|once|and|then|so|because|but|or|until|wenn"
    r"|falls|nachdem|bevor|und|dann|weil|aber|dass|bis|while)\b",
    re.IGNORECASE,
)
_THAT_OR_DAS = re.compile(
    r"\b(?:is|was|do|does|did|can|about|of|for|with|after|like|ist|war)\s+(?:that|das)\b"
    r"(?!\s+the\b)|\b(?:that|das)\s*\W*$",
    re.IGNORECASE,
)
_DOES = re.compile(r"\b(?:i|you|we|to)\s+\w+\s*$", re.IGNORECASE)
"""What stands before the pronoun is what is done with it: "Do I have to switch it off?"."""
_ES = re.compile(r"\bes\b", re.IGNORECASE)
_GIVES = re.compile(r"\bgibt es\b", re.IGNORECASE)


def leans(prompt: str) -> bool:
    """Return whether `prompt` cannot be understood without the question before it."""
    text = prompt.strip()
    rest = without_lead(text)
    words = Words.of(rest)
    led = LEADS.sub("", text, count=1) != text
    if not words.subject:
        return True  # "What should I do then?": nothing to search for
    return (
        (led and _short_after_lead(words))
        or _fragment(rest, words)
        or _names_another(rest, words)
        or _has_open_pronoun(rest, words)
        or _points_back(rest, words)
    )


def _short_after_lead(words: Words) -> bool:
    most = 1 if words.asks or words.is_sentence else MOST_AFTER_LEAD
    return len(words.subject) <= most


def _fragment(text: str, words: Words) -> bool:
    """Whether it is a piece of a sentence: "Why?", "Which menu?", "With two sensors?"."""
    folded = [word.casefold() for word in words.all]
    if words.is_sentence:
        return False
    if folded[0] in ("which", "what", "welche", "welcher", "welches", "welchen"):
        return len(folded) <= 3
    if folded[0] in PREPOSITIONS:
        return len(folded) <= 5
    return (
        text.rstrip().endswith("?")
        and folded[0] in ("the", "der", "die", "das")
        and len(folded) <= 4
    )


def _names_another(text: str, words: Words) -> bool:
    """Whether it says "the external one", "which one", "the other"."""
    found = _ONE.search(text)
    if found is None or len(words.subject) > MOST_WITH_PRONOUN:
        return False
    following = Words.of(text[found.end() :]).all
    if following and carries_meaning(following[0]):
        return False  # "the other pump", "which one terminal"
    return not _named_before(text[: found.start()])


def _has_open_pronoun(text: str, words: Words) -> bool:
    """Whether a pronoun stands for something that the question itself does not name."""
    if len(words.subject) > MOST_WITH_PRONOUN or _SAYS_NOTHING.search(text):
        return False
    if _ES.search(text) and not _GIVES.search(text) and len(words.subject) <= 1:
        return True
    found = re.search(rf"\b(?:{'|'.join(sorted(PRONOUNS))}|sie)\b", _without_polite(text), re.I)
    if found is None:
        return False
    before = text[: found.start()]
    earlier = Words.of(before)
    if not earlier.subject:
        return True
    if _named_before(before):
        return False
    last = earlier.all[-1].casefold()
    if found.group().casefold() in ("its", "their") and last in PREPOSITIONS:
        return len(earlier.subject) < 2  # "the mass of the pump without its motor"
    # "Does the pump have a filter in it?" names it, "What voltage does it need?" does not.
    subject_position = last in AUXILIARIES
    asked_first = earlier.all[0].casefold() in ASKING
    only_done = len(earlier.subject) == 1 and _DOES.search(before) is not None
    return subject_position or asked_first or only_done


def _points_back(text: str, words: Words) -> bool:
    """Whether it speaks of "this interval", or asks "Is that normal?"."""
    if len(words.subject) > MOST_WITH_POINTER or _has_code(words):
        return False
    for match in re.finditer(r"\w+", text):
        if match.group().casefold() not in POINTERS or _named_before(text[: match.start()]):
            continue
        following = Words.of(text[match.end() :]).all
        if not following or following[0].casefold() not in GENERIC:
            return True
    found = _THAT_OR_DAS.search(text)
    if found is None or _named_before(text[: found.start()]):
        return False
    after = Words.of(text[found.end() :])
    # "ist das Ventil offen": an article. "Is that relay closed": still something before.
    is_article = found.group().casefold().split()[-1].startswith("das") and bool(after.subject)
    return not is_article and (not after.all or after.all[0].casefold() not in GENERIC)


def _named_before(text: str) -> bool:
    """Whether an earlier part of the question names something that a pronoun can stand for."""
    boundaries = list(_BOUNDARY.finditer(text + " "))
    return bool(boundaries) and any(
        carries_meaning(word) and word.casefold() not in MEASURES
        for word in Words.of(text[: boundaries[-1].start()]).all
    )


def _has_code(words: Words) -> bool:
    return any(any(character.isdigit() for character in word) for word in words.all)


def _without_polite(text: str) -> str:
    """Return a text in which the German polite "Sie" is no pronoun for a thing."""
    return re.sub(r"(?<!^)\bSie\b", "man", text)
