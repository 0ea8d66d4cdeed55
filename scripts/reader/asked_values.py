"""Learn which amount of a sentence answers, and say how often that is right on other manuals.

    python -m scripts.reader.asked_values [LIBRARY]

LIBRARY holds the labelled manuals, those of `learn` to learn from and those of `choose` to
measure on. Without it only what needs no manual is learnt anew: whether a question asks for steps.
The weights go to `resources/reader`; put the hash that is printed into
`desktop/core/answering/asked_value.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file

from desktop.core.answering.asked_value import (
    LEAST_CHANCE,
    WEIGHTS,
    ValueModel,
    amounts_to_tell,
    observed,
)
from desktop.core.quantities import quantities_in
from desktop.core.question.query import Question
from desktop.models.built_in import load_text_embedder
from desktop.models.text_model import sha256_of
from desktop.resources import resource
from scripts.reader.manuals import LABELS, labelled_manuals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from desktop.models.roles import TextEmbedder

Floats = NDArray[np.float32]

_MOST_WORDS: Final = 6
"""Of a value that counts as an amount; a longer one is a statement with numbers in it."""
_LEAST_RIGHT: Final = 0.5
_ASKS_DECAY, _AMOUNTS_DECAY = 0.005, 0.01
_LOUDNESS = 10.0
_STEPS = LABELS / "steps_asked.jsonl"
"""Questions of no manual, each with whether the person wants to be told how to do something.

The labels of the manuals do not say it: of those that ask how to do something few are labelled as
being about a procedure.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A sentence that answers, what is seen of its amounts, and which of them are right."""

    seen: Floats
    asks: Floats
    right: NDArray[np.bool_]


def main(arguments: Sequence[str] | None = None) -> int:
    """Learn, write and measure; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("libraries", type=Path, nargs="*")
    libraries = parser.parse_args(arguments).libraries
    embedder = load_text_embedder()
    path = resource("reader", WEIGHTS)
    if not libraries:
        known = load_file(path)
        save_file(known | _learn_steps(embedder, known["asks.mean"]), path, _card(embedder))
        print(f"{path}: {sha256_of(path)}")
        return 0
    tensors = _learn_asks(embedder)
    tensors |= _learn_steps(embedder, tensors["asks.mean"])
    model = ValueModel(tensors, embedder.model_id)
    learn, choose = (
        [each for library in libraries for each in _examples(library, split, embedder)]
        for split in ("learn", "choose")
    )
    tensors |= _learn_amounts(learn, model)
    save_file(tensors, path, _card(embedder))
    print(f"{len(learn)} sentences learnt from; {path}: {sha256_of(path)}")
    told = [(model.chances(each.seen, model.asks(each.asks)), each.right) for each in choose]
    answered = sum(bool(each.right.any()) for each in choose)
    for least in (0.5, LEAST_CHANCE, 0.7):
        sure = [(chances.argmax(), right) for chances, right in told if chances.max() >= least]
        right = sum(bool(right[best]) for best, right in sure)
        print(f"at {least}: {len(sure)} told, {right} right, of {answered} that could be")
    return 0


def _card(embedder: TextEmbedder) -> dict[str, str]:
    return {"text_model": embedder.model_id}


def _learn_asks(embedder: TextEmbedder) -> dict[str, NDArray[Any]]:
    """Learn from the questions of `learn` alone: no manual is needed for it."""
    questions = [each for path in _learn_files() for each in _answered(path)]
    vectors = _vectors(embedder, questions)
    mean = vectors.mean(axis=0)
    amounts = [bool(_amounts(each)) for each in questions]
    return {"asks.mean": mean, **_learn_whether("asks", vectors - mean, amounts)}


def _learn_steps(embedder: TextEmbedder, mean: Floats) -> dict[str, NDArray[Any]]:
    questions = [json.loads(line) for line in _STEPS.read_text("utf-8").splitlines()]
    wanted = [each["steps"] for each in questions]
    return _learn_whether("steps", _vectors(embedder, questions) - mean, wanted)


def _vectors(embedder: TextEmbedder, questions: Sequence[dict[str, Any]]) -> Floats:
    texts = [Question.parse(each["question"]).wording for each in questions]
    batches = [texts[at : at + 64] for at in range(0, len(texts), 64)]
    return np.concatenate([np.array(embedder.embed_queries(batch)) for batch in batches])


def _learn_whether(name: str, vectors: Floats, wanted: Sequence[bool]) -> dict[str, NDArray[Any]]:
    rows, right = torch.tensor(vectors * _LOUDNESS), torch.tensor(wanted, dtype=torch.float32)
    weights, bias = torch.zeros(rows.shape[1]), torch.zeros(1)

    def wrong() -> torch.Tensor:
        missed = torch.nn.functional.binary_cross_entropy_with_logits(rows @ weights + bias, right)
        return missed + _ASKS_DECAY * weights.square().sum()

    fit((weights, bias), wrong)
    return {name: _array(weights), f"{name}.bias": _array(bias)}


def _learn_amounts(learn: Sequence[Example], model: ValueModel) -> dict[str, NDArray[Any]]:
    every = np.concatenate([each.seen for each in learn])
    mean, scale = every.mean(axis=0), every.std(axis=0) + 1e-6
    rows = [
        (torch.tensor((each.seen - mean) / scale), model.asks(each.asks), torch.tensor(each.right))
        for each in learn
    ]
    weights, none = torch.zeros(every.shape[1]), torch.zeros(2)

    def wrong() -> torch.Tensor:
        missed = torch.zeros(())
        for seen, asks, right in rows:
            without = (none[0] + none[1] * asks).reshape(1)
            chances = torch.log_softmax(torch.cat([seen @ weights, without]), 0)
            found = torch.logsumexp(chances[:-1][right], 0) if right.any() else chances[-1]
            missed = missed - found
        decay = _AMOUNTS_DECAY * (weights.square().sum() + none.square().sum())
        return missed / len(rows) + decay

    fit((weights, none), wrong)
    return {
        "amounts": _array(weights),
        "amounts.mean": mean,
        "amounts.scale": scale,
        "none": _array(none),
    }


def fit(parameters: Sequence[torch.Tensor], wrong: Callable[[], torch.Tensor]) -> None:
    """Find the parameters that make `wrong` least."""
    for each in parameters:
        each.requires_grad_(True)
    optimiser = torch.optim.LBFGS(list(parameters), max_iter=300)

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        loss = wrong()
        loss.backward()
        return loss

    optimiser.step(closure)


def _array(tensor: torch.Tensor) -> Floats:
    array: Floats = tensor.detach().numpy()
    return array


def _examples(library: Path, split: str, embedder: TextEmbedder) -> Iterator[Example]:
    """Yield the sentences that answer labelled questions and have an amount to tell."""
    for manual in labelled_manuals(library, split):
        for told in manual.questions:
            best = manual.best_unit(told) if is_plain(told) else None
            if best is None or best.unit.kind == "row" or best.right < _LEAST_RIGHT:
                continue
            question = Question.parse(told["question"])
            found = amounts_to_tell(question, best.unit.text)
            if found:
                amounts = _amounts(told)
                right = [any(each.readings == a.readings for a in amounts) for each in found]
                seen = observed(question, best.unit.text, found, embedder)
                vector = embedder.embed_queries([question.wording])[0]
                yield Example(seen, vector, np.array(right))


def is_plain(told: dict[str, Any]) -> bool:
    """Whether a label is one answered question that stands alone."""
    return bool(told.get("answerable")) and not told.get("parts") and not told.get("history")


def _amounts(told: dict[str, Any]) -> list[Any]:
    """Return the amounts of the first value of a label."""
    value = next((each["value"] for each in told["answers"] if each.get("value")), "")
    return quantities_in(value) if 0 < len(value.split()) <= _MOST_WORDS else []


def _learn_files() -> Iterator[Path]:
    for facts in json.loads((LABELS / "manuals.json").read_text("utf-8")):
        if facts["split"] == "learn":
            yield LABELS / "questions" / f"{facts['slug']}.jsonl"


def _answered(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text("utf-8").splitlines():
        told = json.loads(line)
        if is_plain(told):
            yield told


if __name__ == "__main__":
    sys.exit(main())
