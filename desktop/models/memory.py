"""What memory the machine has, which models are loaded, and which leave to make room."""

from __future__ import annotations

import logging
import sys
import time
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import psutil

from desktop.models.adapters import mlx_runtime
from desktop.models.errors import ModelOutOfBudget, ModelRevoked
from desktop.models.generation import ModelLoading
from desktop.models.inference_thread import Priority, leave_out_of_garbage
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from desktop.models.roles import InstalledModel, LoadedModel, Loader

GIB = 2**30
# For the system, this window, the parser and whatever else a person has open.
_LEAST_RESERVE = 4 * GIB
_RESERVED_SHARE = 0.25
# Freed memory that MLX may hold on to before it goes back to the system.
_MLX_CACHE_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class MachineMemory:
    """Bytes. total: of this machine. available: asks for what a program could have now."""

    total: int
    available: Callable[[], int]

    @staticmethod
    def of_this_machine() -> MachineMemory:
        """Measure this machine."""
        return MachineMemory(psutil.virtual_memory().total, _available)


class MemoryPool:
    """What models may use together. `free` is asked on the inference thread."""

    def __init__(self, machine: MachineMemory, wanted_gib: float | None = None) -> None:
        """Measure nothing yet.

        wanted_gib: what a person has set, or None: then a quarter of the machine, at least
            4 GiB, is left to everything else, and never more is used than Metal recommends.
        """
        self.machine = machine
        self._wanted_gib = wanted_gib

    def budget(self) -> int:
        """Bytes for all models together; may shrink when Metal has been asked."""
        total = self.machine.total
        if self._wanted_gib is not None:
            return min(int(self._wanted_gib * GIB), total)
        reserve = max(_LEAST_RESERVE, int(total * _RESERVED_SHARE))
        budget = max(total - reserve, total // 4)
        recommended = mlx_runtime.recommended_bytes()
        return min(budget, recommended) if recommended else budget

    def free(self, used: int) -> int:
        """Bytes that can be had now when models use so many; negative if over the budget."""
        return min(self.budget() - used, self.machine.available())

    def limit_runtimes(self) -> None:
        """Hold MLX to the budget. Call it on the inference thread, once MLX is in use."""
        budget = self.budget()
        mlx_runtime.set_limits(budget, int(budget * _MLX_CACHE_SHARE))


def process_bytes() -> int:
    """Return the resident memory of this process."""
    return int(psutil.Process().memory_info().rss)


def _available() -> int:
    """The bytes that can be had without ending other programs.

    macOS compresses and swaps the memory of idle programs when a model needs it, so
    there the budget alone decides; on Linux the kernel would end a process instead.
    """
    memory = psutil.virtual_memory()
    return memory.total if sys.platform == "darwin" else memory.available


KEPT_FOR_QUESTIONS_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class ResidentStatus:
    """One model in memory. Bytes; progress of loading 0 to 1, None once it is loaded."""

    id: str
    weight_bytes: int
    cache_bytes: int
    in_use: bool
    progress: float | None


@dataclass(slots=True)
class Use:
    """A caller going through an iterator of a model's work.

    reserved: bytes admitted for it beside the weights. revoked: it must end at its next
    step.
    """

    priority: Priority
    reserved: int = 0
    work: Iterator[Any] | None = None
    revoked: bool = False

    def close(self) -> None:
        """Close its iterator, which must not be running."""
        close = getattr(self.work, "close", None)
        if close is not None:
            close()
        self.work = None


@dataclass(slots=True)
class Resident:
    """A model that is loaded or being loaded. used_at, asked_at: seconds of one clock."""

    installed: InstalledModel
    weight_bytes: int
    loading: Generator[float, None, LoadedModel] | None = None
    model: LoadedModel | None = None
    progress: float = 0.0
    uses: list[Use] = field(default_factory=list)
    used_at: float = 0.0
    asked_at: float = float("-inf")  # by a person who waits
    leaving: bool = False
    cache_before: int = 0  # of the first admission among the present uses

    @property
    def idle(self) -> bool:
        """Whether nobody uses it or waits for it to be loaded."""
        return not self.uses

    @property
    def cache_bytes(self) -> int:
        """Bytes it could drop while staying loaded."""
        return self.model.cache_bytes() if self.model else 0

    @property
    def claimed_bytes(self) -> int:
        """Bytes of the caches, or as many as its uses may make them.

        The bytes admitted for a use become part of the caches while it works.
        """
        reserved = sum(use.reserved for use in self.uses)
        return max(self.cache_bytes, self.cache_before + reserved if reserved else 0)

    @property
    def held_bytes(self) -> int:
        """Everything that counts against the budget."""
        return self.weight_bytes + self.claimed_bytes

    def drop_caches(self) -> bool:
        """Free what no running work needs; return whether that was anything."""
        held = self.cache_bytes
        if self.model is None or not held:
            return False
        self.model.drop_caches()
        mlx_runtime.give_memory_back()
        return self.cache_bytes < held

    def reserve(self, use: Use, count: int) -> None:
        """Count bytes that a use is about to take beside the weights."""
        if not any(each.reserved for each in self.uses):
            self.cache_before = self.cache_bytes
        use.reserved += count

    def may_leave(self, priority: Priority, now: float) -> bool:
        """Whether a caller may push it out; ingestion may not soon after a question used it."""
        recently = now - self.asked_at < KEPT_FOR_QUESTIONS_SECONDS
        return self.idle and not (priority is Priority.INGESTION and recently)

    def may_be_revoked(self, priority: Priority) -> bool:
        """Whether all who use it are less urgent than this priority."""
        return bool(self.uses) and all(use.priority > priority for use in self.uses)


def leaving_order(residents: Iterable[Resident]) -> list[Resident]:
    """Sort models: least recently used first, page embedders after all others."""
    return sorted(residents, key=lambda each: (each.installed.role == "pages", each.used_at))


logger = logging.getLogger(__name__)

T = TypeVar("T")

_SNAPSHOT_SECONDS = 0.5


@dataclass(eq=False)
class Residents:
    """Loads, lends and unloads models within a memory pool.

    expected_bytes: of a model's weights in memory, before they are measured. advise: what to do
    if a model does not fit, given how many bytes there are for it. changed: called after every
    change of `snapshot`. clock: seconds.
    """

    pool: MemoryPool
    loader_of: Callable[[InstalledModel], Loader]
    _: KW_ONLY
    expected_bytes: Callable[[InstalledModel], int]
    advise: Callable[[InstalledModel, int], str]
    changed: Callable[[], None]
    clock: Callable[[], float] = time.monotonic
    snapshot: tuple[ResidentStatus, ...] = field(default_factory=tuple, init=False)
    _residents: dict[str, Resident] = field(default_factory=dict, init=False)
    _running: Use | None = field(default=None, init=False)
    _snapshot_at: float = field(default=float("-inf"), init=False)

    def use(
        self, installed: InstalledModel, work: Callable[[Any], Iterator[T]], priority: Priority
    ) -> Iterator[T | ModelLoading]:
        """Load the model if need be, then go through the iterator that `work` makes of it.

        Raises: ModelRevoked, if the model had to make room for more urgent work;
            ModelOutOfBudget, and what loading and the work raise.
        """
        use = Use(priority)
        resident = yield from self._obtain(installed, use)
        try:
            use.work = iter(work(resident.model))
            yield from self._run(use)
        finally:
            use.close()
            self._leave(resident, use)

    def unload(self, model_id: str) -> None:
        """Unload a model now, or as soon as nobody uses it."""
        resident = self._residents.get(model_id)
        if resident is not None and resident.idle:
            self._drop(resident)
        elif resident is not None:
            resident.leaving = True

    def close(self) -> None:
        """Unload everything; the uses have ended."""
        for resident in list(self._residents.values()):
            self._drop(resident)
        mlx_runtime.finish()

    def free_bytes(self, priority: Priority, asking: str = "") -> int:
        """Count the bytes a caller of this priority could have, idle models counted as free."""
        now = self.clock()
        others = (each for each in self._residents.values() if each.installed.id != asking)
        idle = (each for each in others if each.may_leave(priority, now))
        return self._free() + sum(each.held_bytes for each in idle)

    def make_room(
        self, needed: int, asking: InstalledModel, priority: Priority, purpose: str
    ) -> None:
        """Unload what is idle until so many more bytes fit. Raises: ModelOutOfBudget."""
        while needed > (free := self._free()):
            if not self._push_out_one(asking, priority):
                raise ModelOutOfBudget(
                    said(
                        "{purpose} needs {needed}, and {free} of the {pool} for models is "
                        "available",
                        purpose=purpose,
                        needed=_gb(needed),
                        free=_gb(max(free, 0)),
                        pool=_gb(self.pool.budget()),
                    ),
                    needed,
                    max(free, 0),
                    self._advice(asking, free),
                )

    def _enter(self, installed: InstalledModel, priority: Priority) -> Resident:
        loader = self.loader_of(installed)
        expected = self.expected_bytes(installed)
        self.make_room(expected, installed, priority, f"{installed.id}")
        resident = Resident(installed, expected)
        resident.loading = loader(installed, _Share(self, resident))
        resident.used_at = self.clock()
        self._residents[installed.id] = resident
        self._publish()
        return resident

    def _obtain(
        self, installed: InstalledModel, use: Use
    ) -> Generator[ModelLoading, None, Resident]:
        """Return the loaded model with this use entered; load it again if others failed to."""
        while True:
            resident = self._residents.get(installed.id) or self._enter(installed, use.priority)
            resident.uses.append(use)
            try:
                yield from self._load(resident, use)
            except BaseException:
                self._leave(resident, use)
                raise
            if resident.model is not None:
                return resident
            self._leave(resident, use)
            if use.revoked:
                raise ModelRevoked(
                    "the memory used by {id} was needed for a question", id=installed.id
                )

    def _load(self, resident: Resident, use: Use) -> Iterator[ModelLoading]:
        """Advance the loading, which several uses may share, until the model is there."""
        while resident.loading is not None and not use.revoked:
            try:
                resident.progress = next(resident.loading)
            except StopIteration as done:
                self._loaded(resident, done.value)
            except BaseException:
                self._drop(resident)
                raise
            self._publish()
            yield ModelLoading(resident.progress)

    def _loaded(self, resident: Resident, model: LoadedModel) -> None:
        resident.loading, resident.model, resident.progress = None, model, 1.0
        resident.weight_bytes = model.weight_bytes()
        self.pool.limit_runtimes()
        leave_out_of_garbage(type(model))
        logger.info("loaded %s, %d bytes", resident.installed.id, resident.weight_bytes)

    def _run(self, use: Use) -> Iterator[Any]:
        while not use.revoked and use.work is not None:
            outer, self._running = self._running, use
            try:
                item = next(use.work)
            except StopIteration:
                return
            finally:
                self._running = outer
            if self.clock() - self._snapshot_at > _SNAPSHOT_SECONDS:
                self._publish()
            yield item
        raise ModelRevoked("the memory was needed for a question")

    def _leave(self, resident: Resident, use: Use) -> None:
        resident.uses.remove(use)
        resident.used_at = self.clock()
        if use.priority is not Priority.INGESTION:
            resident.asked_at = resident.used_at
        if resident.idle and (resident.leaving or resident.model is None):
            self._drop(resident)
        self._publish()

    def _push_out_one(self, asking: InstalledModel, priority: Priority) -> bool:
        """Make some room; False if there is nobody left who may be asked to."""
        now = self.clock()
        others = leaving_order(e for e in self._residents.values() if e.installed.id != asking.id)
        idle = [each for each in others if each.may_leave(priority, now)]
        if any(each.drop_caches() for each in idle):
            return True
        if idle:
            self._drop(idle[0])
            return True
        own = self._residents.get(asking.id)
        if own is not None and own.drop_caches():
            return True
        busy = next((each for each in others if each.may_be_revoked(priority)), None)
        if busy is not None:
            self._revoke(busy)
        return busy is not None

    def _revoke(self, resident: Resident) -> None:
        logger.info("took %s from less urgent work", resident.installed.id)
        for use in resident.uses:
            use.revoked = True
            use.close()
        self._drop(resident)

    def _drop(self, resident: Resident) -> None:
        if self._residents.get(resident.installed.id) is resident:
            del self._residents[resident.installed.id]
        if resident.loading is not None:
            resident.loading.close()
        if resident.model is not None:
            resident.model.close()
            logger.info("unloaded %s", resident.installed.id)
        resident.loading = resident.model = None
        mlx_runtime.give_memory_back()
        self._publish()

    def _free(self) -> int:
        return self.pool.free(sum(each.held_bytes for each in self._residents.values()))

    def _advice(self, asking: InstalledModel, free: int) -> str:
        busy = [
            each.installed.id
            for each in self._residents.values()
            if each.uses and each.installed.id != asking.id
        ]
        if busy:
            return f"{' and '.join(busy)} is at work: wait until it has finished, then try again."
        return self.advise(asking, free)

    def _publish(self) -> None:
        self._snapshot_at = self.clock()
        self.snapshot = tuple(
            ResidentStatus(
                each.installed.id,
                each.weight_bytes,
                each.claimed_bytes,
                bool(each.uses),
                None if each.model else each.progress,
            )
            for each in self._residents.values()
        )
        self.changed()


class _Share:
    """The `Allowance` of one model."""

    def __init__(self, residents: Residents, resident: Resident) -> None:
        self._residents = residents
        self._resident = resident

    def free_bytes(self) -> int:
        use = self._use()
        priority = use.priority if use else Priority.QUESTION
        return self._residents.free_bytes(priority, self._resident.installed.id)

    def admit(self, needed_bytes: int, purpose: str) -> None:
        use = self._use()
        priority = use.priority if use else Priority.QUESTION
        self._residents.make_room(needed_bytes, self._resident.installed, priority, purpose)
        if use is not None:
            self._resident.reserve(use, needed_bytes)

    def _use(self) -> Use | None:
        return self._residents._running


def _gb(count: int) -> str:
    return f"{count / 10**9:.1f} GB"
