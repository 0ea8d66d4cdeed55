"""A language model through mlx-lm: any kind it knows, quantised or not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.adapters.language.chat_prompt import ChatPrompt, ChatTemplate
from desktop.models.adapters.language.mlx_decoding import Decoder, Generation, wired_memory
from desktop.models.adapters.language.mlx_kept_prompts import KeptPrompts, KeyValueSize, LivePrompt
from desktop.models.answer_text import AnswerText, GenerationMeter, StopWords
from desktop.models.errors import (
    ModelDamaged,
    ModelNotSupported,
    ModelOutOfBudget,
    PromptTooLong,
    SchemaNotSupported,
)
from desktop.models.generation import (
    Cancelled,
    GenerationPart,
    GenerationRequest,
    never,
)
from desktop.models.structured import JsonVocabulary

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from desktop.models.roles import Allowance, InstalledModel
    from desktop.models.structured import JsonConstraint

CHUNK_TOKENS = 512
"""Prompt tokens read in one step: what a cancel or a more urgent request waits for."""

_CONTEXT_NAMES = ("max_position_embeddings", "max_seq_len", "seq_length", "n_positions", "n_ctx")
_UNKNOWN_CONTEXT = 4096
_IMPORTED, _READY_TO_READ, _READ = 0.05, 0.1, 0.97  # fractions of the loading


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, MlxLanguageModel]:
    """Load a model; satisfies `Loader`.

    Raises: ModelDamaged, ModelNotSupported.
    """
    yield 0.0
    mlx_runtime.read_config(model.folder)
    mlx_runtime.check_files(model.folder)
    _import_runtime()
    yield _IMPORTED
    network = None
    try:
        network, config = mlx_runtime.build(model.folder)
        tokenizer = _tokenizer(model, config)
        yield _READY_TO_READ
        for fraction in mlx_runtime.read_weights(network):
            yield _READY_TO_READ + (_READ - _READY_TO_READ) * fraction
        loaded = MlxLanguageModel(model, allowance, network, tokenizer, _context(config))
    except BaseException:
        network = None
        mlx_runtime.give_memory_back()
        raise
    return loaded


class MlxLanguageModel:
    """Satisfies `LanguageModel` and `LoadedModel`. All calls come on the inference thread."""

    def __init__(
        self,
        model: InstalledModel,
        allowance: Allowance,
        network: Any,
        tokenizer: Any,
        context_tokens: int,
        chunk_tokens: int = CHUNK_TOKENS,
    ) -> None:
        """Take over a loaded model.

        Args:
            model: where it came from.
            allowance: asked for the memory of every prompt.
            network: the model of mlx-lm.
            tokenizer: its `TokenizerWrapper`.
            context_tokens: the most that prompt and output may have together.
            chunk_tokens: prompt tokens read in one step.
        """
        from mlx_lm.models.cache import make_prompt_cache

        self.model_id = model.model_id
        self.context_tokens = context_tokens
        self._allowance = allowance
        self._network = network
        self._tokenizer = tokenizer
        self._chunk = chunk_tokens
        self._template = ChatTemplate(tokenizer)
        self._vocabulary: JsonVocabulary | None = None
        self._size = KeyValueSize(network, chunk_tokens)
        self._kept = KeptPrompts(lambda: make_prompt_cache(self._network))

    def count_tokens(self, text: str) -> int:
        """Count the tokens of a text, special tokens left out."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def generate(
        self, request: GenerationRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Write an answer; see `LanguageModel`. Stop words end free text only, no JSON.

        Raises: ModelOutOfBudget, PromptTooLong, SchemaNotSupported.
        """
        thinking = request.thinking and request.schema is None
        prompt = self._template.prompt(request.messages, thinking=thinking)
        room = self.context_tokens - len(prompt.tokens)
        if room <= 0:
            raise PromptTooLong(len(prompt.tokens), self.context_tokens)
        most = max(0, min(request.max_tokens, room))
        constraint = self._constraint(request)
        live = self._kept.take(prompt.tokens)
        meter = GenerationMeter(len(prompt.tokens), len(live.tokens))
        try:
            self._admit(live, len(prompt.tokens) + most)
            generation = Generation(
                prompt.tokens,
                live,
                Decoder(self._network, live, request.sampling),
                self._answer(prompt, request),
                frozenset(self._tokenizer.eos_token_ids),
                meter,
                cancelled,
                constraint,
                self._checkpoints(request, prompt, live),
            )
            with wired_memory():
                yield from meter.timed(generation.run(self._chunk, most))
        except (MemoryError, RuntimeError) as error:
            if not _lacks_memory(error):
                raise
            needed = self._size.bytes_for(len(prompt.tokens) + most)
            raise ModelOutOfBudget(
                f"the machine ran out of memory while {self.model_id} was writing",
                needed,
                self._allowance.free_bytes(),
                "Close other programs, ask with less text, or use a smaller model.",
            ) from error
        finally:
            self._kept.give_back(live)
        yield meter.end()

    def weight_bytes(self) -> int:
        """Bytes that the weights take in memory."""
        return mlx_runtime.weight_bytes(self._network)

    def cache_bytes(self) -> int:
        """Bytes of keys and values, of kept prompts and running ones."""
        return self._kept.nbytes

    def drop_caches(self) -> None:
        """Forget the kept prompts; a running generation goes on."""
        self._kept.drop()
        mlx_runtime.give_memory_back()

    def close(self) -> None:
        """Free everything."""
        self._kept.drop()
        self._network = self._tokenizer = self._vocabulary = None
        del self._template, self._size
        mlx_runtime.give_memory_back()

    def _constraint(self, request: GenerationRequest) -> JsonConstraint | None:
        if request.schema is None:
            return None
        if self._vocabulary is None:
            backend = getattr(self._tokenizer, "backend_tokenizer", None)
            if backend is None:
                raise SchemaNotSupported("this model's tokenizer cannot be held to a schema")
            self._vocabulary = JsonVocabulary(backend.to_str(), self._tokenizer.eos_token_ids)
        return self._vocabulary.constrain(request.schema)

    def _admit(self, live: LivePrompt, tokens: int) -> None:
        held = 0 if live.shared else live.nbytes
        needed = self._size.bytes_for(tokens) - held
        if needed > 0:
            self._allowance.admit(needed, f"the key-value cache of {tokens:,} tokens")

    def _answer(self, prompt: ChatPrompt, request: GenerationRequest) -> AnswerText:
        stop = () if request.schema is not None else (*request.stop, *prompt.stop)
        return AnswerText(self._tokenizer.detokenizer, prompt.splitter, StopWords(stop))

    def _checkpoints(
        self, request: GenerationRequest, prompt: ChatPrompt, live: LivePrompt
    ) -> set[int]:
        """Say where a cache that forgets takes copies.

        At the ends of messages, where this prompt differs from an earlier one (the next step
        of the same question will as well), and at the end.
        """
        if not live.forgets:
            return set()
        boundaries = self._template.boundaries(request.messages, prompt.tokens)
        return {*boundaries, live.repeated, len(prompt.tokens) - 1}


def _lacks_memory(error: Exception) -> bool:
    """Whether MLX, which has no error class for it, could not allocate."""
    message = str(error).lower()
    return isinstance(error, MemoryError) or "malloc" in message or "memory" in message


def _import_runtime() -> None:
    """Import mlx-lm: seconds, the first time.

    Raises: ModelNotSupported, if it is not installed.
    """
    try:
        mlx_runtime.mlx_core()
        torch_runtime.prepare()  # mlx-lm imports transformers
        import mlx_lm  # noqa: F401 - for its side effect, the time
    except ImportError as error:
        raise ModelNotSupported("mlx-lm, which runs this model, is not installed") from error


def _tokenizer(model: InstalledModel, config: dict[str, Any]) -> Any:
    """Load the tokenizer of a folder, with all tokens that end an output.

    Raises: ModelDamaged.
    """
    from mlx_lm.utils import load_tokenizer

    text = config.get("text_config") or {}
    ends = config.get("eos_token_id", text.get("eos_token_id"))
    try:
        return load_tokenizer(  # type: ignore[no-untyped-call]
            model.folder,
            {"trust_remote_code": False, "local_files_only": True},
            eos_token_ids=ends,
        )
    except Exception as error:  # transformers and tokenizers raise a bare one for a bad file
        raise ModelDamaged(f"the tokenizer of {model.id} cannot be read: {error}") from error


def _context(config: dict[str, Any]) -> int:
    """Return how many tokens a model reads, by its configuration."""
    for section in (config, config.get("text_config") or {}):
        for name in _CONTEXT_NAMES:
            if isinstance(section.get(name), int):
                return int(section[name])
    return _UNKNOWN_CONTEXT
