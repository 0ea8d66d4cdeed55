"""Whether what somebody says agrees with a manual's words, contradicts them, or neither.

The text model reads both together (`StatementComparer`, learnt from labelled pairs on
real manuals). It is not asked to compare amounts: they are compared as quantities, and
signs tell it how each relates to the manual's (`12 min (>)`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from desktop.core.quantities import (
    codes_in,
    is_written,
    order_of,
    plain,
    quantities_in,
    stands_among,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.core.quantities import Quantity
    from desktop.models.roles import LanguageModel, StatementComparer

ITEM_SIGN: Final = re.compile(r"^\s*(?:[-•*–]\s+|\(?\d{1,2}[.)]\s+)+")
"""What opens a list item: it says nothing about the equipment."""

# On pairs of manuals that nothing was learnt from (`choose`, 895): the text model is right of 0.60.
CARRIES: Final = 0.95
"""From here on it says by itself that words carry a sentence: right in 19 of 22."""
CONTRADICTS: Final = 0.7
"""From here on a sentence does not stand: so are 39 % of what contradicts, 12 % of what agrees."""
STATED: Final = 0.95
"""From here on, both ways round, a contradiction is stated: right in 4 of 4, of 407."""
MAY_CARRY: Final = 0.1
"""From here on a language model is asked."""
_REMEMBERED = 1_000
_SAME: Final = 0.99
"""The chance that goes with the manual's own words: nothing is asked of the model then."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The chances that what is said agrees with the manual's words, or contradicts them."""

    agree: float
    contradict: float


UNKNOWN: Final = Compared(0.0, 0.0)


class Comparison:
    """Compares statements. Without the text model only what is said in the same words is known."""

    def __init__(
        self,
        comparer: StatementComparer | None,
        language_model: Callable[[], LanguageModel | None] = lambda: None,
    ) -> None:
        """language_model: asked about what the text model is not sure of, where there is one."""
        self._comparer = comparer
        self._language_model = language_model
        self._judged: dict[tuple[str, str], bool] = {}

    def compare(self, pairs: Sequence[tuple[str, str]]) -> list[Compared]:
        """Compare the manual's words with what is said, pair by pair. Blocks: a model reads.

        Raises: ModelError.
        """
        found = [Compared(_SAME, 0.0) if says_it(*pair) else UNKNOWN for pair in pairs]
        left = [index for index, each in enumerate(found) if each is UNKNOWN]
        if self._comparer is None or not left:
            return found
        read = [(plain(pairs[index][0]), with_signs(*pairs[index])) for index in left]
        for index, (agree, contradict, _) in zip(left, self._comparer.compare(read), strict=True):
            found[index] = Compared(float(agree), float(contradict))
        return found

    def agrees(self, manual: str, said: str) -> bool:
        """Ask the language model whether the manual's words say all of what is said.

        False without one. Not while it writes: it answers one at a time. Blocks.

        Raises: ModelStopped.
        """
        model = self._language_model()
        if model is None:
            return False
        from desktop.core.claims.judge import verdicts  # loads what asks a model

        pair = (manual, said)
        if pair not in self._judged:
            if len(self._judged) >= _REMEMBERED:
                self._judged.clear()
            self._judged[pair] = verdicts(model, [pair]) == ["agree"]
        return self._judged[pair]


def says_it(manual: str, said: str) -> bool:
    """Whether what is said is the manual's words, all of them: a part may say the opposite."""
    return bool(_letters(said)) and _letters(said) == _letters(manual)


@lru_cache(maxsize=2_000)
def _letters(text: str) -> str:
    said = plain(ITEM_SIGN.sub("", text)).casefold()
    kept = (sign if sign.isalnum() or sign in "+-.,%°" else " " for sign in said)
    return " ".join(word for each in "".join(kept).split() if (word := each.strip(".,")))


def with_signs(manual: str, said: str) -> str:
    """Return what is said with a sign after each amount: how it relates to the manual's.

    "=" for the same amount, "<" and ">" for less or more than one that measures the
    same, "?" where the manual has none that could be compared.
    """
    theirs, ours = quantities_in(manual), quantities_in(said)
    text, there = plain(said), plain(manual)
    signs = [(each.end, "".join(sorted(_orders(each, theirs))) or "?") for each in ours]
    for code in codes_in(said, ours):
        place = text.find(code)
        if place >= 0:
            signs.append((place + len(code), "=" if is_written(code, there) else "?"))
    for place, sign in sorted(signs, reverse=True):
        text = f"{text[:place]} ({sign}){text[place:]}"
    return text


def amounts_differ(said: str, manual: str) -> bool:
    """Whether an amount is said for which the manual's words only have others of its kind."""
    theirs = quantities_in(manual)
    orders = [_orders(each, theirs) for each in quantities_in(said)]
    return any(each and "=" not in each for each in orders)


def _orders(amount: Quantity, others: Sequence[Quantity]) -> set[str]:
    found = {order_of(amount, other) for other in others} - {""}
    return found or ({"="} if stands_among(amount, others) else set())


def values_missing(said: str, manual: str, names: str = "") -> tuple[str, ...]:
    """Return the amounts and codes that are said and stand nowhere in the manual's words.

    names: of the manual and its sections. They may come from the file's metadata, which anybody can
    write and nobody sees on the page: a code may stand there, an amount may not.
    """
    theirs, ours = quantities_in(manual), quantities_in(said)
    text, there = plain(said), plain(f"{manual}\n{names}")
    missing = [text[each.start : each.end] for each in ours if not stands_among(each, theirs)]
    missing += [code for code in codes_in(said, ours) if not is_written(code, there)]
    return tuple(dict.fromkeys(missing))
