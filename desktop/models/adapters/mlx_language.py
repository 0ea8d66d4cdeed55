"""A language model through mlx-lm: decoded token by token, its prompts kept between requests."""

from __future__ import annotations

import contextlib
import copy
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.models.adapters import mlx_runtime, torch_runtime
from desktop.models.answer_text import (
    AnswerText,
    GenerationMeter,
    HarmonySplitter,
    StopWords,
    TagSplitter,
    Writing,
)
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
    Message,
    PromptProgress,
    never,
)
from desktop.models.structured import JsonVocabulary
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from desktop.models.answer_text import ReasoningSplitter
    from desktop.models.generation import Sampling
    from desktop.models.roles import Allowance, InstalledModel
    from desktop.models.structured import JsonConstraint


_HARMONY = ("<|channel|>", "<|message|>")
_FINAL = "<|channel|>final<|message|>"
_PLAIN_NAMES = {"user": "User: ", "assistant": "Assistant: ", "system": ""}
_PLAIN_STOP = "\nUser:"


@dataclass(frozen=True, slots=True)
class ChatPrompt:
    """A prompt as tokens, and how to read what the model writes after it.

    splitter: tells the reasoning from the answer, for this one generation. stop: texts that
    end the answer because of how the prompt is written.
    """

    tokens: list[int]
    splitter: ReasoningSplitter
    stop: tuple[str, ...] = ()


class ChatTemplate:
    """Writes prompts with a tokenizer of mlx-lm (`TokenizerWrapper`).

    A template that refuses a system message gets it at the head of the first user message;
    a model without a template gets a plain dialogue.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        vocabulary = tokenizer.get_vocab()
        self._harmony = all(token in vocabulary for token in _HARMONY)
        self._opening: str = tokenizer.think_start or "<think>"
        self._closing: str = tokenizer.think_end or "</think>"

    def prompt(self, messages: Sequence[Message], *, thinking: bool) -> ChatPrompt:
        """Write the prompt of an answer. thinking: aloud, or, where it can, the answer first."""
        text = self._rendered(messages, thinking=thinking, answer=True)
        if text is None:
            said = [_PLAIN_NAMES[message.speaker] + message.text for message in messages]
            text = "\n\n".join([*said, "Assistant:"])
            return ChatPrompt(self._tokenizer.encode(text), TagSplitter(), (_PLAIN_STOP,))
        if self._harmony:
            splitter: ReasoningSplitter = HarmonySplitter(answering=not thinking)
            return ChatPrompt(self._encoded(text if thinking else text + _FINAL), splitter)
        opened = text.rstrip().endswith(self._opening)
        if opened and not thinking:
            text = f"{text.rstrip()}\n\n{self._closing}\n\n"
        splitter = TagSplitter(self._opening, self._closing, inside=opened and thinking)
        return ChatPrompt(self._encoded(text), splitter)

    def boundaries(self, messages: Sequence[Message], tokens: Sequence[int]) -> list[int]:
        """Say after how many tokens of a prompt its system message and its history end.

        Up to these points a later prompt is most likely the same. They are
        hints: a point that cannot be determined is left out.
        """
        history = len(messages) - 1
        system = next((i for i, m in enumerate(messages) if m.speaker != "system"), history)
        places = set()
        for count in {system, history} - {0}:
            text = self._rendered(messages[:count], thinking=False, answer=False, fold=False)
            if text:
                places.add(common_length(self._encoded(text), tokens))
        return sorted(places - {0})

    def _rendered(
        self, messages: Sequence[Message], *, thinking: bool, answer: bool, fold: bool = True
    ) -> str | None:
        """Apply the template; return None if there is none or it refuses these messages."""
        if not self._tokenizer.has_chat_template:
            return None
        from jinja2 import TemplateError

        for attempt in (messages, _folded(messages)) if fold else (messages,):
            try:
                text = self._tokenizer.apply_chat_template(
                    [{"role": message.speaker, "content": message.text} for message in attempt],
                    tokenize=False,
                    add_generation_prompt=answer,
                    enable_thinking=thinking,
                )
            except (TemplateError, LookupError):  # it refuses a role, or wants a user first
                continue
            return str(text)
        return None

    def _encoded(self, text: str) -> list[int]:
        # the template has written the special tokens
        return list(self._tokenizer.encode(text, add_special_tokens=False))


def common_length(one: Sequence[int], other: Sequence[int]) -> int:
    """Count the tokens that both lists begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _folded(messages: Sequence[Message]) -> list[Message]:
    """Fold system messages into the user's, and join successive ones by one speaker."""
    folded: list[Message] = []
    for message in messages:
        speaker = "user" if message.speaker == "system" else message.speaker
        if folded and folded[-1].speaker == speaker:
            folded[-1] = Message(speaker, f"{folded[-1].text}\n\n{message.text}")
        else:
            folded.append(Message(speaker, message.text))
    return folded


_MOST_PROMPTS = 3
_MOST_CHECKPOINTS = 4
_WORTH_KEEPING = 16  # tokens


class LivePrompt:
    """A key-value cache and the tokens it has read, in use by one generation.

    sound: whether cache and tokens agree; false while the model computes.
    shared: whether its memory still belongs to a kept prompt, and is copied when written.
    repeated: how many of the new prompt's tokens an earlier prompt began with; it may be
        more than could be reused.
    """

    def __init__(self, cache: list[Any]) -> None:
        self.cache = cache
        self.tokens: list[int] = []
        self.sound = True
        self.shared = False
        self.repeated = 0
        self._checkpoints: dict[int, dict[int, Any]] = {}

    @property
    def nbytes(self) -> int:
        """Bytes of the cache and its checkpoints."""
        copies = [layer for place in self._checkpoints.values() for layer in place.values()]
        return sum(layer.nbytes for layer in (*self.cache, *copies) if not layer.empty())

    @property
    def forgets(self) -> bool:
        """Whether a layer forgets, so that checkpoints are needed."""
        return any(not _only_grows(layer) for layer in self.cache)

    def checkpoint(self) -> None:
        """Remember this place, if a layer forgets."""
        forgetful = {
            number: copy.deepcopy(layer)
            for number, layer in enumerate(self.cache)
            if not _only_grows(layer)
        }
        if not forgetful or not self.tokens:
            return
        self._checkpoints[len(self.tokens)] = forgetful
        if len(self._checkpoints) > _MOST_CHECKPOINTS:
            del self._checkpoints[self._least_missed()]

    def reusable(self, length: int) -> int:
        """Return how many of the first `length` tokens it can be taken back to."""
        if length == len(self.tokens) or all(_can_trim(layer) for layer in self.cache):
            return length
        return max((place for place in self._checkpoints if place <= length), default=0)

    def rewind(self, length: int) -> None:
        """Take it back to a length that `reusable` returned."""
        surplus = len(self.tokens) - length
        if surplus == 0:
            return
        forgotten = self._checkpoints.get(length, {})
        for number, layer in enumerate(self.cache):
            if number in forgotten:
                self.cache[number] = copy.deepcopy(forgotten[number])
            else:
                layer.trim(surplus)
        del self.tokens[length:]
        self._checkpoints = {p: c for p, c in self._checkpoints.items() if p <= length}

    def duplicate(self) -> LivePrompt:
        """Return a copy that can be used beside this one."""
        twin = LivePrompt(copy.deepcopy(self.cache))
        twin.tokens = list(self.tokens)
        twin.shared = True
        twin._checkpoints = dict(self._checkpoints)
        return twin

    def _least_missed(self) -> int:
        """Return the checkpoint whose loss costs the fewest tokens."""
        places = sorted(self._checkpoints)
        before = [0, *places]
        return min(zip(places, before, strict=False), key=lambda pair: pair[0] - pair[1])[0]


class KeptPrompts:
    """The prompts of one model, the least recently used first."""

    def __init__(self, new_cache: Callable[[], list[Any]]) -> None:
        """Begin with none; `new_cache` makes an empty key-value cache of the model."""
        self._new_cache = new_cache
        self._kept: list[LivePrompt] = []
        self._running: list[LivePrompt] = []

    @property
    def nbytes(self) -> int:
        """Bytes of all prompts, those in use included."""
        return sum(prompt.nbytes for prompt in (*self._kept, *self._running))

    def take(self, tokens: Sequence[int]) -> LivePrompt:
        """Return a cache that has read as much of a prompt's beginning as can be reused.

        The last token is always left to read. Two generations never get the same cache;
        it must be returned with `give_back`.
        """
        live, repeated = self._best(tokens[:-1])
        live.repeated = repeated
        self._running.append(live)
        return live

    def give_back(self, live: LivePrompt) -> None:
        """Keep a cache for the next prompt, unless it is of no use."""
        self._running.remove(live)
        live.shared = False
        if not live.sound or len(live.tokens) < _WORTH_KEEPING:
            return
        self._kept = [kept for kept in self._kept if kept.tokens != live.tokens[: len(kept.tokens)]]
        self._kept = [*self._kept, live][-_MOST_PROMPTS:]

    def drop(self) -> None:
        """Forget all prompts that no generation is using."""
        self._kept.clear()

    def _best(self, tokens: Sequence[int]) -> tuple[LivePrompt, int]:
        repeated = length = 0
        best = None
        for kept in self._kept:
            common = common_length(kept.tokens, tokens)
            repeated = max(repeated, common)
            if (reusable := kept.reusable(common)) > length:
                best, length = kept, reusable
        if best is None or length < _WORTH_KEEPING:
            return LivePrompt(self._new_cache()), repeated
        # What it read beyond is lost to the new prompt, unless most of it would be.
        self._kept.remove(best)
        if 2 * length < len(best.tokens):
            self._kept.append(best)  # the most recently used one
            best = best.duplicate()
        best.rewind(length)
        return best, repeated


def _only_grows(layer: Any) -> bool:
    """Whether a layer's cache keeps every token, so that it can always be trimmed."""
    from mlx_lm.models.cache import KVCache

    return isinstance(layer, KVCache)


def _can_trim(layer: Any) -> bool:
    """Whether a layer's cache has forgotten nothing yet."""
    if hasattr(layer, "start_position"):  # it says it could, and may not
        return False
    return bool(layer.is_trimmable())


_STEP = 256  # mlx-lm grows a cache by so many tokens at a time


@dataclass(frozen=True, slots=True)
class _Layer:
    """Bytes per token, for at most `window` tokens unless it is None, plus fixed bytes."""

    token_bytes: int = 0
    window: int | None = None
    fixed_bytes: int = 0


class KeyValueSize:
    """Knows the bytes that a prompt of so many tokens takes, whatever caches the layers have."""

    def __init__(self, model: Any, chunk_tokens: int) -> None:
        """Run a model of mlx-lm on two tokens and look at the caches.

        chunk_tokens: prompt tokens read at once; a sliding window holds them beside its own.
        """
        import mlx.core as mx
        from mlx_lm.models.cache import make_prompt_cache

        cache = make_prompt_cache(model)
        model(mx.array([[0, 0]]), cache=cache)
        mx.eval([layer.state for layer in cache])
        self._chunk = chunk_tokens
        self._layers = [_measured(part) for layer in cache for part in _parts(layer)]

    def bytes_for(self, tokens: int) -> int:
        """Return the bytes of a cache that holds so many tokens."""
        grown = -(-tokens // _STEP) * _STEP
        total = 0
        for layer in self._layers:
            held = grown if layer.window is None else min(grown, layer.window + self._chunk)
            total += layer.token_bytes * held + layer.fixed_bytes
        return total


def _parts(layer: Any) -> list[Any]:
    """Take a layer with several caches apart."""
    inner = getattr(layer, "caches", None)
    return [layer] if inner is None else [part for one in inner for part in _parts(one)]


def _measured(layer: Any) -> _Layer:
    keys = getattr(layer, "keys", None)
    if keys is None or not hasattr(keys, "shape"):  # a state of one size
        return _Layer(fixed_bytes=layer.nbytes)
    window = getattr(layer, "max_size", None) or getattr(layer, "chunk_size", None)
    return _Layer(layer.nbytes // keys.shape[-2], window)


_TOKENS_BETWEEN_CLEARING = 256  # as mlx-lm does, or freed buffers pile up


class Decoder:
    """One generation's computations. `prompt.tokens` follows what the cache has read."""

    def __init__(self, model: Any, prompt: LivePrompt, sampling: Sampling) -> None:
        import mlx.core as mx

        self._mx = mx
        self._model = model
        self._prompt = prompt
        self._choose = _chooser(sampling)

    def read(self, tokens: Sequence[int]) -> None:
        """Read some prompt tokens; returns when that is computed."""
        mx = self._mx
        self._prompt.sound = False
        self._model(mx.array(tokens)[None], cache=self._prompt.cache)
        mx.eval([layer.state for layer in self._prompt.cache])
        mx.clear_cache()
        self._prompt.tokens.extend(tokens)
        self._prompt.sound = True

    def write(
        self, last: int, most: int, constraint: JsonConstraint | None = None
    ) -> Generator[int, None, None]:
        """Write up to `most` tokens after the prompt's last, unread one; may be closed."""
        prompt = self._prompt
        prompt.sound = False
        steps = self._free(last, most) if constraint is None else self._held(last, most, constraint)
        prompt.tokens.append(last)
        written = 0
        for tokens in steps:
            before, written = written, written + len(tokens)
            # the very last one is not read any more
            prompt.tokens.extend(tokens if written < most else tokens[:-1])
            prompt.sound = True
            yield from tokens
            prompt.sound = False
            if written // _TOKENS_BETWEEN_CLEARING > before // _TOKENS_BETWEEN_CLEARING:
                self._mx.clear_cache()
        prompt.sound = True

    def _free(self, last: int, most: int) -> Iterator[list[int]]:
        mx = self._mx
        token = self._choose(self._forward(mx.array([last])), 0)
        mx.async_eval(token)
        for number in range(1, most + 1):
            following = token
            if number < most:
                following = self._choose(self._forward(token), number)
                mx.async_eval(following)
            yield [int(token.item())]
            token = following

    def _held(self, last: int, most: int, constraint: JsonConstraint) -> Iterator[list[int]]:
        """Yield chosen tokens one by one, and those without an alternative all at once."""
        mx = self._mx
        forced = constraint.forced()[:most]
        logits = self._forward(mx.array([last, *forced[: most - 1]]))
        mx.async_eval(logits)
        written = len(forced)
        if forced:
            yield forced
        while written < most:
            allowed = mx.array(constraint.allowed(logits.shape[-1]))
            nothing = mx.array(-float("inf"), logits.dtype)
            token = self._choose(mx.where(allowed[None], logits, nothing), written)
            # Two evaluations: the token can be taken while the second one still runs.
            mx.async_eval(token)
            written += 1
            if written < most:
                logits = self._forward(token)
                mx.async_eval(logits)
            yield [int(token.item())]
            forced = constraint.forced()[: most - written]
            written += len(forced)
            if unread := forced if written < most else forced[:-1]:
                logits = self._forward(mx.array(unread))
                mx.async_eval(logits)
            if forced:
                yield forced

    def _forward(self, tokens: Any) -> Any:
        """Return the logits after some tokens, not yet computed, shape (1, vocabulary)."""
        return self._model(tokens[None], cache=self._prompt.cache)[:, -1, :]


def _chooser(sampling: Sampling) -> Callable[[Any, int], Any]:
    """Return the function from logits and a token's number to the token, shape (1,)."""
    import mlx.core as mx
    from mlx_lm.sample_utils import make_sampler

    if sampling.temperature <= 0:
        return lambda logits, _: mx.argmax(logits, axis=-1)
    sample = make_sampler(temp=sampling.temperature, top_p=sampling.top_p)
    seed = secrets.randbits(32) if sampling.seed is None else sampling.seed

    def choose(logits: Any, number: int) -> Any:
        # MLX has one state of chance per thread, and another generation may come between:
        # so every token has its own.
        mx.random.seed((seed * 1_000_003 + number) % 2**64)
        return sample(logits - mx.logsumexp(logits, axis=-1, keepdims=True))

    return choose


@contextlib.contextmanager
def wired_memory() -> Iterator[None]:
    """Keep the weights in GPU memory inside the block, as `mlx_lm.generate` does on Metal."""
    import mlx.core as mx

    size = int(mx.device_info().get("max_recommended_working_set_size", 0))
    if not size:
        yield
        return
    before = mx.set_wired_limit(size)
    try:
        yield
    finally:
        mx.synchronize()
        mx.set_wired_limit(before)


@dataclass(slots=True)
class Generation:
    """What one answer needs.

    tokens: of the prompt. live: the cache that has read its beginning. checkpoints: after
    how many prompt tokens the cache takes one.
    """

    tokens: Sequence[int]
    live: LivePrompt
    decoder: Decoder
    writing: Writing
    checkpoints: set[int] = field(default_factory=set)

    def run(self, chunk: int, most: int) -> Iterator[GenerationPart]:
        """Read the prompt, `chunk` tokens at most in a step, then write at most `most` tokens.

        The meter is given the reason for the end. Closing the iterator leaves the cache
        fit for the next run.
        """
        total = len(self.tokens)
        yield PromptProgress(len(self.live.tokens), total)
        for end in self._pauses(chunk):
            if self.writing.is_cancelled():
                return
            self.decoder.read(self.tokens[len(self.live.tokens) : end])
            if end in self.checkpoints:
                self.live.checkpoint()
            yield PromptProgress(end, total)
        if self.writing.is_cancelled():
            return
        steps = self.decoder.write(self.tokens[-1], most, self.writing.constraint)
        with contextlib.closing(steps):
            yield from self.writing.parts(steps, total)

    def _pauses(self, chunk: int) -> list[int]:
        """Say after how many prompt tokens each step ends; the last token is left to be written."""
        begin, end = len(self.live.tokens), len(self.tokens) - 1
        pauses: list[int] = []
        for stop in sorted({*self.checkpoints, end}):
            if begin < stop <= end:
                pauses += [*range(begin + chunk, stop, chunk), stop]
                begin = stop
        return pauses


CHUNK_TOKENS = 512
"""Prompt tokens read in one step: what a cancel or a more urgent request waits for."""

_CONTEXT_NAMES = ("max_position_embeddings", "max_seq_len", "seq_length", "n_positions", "n_ctx")
_UNKNOWN_CONTEXT = 4096
_IMPORTED, _READY_TO_READ, _READ = 0.05, 0.1, 0.97  # fractions of the loading


def load(model: InstalledModel, allowance: Allowance) -> Generator[float, None, MlxLanguageModel]:
    """Load a model; satisfies `Loader`. Raises: ModelDamaged, ModelNotSupported."""
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
        for fraction in mlx_runtime.read_weights(mlx_runtime.parameters(network)):
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
        """Take over a loaded network of mlx-lm and its `TokenizerWrapper`.

        context_tokens: the most of prompt and output together. chunk_tokens: prompt tokens a step.
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
        """Write an answer; see `LanguageModel`. Stop words end free text only, not JSON.

        Raises: ModelOutOfBudget, PromptTooLong, SchemaNotSupported.
        """
        thinking = request.thinking and request.schema is None
        prompt = self._template.prompt(request.messages, thinking=thinking)
        room = self.context_tokens - len(prompt.tokens)
        if room <= 0:
            raise PromptTooLong(len(prompt.tokens), self.context_tokens)
        most = max(0, min(request.max_tokens, room))
        constraint = self._constraint(request)
        stop = () if request.schema is not None else (*request.stop, *prompt.stop)
        live = self._kept.take(prompt.tokens)
        meter = GenerationMeter(len(prompt.tokens), len(live.tokens))
        try:
            self._admit(live, len(prompt.tokens) + most)
            generation = Generation(
                prompt.tokens,
                live,
                Decoder(self._network, live, request.sampling),
                Writing(
                    AnswerText(self._tokenizer.detokenizer, prompt.splitter, StopWords(stop)),
                    frozenset(self._tokenizer.eos_token_ids),
                    meter,
                    cancelled,
                    constraint,
                ),
                self._checkpoints(request, prompt, live),
            )
            with mlx_runtime.as_memory_errors(), wired_memory():
                yield from meter.timed(generation.run(self._chunk, most))
        except MemoryError as error:
            needed = self._size.bytes_for(len(prompt.tokens) + most)
            raise ModelOutOfBudget(
                said(
                    "the machine ran out of memory while {model_id} was writing",
                    model_id=self.model_id,
                ),
                needed,
                self._allowance.free_bytes(),
                said("Close other programs, ask with less text, or use a smaller model."),
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
                raise SchemaNotSupported("this model's tokenizer cannot be bound to a schema")
            self._vocabulary = JsonVocabulary(backend.to_str(), self._tokenizer.eos_token_ids)
        return self._vocabulary.constrain(request.schema)

    def _admit(self, live: LivePrompt, tokens: int) -> None:
        held = 0 if live.shared else live.nbytes
        needed = self._size.bytes_for(tokens) - held
        if needed > 0:
            self._allowance.admit(needed, f"the key-value cache of {tokens:,} tokens")

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


def _import_runtime() -> None:
    """Import mlx-lm, which takes seconds the first time. Raises: ModelNotSupported."""
    try:
        mlx_runtime.mlx_core()
        torch_runtime.prepare()  # mlx-lm imports transformers
        import mlx_lm  # noqa: F401 - for its side effect, the time
    except ImportError as error:
        raise ModelNotSupported("mlx-lm, which runs this model, is not installed") from error


def _tokenizer(model: InstalledModel, config: dict[str, Any]) -> Any:
    """Load the tokenizer of a folder, with all tokens that end an output. Raises: ModelDamaged."""
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
        raise ModelDamaged(
            "the tokenizer of {id} cannot be read: {error}", id=model.id, error=error
        ) from error


def _context(config: dict[str, Any]) -> int:
    """Return how many tokens a model reads, according to its configuration."""
    for section in (config, config.get("text_config") or {}):
        for name in _CONTEXT_NAMES:
            if isinstance(section.get(name), int):
                return int(section[name])
    return _UNKNOWN_CONTEXT
