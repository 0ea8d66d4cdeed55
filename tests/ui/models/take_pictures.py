"""The Models page in its states, for people and for every check to look at."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from desktop.models.catalogue import Catalogue
from desktop.models.overview import ModelStatus, ProfileStatus
from desktop.models.packs.download import Offer
from desktop.sentences import said
from desktop.ui.models.page import SIZE
from tests.fakes.model_manager import GB, GIB, FakeManager, FakePacks, memory, model
from tests.ui.take_pictures import settle

if TYPE_CHECKING:
    from desktop.ui.window.main_window import MainWindow

HERE = {
    "qwen3-8b-4bit": {"state": "loaded", "in_use": True},
    "qwen3-vl-4b-instruct-4bit": {"state": "loading", "progress": 0.43},
    "colqwen2-v1.0": {"state": "installed"},
    "qwen3-embedding-0.6b": {"state": "loaded"},
}


def catalogue_models(here, budget_gb: float) -> list[ModelStatus]:
    return [
        model(
            each.id,
            each.title,
            each.role,
            licence=each.licence,
            size_bytes=each.disk_bytes,
            memory_bytes=each.memory_bytes,
            summary=each.summary,
            fits=each.memory_gb <= budget_gb,
            recommended=each.id in ("qwen3-8b-4bit", "qwen3-4b-instruct-2507-4bit"),
            **({"state": "available"} | here.get(each.id, {})),
        )
        for each in Catalogue.load().entries
    ]


def _here(gib: int) -> str:
    return said("this computer has {machine_bytes} GB", machine_bytes=gib)


def profiles(gib: int, chosen: str, recommended: str) -> list[ProfileStatus]:
    return [
        ProfileStatus(
            each.id,
            each.title,
            each.summary,
            said(
                "Needs a computer with {machine_gib} GB of memory; {here}.",
                machine_gib=each.machine_gib,
                here=_here(gib),
            )
            if each.machine_gib > gib
            else (
                said("Works without any model, using the least memory.")
                if each.id == "lite"
                else ""
            )
            or (
                said("The language model is installed, and {here}.", here=_here(gib))
                if each.id == recommended
                else said("Not installed yet: {missing}.", missing="Qwen3 30B-A3B Instruct (4-bit)")
            ),
            each.machine_gib <= gib,
            each.id == recommended,
            each.id == chosen,
        )
        for each in Catalogue.load().profiles
    ]


def show(window: MainWindow, manager: Any, packs: Any) -> None:
    window.models.open(manager, packs)
    window.models.show_page()
    assert window.models.page is not None
    window.models.page.resize(SIZE)  # larger than the screen that offscreen pretends to have
    settle()


def busy(window: MainWindow) -> None:
    manager = FakeManager(
        *catalogue_models(HERE, 24),
        model(
            "site-model",
            "Site model (own)",
            state="damaged",
            licence="",
            fits=True,
            problem=said(
                "{path} is damaged: it is not the file that was imported.",
                path="model-00002-of-00003.safetensors",
            ),
        ),
        used=memory(
            8.3,
            24,
            cache_bytes=round(0.9 * GB),
            machine_bytes=32 * GIB,
            machine_free_bytes=11 * GIB,
            process_bytes=10 * GIB,
        ),
    )
    manager.choices = profiles(32, "field", "field")
    packs = FakePacks(manager)
    packs.hold.clear()
    show(window, manager, packs)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "gpt-oss-20b"
        source.mkdir()
        window.models.add([source])
    window.models.do("verify", "colqwen2-v1.0")


def empty(window: MainWindow) -> None:
    manager = FakeManager(*catalogue_models({}, 10), used=memory(0, 10))
    manager.choices = profiles(16, "lite", "lite")
    show(window, manager, FakePacks(manager))


def full(window: MainWindow) -> None:
    manager = FakeManager(*catalogue_models(HERE, 10), used=memory(9.4, 10))
    manager.choices = profiles(16, "field", "field")
    packs = FakePacks(manager)
    show(window, manager, packs)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "refused-model.zip"
        source.touch()
        window.models.add([source])
        settle()


def consent(window: MainWindow) -> None:
    empty(window)
    settle()
    entry = Catalogue.load().entries[0]
    packs: Any = window.models._work
    packs.offers[entry.id] = Offer(
        "huggingface.co", f"huggingface.co/{entry.repository}", entry.disk_bytes, entry.licence
    )
    window.models.do("download", entry.id)


def removing(window: MainWindow) -> None:
    full(window)
    window.models.do("remove", "colqwen2-v1.0")


def dropping(window: MainWindow) -> None:
    busy(window)
    assert window.models.page is not None
    window.models.page.overlay.announce([Path("Qwen3-VL-4B.zip")])


STATES = {
    "models-busy": busy,
    "models-empty": empty,
    "models-full": full,
    "models-consent": consent,
    "models-removing": removing,
    "models-dropping": dropping,
}


def grab(window: MainWindow) -> QPixmap:
    """The window with its dialogs over it, each in the middle of the one before."""
    whole = window.grab()
    painter = QPainter(whole)
    middle = whole.rect().center()
    for dialog in QApplication.topLevelWidgets():
        if (
            isinstance(dialog, QDialog)
            and dialog.isVisible()
            and not isinstance(dialog, QFileDialog)
        ):
            picture = dialog.grab()
            painter.drawPixmap(middle - picture.rect().center(), picture)
            frame = picture.rect().translated(middle - picture.rect().center())
            painter.drawRect(frame.adjusted(-1, -1, 0, 0))
    painter.end()
    return whole
