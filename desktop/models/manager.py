"""What the program asks about models: which there are, who plays which role, what is loaded."""

from __future__ import annotations

import logging
import threading
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from desktop.models.errors import ModelStopped
from desktop.models.inference_thread import Priority
from desktop.models.managed import (
    Lending,
    ManagedLanguageModel,
    ManagedPageEmbedder,
    ManagedSpeechRecognizer,
    ManagedTextEmbedder,
    ManagedVisionModel,
)
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
from desktop.models.speed import Speeds

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.models.catalogue import Catalogue, Profile
    from desktop.models.inference_thread import InferenceThread
    from desktop.models.overview import ModelStatus, ProfileStatus
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.roles import (
        InstalledModel,
        LanguageModel,
        Loader,
        PageEmbedder,
        Role,
        SpeechRecognizer,
        TextEmbedder,
        VisionLanguageModel,
    )

logger = logging.getLogger(__name__)


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
        loader_of: Callable[[InstalledModel], Loader] | None = None,
        speeds: Speeds | None = None,
    ) -> None:
        """Look at what is installed; load nothing.

        Args:
            folder: the installed models.
            catalogue: the known ones.
            thread: owns every runtime; when it closes, all models are unloaded.
            wishes: what a person has chosen.
            budget_gib: memory for models; None for what suits the machine.
            machine: how much memory there is; None measures this one.
            remember_profile: stores a new choice of profile.
            loader_of: what loads a model; by default the adapter of its family.
            speeds: where it is kept how fast models are; None: as long as this lives.
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
            loader_of
            or partial(catalogue.loader_of, catalogue=catalogue, pages_by=self._wishes.pages_by),
            expected_bytes=lambda model: self._shelf().expected_bytes(model),
            advise=self._advise,
            changed=self._changed,
        )
        thread.on_close(self._residents.close)
        self.refresh()

    def language(self, priority: Priority = Priority.QUESTION) -> LanguageModel | None:
        """Return the model that decides and writes, None in Lite."""
        lending = self._lending("language", priority)
        return ManagedLanguageModel(lending, self.speeds) if lending else None

    def vision(self, priority: Priority = Priority.QUESTION) -> VisionLanguageModel | None:
        """Return the model that reads pictures of pages, None if there is none."""
        lending = self._lending("vision", priority)
        return ManagedVisionModel(lending) if lending else None

    def pages(self, priority: Priority = Priority.QUESTION) -> PageEmbedder | None:
        """Return the model that embeds pages, None if there is none."""
        lending = self._lending("pages", priority)
        return ManagedPageEmbedder(lending) if lending else None

    def text(self, priority: Priority = Priority.QUESTION) -> TextEmbedder | None:
        """Return the text embedder of the profile, None where the built-in one serves."""
        lending = self._lending("text", priority)
        return ManagedTextEmbedder(lending) if lending else None

    def speech(self, priority: Priority = Priority.QUESTION) -> SpeechRecognizer | None:
        """Return the model that writes down what is spoken, None if there is none."""
        lending = self._lending("speech", priority)
        return ManagedSpeechRecognizer(lending) if lending else None

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

        Nothing leaves memory for it, and whatever a person waits for goes first. Returns whether
        it is loaded or being loaded.
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
        return profile_statuses(self._shelf(), self._wishes)

    def choose_profile(self, profile_id: str) -> None:
        """Use a profile from now on: an id of the catalogue, or "auto"."""
        with self._lock:
            self._wishes = replace(self._wishes, profile=profile_id)
        self._remember_profile(profile_id)
        self._changed()

    def models(self) -> list[ModelStatus]:
        """Return every model of the catalogue and of this machine, what is installed first."""
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
        """Give a model's memory back, soon; if it is in use, when that has ended."""
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
        """Have a function called after every change, on any thread; returns what ends it."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return end

    def _lending(self, role: Role, priority: Priority) -> Lending | None:
        model = self.chosen(role)
        return Lending(self._residents, self._thread, model, priority) if model else None

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
            return f"Use a smaller model, such as {best.title}, or close other programs."
        if self._shelf().expected_bytes(model) <= self._pool.budget():
            return "Close other programs and try again."
        return "Use the Lite profile, which quotes the manuals and needs no such model."

    def _changed(self) -> None:
        loaded = (each for each in self._residents.snapshot if each.progress is None)
        self._measured.update({each.id: each.weight_bytes for each in loaded})
        with self._lock:
            listeners = list(self._listeners)
        for listener in listeners:
            listener()
