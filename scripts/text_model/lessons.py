"""What one step of learning looks at, and how wrong the network is there.

A question must be nearer to the passage that answers it than to the others: to those of the same
manual first of all, which speak of the same parts in the same words, and to those of another one.
Near by the mean vectors, as windows are found, and by late interaction, as quotes are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from scripts.text_model.network import Network, Read
    from scripts.text_model.written_manuals import Manual, Passage

_MANUALS_AT_ONCE = 2
_QUESTIONS_PER_PASSAGE = 2
MOST_TOKENS = 160
MOST_QUESTION_TOKENS = 64
_WHOLE_TEMPERATURE = 0.05
_LATE_TEMPERATURE = 0.03
_OWN_MANUAL = 0.5  # how much of the loss looks at the passages of the same manual alone
_LATE = 0.5
_OUT = -1e4


@dataclass(frozen=True, slots=True)
class Lesson:
    """Questions and the passages among which are their answers.

    answers: place of its passage, for each question. manuals: of each passage, its manual.
    """

    questions: list[str]
    passages: list[str]
    answers: torch.Tensor
    manuals: torch.Tensor


def lessons(manuals: Sequence[Manual], chance: random.Random) -> Iterator[Lesson]:
    """Go through the manuals once, in any order; each passage has some of its questions."""
    order = list(manuals)
    chance.shuffle(order)
    for start in range(0, len(order), _MANUALS_AT_ONCE):
        yield _lesson(order[start : start + _MANUALS_AT_ONCE], chance)


def lessons_in(manuals: Sequence[Manual]) -> int:
    """Return how many lessons one time through gives."""
    return -(-len(manuals) // _MANUALS_AT_ONCE)


def _lesson(manuals: Sequence[Manual], chance: random.Random) -> Lesson:
    passages: list[Passage] = [passage for manual in manuals for passage in manual]
    asked = [
        (question, place)
        for place, passage in enumerate(passages)
        for question in _some([*passage.q, *passage.x], chance)
    ]
    return Lesson(
        [question for question, _ in asked],
        [passage.read for passage in passages],
        torch.tensor([place for _, place in asked]),
        torch.tensor([place for place, manual in enumerate(manuals) for _ in manual]),
    )


def _some(questions: list[str], chance: random.Random) -> list[str]:
    return chance.sample(questions, min(len(questions), _QUESTIONS_PER_PASSAGE))


def loss(network: Network, lesson: Lesson) -> torch.Tensor:
    """Return how wrong the network is, to be learnt from."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        passages = network.read(lesson.passages, MOST_TOKENS)
        questions = network.read(lesson.questions, MOST_QUESTION_TOKENS)
    elsewhere = lesson.manuals[lesson.answers][:, None] != lesson.manuals[None]
    whole = questions.whole @ passages.whole.T / _WHOLE_TEMPERATURE
    late = late_interaction(questions, passages) / _LATE_TEMPERATURE
    return _wrong(whole, elsewhere, lesson) + _LATE * _wrong(late, elsewhere, lesson)


def _wrong(near: torch.Tensor, elsewhere: torch.Tensor, lesson: Lesson) -> torch.Tensor:
    own = functional.cross_entropy(near.masked_fill(elsewhere, _OUT), lesson.answers)
    everywhere = functional.cross_entropy(near, lesson.answers)
    return _OWN_MANUAL * own + (1 - _OWN_MANUAL) * everywhere


def late_interaction(questions: Read, passages: Read) -> torch.Tensor:
    """Return, shape (questions, passages), the mean over a question's tokens of the nearest."""
    nearest = torch.stack(
        [
            torch.einsum("id,pjd->pij", tokens, passages.tokens)
            .masked_fill(~passages.is_word[:, None, :], -1)
            .amax(-1)
            for tokens in questions.tokens
        ]
    )
    words = questions.is_word[:, None, :]
    return (nearest * words).sum(-1) / words.sum(-1).clamp(min=1)
