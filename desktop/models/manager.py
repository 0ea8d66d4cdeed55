"""Models for the rest of the program: any thread asks, the inference thread works."""

from __future__ import annotations

import logging
import threading
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from operator import methodcaller
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from desktop.models.catalogue import loader_of
from desktop.models.errors import ModelError, ModelRevoked, ModelStopped
from desktop.models.generation import GenerationEnd, ModelLoading, Usage, never
from desktop.models.inference_thread import MadeOnThread, Priority
from desktop.models.memory import MachineMemory, MemoryPool, Residents, process_bytes
from desktop.models.overview import (
    LITE,
    MemoryStatus,
    Shelf,
    Stock,
    Wishes,
    active_profile,
    choose,
    overview,
    profile_statuses,
)
from desktop.models.speed import Speeds, timed
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from desktop.models.catalogue import Catalogue, Profile
    from desktop.models.generation import (
        Cancelled,
        GenerationPart,
        GenerationRequest,
        VisionRequest,
    )
    from desktop.models.inference_thread import InferenceThread
    from desktop.models.overview import ModelStatus, ProfileStatus
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.roles import (
        InstalledModel,
        LanguageModel,
        Loader,
        PageEmbedder,
        PageVectors,
        PassageEmbedder,
        Role,
        SpeechRecognizer,
        TextEmbedder,
        VisionLanguageModel,
    )
    from desktop.models.speed import Speed


logger = logging.getLogger(__name__)

# One step of work, in characters of text: about 500 tokens, so that a question waits for a
# tenth of a second of ingestion at most.
_CHARACTERS_PER_STEP = 2_000

_SECOND_READING = 1.25
"""How much a second text model moves a unit, in log odds for each standard deviation."""


class ThreadedEmbedder:
    """Satisfies `TextEmbedder`; blocks the caller, never the other work of the thread.

    Long lists are handed over in small steps, between which more urgent work goes first.
    Everything asked of it raises ModelNotInstalled, ModelDamaged; ModelStopped, if the thread
    is closed.
    """

    def __init__(
        self,
        embedder_factory: Callable[[], TextEmbedder],
        inference_thread: InferenceThread,
        priority: Priority,
    ) -> None:
        """Prepare without loading.

        embedder_factory: called once, on the inference thread, on first use; a `close` of what it
        makes is called there when the thread closes. priority: `at` makes one with another.
        """
        self._shared = MadeOnThread(embedder_factory, inference_thread)
        self._thread = inference_thread
        self._priority = priority
        self._second: Callable[[], PassageEmbedder | None] = lambda: None

    def beside(self, second: Callable[[], PassageEmbedder | None]) -> ThreadedEmbedder:
        """Return an embedder whose reranking the model of `second`, when there is one, joins."""
        sibling = copy(self)
        sibling._second = second
        return sibling

    def at(self, priority: Priority) -> ThreadedEmbedder:
        """Return an embedder with another priority that shares the loaded model."""
        sibling = copy(self)
        sibling._priority = priority
        return sibling

    def load_soon(self) -> None:
        """Load the model when its thread is free; whoever needs it first is told of a failure."""
        self._thread.submit(lambda: self._shared.get().embed_queries([""]), self._priority)

    @property
    def model_id(self) -> str:
        """Name and revision of the model."""
        return self._known().model_id

    @property
    def dimension(self) -> int:
        """Length of each vector."""
        return self._known().dimension

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts, as `TextEmbedder.embed`."""
        return self._rows("embed", texts)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, as `TextEmbedder.embed_queries`."""
        return self._rows("embed_queries", queries)

    def embed_tokens(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed every token, as `TextEmbedder.embed_tokens`."""
        return [row for step in steps_of(texts) for row in self._run("embed_tokens", step)]

    def token_spans(self, texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        """Say where tokens stand, as `TextEmbedder.token_spans`."""
        return list(self._run("token_spans", texts))

    def rerank(self, question: str, texts: Sequence[str]) -> NDArray[np.float32] | None:
        """As `TextEmbedder.rerank`; a second model that fails leaves the first one's word."""
        parts = [self._run("rerank", question, step) for step in steps_of(texts)]
        known = [part for part in parts if part is not None]
        if not known:
            return None
        odds = np.concatenate(known)
        second = self._second()
        if second is None:
            return odds
        try:
            near = second.embed(texts) @ second.embed_queries([question])[0]
        except ModelStopped:
            raise
        except ModelError as error:
            logger.warning("the second text model does not read: %s", type(error).__name__)
            return odds
        return read_again(odds, near)

    def _known(self) -> TextEmbedder:
        """Return the embedder for reading its name, without waiting for a turn once it is made."""
        return self._shared.made or self._thread.run(self._shared.get, self._priority)

    def _rows(self, method: str, texts: Sequence[str]) -> NDArray[np.float32]:
        parts = [self._run(method, step) for step in steps_of(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def _run(self, method: str, *values: Any) -> Any:
        """Call a method of the embedder in one step of the thread."""
        return self._shared.call(self._priority, method, *values)


def read_again(odds: NDArray[np.float32], near: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how likely texts are to answer, where a second model says how near they are.

    Only their order changes: how near a text is says less of whether any of them answers than what
    the first model says, and another model's cosines lie on another scale. On `choose` (705
    questions) EmbeddingGemma puts the right unit first in 0.62 instead of 0.59, the right page in
    0.78 instead of 0.77; not moving the surest keeps the calibration error (0.04; else 0.11).

    odds: their logarithms, by the first model. near: cosines by the second. Both float32,
        shape (n,).
    """
    spread = float(near.std())
    if not spread:
        return odds
    moved = odds + _SECOND_READING * (near - near.mean()) / spread
    found: NDArray[np.float32] = (moved + odds.max() - moved.max()).astype(np.float32)
    return found


def steps_of(texts: Sequence[str]) -> Iterator[list[str]]:
    """Divide texts into lists, each embedded in one step of the inference thread."""
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


T = TypeVar("T")


@dataclass(eq=False)
class Lending:
    """Runs work on a model: loads it first, and again if background work had to give way."""

    residents: Residents
    thread: InferenceThread
    installed: InstalledModel
    priority: Priority

    @property
    def model_id(self) -> str:
        """Name and revision."""
        return self.installed.model_id

    def stream(
        self, work: Callable[[Any], Iterator[T]], cancelled: Cancelled = never
    ) -> Iterator[T | ModelLoading]:
        """Go through what `work` makes of the model, step by step on the inference thread."""
        return self.thread.stream(
            lambda: self.residents.use(self.installed, work, self.priority),
            self.priority,
            cancelled,
        )

    def call(self, work: Callable[[Any], T]) -> T:
        """Return what `work` makes of the model in one step. Raises: what loading and work do."""
        while True:
            try:
                *_, result = self.stream(lambda model: iter([work(model)]))
            except ModelRevoked:
                if self.priority is not Priority.INGESTION:
                    raise
            else:
                return result  # type: ignore[return-value]  # the last item is the work's

    def parts(
        self, work: Callable[[Any], Iterator[GenerationPart]], cancelled: Cancelled
    ) -> Iterator[GenerationPart]:
        """Generate; being cancelled before it begins, or while it loads, ends it as well."""
        for part in self.stream(work, cancelled):
            if isinstance(part, ModelLoading) and cancelled():
                break
            yield part
            if isinstance(part, GenerationEnd):
                return
        yield GenerationEnd("cancelled", Usage())


class ManagedLanguageModel(Lending):
    """Satisfies `LanguageModel`; its speed is measured while it works."""

    def __init__(self, speeds: Speeds, *lending: Any) -> None:
        super().__init__(*lending)
        self._speeds = speeds

    @property
    def speed(self) -> Speed | None:
        """How fast it has been on this machine so far, None if it never ran here."""
        return self._speeds.of(self.installed.id)

    @property
    def context_tokens(self) -> int:
        """The most tokens that prompt and output may have together; loads the model."""
        return self.call(lambda model: int(model.context_tokens))

    def count_tokens(self, text: str) -> int:
        """Count tokens; loads the model."""
        return self.call(lambda model: int(model.count_tokens(text)))

    def generate(
        self, request: GenerationRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Write an answer, as `LanguageModel.generate`; loading the model comes first."""
        parts = self.parts(lambda model: model.generate(request, cancelled), cancelled)
        return timed(parts, partial(self._speeds.measured, self.installed.id))


class ManagedVisionModel(Lending):
    """Satisfies `VisionLanguageModel`."""

    def read(
        self, request: VisionRequest, cancelled: Cancelled = never
    ) -> Iterator[GenerationPart]:
        """Answer a question about a picture, as `VisionLanguageModel.read`."""
        return self.parts(lambda model: model.read(request, cancelled), cancelled)


class _ManagedEmbedder(Lending):
    @property
    def dimension(self) -> int:
        """Length of each vector; loads the model."""
        return self.call(lambda model: int(model.dimension))


class ManagedPageEmbedder(_ManagedEmbedder):
    """Satisfies `PageEmbedder`; one page is one step."""

    def embed_pages(self, pages: Sequence[NDArray[np.uint8]]) -> list[PageVectors]:
        """Embed pictures of pages, as `PageEmbedder.embed_pages`."""
        return [self.call(methodcaller("embed_pages", [page]))[0] for page in pages]

    def embed_queries(self, queries: Sequence[str]) -> list[NDArray[np.float32]]:
        """Embed questions, as `PageEmbedder.embed_queries`."""
        return self.call(lambda model: list(model.embed_queries(queries)))


class ManagedTextEmbedder(_ManagedEmbedder):
    """Satisfies `PassageEmbedder`; long lists are embedded in several steps."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed passages, as `PassageEmbedder.embed`."""
        parts = [self.call(methodcaller("embed", step)) for step in steps_of(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def embed_queries(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """Embed questions, as `PassageEmbedder.embed_queries`."""
        return self.call(lambda model: np.asarray(model.embed_queries(queries)))


class ManagedSpeechRecognizer(Lending):
    """Satisfies `SpeechRecognizer`; a question of at most 30 seconds is one step."""

    def transcribe(self, samples: NDArray[np.float32]) -> str:
        """Return what was said, as `SpeechRecognizer.transcribe`; loading comes first."""
        return self.call(lambda model: str(model.transcribe(samples)))


class ModelManager:
    """Thread-safe; nothing here waits for a model, except the roles it hands out."""

    def __init__(
        self,
        folder: ModelFolder,
        catalogue: Catalogue,
        thread: InferenceThread,
        *,
        wishes: Wishes | None = None,
        budget_gib: float | None = None,
        machine: MachineMemory | None = None,
        remember_profile: Callable[[str], None] = lambda _profile: None,
        load_by: Callable[[InstalledModel], Loader] | None = None,
        speeds: Speeds | None = None,
    ) -> None:
        """Look at what is installed; load nothing.

        thread: when it closes, all models are unloaded. budget_gib: memory for models; None for
        what suits the machine. machine: None measures this one. remember_profile: stores a new
        choice of profile. load_by: by default the adapter of a model's family. speeds: None: kept
        as long as this object lives.
        """
        self.folder = folder
        self.catalogue = catalogue
        self.speeds = speeds or Speeds()
        self._thread = thread
        self._wishes = wishes or Wishes()
        self._remember_profile = remember_profile
        self._pool = MemoryPool(machine or MachineMemory.of_this_machine(), budget_gib)
        self._listeners: list[Callable[[], None]] = []
        self._lock = threading.Lock()
        self._measured: dict[str, int] = {}
        self._stock = Stock({}, {}, {})
        self._residents = Residents(
            self._pool,
            load_by or partial(loader_of, catalogue=catalogue, pages_by=self._wishes.pages_by),
            expected_bytes=lambda model: self._shelf().expected_bytes(model),
            advise=self._advise,
            changed=self._changed,
        )
        thread.on_close(self._residents.close)
        self.refresh()

    def language(self, priority: Priority = Priority.QUESTION) -> LanguageModel | None:
        """Return the model that decides and writes, None in Lite."""
        return self._lent(partial(ManagedLanguageModel, self.speeds), "language", priority)

    def vision(self, priority: Priority = Priority.QUESTION) -> VisionLanguageModel | None:
        """Return the model that reads pictures of pages, None if there is none."""
        return self._lent(ManagedVisionModel, "vision", priority)

    def pages(self, priority: Priority = Priority.QUESTION) -> PageEmbedder | None:
        """Return the model that embeds pages, None if there is none."""
        return self._lent(ManagedPageEmbedder, "pages", priority)

    def text(self, priority: Priority = Priority.QUESTION) -> PassageEmbedder | None:
        """Return the embedder of passages of the profile, None where the built-in one serves."""
        return self._lent(ManagedTextEmbedder, "text", priority)

    def speech(self, priority: Priority = Priority.QUESTION) -> SpeechRecognizer | None:
        """Return the model that writes down what is spoken, None if there is none."""
        return self._lent(ManagedSpeechRecognizer, "speech", priority)

    def chosen(self, role: Role) -> InstalledModel | None:
        """Return the model that plays a role, None if there is none."""
        return choose(self._shelf(), self._wishes, role)

    def is_loaded(self, role: Role) -> bool:
        """Return whether the model that plays a role is in memory, so that it answers at once."""
        model = self.chosen(role)
        resident = (each for each in self._residents.snapshot if each.progress is None)
        return model is not None and any(each.id == model.id for each in resident)

    def load_beside(self, role: Role) -> bool:
        """Load the model that plays a role in the background, if it fits beside what is loaded.

        Nothing is unloaded for it, and whatever a person waits for goes first. Returns
        whether it is loaded or being loaded.
        """
        model = self.chosen(role)
        if model is None:
            return False
        resident = self._residents.snapshot
        if any(each.id == model.id for each in resident):
            return True
        used = sum(each.weight_bytes + each.cache_bytes for each in resident)
        if self._shelf().expected_bytes(model) > self._pool.free(used):
            return False
        lending = Lending(self._residents, self._thread, model, Priority.INGESTION)
        lending.stream(lambda _model: iter(()))  # goes on without a reader
        return True

    def profile(self) -> Profile:
        """Return the profile in force."""
        return active_profile(self._shelf(), self._wishes)

    def answering_profile(self) -> str:
        """Return the id of the profile that answers: Lite while there is no language model."""
        return self.profile().id if self.chosen("language") is not None else LITE

    def profiles(self) -> list[ProfileStatus]:
        """Say of every profile whether it fits, and which one is recommended and why."""
        shelf, wishes = self._shelf(), self._wishes
        statuses = []
        for status in profile_statuses(shelf, wishes):
            writer = choose(shelf, replace(wishes, profile=status.id), "language")
            speed = None if writer is None else self.speeds.of(writer.id)
            statuses.append(replace(status, speed=speed))
        return statuses

    def choose_profile(self, profile_id: str) -> None:
        """Use a profile from now on: an id of the catalogue, or "auto"."""
        with self._lock:
            self._wishes = replace(self._wishes, profile=profile_id)
        self._remember_profile(profile_id)
        self._changed()

    def models(self) -> list[ModelStatus]:
        """Return every model of the catalogue and of this machine, installed ones first."""
        models = overview(self._shelf(), self._stock, self._residents.snapshot, self._measured)
        return [replace(each, speed=self.speeds.of(each.id)) for each in models]

    def memory(self) -> MemoryStatus:
        """Return what models use and may use."""
        residents = self._residents.snapshot
        return MemoryStatus(
            budget_bytes=self._pool.budget(),
            weights_bytes=sum(each.weight_bytes for each in residents),
            cache_bytes=sum(each.cache_bytes for each in residents),
            machine_bytes=self._pool.machine.total,
            machine_free_bytes=self._pool.machine.available(),
            process_bytes=process_bytes(),
        )

    def unload(self, model_id: str) -> None:
        """Give a model's memory back soon, or, if it is in use, when that use has ended."""
        try:
            self._thread.submit(lambda: self._residents.unload(model_id), Priority.QUESTION)
        except ModelStopped:
            logger.info("not unloading %s: the program ends", model_id)

    def refresh(self) -> None:
        """Look again at what is installed, after an import or a removal."""
        stock = Stock.of(self.folder, self.catalogue)
        with self._lock:
            gone = self._stock.installed.keys() - stock.installed.keys()
            self._stock = stock
        for model_id in gone:
            self.unload(model_id)
        self._changed()

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a function after each change, on any thread; return a function to stop it."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return end

    def _lent(self, kind: Callable[..., T], role: Role, priority: Priority) -> T | None:
        model = self.chosen(role)
        return kind(self._residents, self._thread, model, priority) if model else None

    def _shelf(self) -> Shelf:
        budget = self._pool.budget()
        return Shelf(self.catalogue, self._stock.usable(), self._pool.machine.total, budget)

    def _advise(self, model: InstalledModel, free: int) -> str:
        """Name a smaller model of the same role that would fit, or say what else helps."""
        smaller = [
            each
            for each in self.catalogue.entries
            if each.role == model.role and each.memory_bytes <= free and each.id != model.id
        ]
        if smaller:
            best = max(smaller, key=lambda each: each.memory_bytes)
            return said(
                "Use a smaller model, such as {title}, or close other programs.", title=best.title
            )
        if self._shelf().expected_bytes(model) <= self._pool.budget():
            return said("Close other programs and try again.")
        return said("Use the Lite profile, which quotes the manuals and needs no such model.")

    def _changed(self) -> None:
        loaded = (each for each in self._residents.snapshot if each.progress is None)
        self._measured.update({each.id: each.weight_bytes for each in loaded})
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener()
