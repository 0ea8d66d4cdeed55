"""Right answers made wrong on purpose, by a seed: what a critic is measured with.

Nothing here knows how the critic looks at an answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from desktop.core.retrieval.grounding import STEP

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from desktop.core.critic.values import CheckedSentence, CitedPassage

PerturbationKind = Literal["value", "unit", "step", "negation", "page"]
KINDS: Final[tuple[PerturbationKind, ...]] = ("value", "unit", "step", "negation", "page")

_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")
_UNITS = (
    ("V", "A", "mA", "mV", "W", "kW"),
    ("mm", "cm", "m", "in"),
    ("ms", "s", "min", "h", "seconds", "minutes", "hours", "days"),
    ("°C", "°F", "K"),
    ("bar", "mbar", "psi", "kPa"),
    ("Hz", "kHz", "MHz"),
    ("kB", "MB", "GB"),
    ("g", "kg", "lb"),
    ("Nm", "N"),
    ("ohm", "kohm", "Ω", "kΩ"),
)
_WITH_UNIT = re.compile(
    r"(\d\s?)("
    + "|".join(sorted({re.escape(u) for g in _UNITS for u in g}, key=len)[::-1])
    + r")\b"
)
_NOT = re.compile(r"\b(?:do not|does not|must not|should not|not|never)\s+", re.IGNORECASE)
_NOT_DE = re.compile(r"\b(?:nicht|niemals|nie)\s+", re.IGNORECASE)
_VERB = re.compile(
    r"\b(is|are|must|should|can|will|may|has to|have to|ist|sind|muss|müssen|kann|können|wird"
    r"|werden)\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"^(\(?\d{1,2}[.)]\s+)?((?:Press|Turn|Open|Close|Connect|Disconnect|Remove|Switch|Set|Hold"
    r"|Select|Insert|Install|Use|Check|Wait|Push|Pull|Plug|Place|Mount|Loosen|Tighten|Move|Enter"
    r"|Go|Click|Attach|Start|Stop|Run|Fit|Cut|Drain|Refit)\b)"
)


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """An answer as a critic sees it. passages: what its citations point to."""

    question: str
    sentences: tuple[CheckedSentence, ...]
    passages: tuple[CitedPassage, ...]


def perturbed(
    kind: PerturbationKind,
    answer: CheckedAnswer,
    random: Random,
    elsewhere: Callable[[CitedPassage, Random], CitedPassage | None],
) -> CheckedAnswer | None:
    """Return the answer with one thing wrong, None if it offers nothing of the kind.

    elsewhere: returns another page cited under the same number.
    """
    if kind == "step":
        return _without_step(answer, random)
    if kind == "page":
        return _on_another_page(answer, random, elsewhere)
    change = {"value": _other_value, "unit": _other_unit, "negation": _denied}[kind]
    order = list(range(len(answer.sentences)))
    random.shuffle(order)
    for index in order:
        sentence = answer.sentences[index]
        text = change(sentence.text, random)
        if text is not None and text != sentence.text:
            return _with(answer, index, replace(sentence, text=text))
    return None


def _with(answer: CheckedAnswer, index: int, sentence: CheckedSentence) -> CheckedAnswer:
    sentences = answer.sentences
    return replace(answer, sentences=(*sentences[:index], sentence, *sentences[index + 1 :]))


def _other_value(text: str, random: Random) -> str | None:
    numbers = [n for n in _NUMBER.finditer(text) if not (STEP.match(text) and n.start() < 2)]
    if not numbers:
        return None
    number = random.choice(numbers)
    said = number.group()
    places = [i for i, character in enumerate(said) if character.isdigit()]
    place = random.choice(places)
    first = place == places[0] and len(places) > 1
    digit = random.choice(
        [d for d in "0123456789" if d != said[place] and not (first and d == "0")]
    )
    other = said[:place] + digit + said[place + 1 :]
    return text[: number.start()] + other + text[number.end() :]


def _other_unit(text: str, random: Random) -> str | None:
    found = list(_WITH_UNIT.finditer(text))
    if not found:
        return None
    match = random.choice(found)
    group = next(each for each in _UNITS if match.group(2) in each)
    other = random.choice([unit for unit in group if unit != match.group(2)])
    return text[: match.start(2)] + other + text[match.end(2) :]


def _denied(text: str, random: Random) -> str | None:
    negations = [*_NOT.finditer(text), *_NOT_DE.finditer(text)]
    if negations:
        match = random.choice(negations)
        return text[: match.start()] + text[match.end() :]
    verbs = list(_VERB.finditer(text))
    if verbs:
        verb = random.choice(verbs)
        word = "nicht" if verb.group().casefold() in _GERMAN else "not"
        return f"{text[: verb.end()]} {word}{text[verb.end() :]}"
    imperative = _IMPERATIVE.match(text)
    if imperative is None:
        return None
    verb_at = imperative.start(2)
    return f"{text[:verb_at]}Do not {text[verb_at].lower()}{text[verb_at + 1 :]}"


_GERMAN = frozenset("ist sind muss müssen kann können wird werden".split())


def _without_step(answer: CheckedAnswer, random: Random) -> CheckedAnswer | None:
    steps = [i for i, each in enumerate(answer.sentences) if STEP.match(each.text)]
    if len(steps) < 3:
        return None
    left_out = random.choice(steps)
    kept = tuple(each for i, each in enumerate(answer.sentences) if i != left_out)
    return replace(answer, sentences=kept)


def _on_another_page(
    answer: CheckedAnswer,
    random: Random,
    elsewhere: Callable[[CitedPassage, Random], CitedPassage | None],
) -> CheckedAnswer | None:
    passage = random.choice(answer.passages)
    other = elsewhere(passage, random)
    if other is None:
        return None
    passages = tuple(other if each is passage else each for each in answer.passages)
    return replace(answer, passages=passages)
