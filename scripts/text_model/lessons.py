"""What one step of learning looks at, and how wrong the network is there.

A question must be nearer to the unit that answers it than to its neighbours, by late interaction,
as the reader compares them, and nearer to the window that holds the unit than to other windows, by
whole vectors, as pages are found.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import torch
from torch.nn import functional

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from scripts.reader.manuals import LabelledManual
    from scripts.text_model.network import Network, Read
    from scripts.text_model.written_manuals import Manual

T = TypeVar("T")

MOST_TOKENS = 200
MOST_QUESTION_TOKENS = 48
_QUESTIONS = 20
_OTHER_UNITS, _OTHER_WINDOWS = 26, 14
_TEMPERATURE = 0.03
_UNIT_TEMPERATURE, _UNIT_WEIGHT = 0.05, 0.3  # whole vectors of units: what lists are told apart by
_MANUALS_AT_ONCE = 2
_MOST_INVENTED = 60
_MEETS = 0.3  # a unit that meets less of the words that answer teaches nothing


@dataclass(frozen=True, slots=True)
class Lesson:
    """Questions, and the units and windows among which are their answers, by place."""

    questions: list[str]
    units: list[str]
    unit_answers: torch.Tensor
    windows: list[str]
    window_answers: torch.Tensor


def real_lessons(manuals: Sequence[LabelledManual], chance: random.Random) -> Iterator[Lesson]:
    """Go once through the questions of real manuals, in any order, some of a manual at a time."""
    parts = []
    for manual in manuals:
        questions = [q for q in manual.questions if q["answerable"] and q.get("answers")]
        chance.shuffle(questions)
        parts += [(manual, part) for part in _batched(questions, _QUESTIONS)]
    chance.shuffle(parts)
    for manual, part in parts:
        lesson = _real_lesson(manual, part, chance)
        if lesson is not None:
            yield lesson


def _real_lesson(
    manual: LabelledManual, asked: Sequence[dict[str, object]], chance: random.Random
) -> Lesson | None:
    units: dict[str, None] = {}
    windows: dict[str, None] = {}
    found: list[tuple[str, str, str]] = []
    pages: dict[int, None] = {}
    for question in asked:
        answer = manual.best_unit(question)
        if answer is None or answer.right < _MEETS:
            continue
        window = manual.window_of(answer)
        if window is None:
            continue
        pages[answer.page] = None
        units[answer.text] = windows[window] = None
        found.append((str(question["question"]), answer.text, window))
    if len(found) < 4:
        return None
    beside = [text for page in pages for text in manual.unit_texts(page)]
    others = [page for page in manual.pages if page not in pages]
    around = [
        text
        for page in [*pages, *chance.sample(others, min(4, len(others)))]
        for text in manual.windows(page)
    ]
    units.update(dict.fromkeys(chance.sample(beside, min(_OTHER_UNITS, len(beside)))))
    windows.update(dict.fromkeys(chance.sample(around, min(_OTHER_WINDOWS, len(around)))))
    places, window_places = list(units), list(windows)
    return Lesson(
        [question for question, _, _ in found],
        places,
        torch.tensor([places.index(unit) for _, unit, _ in found]),
        window_places,
        torch.tensor([window_places.index(window) for _, _, window in found]),
    )


def _batched(items: Sequence[T], size: int) -> Iterator[list[T]]:
    """Yield items, so many at a time (`itertools.batched` is of Python 3.12)."""
    left = iter(items)
    while part := list(islice(left, size)):
        yield part


def invented_lessons(manuals: Sequence[Manual], chance: random.Random) -> Iterator[Lesson]:
    """Go once through the invented manuals, two at a time; each passage has some questions."""
    order = list(manuals)
    chance.shuffle(order)
    for pair in _batched(order, _MANUALS_AT_ONCE):
        passages = [passage for manual in pair for passage in manual]
        asked = [
            (question, place)
            for place, passage in enumerate(passages)
            for question in chance.sample([*passage.q, *passage.x], min(2, len(passage.q)))
        ]
        asked = chance.sample(asked, min(_MOST_INVENTED, len(asked)))
        texts = [passage.read for passage in passages]
        answers = torch.tensor([place for _, place in asked])
        yield Lesson([question for question, _ in asked], texts, answers, texts, answers)


def loss(network: Network, lesson: Lesson) -> torch.Tensor:
    """Return how wrong the network is, to be learnt from."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        questions = network.read(lesson.questions, MOST_QUESTION_TOKENS)
        units = network.read(lesson.units, MOST_TOKENS)
        same = lesson.windows is lesson.units
        windows = units if same else network.read(lesson.windows, MOST_TOKENS)
    late = late_interaction(questions, units) / _TEMPERATURE
    whole = questions.whole @ windows.whole.T / _TEMPERATURE
    by_unit = questions.whole @ units.whole.T / _UNIT_TEMPERATURE
    return (
        functional.cross_entropy(late, lesson.unit_answers)
        + functional.cross_entropy(whole, lesson.window_answers)
        + _UNIT_WEIGHT * functional.cross_entropy(by_unit, lesson.unit_answers)
    )


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
