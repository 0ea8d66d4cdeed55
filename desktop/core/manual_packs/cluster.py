"""Building the shards of a pack with several workers, here or on a cluster, by Ray Data.

Reading takes processors and looking at pages takes GPUs, so they are two pools of
actors, and one manual is looked at while the next one is read. Every manual is a task
of its own. What one actor hands to the other is in the manual's folder of PACK/work,
and so is the unfinished work of an actor that was ended: its successor goes on there.
The finished files are written by the actors; only their entries come back.
"""

from __future__ import annotations

import logging
import os
import pickle
import secrets
import signal
import subprocess
import sys
import threading
import warnings
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from desktop.core.errors import LibraryBusy, ManualPackRefused
from desktop.core.jobs import CancelToken
from desktop.core.library.intake import hash_file
from desktop.core.manual_packs.building import Quarantined, build_shard, read_manual
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from desktop.core.manual_packs.building import PackTools
    from desktop.core.manual_packs.manifest import PackFolder, Recipe, ShardEntry

ENDS_ALLOWED: Final = 3
"""A manual on which so many workers ended is set aside."""

_STARTS = 4
_LOOK_SECONDS = 0.2
_END_SECONDS = 20.0
_STORE_BYTES = 128 << 20
_SPARE_PLACES = 16
"""Logical processors of a Ray on this computer beside those of the readers, for what looks."""

Row: TypeAlias = "dict[str, Any]"


class RayMissing(ManualPackRefused):
    """Ray is not installed."""


@dataclass(frozen=True, slots=True)
class RayWorkers:
    """Builds shards as `one_after_the_other` does, with many workers.

    tools: called in each worker; must make what `build_pack` was given. address: of a
    running cluster, "" to start Ray on this computer. workers: how many read, 0: one a
    processor.
    """

    tools: Callable[[], AbstractContextManager[PackTools]]
    workers: int = 0
    address: str = ""

    def __call__(
        self,
        paths: Sequence[Path],
        pack: PackFolder,
        tools: PackTools,
        cancel: CancelToken,
        left_alone: Mapping[str, Quarantined],
        retry: bool,
    ) -> Iterator[tuple[int, ShardEntry | Quarantined]]:
        """Yield which file, and what became of it, as they are finished.

        Raises: as `build_shard`; RayMissing; ManualPackRefused, if a worker has other models than
            this process, or none gets as far as reading.
        """
        work = _Work(self.tools, pack, tools.recipe, dict(left_alone), retry)
        todo = dict(enumerate(paths))
        if todo and find_spec("ray") is None:
            raise RayMissing(
                "To run several workers, install Ray: pip install 'groundwork[cluster]'."
            )
        while todo:
            held: list[int] = []
            there = len(todo)
            with _RayProcess(_Round(work, dict(todo), self.workers, self.address)) as ray:
                for number, outcome in ray.rows(cancel):
                    result = pickle.loads(outcome)
                    if isinstance(result, LibraryBusy):  # the same file is built elsewhere
                        held.append(number)
                        busy = result
                        continue
                    if isinstance(result, Exception):
                        raise result
                    del todo[number]
                    yield number, result
            for number in todo.keys() - held:
                yield number, _ended(todo.pop(number), work, cancel)
            if len(todo) == there:
                raise busy


@dataclass(frozen=True, slots=True)
class _Work:
    """What every worker is given."""

    tools: Callable[[], AbstractContextManager[PackTools]]
    pack: PackFolder
    recipe: Recipe
    left_alone: dict[str, Quarantined]
    retry: bool


@dataclass(frozen=True, slots=True)
class _Round:
    """What Ray is asked: to build these files, as `RayWorkers` says."""

    work: _Work
    files: dict[int, Path]
    workers: int
    address: str


def _ended(path: Path, work: _Work, cancel: CancelToken) -> Quarantined:
    """Report that a file ended its workers, if they began to read it. Raises: ManualPackRefused."""
    reason = said(
        "Reading this file stopped {n} times, as happens when memory runs out, so the file is "
        "skipped.",
        n=ENDS_ALLOWED,
    )
    aside = _set_aside(path, work.recipe, reason, cancel.check)
    if work.pack.scratch is None and not (work.pack.work / aside.key).exists():
        raise ManualPackRefused(
            "Building stopped before {name} was read. Install the same Groundwork on every "
            "computer, share the manuals and pack folders with all of them, and check Ray's "
            "logs. Build again to continue from here.",
            name=path.name,
        )
    return aside


def _set_aside(path: Path, recipe: Recipe, reason: str, check: Callable[[], None]) -> Quarantined:
    manual = hash_file(path, check)
    return Quarantined(path=str(path), manual=manual, key=recipe.key(manual), reason=reason)


class _Worker:
    """An actor: builds shards, or reads ahead for those that do."""

    def __init__(self, work: _Work, ahead: bool) -> None:
        self._work = work
        self._ahead = ahead
        self._tools: PackTools | None = None
        self._closing = ExitStack()

    def __call__(self, row: Row) -> Row:
        """Return the row with its outcome, pickled; b"" if there is more to do.

        Nothing is raised here: Ray passes errors on as text, and the driver needs the
        error.
        """
        if not row["outcome"]:
            path = Path(row["path"])
            try:
                outcome = self._build(path)
            except MemoryError:
                reason = said("Reading this file takes more memory than it may use.")
                outcome = _set_aside(path, self._work.recipe, reason, lambda: None)
            except Exception as error:
                error.add_note(f"while building the shard of {path}")
                outcome = error
            row["outcome"] = b"" if outcome is None else pickle.dumps(outcome)
        return row

    def _build(self, path: Path) -> ShardEntry | Quarantined | Exception | None:
        if self._tools is None:
            tools = self._closing.enter_context(self._work.tools())
            self._compare(tools.recipe)
            self._tools = tools
        work, tools, never = self._work, self._tools, CancelToken()
        if not self._ahead:
            return build_shard(path, work.pack, tools, never, work.left_alone, work.retry)
        blind = replace(tools, pages=None)
        read = read_manual(path, work.pack, blind, tools.recipe, never, work.left_alone, work.retry)
        return None if isinstance(read, tuple) else read

    def _compare(self, recipe: Recipe) -> None:
        if recipe != self._work.recipe:
            raise ManualPackRefused(
                "{node} has different models or a different Groundwork version ({theirs}; here "
                "{ours}). Install the same ones on every computer.",
                node=os.uname().nodename,
                theirs=recipe.model_dump_json(),
                ours=self._work.recipe.model_dump_json(),
            )


@contextmanager
def _connected(address: str, workers: int) -> Iterator[None]:
    """Start Ray for this process alone, or connect to a cluster. Raises: ManualPackRefused."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # it would tell its makers
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # it writes into the terminal
    # whoever asks Ray after it was shut down would start it again, open to others
    os.environ["RAY_ENABLE_AUTO_CONNECT"] = "0"
    if not address:
        # Ray takes 127.0.0.1 for this computer's address in its network and listens there; with
        # this switch, which is for Macs, it does not. Without the token others could still ask.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
        os.environ["RAY_AUTH_MODE"] = "token"
        os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))
        # its workers would give way to all else, and time limits count while they wait
        os.environ.setdefault("RAY_worker_niceness", "0")
    import ray
    import ray.data

    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    alone = {
        "num_cpus": (workers or os.cpu_count() or 1) + _SPARE_PLACES,
        "include_dashboard": False,
        "object_store_memory": _STORE_BYTES,
        "_node_ip_address": "127.0.0.1",
    }
    chosen = {"address": address, **quiet} if address else {"address": "local", **quiet, **alone}
    for starts_left in reversed(range(_STARTS)):
        try:
            ray.init(**chosen)
            break
        except Exception as error:
            # What Ray raises if its processes are not up in half a minute, on a busy computer;
            # one of the two is an `Exception` of no class.
            slow = isinstance(error, ray.exceptions.RaySystemError) or type(error) is Exception
            if slow and starts_left and not address:
                ray.shutdown()
                continue
            raise ManualPackRefused(
                "Ray is not responding: {reason}", reason=str(error) or type(error).__name__
            ) from error
    try:
        yield
    except ray.exceptions.RayError as error:
        raise ManualPackRefused(
            "Ray could not go on: {reason} Build again to continue from here.",
            reason=str(error).strip().splitlines()[-1],
        ) from error
    finally:
        ray.shutdown()


def _rows(work: _Work, files: Mapping[int, Path], workers: int) -> Iterator[Row]:
    """Yield the rows of files whose outcome is known; a file that ended its workers has none."""
    import ray
    from ray.data import ActorPoolStrategy, DataContext

    context = DataContext.get_current()
    context.enable_progress_bars = False
    context.max_errored_blocks = -1
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    # Ray 2.60 has no other way to limit the attempts, and 2.64 will have none
    warnings.filterwarnings("ignore", message="`ray_remote_args` is deprecated")
    rows = [{"number": number, "path": str(path), "outcome": b""} for number, path in files.items()]
    data = ray.data.from_items(rows, override_num_blocks=len(rows))
    has = ray.cluster_resources()
    gpus = int(has.get("GPU", 0))
    looking = max(1, gpus) if work.recipe.pages else 0
    reading = workers or max(1, int(has.get("CPU", 1)) - looking)

    def pool(data: Any, ahead: bool, size: int, **needs: float) -> Any:
        return data.map(
            _Worker,
            fn_constructor_args=(work, ahead),
            compute=ActorPoolStrategy(size=size, max_tasks_in_flight_per_actor=1),
            max_restarts=-1,
            max_task_retries=ENDS_ALLOWED - 1,
            **needs,
        )

    data = pool(data, ahead=bool(looking), size=min(reading, len(rows)), num_cpus=1)
    if looking:
        needs = {"num_gpus": 1} if gpus else {"num_cpus": 1}
        data = pool(data, ahead=False, size=min(looking, len(rows)), **needs)
    yield from data.iter_rows()  # one row is held back until the next is there


class _RayProcess:
    """Builds a round's files in a process of its own, which may be ended at any moment.

    If a process shuts Ray down while a thread still waits for it, Ray ends that process
    without a word.
    """

    def __init__(self, asked: _Round) -> None:
        self._connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, str(theirs.fileno()), *sys.path],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=2,  # what Ray prints is no answer of the command
            )
        with suppress(BrokenPipeError):
            self._connection.send((sys.argv[0], asked))

    def __enter__(self) -> _RayProcess:
        return self

    def rows(self, cancel: CancelToken) -> Iterator[tuple[int, bytes]]:
        """Yield the number of each file whose outcome is known, and the outcome, pickled.

        Raises: Cancelled; what `_connected` raises; ManualPackRefused, if Ray ended its process.
        """
        while True:
            cancel.check()
            if not self._connection.poll(_LOOK_SECONDS):
                continue
            try:
                row = self._connection.recv()
            except (EOFError, ConnectionResetError) as error:
                raise ManualPackRefused(
                    "Ray stopped while building the pack. Build again to continue from here."
                ) from error
            if row is None:
                return
            if isinstance(row, Exception):
                raise row
            yield row

    def __exit__(self, *_: object) -> None:
        self._connection.close()  # which ends it
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


_PROGRAM = """
import sys
descriptor, sys.path[:] = int(sys.argv[1]), sys.argv[2:]
from desktop.core.manual_packs.cluster import serve
serve(descriptor)
"""


def serve(descriptor: int) -> None:
    """Build what the process at the other end of a connection asks for, until that one ends."""
    connection = Connection(descriptor)
    program, asked = connection.recv()
    sys.argv[:] = [program]  # Ray's workers look for modules beside it
    threading.Thread(target=_end_with, args=(connection,), daemon=True).start()
    try:
        with _connected(asked.address, asked.workers):
            for row in _rows(asked.work, asked.files, asked.workers):
                connection.send((row["number"], row["outcome"]))
        connection.send(None)
    except BrokenPipeError:
        pass
    except Exception as error:
        connection.send(error)


def _end_with(connection: Connection) -> None:
    with suppress(EOFError, ConnectionResetError):
        connection.recv()
    os.kill(os.getpid(), signal.SIGTERM)
