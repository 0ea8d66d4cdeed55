"""The check-up of `groundwork doctor`, part by part, and what reached the network."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import psutil

from desktop import tripwire
from desktop.core.errors import DocumentError, LibraryError
from desktop.core.paths import LibraryFolder, sample_manuals
from desktop.core.problems import explain
from desktop.core.settings.file import settings_file
from desktop.models import text_model
from desktop.models.built_in import preferred_reader, text_model_folder
from desktop.models.catalogue import Catalogue
from desktop.models.errors import ModelError
from desktop.models.memory import MachineMemory, MemoryPool
from desktop.models.overview import ROLES, Shelf, Stock, Wishes, active_profile, choose
from desktop.models.packs.model_folder import ModelFolder
from desktop.process_environment import OFFLINE_SWITCHES

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.core.library.values import DocumentRecord, DocumentState
    from desktop.core.settings.sections import Settings
    from desktop.core.settings.storage import LoadedSettings

State = Literal["ok", "limited", "missing"]
LEAST_FREE_GIB = 2.0
_STATES: dict[DocumentState, str] = {
    "ready": "ready",
    "failed": "not readable",
    "needs_password": "waiting for a password",
    "queued": "unfinished",
    "indexing": "unfinished",
    "cancelled": "cancelled",
}
_BUILT_IN = frozenset({text_model.NAME, "all-MiniLM-L6-v2"})
_REINSTALL = "Install Groundwork again (make setup)."


@dataclass(frozen=True, slots=True)
class Finding:
    """One check. limited: works with less. missing: Groundwork needs it. advice: what to do."""

    subject: str
    state: State
    found: str
    advice: str = ""


def check_everything(library: Path, loaded: LoadedSettings) -> list[Finding]:
    """Run every check; nothing is changed."""
    settings = loaded.settings
    python = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    return [
        Finding("python", "ok", python),
        _package("window (Qt)", "PySide6.QtPdf", ("PySide6", "PySide6_Pdf"), "missing"),
        _sqlite(),
        _parser(settings),
        _ocr(settings),
        _text_embedder(),
        *_models(settings),
        _settings(loaded),
        _disk(library),
        _library(library),
    ]


def _package(subject: str, module: str, names: tuple[str, ...], otherwise: State) -> Finding:
    """Look for an installed package without importing it."""
    try:
        found = importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # its parent package is not there
        found = False
    if not found:
        return Finding(subject, otherwise, f"{names[0]} is not installed", _REINSTALL)
    return Finding(subject, "ok", _version(names))


def _version(names: tuple[str, ...]) -> str:
    for name in names:
        try:
            return f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"{names[0]} (version unknown)"


def _sqlite() -> Finding:
    try:
        import apsw
        import sqlite_vec

        connection = apsw.Connection(":memory:")
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_vec.loadable_path())
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(x)")
        vectors = connection.execute("SELECT vec_version()").fetchone()
        connection.close()
    except (ImportError, apsw.Error) as error:
        return Finding("search index", "missing", f"SQLite: {error}", _REINSTALL)
    version = vectors[0] if vectors else "?"
    found = f"SQLite {apsw.sqlite_lib_version()} with FTS5 and sqlite-vec {version}"
    return Finding("search index", "ok", found)


def _parser(settings: Settings) -> Finding:
    installed = _package("pdf reader", "pymupdf", ("PyMuPDF", "pymupdf"), "missing")
    samples = sample_manuals()
    if installed.state != "ok" or not samples:
        return installed
    from desktop.core.parsing.process import ParserProcess

    parser = ParserProcess(settings.parser)
    try:
        pages = parser.open(samples[0]).page_count
    except (DocumentError, OSError) as error:
        problem = explain(error)
        return Finding("pdf reader", "missing", f"{installed.found}: {problem.details}", _REINSTALL)
    finally:
        parser.close()
    found = f"{installed.found}, its process answers ({pages} pages of {samples[0].name})"
    return Finding("pdf reader", "ok", found)


def _ocr(settings: Settings) -> Finding:
    if not settings.parser.ocr:
        advice = "Switch on 'Read scanned pages' in the settings to find words on scans."
        return Finding("scanned pages", "limited", "switched off", advice)
    if preferred_reader() == "vision":
        found = f"Apple's Vision framework through {_version(('ocrmac',))}"
        return Finding("scanned pages", "ok", found)
    runtime = _package("scanned pages", "onnxruntime", ("onnxruntime",), "limited")
    if runtime.state != "ok":
        return runtime
    return _package("scanned pages", "rapidocr", ("rapidocr",), "limited")


def _text_embedder() -> Finding:
    try:
        text_model.check(text_model_folder())
    except ModelError as error:
        advice = f"Search works by words alone until you {text_model.HOW_TO_INSTALL}."
        return Finding("search by meaning", "limited", str(error), advice)
    found = f"{text_model.MODEL_ID}, checksums are right"
    return Finding("search by meaning", "ok", found)


def _models(settings: Settings) -> list[Finding]:
    """The profile in force with its models, and every installed model that cannot be used."""
    stock = Stock.of(ModelFolder(), Catalogue.load())
    pool = MemoryPool(MachineMemory.of_this_machine(), settings.models.memory_gib)
    shelf = Shelf(Catalogue.load(), stock.usable(), pool.machine.total, pool.budget())
    wishes = Wishes(settings.models.profile, settings.models.by_role())
    profile = active_profile(shelf, wishes)
    playing = [model.id for role in ROLES if (model := choose(shelf, wishes, role))]
    found = f"{profile.title}: {', '.join(playing) or 'answers are quoted from the manuals'}"
    broken = [
        Finding(f"model {model_id}", "limited", problem, f"groundwork models verify {model_id}")
        for model_id, problem in stock.problems.items()
    ]
    memory = f"models may use {pool.budget() / 10**9:.1f} of {pool.machine.total / 10**9:.1f} GB"
    return [Finding("profile", "ok", found), *broken, Finding("memory", "ok", memory)]


def _settings(loaded: LoadedSettings) -> Finding:
    if loaded.message:
        advice = "Change them again in the window, or repair the file that was kept."
        return Finding("settings", "limited", loaded.message, advice)
    state = "as stored" if settings_file().exists() else "the defaults"
    return Finding("settings", "ok", f"{state}, {settings_file()}")


def _disk(library: Path) -> Finding:
    existing = next(folder for folder in (library, *library.parents) if folder.exists())
    free = shutil.disk_usage(existing).free / 2**30
    found = f"{free:.1f} GiB free for {library}"
    if free >= LEAST_FREE_GIB:
        return Finding("disk", "ok", found)
    return Finding("disk", "limited", found, "Free some space: copies and indexes need room.")


def _library(library: Path) -> Finding:
    if not LibraryFolder(library).database.exists():
        return Finding("library", "ok", f"none yet in {library}", "groundwork ingest PATH")
    from desktop.core.library.library import Library
    from desktop.core.library.vector_passes import text_models_of
    from desktop.core.store.database import Database

    try:
        with Database.open(library, read_only=True) as database:
            complaints = database.check()
            documents = Library(database, library).documents()
            read_by = database.read(text_models_of)
    except (LibraryError, OSError) as error:
        problem = explain(error)
        return Finding("library", "missing", f"{library}: {problem.title}", problem.advice)
    if complaints:
        return Finding(
            "library", "missing", f"{library} is damaged: {complaints[0]}", "Restore a backup."
        )
    found = f"{_counted(documents)} in {library}"
    by_words = [d.name for d in documents if d.state == "ready" and d.done[1] > d.done[2]]
    if by_words:
        shown = ", ".join(by_words[:3]) + (", ..." if len(by_words) > 3 else "")
        advice = "See 'search by meaning' above; then: groundwork ingest (without PATH)"
        return Finding("library", "limited", f"{found}; by words alone: {shown}", advice)
    if any(_is_earlier(model_id) for model_id in read_by):
        found += "; by words alone: an earlier text model has read it"
        advice = "groundwork ingest (without PATH), or open the window: it is read again"
        return Finding("library", "limited", found, advice)
    return Finding("library", "ok", found)


def _is_earlier(model_id: str) -> bool:
    """Whether it names the built-in text model as it was in an earlier Groundwork."""
    own = text_model.MODEL_ID
    return model_id != own and model_id.partition("@")[0] in _BUILT_IN


def _counted(documents: list[DocumentRecord]) -> str:
    states = Counter(_STATES[document.state] for document in documents)
    told = ", ".join(f"{number} {state}" for state, number in states.most_common())
    manuals = f"{len(documents)} manual{'s' if len(documents) != 1 else ''}"
    pages = sum(document.page_count for document in documents)
    return f"{manuals}{f' ({told})' if told else ''}, {pages} pages"


NETWORKED = ("PySide6.QtNetwork", "litellm", "PySide6.QtWebEngineCore")
"""Modules that reach for hosts of their own accord; none is ever loaded."""
_SHOWN = 3


def check_offline(journey: str) -> list[Finding]:
    """Run checks after something was done with a library. journey: what was done, in words."""
    return [_attempts(journey), _sockets(), _switches(), _modules()]


def _attempts(journey: str) -> Finding:
    count = tripwire.count()
    found = f"{count} while this was done: {journey}"
    if not tripwire.watching():
        return Finding("connections made", "missing", "nobody counted them", _REPORT)
    if not count:
        return Finding("connections made", "ok", found)
    targets = ", ".join(f"{each.kind} {each.target}" for each in tripwire.attempts()[:_SHOWN])
    return Finding("connections made", "missing", f"{found} ({targets})", _REPORT)


def _sockets() -> Finding:
    """Sockets that are open at this moment, including those of native code."""
    processes = [psutil.Process(), *psutil.Process().children(recursive=True)]
    remote: list[Any] = []
    for process in processes:
        try:
            connections: list[Any] = process.net_connections(kind="inet")
        except psutil.Error:  # it has just ended, or the system does not tell
            continue
        remote += [each.raddr or each.laddr for each in connections]
    if not remote:
        return Finding("open sockets", "ok", f"none in {len(processes)} processes")
    shown = ", ".join(f"{each.ip}:{each.port}" for each in remote[:_SHOWN])
    return Finding("open sockets", "missing", shown, _REPORT)


def _switches() -> Finding:
    wrong = [name for name, value in OFFLINE_SWITCHES.items() if os.environ.get(name) != value]
    if wrong:
        return Finding("offline switches", "missing", f"not set: {', '.join(wrong)}", _REPORT)
    return Finding("offline switches", "ok", f"all {len(OFFLINE_SWITCHES)} are set")


def _modules() -> Finding:
    loaded = [name for name in NETWORKED if name in sys.modules]
    if loaded:
        return Finding("network libraries", "missing", f"loaded: {', '.join(loaded)}", _REPORT)
    return Finding("network libraries", "ok", "none is loaded")


_REPORT = "Please report this, with the newest file of the library's folder 'logs'."
