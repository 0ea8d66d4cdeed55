"""Two texts read together by the text model, and the head over them: `_PairReader` in torch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import torch
from torch.nn import functional

from desktop.models.adapters.text.e5_packed import BEGIN, END, PAD, WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scripts.text_model.network import Network

HIDDEN: Final = 128
_APART = 4

Ids = list[int]


class Head(torch.nn.Module):
    """From the states of both texts to some numbers."""

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.a = torch.nn.Linear(4 * WIDTH, HIDDEN)
        self.b = torch.nn.Linear(HIDDEN, outputs)

    def forward(self, seen: torch.Tensor) -> torch.Tensor:
        """Return numbers, shape (pairs, outputs). seen: shape (pairs, 4 * 384)."""
        numbers: torch.Tensor = self.b(functional.gelu(self.a(seen)))
        return numbers

    def tensors(self) -> dict[str, torch.Tensor]:
        """Return what was learnt, as `e5.py` reads it."""
        return {f"head.{name}": values.contiguous() for name, values in self.state_dict().items()}


def read_pairs(
    network: Network, pairs: Sequence[tuple[Ids, Ids]]
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what the head reads of pairs, (pairs, 4 * 384), and all states, (pairs, tokens, 384).

    The tokens of the first text are the states from the second one on.
    """
    longest = max(len(one) + len(other) + 4 for one, other in pairs)
    ids = torch.full((len(pairs), longest), PAD)
    masks = torch.zeros(2, len(pairs), longest)
    for row, (one, other) in enumerate(pairs):
        tokens = [BEGIN, *one, END, END, *other, END]
        ids[row, : len(tokens)] = torch.tensor(tokens)
        masks[0, row, 1 : 1 + len(one)] = 1
        masks[1, row, len(one) + 3 : len(tokens) - 1] = 1
    states = network.states(ids)
    first, second = (
        (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1) for mask in masks
    )
    seen = torch.cat([first, second, _APART * (first - second).abs(), states[:, 0]], dim=1)
    return seen, states
