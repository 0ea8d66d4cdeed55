"""The models in memory: loading on demand, and who leaves when another one needs room.

Everything here runs on the inference thread, in steps of iterators; two uses of one model may
be interleaved there, a more urgent one between two steps of another. Only `snapshot` may be
read from any thread.

Who leaves, in this order: caches of idle models, idle models that were used longest ago (page
embedders last), the asking model's own kept caches, and, for somebody who waits, a model
that only ingestion is using: its work is stopped between two steps with `ModelRevoked`.
Ingestion itself pushes out nothing that a question used in the last two minutes.
"""

from __future__ import annotations

import gc
import logging
import time
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.models.adapters import mlx_runtime
from desktop.models.errors import ModelOutOfBudget, ModelRevoked
from desktop.models.generation import ModelLoading
from desktop.models.inference_thread import Priority
from desktop.models.memory.residency import Resident, ResidentStatus, Use, leaving_order

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from desktop.models.loading import InstalledModel, LoadedModel, Loader
    from desktop.models.memory.machine_memory import MemoryPool

logger = logging.getLogger(__name__)

T = TypeVar("T")

_SNAPSHOT_SECONDS = 0.5


class Residents:
    """Loads, lends and unloads models within a memory pool."""

    def __init__(
        self,
        pool: MemoryPool,
        loader_of: Callable[[InstalledModel], Loader],
        *,
        expected_bytes: Callable[[InstalledModel], int],
        advise: Callable[[InstalledModel, int], str],
        changed: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start with nothing loaded.

        Args:
            pool: how much memory there is.
            loader_of: what loads a model.
            expected_bytes: of a model's weights in memory, before they are measured.
            advise: what to do if a model does not fit, given how many bytes there are for it.
            changed: called after every change of `snapshot`.
            clock: seconds.
        """
        self.snapshot: tuple[ResidentStatus, ...] = ()
        self._pool = pool
        self._loader_of = loader_of
        self._expected_bytes = expected_bytes
        self._advise = advise
        self._changed = changed
        self._clock = clock
        self._residents: dict[str, Resident] = {}
        self._running: Use | None = None
        self._snapshot_at = float("-inf")

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
        """Count what could be had for somebody of this priority, idle models counted as free."""
        now = self._clock()
        others = (each for each in self._residents.values() if each.installed.id != asking)
        idle = (each for each in others if each.may_leave(priority, now))
        return self._free() + sum(each.held_bytes for each in idle)

    def make_room(
        self, needed: int, asking: InstalledModel, priority: Priority, purpose: str
    ) -> None:
        """Unload what is idle until so many more bytes fit.

        Raises: ModelOutOfBudget.
        """
        while needed > (free := self._free()):
            if not self._push_out_one(asking, priority):
                raise ModelOutOfBudget(
                    f"{purpose} needs {_gb(needed)}, and {_gb(max(free, 0))} of the "
                    f"{_gb(self._pool.budget())} for models can be had",
                    needed,
                    max(free, 0),
                    self._advice(asking, free),
                )

    def _enter(self, installed: InstalledModel, priority: Priority) -> Resident:
        loader = self._loader_of(installed)
        expected = self._expected_bytes(installed)
        self.make_room(expected, installed, priority, f"{installed.id}")
        resident = Resident(installed, expected)
        resident.loading = loader(installed, _Share(self, resident))
        resident.used_at = self._clock()
        self._residents[installed.id] = resident
        self._publish()
        return resident

    def _obtain(
        self, installed: InstalledModel, use: Use
    ) -> Generator[ModelLoading, None, Resident]:
        """Return the loaded model with this use entered; loads it again if it failed others."""
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
                raise ModelRevoked(f"the memory of {installed.id} was needed for a question")

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
        self._pool.limit_runtimes()
        _leave_out_of_garbage(type(model))
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
            if self._clock() - self._snapshot_at > _SNAPSHOT_SECONDS:
                self._publish()
            yield item
        raise ModelRevoked("the memory was needed for a question")

    def _leave(self, resident: Resident, use: Use) -> None:
        resident.uses.remove(use)
        resident.used_at = self._clock()
        if use.priority is not Priority.INGESTION:
            resident.asked_at = resident.used_at
        if resident.idle and (resident.leaving or resident.model is None):
            self._drop(resident)
        self._publish()

    def _push_out_one(self, asking: InstalledModel, priority: Priority) -> bool:
        """Make some room; False if there is nobody left who may be asked to."""
        now = self._clock()
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
        self._forget(resident)
        if resident.loading is not None:
            resident.loading.close()
        if resident.model is not None:
            resident.model.close()
            logger.info("unloaded %s", resident.installed.id)
        resident.loading = resident.model = None
        mlx_runtime.give_memory_back()
        self._publish()

    def _forget(self, resident: Resident) -> None:
        if self._residents.get(resident.installed.id) is resident:
            del self._residents[resident.installed.id]

    def _free(self) -> int:
        return self._pool.free(sum(each.held_bytes for each in self._residents.values()))

    def _advice(self, asking: InstalledModel, free: int) -> str:
        busy = [
            each.installed.id
            for each in self._residents.values()
            if each.uses and each.installed.id != asking.id
        ]
        if busy:
            return f"{' and '.join(busy)} is at work: wait until it has finished, then try again."
        return self._advise(asking, free)

    def _publish(self) -> None:
        self._snapshot_at = self._clock()
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
        self._changed()


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


@cache
def _leave_out_of_garbage(kind: type) -> None:  # once for each kind: a key of the cache
    """Leave a runtime's objects out of later collections of garbage.

    It brings hundreds of thousands that stay: a later collection would hold the interpreter, and
    with it the window, for half a second. Not at every model: what is garbage by then stays too.
    """
    gc.freeze()


def _gb(count: int) -> str:
    return f"{count / 10**9:.1f} GB"
