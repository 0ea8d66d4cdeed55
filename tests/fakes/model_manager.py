"""A model manager and the work on models' files, scripted, with the surface the window uses."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.models.errors import PackRefused
from desktop.models.overview import MemoryStatus, ModelStatus, ProfileStatus
from desktop.models.packs.pack_events import PackDone, PackProgress, PackVerified, PackWritten
from desktop.models.roles import InstalledModel

if TYPE_CHECKING:
    from collections.abc import Callable

GB = 10**9
GIB = 2**30


def model(id_: str, title: str, role: Any = "language", **more: Any) -> ModelStatus:
    values: dict[str, Any] = {
        "licence": "Apache-2.0",
        "size_bytes": round(2.3 * GB),
        "memory_bytes": round(2.8 * GB),
        "state": "installed",
    } | more
    return ModelStatus(id=id_, title=title, role=role, **values)


def memory(used_gb: float = 0.6, budget_gb: float = 12, **more: Any) -> MemoryStatus:
    values: dict[str, Any] = {
        "budget_bytes": round(budget_gb * GB),
        "weights_bytes": round(used_gb * GB),
        "cache_bytes": 0,
        "machine_bytes": 16 * GIB,
        "machine_free_bytes": 7 * GIB,
        "process_bytes": GIB,
    } | more
    return MemoryStatus(**values)


PROFILES = (
    ProfileStatus("lite", "Lite", "Answers are quoted.", "Works everywhere.", True, True, True),
    ProfileStatus(
        "field", "Field", "A small model writes.", "Fits.", True, False, False, ("Qwen3 4B",), True
    ),
    ProfileStatus(
        "workstation", "Workstation", "A large one.", "Needs 64 GB.", False, False, False
    ),
)


class FakeManager:
    """Remembers what it was asked, and the threads on which it was asked."""

    folder: Any = None
    catalogue: Any = None

    def __init__(self, *models: ModelStatus, used: MemoryStatus | None = None) -> None:
        self.there = {each.id: each for each in models}
        self.used = used or memory()
        self.choices = list(PROFILES)
        self.calls: list[tuple[str, str]] = []
        self.threads: set[str] = set()
        self.listeners: list[Callable[[], None]] = []
        self.failure: Exception | None = None

    def models(self) -> list[ModelStatus]:
        self.threads.add(threading.current_thread().name)
        return list(self.there.values())

    def memory(self) -> MemoryStatus:
        self.threads.add(threading.current_thread().name)
        return self.used

    def answering_profile(self) -> str:
        return next(each.id for each in self.choices if each.chosen)

    def profiles(self) -> list[ProfileStatus]:
        return list(self.choices)

    def choose_profile(self, profile_id: str) -> None:
        self.calls.append(("choose", profile_id))
        if self.failure is not None:
            raise self.failure
        self.choices = [replace(each, chosen=each.id == profile_id) for each in self.choices]
        self.tell()

    def unload(self, model_id: str) -> None:
        self.calls.append(("unload", model_id))
        known = self.there.get(model_id)
        if known is not None and known.state == "loaded" and not known.in_use:
            self.put(replace(known, state="installed"))

    def refresh(self) -> None:
        self.calls.append(("refresh", ""))
        self.tell()

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def put(self, status: ModelStatus) -> None:
        self.there[status.id] = status
        self.tell()

    def tell(self) -> None:
        for listener in list(self.listeners):
            listener()


class FakePacks:
    """Works in three steps, held before the last; a source called refused* is refused."""

    def __init__(self, manager: FakeManager) -> None:
        self.manager = manager
        self.hold = threading.Event()
        self.hold.set()
        self.calls: list[tuple[str, str]] = []
        self.left_behind: list[str] = []
        self.damage: tuple[str, ...] = ()
        self.offers: dict[str, Any] = {}

    def import_from(self, source: Path, cancelled):
        self.calls.append(("import", source.name))
        yield PackProgress("checking", 0, 0)
        if source.name.startswith("refused"):
            raise PackRefused("The file weights.bin is a pickle, which can run code.")
        yield from self._steps("copying", source.name, cancelled)
        if cancelled():
            return
        id_ = source.stem.lower()
        self.manager.there[id_] = model(id_, source.stem)
        installed = InstalledModel(id_, "language", "qwen3", "main", source, 1)
        yield PackDone(installed)

    def verify(self, model_id: str, cancelled):
        self.calls.append(("verify", model_id))
        yield from self._steps("hashing", model_id, cancelled)
        if not cancelled():
            yield PackVerified(model_id, self.damage)

    def remove(self, model_id: str) -> None:
        self.calls.append(("remove", model_id))
        del self.manager.there[model_id]

    def copy_to(self, model_id: str, target: Path, cancelled):
        self.calls.append(("copy", str(target)))
        yield from self._steps("writing", model_id, cancelled)
        if not cancelled():
            yield PackWritten(target / model_id)

    def offer(self, model_id: str):
        return self.offers.get(model_id)

    def download(self, model_id: str, cancelled):
        self.calls.append(("download", model_id))
        yield from self._steps("downloading", model_id, cancelled)
        if not cancelled():
            yield from self.import_from(Path(model_id), cancelled)

    def _steps(self, stage: Any, name: str, cancelled):
        self.left_behind.append(name)
        try:
            for done in (0, 43, 86):
                yield PackProgress(stage, done * 10**7, 10**9, "model.safetensors")
            while not self.hold.wait(0.005):
                if cancelled():
                    return
        finally:
            self.left_behind.remove(name)
