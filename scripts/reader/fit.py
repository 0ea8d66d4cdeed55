"""Learn the reader's network from what `observed.py` saw, and say how well it carries.

Listwise: the units of one question compete, and the chance of each is to follow how well its words
meet those that answer. Then a logistic regression on the choose split turns what the network
says of a question into the chance that its best unit answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch.nn import functional

from desktop.core.answering.observations import OBSERVATIONS
from desktop.core.answering.reader import LIST_OBSERVATIONS, Network, list_observations

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from desktop.core.answering.reader import Observed
    from desktop.core.answering.reading_together import TogetherReader
    from scripts.reader.observed import Example

Floats = NDArray[np.float32]

DIRECTIONS: Final = 8
HIDDEN: Final = 48
EPOCHS: Final = 30
ANSWERS: Final = 0.5
"""A unit with this share of the words that answer, and not much beside them, answers."""
_VECTOR_ONLY = (
    "late", "late_hardest", "late_own", "late_heading", "lacks_most", "lacks", "about",
    "late_below_best", "own_below_best", "late_of_page", "cosine", "cosine_below_best",
    "window", "window_below_best",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scale:
    """What the observations are shifted and divided by."""

    mean: Floats
    scale: Floats


class ReaderNetwork(torch.nn.Module):
    """The network in torch: a hidden layer, and a straight line beside it."""

    def __init__(self, *, with_model: bool) -> None:
        super().__init__()
        size = len(OBSERVATIONS) + (2 * DIRECTIONS if with_model else 0)
        self.with_model = with_model
        self.asked = torch.nn.Linear(384, DIRECTIONS, bias=False)
        self.unit = torch.nn.Linear(384, DIRECTIONS, bias=False)
        self.inner = torch.nn.Linear(size, HIDDEN)
        self.out = torch.nn.Linear(HIDDEN, 1, bias=False)
        self.straight = torch.nn.Linear(len(OBSERVATIONS), 1, bias=False)
        self.drop = torch.nn.Dropout(0.2)

    def forward(
        self, values: torch.Tensor, asked: torch.Tensor, units: torch.Tensor
    ) -> torch.Tensor:
        """Return a score for each unit."""
        parts = [values]
        if self.with_model:
            parts += [self.asked(asked)[None].expand(len(values), -1), self.unit(units)]
        hidden = functional.relu(self.inner(torch.cat(parts, 1)))
        found: torch.Tensor = (self.out(self.drop(hidden)) + self.straight(values))[:, 0]
        return found


def without_model(example: Example) -> Example:
    """Return an example as it is observed where there is no text model."""
    values = example.observed.values.copy()
    values[:, [OBSERVATIONS.index(name) for name in _VECTOR_ONLY]] = 0.0
    return replace(example, observed=replace(example.observed, values=values))


def learn(examples: Sequence[Example], *, with_model: bool, seed: int) -> dict[str, Floats]:
    """Return the tensors of a network.

    with_model: as there is a text model; else examples are those of `without_model`.
    """
    torch.manual_seed(seed)
    taught = [e for e in examples if e.facts["answerable"]]
    data = []
    for example in taught:
        kept = example.observed.read if with_model else np.ones(len(example.right), bool)
        right = example.right[kept]
        if right.max(initial=0.0) < ANSWERS:
            continue
        values, vectors = example.observed.values[kept], example.observed.vectors[kept]
        wanted = np.where(right >= max(0.3, 0.6 * right.max()), right**2, 0)
        data.append((values, example.observed.asked, vectors, wanted / wanted.sum()))
    everything = np.concatenate([values for values, *_ in data])
    scale = Scale(everything.mean(axis=0), np.maximum(everything.std(axis=0), 1e-3))
    network = ReaderNetwork(with_model=with_model)
    optimiser = torch.optim.AdamW(network.parameters(), lr=2e-3, weight_decay=0.02)
    plan = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, EPOCHS)
    tensors = [
        (
            torch.tensor((v - scale.mean) / scale.scale),
            torch.tensor(a),
            torch.tensor(u),
            torch.tensor(w, dtype=torch.float32),
        )
        for v, a, u, w in data
    ]
    for _ in range(EPOCHS):
        network.train()
        order = torch.randperm(len(tensors)).tolist()
        for start in range(0, len(order), 32):
            optimiser.zero_grad()
            batch = order[start : start + 32]
            wrong = torch.stack(
                [
                    -(tensors[i][3] * functional.log_softmax(network(*tensors[i][:3]), 0)).sum()
                    for i in batch
                ]
            ).mean()
            wrong.backward()  # type: ignore[no-untyped-call] # torch does not say
            optimiser.step()
        plan.step()
    return _tensors(network, scale, with_model=with_model)


def _tensors(network: ReaderNetwork, scale: Scale, *, with_model: bool) -> dict[str, Floats]:
    kind = "model" if with_model else "words"

    def of(parameter: torch.Tensor) -> Floats:
        return np.ascontiguousarray(parameter.detach().numpy().T.astype(np.float32))

    found = {
        "mean": scale.mean.astype(np.float32),
        "scale": scale.scale.astype(np.float32),
        "in": of(network.inner.weight),
        "in.bias": of(network.inner.bias),
        "out": of(network.out.weight),
        "straight": of(network.straight.weight)[:, 0],
        "list": np.zeros(len(LIST_OBSERVATIONS), np.float32),
        "list.bias": np.zeros(1, np.float32),
        "there": np.zeros(len(LIST_OBSERVATIONS), np.float32),
        "there.bias": np.zeros(1, np.float32),
        "list.mean": np.zeros(len(LIST_OBSERVATIONS), np.float32),
        "list.scale": np.ones(len(LIST_OBSERVATIONS), np.float32),
    }
    if with_model:
        found |= {"asked": of(network.asked.weight), "unit": of(network.unit.weight)}
    return {f"{kind}.{name}": np.ascontiguousarray(value) for name, value in found.items()}


def scored(
    network: Network, example: Example, together: TogetherReader | None
) -> tuple[Observed, Floats]:
    """Return what is seen of a question's units and their scores, as `Reader.read` comes to them.

    together: None for the reader that has no text model.
    """
    scores = network.scores(example.observed, with_model=together is not None)
    if together is None:
        return example.observed, scores
    return example.observed.read_together(scores, together), scores


def calibrate(
    network: Network,
    examples: Sequence[Example],
    tensors: dict[str, Floats],
    together: TogetherReader | None,
) -> None:
    """Fit what turns a question's figures into chances.

    That its best unit answers, and that any does: a best unit that is wrong says little of that.
    """
    table, right, answerable = [], [], []
    for example in examples:
        observed, scores = scored(network, example, together)
        table.append(list_observations(observed, scores))
        answerable.append(bool(example.facts["answerable"]))
        right.append(answerable[-1] and bool(example.right[scores.argmax()] >= ANSWERS))
    found = np.stack(table)
    mean, scale = found.mean(axis=0), np.maximum(found.std(axis=0), 1e-3)
    kind = "words" if together is None else "model"
    tensors[f"{kind}.list.mean"] = mean.astype(np.float32)
    tensors[f"{kind}.list.scale"] = scale.astype(np.float32)
    for name, wanted in (("list", right), ("there", answerable)):
        weights, bias = _logistic((found - mean) / scale, wanted)
        tensors[f"{kind}.{name}"], tensors[f"{kind}.{name}.bias"] = weights, bias


def _logistic(rows: Floats, wanted: Sequence[bool]) -> tuple[Floats, Floats]:
    """Return the weights and the bias of a logistic regression."""
    inputs, outputs = torch.tensor(rows), torch.tensor(wanted, dtype=torch.float32)
    weights = torch.zeros(rows.shape[1], requires_grad=True)
    bias = torch.zeros(1, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights, bias], max_iter=200, line_search_fn="strong_wolfe")

    def closure() -> torch.Tensor:
        optimiser.zero_grad()
        wrong = functional.binary_cross_entropy_with_logits(inputs @ weights + bias, outputs)
        wrong = wrong + 3.0 / len(outputs) * (weights**2).sum()
        wrong.backward()  # type: ignore[no-untyped-call] # torch does not say
        return wrong

    optimiser.step(closure)  # type: ignore[no-untyped-call] # torch does not say
    return weights.detach().numpy().astype(np.float32), bias.detach().numpy().astype(np.float32)


def write(tensors: dict[str, Floats], card: dict[str, Any], path: Path) -> None:
    """Write the file that comes with Groundwork; card: what it says of itself."""
    told = {"observations": list(OBSERVATIONS), "list": list(LIST_OBSERVATIONS), **card}
    save_file(tensors, path, {"card": json.dumps(told, sort_keys=True)})
