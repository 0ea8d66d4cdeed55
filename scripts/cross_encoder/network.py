"""The text model as a cross-encoder in torch, with a LoRA change of every matrix and a head.

What is learnt is merged into the matrices before each step, so that a step costs what it costs
without LoRA. Later steps round matrices and what is handed to them to 8 bits, as `reranking.onnx`
and `comparing.onnx` do, and learn to live with it (Jacob et al., arXiv:1712.05877).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from torch import nn
from torch.nn import functional

from desktop.models import text_model
from desktop.models.adapters.e5_packed import (
    BEGIN,
    END,
    HEADS,
    LAYERS,
    PAD,
    POSITIONS,
    WIDE,
    WIDTH,
    WORDS,
    PackedModel,
    taught_changes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

RANK: Final = 32
STORED_RANK: Final = 48
"""Of what is written, which holds the change that learning began from, too."""
_SMALL, _SCALE, _DROPPED, _HIDDEN, _APART, _EPSILON = 0.02, 2.0, 0.1, 128, 4.0, 1e-12
_LONGER_BY = 8  # texts are filled up to a multiple of this
_PARTS: Final = {
    "q": ("attention.self.query", WIDTH, WIDTH),
    "k": ("attention.self.key", WIDTH, WIDTH),
    "v": ("attention.self.value", WIDTH, WIDTH),
    "ao": ("attention.output.dense", WIDTH, WIDTH),
    "fi": ("intermediate.dense", WIDE, WIDTH),
    "fo": ("output.dense", WIDTH, WIDE),
}


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of texts as the network reads them, each of shape (pairs, tokens).

    ids: with marks and padding. first, second: 1 for the tokens of each text, else 0.
    """

    ids: torch.Tensor
    first: torch.Tensor
    second: torch.Tensor

    @classmethod
    def of(cls, read: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]]) -> Pairs:
        """Set marks between the ids of two texts, and fill up to the longest pair."""
        longest = max(len(one) + len(other) + 4 for one, other in read)
        length = -(-longest // _LONGER_BY) * _LONGER_BY
        ids = np.full((len(read), length), PAD, np.int64)
        masks = np.zeros((2, len(read), length), np.float32)
        for row, (one, other) in enumerate(read):
            tokens = np.concatenate([[BEGIN], one, [END, END], other, [END]])
            ids[row, : len(tokens)] = tokens
            masks[0, row, 1 : 1 + len(one)] = 1
            masks[1, row, 3 + len(one) : len(tokens) - 1] = 1
        return cls(*map(torch.from_numpy, (ids, *masks)))

    def to(self, device: torch.device) -> Pairs:
        """Return the same on another device."""
        return Pairs(*(each.to(device) for each in (self.ids, self.first, self.second)))


class CrossEncoder(nn.Module):  # type: ignore[misc] # mypy does not read torch
    """Reads pairs; what is frozen comes from the packed file and a change that was learnt before.

    rounds: whether matrices and what they take are rounded to 8 bits.
    """

    def __init__(
        self,
        packed: Path,
        outputs: int,
        device: torch.device,
        before: Mapping[str, np.ndarray],
        *,
        half: bool,
    ) -> None:
        """Begin from what was learnt before.

        outputs: of the head. before: changes of the matrices, by name. half: calculate in bfloat16,
        which newer processors do faster.
        """
        super().__init__()
        source = PackedModel(packed)
        self.rounds = False
        self._device = device
        self._kind = torch.bfloat16 if half else torch.float32
        numbers, scales = source.blocks("emb.word")
        words = (numbers.astype(np.float32) * scales[:, None]).reshape(WORDS, WIDTH)
        positions = source.floats("emb.pos", (POSITIONS, WIDTH))
        kinds = source.floats("emb.type", (2, WIDTH))
        self._words, self._places = self._fixed(words), self._fixed(positions + kinds[0])
        self._norm_weight = self._fixed(source.floats("emb.ln.w", (WIDTH,)))
        self._norm_bias = self._fixed(source.floats("emb.ln.b", (WIDTH,)))
        self._frozen: dict[str, torch.Tensor] = {}
        self.down, self.up = nn.ParameterDict(), nn.ParameterDict()
        for layer in range(LAYERS):
            for part, (name, wide_out, wide_in) in _PARTS.items():
                key = f"{layer}_{part}"
                matrix = source.matrix(f"l{layer}.{part}.w", (wide_out, wide_in))
                change = before.get(f"encoder.layer.{layer}.{name}")
                self._frozen[key] = self._fixed(matrix if change is None else matrix + change)
                self._frozen[f"{key}.bias"] = self._fixed(
                    source.floats(f"l{layer}.{part}.b", (wide_out,))
                )
                self.down[key] = nn.Parameter(_SMALL * torch.randn(RANK, wide_in, device=device))
                self.up[key] = nn.Parameter(torch.zeros(wide_out, RANK, device=device))
            for norm in ("aln", "oln"):
                for part in "wb":
                    values = source.floats(f"l{layer}.{norm}.{part}", (WIDTH,))
                    self._frozen[f"{layer}_{norm}.{part}"] = self._fixed(values)
        self.hidden = nn.Linear(4 * WIDTH, _HIDDEN, device=device)
        self.out = nn.Linear(_HIDDEN, outputs, device=device)
        self.answers = nn.Linear(WIDTH, 1, device=device)
        self._before = before

    def _fixed(self, values: NDArray[np.float32]) -> torch.Tensor:
        return torch.tensor(np.asarray(values, np.float32), device=self._device)

    def merged(self) -> dict[str, torch.Tensor]:
        """Return all tensors of the layers with what is learnt in them."""
        found = {}
        for key, values in self._frozen.items():
            merged = values
            if key in self.up:
                merged = values + _SCALE * self.up[key] @ self.down[key]
                merged = _rounded_matrix(merged) if self.rounds else merged
            found[key] = merged.to(self._kind)
        return found

    def states(self, ids: torch.Tensor, weights: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """Return the last states, shape (pairs, tokens, 384). weights: `merged`."""
        count, length = ids.shape
        there = ids != PAD
        states = self._words[ids] + self._places[:length]
        states = functional.layer_norm(
            states, (WIDTH,), self._norm_weight, self._norm_bias, _EPSILON
        ).to(self._kind)
        own = there[..., None].to(self._kind)

        def linear(rows: torch.Tensor, key: str) -> torch.Tensor:
            seen = _rounded_rows(rows, own) if self.rounds else rows
            return functional.linear(seen, weights[key], weights[f"{key}.bias"])

        def added(update: torch.Tensor, rows: torch.Tensor, norm: str) -> torch.Tensor:
            total = functional.dropout(update, _DROPPED, self.training) + rows
            weight, bias = weights[f"{norm}.w"], weights[f"{norm}.b"]
            return functional.layer_norm(total, (WIDTH,), weight, bias, _EPSILON)

        for layer in range(LAYERS):
            query, key, value = (
                linear(states, f"{layer}_{part}")
                .view(count, length, HEADS, WIDTH // HEADS)
                .transpose(1, 2)
                for part in "qkv"
            )
            mixed = functional.scaled_dot_product_attention(
                query, key, value, attn_mask=there[:, None, None, :]
            )
            mixed = mixed.transpose(1, 2).reshape(count, length, WIDTH)
            states = added(linear(mixed, f"{layer}_ao"), states, f"{layer}_aln")
            wide = functional.gelu(linear(states, f"{layer}_fi"))
            states = added(linear(wide, f"{layer}_fo"), states, f"{layer}_oln")
        return states.float()

    def forward(
        self, pairs: Pairs, weights: Mapping[str, torch.Tensor] | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the head says, (pairs, outputs), and of each token whether it answers."""
        states = self.states(pairs.ids, weights or self.merged())
        one, other = (
            (states * mask[..., None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1)
            for mask in (pairs.first, pairs.second)
        )
        seen = torch.cat([one, other, _APART * (one - other).abs(), states[:, 0]], dim=1)
        hidden = functional.gelu(self.hidden(seen))
        told = self.out(functional.dropout(hidden, _DROPPED, self.training))
        return told, self.answers(states)[..., 0]

    def write(self, path: Path) -> None:
        """Write the whole change as PEFT names it, float16, and the head."""
        found = {
            f"head.{name}.{kind}": values.detach().cpu().numpy()
            for name, layer in (("a", self.hidden), ("b", self.out))
            for kind, values in (("weight", layer.weight), ("bias", layer.bias))
        }
        for layer in range(LAYERS):
            for part, (name, _, _) in _PARTS.items():
                key, full = f"{layer}_{part}", f"encoder.layer.{layer}.{name}"
                change = (_SCALE * self.up[key] @ self.down[key]).detach().cpu().numpy()
                change = change + self._before.get(full, 0)
                left, sizes, right = np.linalg.svd(change, full_matrices=False)
                share = np.sqrt(sizes[:STORED_RANK])
                found[f"{full}.lora_A.weight"] = share[:, None] * right[:STORED_RANK]
                found[f"{full}.lora_B.weight"] = left[:, :STORED_RANK] * share
        half = {
            name: np.ascontiguousarray(values, np.float16 if values.ndim > 1 else np.float32)
            for name, values in found.items()
        }
        save_file(half, path)


def changes_of(file: str) -> dict[str, NDArray[np.float32]]:
    """Return the changes of the matrices that a file of `resources/text_model` holds."""
    return taught_changes(text_model.adapter_folder() / file)


def head_of(file: str, layer: str) -> dict[str, torch.Tensor]:
    """Return a layer of the head in such a file: "a" the hidden one, "b" what it says."""
    learnt = load_file(text_model.adapter_folder() / file)
    return {
        part: torch.tensor(learnt[f"head.{layer}.{part}"].astype(np.float32))
        for part in ("weight", "bias")
    }


def _rounded_matrix(matrix: torch.Tensor) -> torch.Tensor:
    """Round to 8 bits with a scale for each output; gradients pass as if nothing was done."""
    scale = matrix.detach().abs().amax(1, keepdim=True).clamp(min=1e-9) / 127
    return matrix + ((matrix / scale).round() * scale - matrix).detach()


def _rounded_rows(rows: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
    """Round as `DynamicQuantizeLinear` does what one text hands to a matrix."""
    with torch.no_grad():
        seen = rows * own
        highest = seen.amax((1, 2), keepdim=True).clamp(min=0).float()
        lowest = seen.amin((1, 2), keepdim=True).clamp(max=0).float()
        scale = ((highest - lowest) / 255).clamp(min=1e-8)
        zero = (-lowest / scale).round()
        rounded = ((rows.float() / scale).round() + zero).clamp(0, 255) - zero
        away = (rounded * scale).to(rows.dtype) - rows
    return rows + away
