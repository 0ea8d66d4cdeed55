"""Which questions an optimiser learns from, and which it is measured with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.errors import LibraryError

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from desktop.core.evaluation.gold import GoldQuestion


class OptimiseError(LibraryError):
    """There is nothing to optimise, or too little to do it with."""


def split(
    questions: Sequence[GoldQuestion], train_share: float, chance: random.Random
) -> tuple[list[GoldQuestion], list[GoldQuestion]]:
    """Divide questions into those to learn from and those to measure with.

    Both kinds, answered by the manuals and not, are divided alike.

    Raises: OptimiseError, if one half would be empty.
    """
    train: list[GoldQuestion] = []
    test: list[GoldQuestion] = []
    for answerable in (True, False):
        group = sorted((q for q in questions if q.answerable is answerable), key=lambda q: q.id)
        chance.shuffle(group)
        end = round(len(group) * train_share)
        train += group[:end]
        test += group[end:]
    if not any(q.answerable for q in train) or not any(q.answerable for q in test):
        raise OptimiseError("there are too few questions to learn from some and ask others")
    chance.shuffle(train)
    return train, test
