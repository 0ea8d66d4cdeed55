"""The built-in text model in torch with a LoRA adapter, and texts as it reads them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from sentencepiece import SentencePieceProcessor
from torch.nn import functional

from desktop.models.adapters import torch_runtime
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
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TEXTS_AT_ONCE = 20  # of similar length, so that little is padding
_SMALL = 0.02
_SCALE = 2  # of what is learnt: alpha / r, as PEFT calls them
_PREFIX = "query:"
_PARTS = {
    "attention.self.query": ("q", WIDTH, WIDTH),
    "attention.self.key": ("k", WIDTH, WIDTH),
    "attention.self.value": ("v", WIDTH, WIDTH),
    "attention.output.dense": ("ao", WIDTH, WIDTH),
    "intermediate.dense": ("fi", WIDE, WIDTH),
    "output.dense": ("fo", WIDTH, WIDE),
}
_NORMS = {"attention.output.LayerNorm": "aln", "output.LayerNorm": "oln"}


class LowRank(torch.nn.Module):  # type: ignore[misc] # mypy does not read torch
    """A linear layer W that stays, plus B A, which is learnt: B begins at 0."""

    def __init__(self, frozen: torch.nn.Linear, rank: int) -> None:
        super().__init__()
        self.frozen = frozen
        self.down = torch.nn.Parameter(_SMALL * torch.randn(rank, frozen.in_features))
        self.up = torch.nn.Parameter(torch.zeros(frozen.out_features, rank))

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Return rows of shape (..., outputs). rows: shape (..., inputs)."""
        changed: torch.Tensor = self.frozen(rows) + _SCALE * (rows @ self.down.T) @ self.up.T
        return changed


@dataclass(frozen=True, slots=True)
class Read:
    """Texts as the model reads them, rows of unit length.

    whole: shape (texts, 384). tokens: (texts, most tokens, 384). is_word: (texts, most tokens),
    False for padding, the prefix and the marks of beginning and end.
    """

    whole: torch.Tensor
    tokens: torch.Tensor
    is_word: torch.Tensor


class Network:
    """The packed weights stay as they are; `learnt` are the adapter's."""

    def __init__(self, packed: Path, rank: int, frozen_layers: int = 0) -> None:
        """packed: the file `text_model.PACKED`. frozen_layers: that learn nothing, from below."""
        torch_runtime.prepare()
        from transformers import BertConfig, BertModel

        source = PackedModel(packed)
        self._pieces = SentencePieceProcessor(model_proto=source.tokenizer())
        self._spellings = str.maketrans(source.characters)
        self._prefix = self._pieces.encode(_PREFIX)
        config = BertConfig(
            vocab_size=WORDS,
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intermediate_size=WIDE,
            max_position_embeddings=POSITIONS,
            pad_token_id=PAD,
            hidden_dropout_prob=0.0,
            attention_probs_dropout_prob=0.0,
        )
        self._bert: Any = BertModel(config, add_pooling_layer=False)
        self._bert.load_state_dict(_published(source), strict=False)
        self._bert.requires_grad_(requires_grad=False)
        self._changed = {
            name: _replace(self._bert, name, rank)
            for name, layer in list(self._bert.named_modules())
            if isinstance(layer, torch.nn.Linear) and int(name.split(".")[2]) >= frozen_layers
        }

    def train(self, *, on: bool) -> None:
        """Begin to learn, or end it."""
        self._bert.train(on)

    @property
    def learnt(self) -> list[torch.nn.Parameter]:
        """What is learnt: two factors for each matrix."""
        return [factor for layer in self._changed.values() for factor in (layer.down, layer.up)]

    def read(self, texts: Sequence[str], most_tokens: int) -> Read:
        """Read texts, each cut after so many tokens."""
        encoded = [self._marked(text, most_tokens) for text in texts]
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index]))
        parts = [
            self._batch([encoded[index] for index in order[start : start + _TEXTS_AT_ONCE]])
            for start in range(0, len(order), _TEXTS_AT_ONCE)
        ]
        longest = max(part.is_word.shape[1] for part in parts)
        back = torch.tensor(order).argsort()
        return Read(
            torch.cat([part.whole for part in parts])[back],
            torch.cat([_lengthen(part.tokens, longest) for part in parts])[back],
            torch.cat([_lengthen(part.is_word[..., None], longest) for part in parts])[back, :, 0],
        )

    def ids(self, text: str, most_tokens: int) -> list[int]:
        """Return the ids of a text's first tokens, without prefix and marks."""
        spelled = re.sub("  +", " ", text.translate(self._spellings))
        found: list[int] = self._pieces.encode(spelled.removeprefix(" "))
        return found[:most_tokens]

    def states(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the last states, shape (texts, tokens, 384). ids: (texts, tokens), padded."""
        there = (ids != PAD).long()
        found: torch.Tensor = self._bert(input_ids=ids, attention_mask=there).last_hidden_state
        return found.float()

    def factors(self) -> dict[str, torch.Tensor]:
        """Return what was learnt as PEFT names it, float16, the scale within B."""
        found = {}
        for name, layer in self._changed.items():
            found[f"{name}.lora_A.weight"] = layer.down.detach().half().contiguous()
            found[f"{name}.lora_B.weight"] = (_SCALE * layer.up).detach().half().contiguous()
        return found

    def _marked(self, text: str, most_tokens: int) -> list[int]:
        own = self.ids(text, most_tokens - 2 - len(self._prefix))
        return [BEGIN, *self._prefix, *own, END]

    def _batch(self, encoded: list[list[int]]) -> Read:
        lengths = torch.tensor([len(ids) for ids in encoded])
        ids = torch.full((len(encoded), int(lengths.max())), PAD, dtype=torch.long)
        for row, tokens in enumerate(encoded):
            ids[row, : len(tokens)] = torch.tensor(tokens)
        places = torch.arange(ids.shape[1])
        there = places < lengths[:, None]
        states = self.states(ids)
        kept = states * there[..., None]
        return Read(
            functional.normalize(kept.sum(1) / lengths[:, None], dim=-1),
            functional.normalize(states, dim=-1),
            there & (places > len(self._prefix)) & (places < lengths[:, None] - 1),
        )


def _published(source: PackedModel) -> dict[str, torch.Tensor]:
    """Return the weights by their published names."""
    numbers, scales = source.blocks("emb.word")
    words = (numbers * scales[:, None].astype("float32")).reshape(WORDS, WIDTH)
    found = {
        "embeddings.word_embeddings.weight": words,
        "embeddings.position_embeddings.weight": source.floats("emb.pos", (POSITIONS, WIDTH)),
        "embeddings.token_type_embeddings.weight": source.floats("emb.type", (2, WIDTH)),
        "embeddings.LayerNorm.weight": source.floats("emb.ln.w", (WIDTH,)),
        "embeddings.LayerNorm.bias": source.floats("emb.ln.b", (WIDTH,)),
    }
    for layer in range(LAYERS):
        of, own = f"encoder.layer.{layer}.", f"l{layer}."
        for name, (packed, outputs, inputs) in _PARTS.items():
            found[f"{of}{name}.weight"] = source.matrix(f"{own}{packed}.w", (outputs, inputs))
            found[f"{of}{name}.bias"] = source.floats(f"{own}{packed}.b", (outputs,))
        for name, packed in _NORMS.items():
            found[f"{of}{name}.weight"] = source.floats(f"{own}{packed}.w", (WIDTH,))
            found[f"{of}{name}.bias"] = source.floats(f"{own}{packed}.b", (WIDTH,))
    return {name: torch.tensor(values) for name, values in found.items()}


def _replace(bert: Any, name: str, rank: int) -> LowRank:
    parent, _, last = name.rpartition(".")
    layer = LowRank(bert.get_submodule(name), rank)
    setattr(bert.get_submodule(parent), last, layer)
    return layer


def _lengthen(rows: torch.Tensor, length: int) -> torch.Tensor:
    return functional.pad(rows, (0, 0, 0, length - rows.shape[1]))
