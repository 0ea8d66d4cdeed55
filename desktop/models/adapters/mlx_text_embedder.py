"""Installed text models through MLX: nomic-embed-text, Qwen3-Embedding, EmbeddingGemma.

The files beside the weights state shape, pooling, prefixes and tokenizer. The layout is
that of Hugging Face and sentence-transformers, which MLX conversions keep in part:
`config.json` is always there; `1_Pooling/config.json`,
`config_sentence_transformers.json`, `sentence_bert_config.json` and `modules.json` may
be missing, and then what the publisher of each kind of model documents applies.
"""

from __future__ import annotations

import importlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.adapters.mlx_runtime import mlx_core
from desktop.models.errors import ModelDamaged, ModelNotSupported
from desktop.models.roles import LoadedModel
from desktop.models.safetensors_file import read_json, read_settings

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

    from desktop.models.roles import Allowance, InstalledModel


Kind = Literal["nomic_bert", "qwen3", "gemma3"]
Pooling = Literal["mean", "cls", "last"]

LONGEST_TEXT: Final = 2048
"""Tokens read of a text at most, whatever the model could: a passage is far shorter."""

_KINDS: MappingProxyType[str, Kind] = MappingProxyType(
    {
        "nomic_bert": "nomic_bert",
        "qwen3": "qwen3",
        "qwen3_embedding": "qwen3",
        "gemma3_text": "gemma3",
    }
)
# (query, passage), as the models' cards tell to write them.
_PREFIXES: dict[Kind, tuple[str, str]] = {
    "nomic_bert": ("search_query: ", "search_document: "),
    "qwen3": (
        "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
        "Query:",
        "",
    ),
    "gemma3": ("task: search result | query: ", "title: none | text: "),
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
_DENSE = ("2_Dense", "3_Dense")
"""The two layers that EmbeddingGemma ends in, in folders of their own as its publisher has them."""
_LARGEST = 1 << 20
_GEMMA_LOOKS = 256


class Shape(BaseModel):
    """The numbers of `config.json` that a network needs; nomic uses GPT-2's names."""

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
    """Read what is beside a model's weights. Raises: ModelDamaged; ModelNotSupported."""
    settings = read_settings(folder, "config.json")
    if not settings:
        raise ModelDamaged("config.json is missing from {name}", name=folder.name)
    model_type = str(settings.get("model_type", "")).lower()
    kind = _KINDS.get(model_type)
    if kind is None:
        raise ModelNotSupported(
            "{name}: '{model_type}' is not a text model known here",
            name=folder.name,
            model_type=model_type,
        )
    try:
        shape = Shape.model_validate(settings)
    except ValidationError as error:
        raise ModelDamaged(
            "config.json of {name} makes no sense: {error}", name=folder.name, error=error
        ) from error
    if shape.hidden_size % shape.heads:
        raise ModelDamaged(
            "config.json of {name}: the heads do not divide its size evenly", name=folder.name
        )
    _refuse_other_endings(folder, kind)
    query, passage = _prefixes(folder, kind)
    return TextModelConfig(
        kind=kind,
        shape=shape,
        settings=MappingProxyType(settings),
        pooling=_pooling(folder, kind),
        max_tokens=_max_tokens(folder, kind, shape.positions),
        pad_id=shape.pad_token_id or 0,
        end_token=_END_TOKENS.get(kind, ""),
        query_prefix=query,
        passage_prefix=passage,
    )


def _max_tokens(folder: Path, kind: Kind, positions: int) -> int:
    if kind == "gemma3":  # further apart than that, most of its layers do not look
        positions = min(positions, _GEMMA_LOOKS)
    wanted = read_settings(folder, "sentence_bert_config.json").get("max_seq_length")
    longest = wanted if isinstance(wanted, int) and wanted > 0 else LONGEST_TEXT
    return max(1, min(positions, longest, LONGEST_TEXT))


def _pooling(folder: Path, kind: Kind) -> Pooling:
    settings = read_settings(folder, "1_Pooling/config.json")
    if settings.get("include_prompt") is False:
        raise ModelNotSupported("{name} leaves its prompt out of the vector", name=folder.name)
    mode = settings.get("pooling_mode")
    modes = [mode] if isinstance(mode, str) else [
        name for name, on in settings.items() if name.startswith("pooling_mode_") and on is True
    ]  # fmt: skip
    if not modes:
        return "last" if kind == "qwen3" else "mean"
    if len(modes) > 1 or modes[0] not in _MODES:
        raise ModelNotSupported(
            "{name} makes its vector in an unknown way: {modes}",
            name=folder.name,
            modes=", ".join(modes),
        )
    return _MODES[modes[0]]


def _prefixes(folder: Path, kind: Kind) -> tuple[str, str]:
    """Return what is written before a question and before a passage."""
    prompts = read_settings(folder, "config_sentence_transformers.json").get("prompts")
    query, passage = _PREFIXES.get(kind, ("", ""))
    if not isinstance(prompts, dict):
        return query, passage
    own_passage = prompts.get("document", prompts.get("passage"))
    own_query = prompts.get("query")
    return (
        own_query if isinstance(own_query, str) else query,
        own_passage if isinstance(own_passage, str) else passage,
    )


def _refuse_other_endings(folder: Path, kind: Kind) -> None:
    """Refuse a model whose vectors a further layer would make."""
    modules = read_json(folder, "modules.json")
    known = (*_MODULES_KNOWN, "Dense") if kind == "gemma3" else _MODULES_KNOWN
    for module in modules if isinstance(modules, list) else ():
        name = str(module.get("type", "")) if isinstance(module, dict) else ""
        if name.rpartition(".")[2] not in known:
            raise ModelNotSupported(
                "{name} ends in an unknown layer: {name2}", name=folder.name, name2=name
            )


# Characters of so many a token fill the model whatever the words are; cutting there keeps
# a pasted book from being tokenized for nothing.
_CHARACTERS_PER_TOKEN = 40


class TextTokenizer:
    """Reads `tokenizer.json`; to be used from one thread at a time."""

    def __init__(self, folder: Path, config: TextModelConfig) -> None:
        """Open the tokenizer. Raises: ModelDamaged, if it is missing or damaged."""
        from tokenizers import Tokenizer

        path = folder / "tokenizer.json"
        if not path.is_file():
            raise ModelDamaged("{name} is missing from {name2}", name=path.name, name2=folder.name)
        try:
            self._tokenizer = Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises nothing more precise
            raise ModelDamaged(
                "{name} of {name2} cannot be read: {error}",
                name=path.name,
                name2=folder.name,
                error=error,
            ) from error
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(config.max_tokens)
        # A manual that prints "[SEP]" or "<|endoftext|>" means the letters.
        self._tokenizer.encode_special_tokens = True
        self._most_tokens = config.max_tokens
        self._pad_id = config.pad_id
        self._end_id = self._tokenizer.token_to_id(config.end_token) if config.end_token else None

    def encode(self, texts: Sequence[str], prefix: str) -> list[list[int]]:
        """Return the ids of each text after a prefix, special ones included, cut at its end."""
        most = _CHARACTERS_PER_TOKEN * self._most_tokens
        encodings = self._tokenizer.encode_batch([(prefix + text)[:most] for text in texts])
        return [self._complete(encoding.ids) for encoding in encodings]

    def _complete(self, ids: list[int]) -> list[int]:
        """Add the token that must stand last where the tokenizer leaves it out."""
        if self._end_id is not None and ids[-1:] != [self._end_id]:
            ids = [*ids[: self._most_tokens - 1], self._end_id]
        return ids or [self._pad_id]


_WRAPPERS = ("nomic_bert.", "bert.", "model.")
_LEFT_OUT = ("pooler.", "cls.", "lm_head.")
_ROTARY_BASE, _EPSILON = 1000.0, 1e-12

# Settings that would make it another network, and the only value that this one has.
_ASSUMED: tuple[tuple[str, object], ...] = (
    ("prenorm", False),
    ("parallel_block", False),
    ("causal", False),
    ("use_rms_norm", False),
    ("num_experts", 0),
    ("rotary_emb_scale_base", None),
    ("activation_function", "swiglu"),
    ("hidden_act", "silu"),
    ("quantization", None),
)


def canonical_weights(weights: Mapping[str, Any]) -> dict[str, Any]:
    """Return the encoder's tensors under the names its publisher gave them."""
    found = {}
    for stored, tensor in weights.items():
        name = stored
        for wrapper in _WRAPPERS:
            name = name.removeprefix(wrapper)
        if not name.startswith(_LEFT_OUT):
            found[name] = tensor
    return found


class NomicBert:
    """Token ids to the states of the last layer."""

    def __init__(self, config: TextModelConfig, weights: Mapping[str, Any]) -> None:
        """Check the weights. Raises: ModelDamaged; ModelNotSupported, for a relative."""
        settings = config.settings
        for name, value in _ASSUMED:
            if settings.get(name, value) not in (value, None):
                raise ModelNotSupported(
                    "a nomic_bert model with {name} = {settings} is not known here",
                    name=name,
                    settings=repr(settings[name]),
                )
        self._shape = config.shape
        self._weights = weights
        self._epsilon = _epsilon(settings)
        head_size = config.shape.hidden_size // config.shape.heads
        self._rotated = int(head_size * float(settings.get("rotary_emb_fraction", 1.0)))
        self._interleaved = bool(settings.get("rotary_emb_interleaved", False))
        self._base = _rotary_base(settings)
        for name, shape in _expected(config.shape).items():
            if name not in weights:
                raise ModelDamaged("the weights lack {name}", name=name)
            if tuple(weights[name].shape) != shape:
                raise ModelDamaged(
                    "{name} has the shape {shape}, not {shape2}",
                    name=name,
                    shape=tuple(weights[name].shape),
                    shape2=shape,
                )

    def __call__(self, ids: Any, mask: Any) -> Any:
        """Return states, shape (texts, length, size), of ids and mask, (texts, length)."""
        mx = mlx_core()
        weights = self._weights
        states = weights["embeddings.word_embeddings.weight"][ids]
        types = weights.get("embeddings.token_type_embeddings.weight")
        if types is not None:
            states = states + types[0]  # everything is the first of two sentences
        states = self._normalise(states, "emb_ln")
        seen = mask.astype(mx.bool_)[:, None, None, :]
        for number in range(self._shape.layers):
            block = f"encoder.layers.{number}"
            states = self._normalise(
                states + self._attend(states, f"{block}.attn", seen), f"{block}.norm1"
            )
            states = self._normalise(states + self._gate(states, f"{block}.mlp"), f"{block}.norm2")
        return states

    def _attend(self, states: Any, block: str, seen: Any) -> Any:
        mx = mlx_core()
        texts, length, size = states.shape
        heads = self._shape.heads
        joined = self._linear(states, f"{block}.Wqkv").reshape(
            texts, length, 3, heads, size // heads
        )
        queries, keys, values = (joined[:, :, part].transpose(0, 2, 1, 3) for part in range(3))
        mixed = mx.fast.scaled_dot_product_attention(
            self._rotate(queries),
            self._rotate(keys),
            values,
            scale=(size // heads) ** -0.5,
            mask=seen,
        )
        mixed = mixed.transpose(0, 2, 1, 3).reshape(texts, length, size)
        return self._linear(mixed, f"{block}.out_proj")

    def _rotate(self, vectors: Any) -> Any:
        return mlx_core().fast.rope(
            vectors,
            self._rotated,
            traditional=self._interleaved,
            base=self._base,
            scale=1.0,
            offset=0,
        )

    def _gate(self, states: Any, block: str) -> Any:
        gate = self._linear(states, f"{block}.fc12")
        opened = gate * mlx_core().sigmoid(gate)
        return self._linear(self._linear(states, f"{block}.fc11") * opened, f"{block}.fc2")

    def _linear(self, states: Any, name: str) -> Any:
        product = states @ self._weights[f"{name}.weight"].T
        bias = self._weights.get(f"{name}.bias")
        return product if bias is None else product + bias

    def _normalise(self, states: Any, name: str) -> Any:
        return mlx_core().fast.layer_norm(
            states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"], self._epsilon
        )


def _epsilon(settings: Mapping[str, Any]) -> float:
    """Return the layer norms' epsilon, under its publisher's or transformers 5's name."""
    named = settings.get("layer_norm_epsilon", settings.get("layer_norm_eps"))
    return _EPSILON if named is None else float(named)


def _rotary_base(settings: Mapping[str, Any]) -> float:
    """Return the rotary frequencies' base, under its publisher's or transformers 5's name."""
    parameters = settings.get("rope_parameters")
    named = parameters.get("rope_theta") if isinstance(parameters, dict) else None
    return float(settings.get("rotary_emb_base") or named or _ROTARY_BASE)


def _expected(shape: Shape) -> dict[str, tuple[int, ...]]:
    size, inner = shape.hidden_size, shape.inner_size
    found: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (shape.vocab_size, size),
        "emb_ln.weight": (size,),
        "emb_ln.bias": (size,),
    }
    for number in range(shape.layers):
        block = f"encoder.layers.{number}"
        found |= {
            f"{block}.attn.Wqkv.weight": (3 * size, size),
            f"{block}.attn.out_proj.weight": (size, size),
            f"{block}.mlp.fc11.weight": (inner, size),
            f"{block}.mlp.fc12.weight": (inner, size),
            f"{block}.mlp.fc2.weight": (size, inner),
        }
        found |= {
            f"{block}.norm{which}.{part}": (size,)
            for which in (1, 2)
            for part in ("weight", "bias")
        }
    return found


logger = logging.getLogger(__name__)

Network: TypeAlias = Callable[[Any, Any], Any]
"""Called with ids and mask, both integers of shape (texts, length); padding follows the text.

Returns: states, shape (texts, length, hidden_size).
"""

# mlx-vlm's own names for the networks it has.
_MODULES = {"qwen3": "qwen3_embedding", "gemma3": "gemma3_embedding"}


def import_runtime(config: TextModelConfig) -> None:
    """Import what `make_network` needs, which takes seconds. Raises: ModelNotSupported."""
    try:
        mlx_core()
        if config.kind in _MODULES:
            _module(config)
    except ImportError as error:
        raise ModelNotSupported(
            "text models of this kind need mlx-vlm: {error}", error=error
        ) from error


def make_network(config: TextModelConfig, weights: dict[str, Any]) -> Network:
    """Put the weights in their places. Raises: ModelDamaged; ModelNotSupported."""
    if config.kind == "nomic_bert":
        return NomicBert(config, canonical_weights(weights))
    try:
        model = _filled(config, weights)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelDamaged(
            "the weights are not what config.json describes: {error}", error=error
        ) from error

    def network(ids: Any, mask: Any) -> Any:
        states = model(ids, attention_mask=mask).last_hidden_state
        for layer in getattr(model, "dense", ()):  # linear: before the mean as well as after it
            states = layer(states)
        return states

    return network


def _filled(config: TextModelConfig, weights: dict[str, Any]) -> Any:
    nn = importlib.import_module("mlx.nn")
    module = _module(config)
    model = module.Model(module.ModelConfig.from_dict(_settings(config)))
    placed = model.sanitize(weights)
    quantisation = config.settings.get("quantization")
    if quantisation is not None:

        def chosen(path: str, part: Any) -> Any:
            own = quantisation.get(path)
            return own if isinstance(own, dict) else f"{path}.scales" in placed

        nn.quantize(
            model,
            group_size=quantisation["group_size"],
            bits=quantisation["bits"],
            mode=quantisation.get("mode", "affine"),
            class_predicate=chosen,
        )
    model.load_weights(list(placed.items()), strict=True)
    model.eval()
    return model


def _settings(config: TextModelConfig) -> dict[str, Any]:
    """Return the settings as mlx-vlm names them; transformers 5 moved the rotary ones."""
    settings = dict(config.settings)
    rotary = settings.get("rope_parameters")
    if isinstance(rotary, dict) and "rope_theta" in rotary:
        settings.setdefault("rope_theta", rotary["rope_theta"])
        if rotary.get("rope_type", "default") != "default":
            settings.setdefault("rope_scaling", rotary)
    return settings


def _module(config: TextModelConfig) -> Any:
    torch_runtime.prepare()
    return importlib.import_module(f"mlx_vlm.models.{_MODULES[config.kind]}")


Floats = NDArray[np.float32]

_MOST_TEXTS = 16  # in a batch; more gain nothing and make a question wait
_SHARE_OF_FREE = 4  # a batch takes a quarter of what is free, so that others find room
_SHARE_OF_IMPORT = 0.1  # of the time to load
_SMALLEST_NORM = 1e-12


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, MlxTextEmbedder]:
    """Load a text model in steps; see `roles.Loader`. Raises: ModelDamaged; ModelNotSupported."""
    config = read_config(model.folder)
    tokenizer = TextTokenizer(model.folder, config)
    mlx_runtime.check_files(model.folder)
    yield 0.01
    import_runtime(config)
    yield _SHARE_OF_IMPORT
    weights: dict[str, Any] = {}
    try:
        weights |= mlx_runtime.map_weights(model.folder)
        if config.kind == "gemma3":
            weights |= _dense_weights(model.folder)
        size = sum(array.nbytes for array in weights.values())
        for fraction in mlx_runtime.read_weights(weights.values()):
            yield _SHARE_OF_IMPORT + (1 - _SHARE_OF_IMPORT) * fraction
        network = make_network(config, weights)
    except BaseException:  # closed half way, or damaged
        weights.clear()
        mlx_runtime.give_memory_back()
        raise
    logger.info("text model %s loaded, %d dimensions", model.id, config.shape.hidden_size)
    return MlxTextEmbedder(model.model_id, config, tokenizer, network, size, allowance)


def _dense_weights(folder: Path) -> dict[str, Any]:
    """Return the last layers' weights, where they lie apart, by the names that mlx-vlm knows."""
    found: dict[str, Any] = {}
    for name in _DENSE:
        if (folder / name).is_dir():
            mlx_runtime.check_files(folder / name)
            weights = mlx_runtime.map_weights(folder / name)
            found |= {f"{name}.{key}": tensor for key, tensor in weights.items()}
    return found


@dataclass(eq=False)
class MlxTextEmbedder(LoadedModel):
    """Satisfies `PassageEmbedder`; all calls on the inference thread."""

    model_id: str
    config: TextModelConfig
    tokenizer: TextTokenizer
    network: Network | None
    _weight_bytes: int
    allowance: Allowance

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self.config.shape.hidden_size

    def embed(self, texts: Sequence[str]) -> Floats:
        """Embed passages; see `PassageEmbedder.embed`. Raises: ModelOutOfBudget."""
        return self._vectors(texts, self.config.passage_prefix)

    def embed_queries(self, queries: Sequence[str]) -> Floats:
        """Embed questions, with the prefix that goes with them. Raises: ModelOutOfBudget."""
        return self._vectors(queries, self.config.query_prefix)

    def weight_bytes(self) -> int:
        """Bytes of all parameters."""
        return self._weight_bytes

    def close(self) -> None:
        """Free the weights."""
        self.network = None
        mlx_runtime.give_memory_back()

    def _vectors(self, texts: Sequence[str], prefix: str) -> Floats:
        """Run the network over texts of similar length at a time, so that little is padding."""
        assert self.network is not None, "the model was closed"
        mx = mlx_runtime.mlx_core()
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        encoded = self.tokenizer.encode(texts, prefix)
        waiting = sorted(range(len(encoded)), key=lambda place: -len(encoded[place]))
        while waiting:
            length = len(encoded[waiting[0]])  # the longest first: none in its batch is longer
            count = self._room(length, len(waiting))
            places, waiting = waiting[:count], waiting[count:]
            ids = np.full((count, length), self.config.pad_id, np.int32)
            mask = np.zeros_like(ids)
            for row, place in enumerate(places):
                ids[row, : len(encoded[place])] = encoded[place]
                mask[row, : len(encoded[place])] = 1
            states = self.network(mx.array(ids), mx.array(mask)).astype(mx.float32)
            vectors[places] = np.array(_pool(states, mask.sum(axis=1), self.config.pooling))
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.maximum(lengths, _SMALLEST_NORM)
        return vectors

    def _room(self, length: int, waiting: int) -> int:
        """Return how many texts of so many tokens fit into a batch, having asked for the room."""
        one = _working_bytes(self.config.shape, length)
        share = self.allowance.free_bytes() // _SHARE_OF_FREE
        count = max(1, min(_MOST_TEXTS, waiting, share // one))
        self.allowance.admit(count * one, f"reading {count} texts of {length:,} tokens")
        return count


def _working_bytes(shape: Shape, length: int) -> int:
    """Estimate the bytes that one text takes while the network reads it.

    The states of a layer and its parts in float32, and the scores of every token with
    every other, which not every machine's attention avoids.
    """
    states = length * (8 * shape.hidden_size + 3 * shape.inner_size)
    scores = 2 * shape.heads * length * length
    return 4 * (states + scores)


def _pool(states: Any, lengths: NDArray[np.int_], pooling: Pooling) -> Any:
    """Return one vector a text; states: float32, shape (texts, length, size)."""
    mx = mlx_runtime.mlx_core()
    if pooling == "cls":
        return states[:, 0]
    if pooling == "last":
        return states[mx.arange(len(lengths)), mx.array(lengths - 1)]
    inside = mx.array((np.arange(states.shape[1]) < lengths[:, None]).astype(np.float32))
    return (states * inside[:, :, None]).sum(axis=1) / inside.sum(axis=1)[:, None]
