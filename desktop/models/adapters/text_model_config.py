"""What the files beside a text model's weights say: its shape, pooling, prefixes, tokenizer.

The layout is the one of Hugging Face and sentence-transformers, which MLX conversions keep
in part: `config.json` is always there; `1_Pooling/config.json`,
`config_sentence_transformers.json`, `sentence_bert_config.json` and `modules.json` may not
be, and then what the publisher of each kind of model documents holds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from desktop.models.errors import ModelDamaged, ModelNotSupported

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


Kind = Literal["bert", "xlm_roberta", "nomic_bert", "qwen3"]
Pooling = Literal["mean", "cls", "last"]

LONGEST_TEXT: Final = 2048
"""Tokens read of a text at most, whatever the model could: a passage is far shorter."""

_KINDS: MappingProxyType[str, Kind] = MappingProxyType(
    {
        "bert": "bert",
        "xlm-roberta": "xlm_roberta",
        "xlm_roberta": "xlm_roberta",
        "nomic_bert": "nomic_bert",
        "qwen3": "qwen3",
        "qwen3_embedding": "qwen3",
    }
)
_POOLING: dict[Kind, Pooling] = {
    "bert": "mean",
    "xlm_roberta": "mean",
    "nomic_bert": "mean",
    "qwen3": "last",
}
# (query, passage), as the models' cards tell to write them.
_PREFIXES: dict[Kind, tuple[str, str]] = {
    "bert": ("", ""),
    "xlm_roberta": ("", ""),
    "nomic_bert": ("search_query: ", "search_document: "),
    "qwen3": (
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
        "Query:",
        "",
    ),
}
_END_TOKENS: dict[Kind, str] = {"qwen3": "<|endoftext|>"}
_MODES: dict[str, Pooling] = {
    "mean": "mean",
    "cls": "cls",
    "lasttoken": "last",
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_lasttoken": "last",
}
_MODULES_KNOWN = ("Transformer", "Pooling", "Normalize")
_LARGEST = 1 << 20


class Shape(BaseModel):
    """The numbers of `config.json` that a network needs; GPT-2's names are nomic's."""

    # A model's file belongs to other programs too, whose settings stand beside ours.
    model_config = ConfigDict(extra="ignore", frozen=True)

    vocab_size: int = Field(gt=0, le=1 << 24)
    hidden_size: int = Field(
        gt=0, le=_LARGEST, validation_alias=AliasChoices("hidden_size", "n_embd")
    )
    layers: int = Field(
        gt=0, le=1000, validation_alias=AliasChoices("num_hidden_layers", "n_layer")
    )
    heads: int = Field(
        gt=0, le=1000, validation_alias=AliasChoices("num_attention_heads", "n_head")
    )
    inner_size: int = Field(
        gt=0, le=_LARGEST, validation_alias=AliasChoices("intermediate_size", "n_inner")
    )
    positions: int = Field(
        gt=0,
        validation_alias=AliasChoices(
            "max_trained_positions", "max_position_embeddings", "n_positions"
        ),
    )
    pad_token_id: int | None = Field(default=None, ge=0)


@dataclass(frozen=True, slots=True)
class TextModelConfig:
    """A text model as its files describe it.

    settings: all of `config.json`. max_tokens: special tokens included. end_token: one that
    must stand last, "" if there is none. query_prefix, passage_prefix: written before a text.
    """

    kind: Kind
    shape: Shape
    settings: MappingProxyType[str, Any]
    pooling: Pooling
    max_tokens: int
    pad_id: int
    end_token: str
    query_prefix: str
    passage_prefix: str


def read_config(folder: Path) -> TextModelConfig:
    """Read what is beside the weights in a model's folder.

    Raises: ModelDamaged, if a file is missing or makes no sense; ModelNotSupported, if the
        model is of another kind or ends in a layer that is not here.
    """
    settings = _read(folder, "config.json")
    if settings is None:
        raise ModelDamaged(f"config.json is missing from {folder.name}")
    model_type = str(settings.get("model_type", "")).lower()
    kind = _KINDS.get(model_type)
    if kind is None:
        raise ModelNotSupported(f"{folder.name}: '{model_type}' is no text model known here")
    try:
        shape = Shape.model_validate(settings)
    except ValidationError as error:
        raise ModelDamaged(f"config.json of {folder.name} makes no sense: {error}") from error
    if shape.hidden_size % shape.heads:
        raise ModelDamaged(f"config.json of {folder.name}: the heads do not share its size evenly")
    _refuse_other_endings(folder)
    query, passage = _prefixes(folder, kind)
    pad_id = shape.pad_token_id or 0
    return TextModelConfig(
        kind=kind,
        shape=shape,
        settings=MappingProxyType(settings),
        pooling=_pooling(folder, kind),
        max_tokens=_max_tokens(folder, kind, shape.positions, pad_id),
        pad_id=pad_id,
        end_token=_END_TOKENS.get(kind, ""),
        query_prefix=query,
        passage_prefix=passage,
    )


def _max_tokens(folder: Path, kind: Kind, positions: int, pad_id: int) -> int:
    if kind == "xlm_roberta":  # its positions are counted from after the padding's
        positions -= pad_id + 1
    wanted = (_read(folder, "sentence_bert_config.json") or {}).get("max_seq_length")
    longest = wanted if isinstance(wanted, int) and wanted > 0 else LONGEST_TEXT
    return max(1, min(positions, longest, LONGEST_TEXT))


def _pooling(folder: Path, kind: Kind) -> Pooling:
    settings = _read(folder, "1_Pooling/config.json")
    if settings is None:
        return _POOLING[kind]
    if settings.get("include_prompt") is False:
        raise ModelNotSupported(f"{folder.name} leaves its prompt out of the vector")
    mode = settings.get("pooling_mode")
    modes = [mode] if isinstance(mode, str) else [
        name for name, on in settings.items() if name.startswith("pooling_mode_") and on is True
    ]  # fmt: skip
    if not modes:
        return _POOLING[kind]
    if len(modes) > 1 or modes[0] not in _MODES:
        raise ModelNotSupported(
            f"{folder.name} makes its vector in a way not known here: {', '.join(modes)}"
        )
    return _MODES[modes[0]]


def _prefixes(folder: Path, kind: Kind) -> tuple[str, str]:
    """Return what is written before a question and before a passage."""
    prompts = (_read(folder, "config_sentence_transformers.json") or {}).get("prompts")
    query, passage = _PREFIXES[kind]
    if not isinstance(prompts, dict):
        return query, passage
    own_passage = prompts.get("document", prompts.get("passage"))
    own_query = prompts.get("query")
    return (
        own_query if isinstance(own_query, str) else query,
        own_passage if isinstance(own_passage, str) else passage,
    )


def _refuse_other_endings(folder: Path) -> None:
    """Refuse a model whose vectors a further layer would make."""
    modules = _read_json(folder, "modules.json")
    for module in modules if isinstance(modules, list) else ():
        name = str(module.get("type", "")) if isinstance(module, dict) else ""
        if name.rpartition(".")[2] not in _MODULES_KNOWN:
            raise ModelNotSupported(f"{folder.name} ends in a layer not known here: {name}")


def _read(folder: Path, name: str) -> dict[str, Any] | None:
    settings = _read_json(folder, name)
    if settings is not None and not isinstance(settings, dict):
        raise ModelDamaged(f"{name} of {folder.name} is not a list of settings")
    return settings


def _read_json(folder: Path, name: str) -> Any:
    """Return what a JSON file holds; None if it is not there."""
    try:
        return json.loads((folder / name).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelDamaged(f"{name} of {folder.name} cannot be read: {error}") from error


# Characters of so many a token fill the model whatever the words are; cutting there keeps
# a pasted book from being tokenized for nothing.
_CHARACTERS_PER_TOKEN = 40


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """A text as the model reads it.

    ids: prefix and special tokens included, never empty. own: the places of the tokens that
    are the text's, neither special nor of the prefix.
    """

    ids: list[int]
    own: list[int]


class TextTokenizer:
    """Reads `tokenizer.json`; to be used from one thread at a time."""

    def __init__(self, folder: Path, config: TextModelConfig) -> None:
        """Open the tokenizer.

        Raises: ModelDamaged, if it is missing or damaged.
        """
        from tokenizers import Tokenizer

        path = folder / "tokenizer.json"
        if not path.is_file():
            raise ModelDamaged(f"{path.name} is missing from {folder.name}")
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing more precise
            raise ModelDamaged(f"{path.name} of {folder.name} cannot be read: {error}") from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(config.max_tokens)
        # A manual that prints "[SEP]" or "<|endoftext|>" means the letters.
        self._tokenizer.encode_special_tokens = True
        self._most_tokens = config.max_tokens
        self._pad_id = config.pad_id
        self._end_id = self._tokenizer.token_to_id(config.end_token) if config.end_token else None

    def encode(self, texts: Sequence[str], prefix: str) -> list[TokenizedText]:
        """Tokenize each text after a prefix; what is too long is cut at its end."""
        most = _CHARACTERS_PER_TOKEN * self._most_tokens
        encodings = self._tokenizer.encode_batch([(prefix + text)[:most] for text in texts])
        return [
            self._complete(
                encoding.ids,
                # A special token covers no characters.
                [place for place, (_, end) in enumerate(encoding.offsets) if end > len(prefix)],
            )
            for encoding in encodings
        ]

    def spans(self, texts: Sequence[str], prefix: str) -> list[list[tuple[int, int]]]:
        """Return where the own tokens of each text stand in it, prefix left out."""
        most = _CHARACTERS_PER_TOKEN * self._most_tokens
        encodings = self._tokenizer.encode_batch([(prefix + text)[:most] for text in texts])
        return [
            [
                (max(0, first - len(prefix)), last - len(prefix))
                for first, last in encoding.offsets
                if last > len(prefix)
            ]
            for encoding in encodings
        ]

    def _complete(self, ids: list[int], own: list[int]) -> TokenizedText:
        """Add the token that must stand last where the tokenizer leaves it out."""
        if self._end_id is not None and ids[-1:] != [self._end_id]:
            ids = [*ids[: self._most_tokens - 1], self._end_id]
            own = [place for place in own if place < len(ids) - 1]
        return TokenizedText(ids or [self._pad_id], own)
