"""Models as the rest of the program sees them: any thread may call, the inference thread works."""

from __future__ import annotations

import threading
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from desktop.models.errors import ModelRevoked
from desktop.models.generation import GenerationEnd, ModelLoading, Usage, never
from desktop.models.inference_thread import Priority
from desktop.models.speed import timed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.models.generation import (
        Cancelled,
        GenerationPart,
        GenerationRequest,
        VisionRequest,
    )
    from desktop.models.inference_thread import InferenceThread
    from desktop.models.memory import Residents
    from desktop.models.roles import InstalledModel, PageVectors, TextEmbedder
    from desktop.models.speed import Speed, Speeds

# One step of work, in characters of text: about 500 tokens, so that a question waits for a
# tenth of a second of ingestion at most.
_CHARACTERS_PER_STEP = 2_000


class ThreadedEmbedder:
    """Satisfies `TextEmbedder`; blocks the caller, never the other work of the thread.

    Long lists are handed over in small steps, between which more urgent work goes first.
    """

    def __init__(
        self,
        embedder_factory: Callable[[], TextEmbedder],
        inference_thread: InferenceThread,
        priority: Priority,
    ) -> None:
        """Prepare without loading.

        Args:
            embedder_factory: called once, on the inference thread, at the first use. If what
                it makes has a `close`, that is called there when the thread closes.
            inference_thread: the owner of all models.
            priority: of everything asked of this object; `at` makes one with another.
        """
        self._shared = _Shared(embedder_factory, inference_thread)
        self._thread = inference_thread
        self._priority = priority

    def at(self, priority: Priority) -> ThreadedEmbedder:
        """Return an embedder with another priority that shares the loaded model."""
        sibling = ThreadedEmbedder.__new__(ThreadedEmbedder)
        sibling._shared = self._shared
        sibling._thread = self._thread
        sibling._priority = priority
        return sibling

    def load_soon(self) -> None:
        """Load the model when its thread is free; whoever needs it first hears of a failure."""
        self._thread.submit(partial(self._shared.embed_queries, [""]), self._priority)

    @property
    def model_id(self) -> str:
        """Name and revision of the model."""
        return self._known().model_id

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._known().dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts, as `TextEmbedder.embed`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        return self._rows(self._shared.embed, texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, as `TextEmbedder.embed_queries`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        return self._rows(self._shared.embed_queries, queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token, as `TextEmbedder.embed_tokens`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        tokens: list[NDArray[np.float32]] = []
        for step in steps_of(texts):
            tokens += self._thread.run(partial(self._shared.embed_tokens, step), self._priority)
        return tokens

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where tokens stand, as `TextEmbedder.token_spans`.

        Raises: ModelNotInstalled, ModelDamaged; ModelStopped, if the thread is closed.
        """
        return self._thread.run(partial(self._shared.token_spans, texts), self._priority)

    def _known(self) -> TextEmbedder:
        """Return the embedder to read its name from, which needs no turn once it is made."""
        return self._shared.made or self._thread.run(self._shared.embedder, self._priority)

    def _rows(
        self, embed: Callable[[Sequence[str]], NDArray[np.float32]], texts: Sequence[str]
    ) -> NDArray[np.float32]:
        parts = [self._thread.run(partial(embed, step), self._priority) for step in steps_of(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)


class _Shared:
    """The one embedder of all priorities; made on the inference thread."""

    def __init__(self, factory: Callable[[], TextEmbedder], thread: InferenceThread) -> None:
        self._factory = factory
        self._thread = thread
        self._lock = threading.Lock()
        self._embedder: TextEmbedder | None = None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.embedder().embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        return self.embedder().embed_queries(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return self.embedder().embed_tokens(texts)

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return self.embedder().token_spans(texts)

    @property
    def made(self) -> TextEmbedder | None:
        return self._embedder

    def embedder(self) -> TextEmbedder:
        with self._lock:
            if self._embedder is None:
                self._embedder = self._factory()
                close = getattr(self._embedder, "close", None)
                if close is not None:
                    self._thread.on_close(close)
            return self._embedder


def steps_of(texts: Sequence[str]) -> Iterator[list[str]]:
    """Divide texts into what is embedded in one step of the inference thread."""
    step: list[str] = []
    characters = 0
    for text in texts:
        if step and characters + len(text) > _CHARACTERS_PER_STEP:
            yield step
            step, characters = [], 0
        step.append(text)
        characters += len(text)
    if step:
        yield step


class PairedEmbedder:
    """Satisfies `TextEmbedder`.

    How much late interaction counts for was fitted with the built-in model's token vectors.
    Those of another model lie on another scale (all tokens of a decoder resemble each other),
    so an installed model finds the passages and the built-in one goes on reading them.
    """

    def __init__(self, passages: TextEmbedder, tokens: TextEmbedder) -> None:
        """Combine two embedders.

        Args:
            passages: makes the vectors of passages and questions; its name stands for both.
            tokens: makes the vectors of tokens, which are never stored.
        """
        self._passages = passages
        self._tokens = tokens

    @property
    def model_id(self) -> str:
        """Name and revision of the model whose vectors are stored."""
        return self._passages.model_id

    @property
    def dimension(self) -> int:
        """Length of the vectors that are stored."""
        return self._passages.dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, as `TextEmbedder.embed`."""
        return self._passages.embed(texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, as `TextEmbedder.embed_queries`."""
        return self._passages.embed_queries(queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token by the other model; their length is that model's dimension."""
        return self._tokens.embed_tokens(texts)

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where the other model's tokens stand."""
        return self._tokens.token_spans(texts)


T = TypeVar("T")


class Lending:
    """Runs work on a model: loads it first, and again if background work had to give way."""

    def __init__(
        self,
        residents: Residents,
        thread: InferenceThread,
        installed: InstalledModel,
        priority: Priority,
    ) -> None:
        self.installed = installed
        self._residents = residents
        self._thread = thread
        self._priority = priority

    def stream(
        self, work: Callable[[Any], Iterator[T]], cancelled: Cancelled = never
    ) -> Iterator[T | ModelLoading]:
        """Go through what `work` makes of the model, step by step on the inference thread."""
        return self._thread.stream(
            lambda: self._residents.use(self.installed, work, self._priority),
            self._priority,
            cancelled,
        )

    def call(self, work: Callable[[Any], T]) -> T:
        """Return what `work` makes of the model in one step on the inference thread.

        Raises: ModelOutOfBudget, ModelStopped and what loading and the work raise.
        """
        while True:
            try:
                *_, result = self.stream(lambda model: iter([work(model)]))
            except ModelRevoked:
                if self._priority is not Priority.INGESTION:
                    raise
            else:
                return result  # type: ignore[return-value]  # the last item is the work's


class _Managed:
    def __init__(self, lending: Lending) -> None:
        self._lending = lending

    @property
    def model_id(self) -> str:
        """Name and revision."""
        return self._lending.installed.model_id


class ManagedLanguageModel(_Managed):
    """Satisfies `LanguageModel`; how fast it is gets measured while it works."""

    def __init__(self, lending: Lending, speeds: Speeds) -> None:
        super().__init__(lending)
        self._speeds = speeds

    @property
    def speed(self) -> Speed | None:
        """How fast it was on this machine so far, None if it never ran here."""
        return self._speeds.of(self._lending.installed.id)

    @property
    def context_tokens(self) -> int:
        """The most tokens that prompt and output may have together; loads the model."""
        return self._lending.call(lambda model: int(model.context_tokens))

    def count_tokens(self, text: str) -> int:
        """Count tokens; loads the model."""
        return self._lending.call(lambda model: int(model.count_tokens(text)))

    def generate(
        self, request: GenerationRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Write an answer, as `LanguageModel.generate`; loading the model comes first."""
        parts = _parts(self._lending, lambda model: model.generate(request, cancelled), cancelled)
        return timed(parts, partial(self._speeds.measured, self._lending.installed.id))


class ManagedVisionModel(_Managed):
    """Satisfies `VisionLanguageModel`."""

    def read(
        self, request: VisionRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Answer a question about a picture, as `VisionLanguageModel.read`."""
        return _parts(self._lending, lambda model: model.read(request, cancelled), cancelled)


class ManagedPageEmbedder(_Managed):
    """Satisfies `PageEmbedder`; one page is one step."""

    @property
    def dimension(self) -> int:
        """Length of each vector; loads the model."""
        return self._lending.call(lambda model: int(model.dimension))

    def embed_pages(self, pages: Sequence[NDArray[np.uint8]]) -> list[PageVectors]:
        """Embed pictures of pages, as `PageEmbedder.embed_pages`."""
        return [self._lending.call(methodcaller("embed_pages", [page]))[0] for page in pages]

    def embed_queries(self, queries: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed questions, as `PageEmbedder.embed_queries`."""
        return self._lending.call(lambda model: list(model.embed_queries(queries)))


class ManagedTextEmbedder(_Managed):
    """Satisfies `TextEmbedder`; long lists are embedded in several steps."""

    @property
    def dimension(self) -> int:
        """Length of each vector; loads the model."""
        return self._lending.call(lambda model: int(model.dimension))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, as `TextEmbedder.embed`."""
        parts = [self._lending.call(methodcaller("embed", step)) for step in steps_of(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, as `TextEmbedder.embed_queries`."""
        return self._lending.call(lambda model: np.asarray(model.embed_queries(queries)))

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token, as `TextEmbedder.embed_tokens`."""
        tokens: list[NDArray[np.float32]] = []
        for step in steps_of(texts):
            tokens += self._lending.call(methodcaller("embed_tokens", step))
        return tokens

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where tokens stand, as `TextEmbedder.token_spans`."""
        spans: list[list[tuple[int, int]]] = self._lending.call(methodcaller("token_spans", texts))
        return spans


class ManagedSpeechRecognizer(_Managed):
    """Satisfies `SpeechRecognizer`; a question of at most 30 seconds is one step."""

    def transcribe(self, samples: NDArray[np.float32]) -> str:
        """Return what was said, as `SpeechRecognizer.transcribe`; loading comes first."""
        return self._lending.call(lambda model: str(model.transcribe(samples)))


def _parts(
    lending: Lending, work: Callable[[Any], Iterator[GenerationPart]], cancelled: Cancelled
) -> Iterator[GenerationPart]:
    """Generate; being cancelled before it begins, or while it loads, ends it as well."""
    for part in lending.stream(work, cancelled):
        if isinstance(part, ModelLoading) and cancelled():
            break
        yield part
        if isinstance(part, GenerationEnd):
            return
    yield GenerationEnd("cancelled", Usage())
