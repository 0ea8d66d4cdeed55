"""Learn the transformer that reads question and unit together, from `candidates.py`.

Listwise, the units of one question compete; each by itself, whether it answers at all, so that
what no unit answers is told apart; and beside that, which tokens are of the words that answer,
which nothing uses afterwards but which teaches what to look at.
"""

from __future__ import annotations

import math
import random
import time
from typing import TYPE_CHECKING, Final

import numpy as np
import torch
from safetensors.numpy import save_file
from torch import nn
from torch.nn import functional

from desktop.core.reader.reading_together import TogetherReader

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scripts.reader.candidates import Candidate, Competition

EPOCHS: Final = 5
_WIDTH, _WIDE, _HEADS, _LAYERS = 128, 256, 4, 1
_DROPPED = 0.15
_QUESTIONS, _UNITS, _ANSWERS_AT_MOST = 16, 10, 2
_AT_ONCE = 48  # units of similar length
_RATE, _WARM = 7e-4, 100
_ANSWERS = 0.35
_WORDS_WEIGHT = 0.5


class Together(nn.Module):
    """See `TogetherReader`, which comes to the same scores."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Linear(384, _WIDTH)
        self.kind = nn.Embedding(4, _WIDTH)
        self.extra = nn.Linear(3, _WIDTH)
        self.place = nn.Embedding(160, _WIDTH)
        self.norm = nn.LayerNorm(_WIDTH)
        self.drop = nn.Dropout(_DROPPED)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                _WIDTH, _HEADS, _WIDE, _DROPPED, "gelu", batch_first=True, norm_first=True
            )
            for _ in range(_LAYERS)
        )
        self.end = nn.LayerNorm(_WIDTH)
        self.out = nn.Sequential(
            nn.Linear(2 * _WIDTH + 3, _WIDTH), nn.GELU(), nn.Dropout(_DROPPED), nn.Linear(_WIDTH, 1)
        )
        self.word = nn.Linear(_WIDTH, 1)

    def forward(
        self,
        asked: torch.Tensor,
        is_asked: torch.Tensor,
        unit: torch.Tensor,
        is_unit: torch.Tensor,
        is_own: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return a score for each unit, and one for each of its tokens.

        asked: tokens of the questions, (n, a, 384). unit: of the units, (n, b, 384). is_asked,
        is_unit: what is no padding. is_own: tokens of the unit itself, not of its headings.
        """
        count, length = is_asked.shape
        near = asked @ unit.transpose(1, 2)
        met = near.masked_fill(~is_unit[:, None], -1).amax(2).masked_fill(~is_asked, 0)
        met_own = near.masked_fill(~is_own[:, None], -1).amax(2).clamp(min=0)
        met_own = met_own.masked_fill(~is_asked, 0)
        said = near.masked_fill(~is_asked[..., None], -1).amax(1).masked_fill(~is_unit, 0)
        none, none_said = torch.zeros_like(met), torch.zeros_like(said)
        seen = torch.cat(
            [
                torch.stack([met, met_own, none], -1),
                torch.stack([said, none_said, said.clamp(min=0) ** 4], -1),
            ],
            1,
        )
        kinds = torch.cat([torch.ones_like(is_asked, dtype=torch.long), 2 + is_own.long()], 1)
        places = torch.cat([torch.arange(length), torch.arange(is_unit.shape[1])])
        tokens = self.down(8 * torch.cat([asked, unit], 1)) + self.extra(4 * (seen - 0.7))
        tokens = tokens + self.kind(kinds) + 0.3 * self.place(places)[None]
        mark = self.kind.weight[0].expand(count, 1, -1)
        states = self.drop(self.norm(torch.cat([mark, tokens], 1)))
        there = torch.cat([torch.ones(count, 1, dtype=torch.bool), is_asked, is_unit], 1)
        for layer in self.layers:
            states = layer(states, src_key_padding_mask=~there)
        states = self.end(states)
        asked_tokens = is_asked.sum(1).clamp(min=1)
        whole = torch.stack(
            [
                met.sum(1) / asked_tokens,
                met_own.sum(1) / asked_tokens,
                met.masked_fill(~is_asked, 1).amin(1),
            ],
            -1,
        )
        question = (states[:, 1 : 1 + length] * is_asked[..., None]).sum(1) / asked_tokens[:, None]
        pooled = torch.cat([states[:, 0], question, 6 * (whole - 0.7)], 1)
        return self.out(pooled)[:, 0], self.word(states[:, 1 + length :])[..., 0]


def learn_together(taught: Sequence[Competition], seed: int, path: Path) -> TogetherReader:
    """Learn, write what was learnt and return it."""
    torch.manual_seed(seed)
    chance = random.Random(seed)
    network = Together()
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=0.03)
    steps, step, began = EPOCHS * (len(taught) // _QUESTIONS), 0, time.monotonic()
    network.train()
    for epoch in range(EPOCHS):
        order = chance.sample(range(len(taught)), len(taught))
        told = []
        for first in range(0, len(order) - _QUESTIONS + 1, _QUESTIONS):
            some = [taught[index] for index in order[first : first + _QUESTIONS]]
            for group in optimiser.param_groups:
                group["lr"] = _RATE * _share(step, steps)
            optimiser.zero_grad()
            wrong = _wrong(network, some, chance)
            wrong.backward()  # type: ignore[no-untyped-call] # torch does not say
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimiser.step()
            step += 1
            told.append(wrong.item())
        seconds = time.monotonic() - began
        print(f"  together, {epoch + 1}: {np.mean(told):.3f}, {seconds:.0f} s", flush=True)
    weights = {
        name: values.detach().half().numpy()
        for name, values in network.state_dict().items()
        if not name.startswith("word.")
    }
    save_file(weights, path)
    return TogetherReader(weights)


def _wrong(network: Together, some: Sequence[Competition], chance: random.Random) -> torch.Tensor:
    pairs: list[tuple[Competition, Candidate]] = []
    cuts = []
    for question in some:
        answers = [each for each in question.units if each.right >= _ANSWERS][:_ANSWERS_AT_MOST]
        others = [each for each in question.units if each.right < _ANSWERS]
        others = chance.sample(others, min(len(others), _UNITS - len(answers)))
        cuts.append((len(pairs), len(pairs) + len(answers) + len(others)))
        pairs += [(question, each) for each in (*answers, *others)]
    order = sorted(range(len(pairs)), key=lambda index: len(pairs[index][1].tokens.vectors))
    scores: list[torch.Tensor] = [torch.zeros(())] * len(pairs)
    words_wrong, words = torch.zeros(()), 0
    for first in range(0, len(order), _AT_ONCE):
        places = order[first : first + _AT_ONCE]
        inputs, answering = _batch([pairs[place] for place in places])
        with torch.autocast("cpu", dtype=torch.bfloat16):
            found, by_token = network(*inputs)
        for row, place in enumerate(places):
            scores[place] = found[row].float()
        has = answering.any(1)
        if has.any():
            there = inputs[3][has]
            each = functional.binary_cross_entropy_with_logits(
                by_token[has].float(), answering[has].float(), reduction="none"
            )
            words_wrong = words_wrong + (each * there).sum()
            words += int(there.sum())
    wrong = torch.zeros(())
    for question, (first, last) in zip(some, cuts, strict=True):
        own = torch.stack(scores[first:last])
        right = torch.tensor([pair[1].right for pair in pairs[first:last]])
        if question.answerable:
            wanted = torch.where(right >= (0.6 * right.max()).clamp(min=0.3), right**2, 0)
            wrong = wrong - (wanted / wanted.sum() * functional.log_softmax(own, 0)).sum()
        wrong = wrong + functional.binary_cross_entropy_with_logits(own, (1.1 * right).clamp(max=1))
    return wrong / len(some) + _WORDS_WEIGHT * words_wrong / max(words, 1)


def _batch(
    pairs: Sequence[tuple[Competition, Candidate]],
) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
    asked, is_asked = _padded([question.asked for question, _ in pairs])
    unit, is_unit = _padded([each.tokens.vectors for _, each in pairs])
    is_own = torch.zeros_like(is_unit)
    answering = torch.zeros_like(is_unit)
    for row, (_, each) in enumerate(pairs):
        is_own[row, : len(each.tokens.own)] = torch.from_numpy(each.tokens.own)
        answering[row, : len(each.answers)] = torch.from_numpy(each.answers)
    is_own |= ~is_own.any(1, keepdim=True) & is_unit
    return (asked, is_asked, unit, is_unit, is_own), answering


def _padded(rows: Sequence[np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    most = max(1, *(len(each) for each in rows))
    found = np.zeros((len(rows), most, 384), np.float32)
    there = np.zeros((len(rows), most), bool)
    for row, each in enumerate(rows):
        found[row, : len(each)], there[row, : len(each)] = each, True
    return torch.from_numpy(found), torch.from_numpy(there)


def _share(step: int, steps: int) -> float:
    """Return the share of the full rate: up at first, then a cosine."""
    return min(1.0, (step + 1) / _WARM) * (
        0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * step / max(1, steps)))
    )
