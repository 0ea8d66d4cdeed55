"""Watching models and memory, the meter in the status line, and carrying out actions on models."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from desktop.models.packs.pack_events import PackDone
from desktop.ui import files
from desktop.ui.bridge import Bridge, WindowPart
from desktop.ui.chat.composer import ModelPicker
from desktop.ui.design.controls import make_flat, plain_tooltip, set_tone
from desktop.ui.design.icons import icon
from desktop.ui.design.theme import colours, scaled_font
from desktop.ui.design.tokens import Space, Type
from desktop.ui.models import words
from desktop.ui.models.model_list import Snapshot
from desktop.ui.models.tasks import Task, Tasks, describe

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.workspace import Workspace
    from desktop.models.manager import ModelManager
    from desktop.models.overview import ModelStatus
    from desktop.ui.design.notices import NoticeStrip
    from desktop.ui.library.status_line import StatusLine
    from desktop.ui.models.packs import InstalledPacks
    from desktop.ui.models.page import ModelsPage


LOOK_SECONDS = 1.5
LEAST_SECONDS = 0.08
"""Changes closer together than this, as while loading, are looked at once."""
RETRY_MS = 10_000


class ModelWatch(QObject):
    """changed(snapshot): something is different. broke(exception): looking failed."""

    changed = Signal(object)
    broke = Signal(object)

    def __init__(self, manager: ModelManager, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._manager = manager
        self._wake = threading.Event()
        self._complained = False
        self._bridge = Bridge(
            "groundwork-models-watch", self, self._take, self._ended, resumes=True
        )
        self._retry = QTimer(self, singleShot=True)
        self._retry.timeout.connect(self.start)

    def start(self) -> None:
        self._bridge.start(self._look_on)

    def look(self) -> None:
        """Look at once; callable from any thread."""
        self._wake.set()

    def close(self) -> None:
        """Stop and join."""
        self._retry.stop()
        self._bridge.cancel()
        self._wake.set()
        self._bridge.close()

    def _look_on(self, cancel: CancelToken) -> Iterator[Snapshot]:
        forget = self._manager.subscribe(self.look)
        known: Snapshot | None = None
        pause = threading.Event()
        try:
            while True:
                # Cleared before the token is read: close() sets them in the other order.
                self._wake.clear()
                if cancel.cancelled:
                    return
                seen = Snapshot(
                    tuple(self._manager.models()),
                    self._manager.memory(),
                    tuple(self._manager.profiles()),
                    self._manager.answering_profile(),
                )
                if seen != known:
                    known = seen
                    yield seen
                self._wake.wait(LOOK_SECONDS)
                pause.wait(LEAST_SECONDS)
        finally:
            forget()

    def _take(self, seen: Snapshot) -> None:
        self._complained = False
        self.changed.emit(seen)

    def _ended(self, failure: BaseException | None) -> None:
        if failure is not None:
            self._retry.start(RETRY_MS)
            if not self._complained:
                self._complained = True
                self.broke.emit(failure)


TRACK = 3


class MemoryMeter(QToolButton):
    """Hidden until there is a model; amber when little of the budget is left."""

    def __init__(self) -> None:
        super().__init__()
        make_flat(self, "memory-stick", self.tr("Model memory"), caption=True)
        self.setFont(scaled_font(Type.SMALL))
        self._share = 0.0
        self.nearly_full = False
        self.hide()

    def show_memory(self, seen: Snapshot) -> None:
        memory = seen.memory
        self._share = words.memory_share(memory)
        full = words.nearly_full(memory)
        line = words.memory_line(memory)
        loaded = words.loaded_models(seen.models, memory)
        if full:
            loaded = self.tr(
                "Nearly full: the next model may have to wait for room.\n{rest}"
            ).format(rest=loaded)
        self.setText(f" {line}")
        self.setToolTip(
            plain_tooltip(
                self.tr("{loaded}\n{machine}\nClick to open the models.").format(
                    loaded=loaded, machine=words.whole_machine(memory)
                )
            )
        )
        self.setAccessibleName(line)
        self.setAccessibleDescription(loaded)
        self.nearly_full = full
        self.setIcon(icon("triangle-alert", "attention") if full else icon("memory-stick"))
        set_tone(self, "attention" if full else "")
        self.setVisible(any(each.state != "available" for each in seen.models))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        c = colours()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            track = QRectF(Space.S, self.height() - TRACK - 3, self.width() - 2 * Space.S, TRACK)
            painter.setBrush(QColor(c.trough))
            painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)
            if self._share > 0:
                track.setWidth(max(TRACK, track.width() * self._share))
                painter.setBrush(QColor(c.attention if self.nearly_full else c.accent))
                painter.drawRoundedRect(track, TRACK / 2, TRACK / 2)


REDRAW_MS = 100
NOTICE_MS = 20_000


class ModelsController(WindowPart):
    """Owns the page, the meter's figures and the work; all go on while the page is closed.

    profile_changed(id): another profile answers from now on.
    profiles_seen(profiles, speeds): what can be chosen, as it is now, and in words how fast it is
    here, by id where that is known.
    """

    profile_changed = Signal(str)
    profiles_seen = Signal(object, object)

    def __init__(
        self, window: QWidget, status: StatusLine, meter: MemoryMeter, elsewhere: NoticeStrip
    ) -> None:
        """meter: shows the memory in the status line. elsewhere: where something is said while
        the page is not open."""
        super().__init__(window, self._failed)
        self._window = window
        self._status, self._meter = status, meter
        self._elsewhere = elsewhere
        self._manager: ModelManager | None = None
        self._work: InstalledPacks | None = None
        self._watch: ModelWatch | None = None
        self._seen: Snapshot | None = None
        self.page: ModelsPage | None = None
        self._newest = ""
        self.tasks = Tasks(self)
        self.tasks.changed.connect(self._redraw_soon)
        self.tasks.ended.connect(self._ended)
        self._redraw = QTimer(self, singleShot=True, interval=REDRAW_MS)
        self._redraw.timeout.connect(self._show)
        meter.clicked.connect(self.show_page)

    def open_workspace(self, workspace: Workspace) -> None:
        """Watch the workspace's models."""
        # Not above: pydantic and numpy take their time; loaded before there is a workspace.
        from desktop.ui.models.packs import InstalledPacks

        manager = workspace.models
        picker = self._window.findChild(ModelPicker)  # in the composer, where there is one
        if picker is not None:
            self.profiles_seen.connect(picker.show_profiles)
            picker.chosen.connect(self.choose_profile)
            picker.models_wanted.connect(self.show_page)
        self.open(manager, InstalledPacks(manager.folder, manager.catalogue))

    def open(self, manager: ModelManager, work: InstalledPacks) -> None:
        """Watch a manager from now on, instead of the one before."""
        if self._watch is not None:
            self._watch.close()
        self._manager, self._work = manager, work
        self._watch = ModelWatch(manager, self)
        self._watch.changed.connect(self._changed)
        self._watch.broke.connect(self._failed)
        self._watch.start()

    def show_page(self) -> None:
        """Open the page, or bring it to the front."""
        if self._watch is None:
            self._status.say(self.tr("Open the library to see the models."))
            return
        if self.page is None:
            # Not above: nobody waits for it at the start.
            from desktop.ui.models.page import ModelsPage

            page = ModelsPage(self._window)
            page.models.wanted.connect(self.do)
            page.profiles.wanted.connect(self.choose_profile)
            page.overlay.dropped.connect(self.add)
            page.folder_wanted.connect(self._choose_folder)
            page.zip_wanted.connect(self._choose_zip)
            page.tasks.cancel_wanted.connect(self.tasks.cancel)
            self.page = page
            self._show()
        self.page.come_up()
        self._watch.look()

    def _choose_folder(self) -> None:
        title = self.tr("Import a model's folder")
        files.choose_folder(self.page or self._window, title, lambda folder: self.add([folder]))

    def _choose_zip(self) -> None:
        title, kind = self.tr("Import models from zip files"), self.tr("Zip files (*.zip *.ZIP)")
        files.choose_several(self.page or self._window, title, [kind], self.add)

    def add(self, paths: Sequence[Path]) -> None:
        """Import folders and zip files, one after the other."""
        work = self._work
        wanted = files.importable(paths)
        if work is None:
            return
        if not wanted and paths:
            said = self.tr(
                "“{name}” is not a model. Drop a model's folder, or a zip file with a model in it."
            )
            self._say(said.format(name=words.shortened(paths[0].name)), tone="bad")
        for path in wanted:
            name = words.shortened(path.name)
            self.tasks.add(Task("import", name, partial(work.import_from, path)))

    def do(self, action: str, model_id: str) -> None:
        """Carry out an action of a model's row."""
        model = self._seen.model(model_id) if self._seen else None
        work = self._work
        if model is None or work is None:
            return
        match action:
            case "unload":
                self._unload(model)
            case "remove":
                self._remove(model)
            case "verify":
                verify = partial(work.verify, model_id)
                self.tasks.add(Task("verify", model.title, verify, model_id))
            case "copy":

                def copy(folder: Path) -> None:
                    steps = partial(work.copy_to, model.id, folder)
                    self.tasks.add(Task("copy", model.title, steps, model.id))

                title = self.tr("Copy the model to this USB stick or folder")
                over, accept = self.page or self._window, self.tr("Copy here")
                files.choose_folder(over, title, copy, accept=accept)
            case "download":
                self._download(model, work)

    def close(self) -> None:
        """Stop the work, which leaves nothing half done behind, and join the threads."""
        self._redraw.stop()
        if self.page is not None:
            self.page.dismiss()
        self.tasks.close()
        self._errands.close()
        if self._watch is not None:
            self._watch.close()

    # what is shown

    def _changed(self, seen: Snapshot) -> None:
        before = self._seen.profile if self._seen else ""
        self._seen = seen
        self._meter.show_memory(seen)
        speeds = {each.id: words.speed(each.speed) for each in seen.profiles if each.speed}
        self.profiles_seen.emit(seen.profiles, speeds)
        self._show()
        if self.page is not None and self._newest and seen.model(self._newest) is not None:
            self.page.reveal(self._newest)
            self._newest = ""
        if before and before != seen.profile:
            self.profile_changed.emit(seen.profile)

    def _redraw_soon(self) -> None:
        if not self._redraw.isActive():
            self._redraw.start()

    def _show(self) -> None:
        tasks = self.tasks.all()
        self._status.show_model_work(describe(tasks[0]) if tasks else "")
        fetching = any(each.kind == "download" and not each.waiting for each in tasks)
        self._status.show_network(in_use=fetching)
        if self.page is not None:
            self.page.tasks.show_tasks(tasks)
            if self._seen is not None:
                self.page.show_snapshot(self._seen, self.tasks)

    def _say(self, text: str, *, tone: str = "") -> None:
        lasts = 0 if tone == "bad" else NOTICE_MS
        if self.page is not None and self.page.isVisible():
            self.page.notices.say(text, tone=tone, milliseconds=lasts)
        else:
            self._elsewhere.say(
                text,
                tone=tone,
                milliseconds=lasts,
                action=self.tr("Models"),
                on_action=self.show_page,
            )

    # what is done

    def _unload(self, model: ModelStatus) -> None:
        manager = self._manager
        if manager is not None:
            self._errands.run(lambda: manager.unload(model.id), lambda _: self._look())
        if model.in_use:
            said = self.tr(
                "“{title}” is busy right now. It will be unloaded as soon as it finishes; stop "
                "the question if you need the memory at once."
            )
            self._say(said.format(title=model.title))

    def _remove(self, model: ModelStatus) -> None:
        from desktop.ui.models.page import ask_to_remove

        task = self.tasks.of_model(model.id)
        if model.in_use:
            said = self.tr(
                "“{title}” is busy right now. Stop the question, or wait for the answer, then "
                "remove the model."
            )
            self._say(said.format(title=model.title), tone="bad")
        elif task is not None:
            said = self.tr("“{title}” cannot be removed now ({work}). Cancel that first, or wait.")
            self._say(said.format(title=model.title, work=describe(task)), tone="bad")
        else:
            ask_to_remove(self.page or self._window, model, lambda: self._delete(model))

    def _delete(self, model: ModelStatus) -> None:
        manager, work = self._manager, self._work
        if manager is None or work is None:
            return

        def delete() -> None:
            manager.unload(model.id)
            work.remove(model.id)
            manager.refresh()

        def told(_: object) -> None:
            said = self.tr("“{title}” was removed; {size} is free again.")
            self._say(said.format(title=model.title, size=words.size(model.size_bytes)))
            self._look()

        self._errands.run(delete, told)

    def _download(self, model: ModelStatus, work: InstalledPacks) -> None:
        from desktop.ui.models.page import ask_to_download

        offer = work.offer(model.id)
        if offer is None:
            said = self.tr(
                "Groundwork does not know where to download “{title}”. Import it from a folder."
            )
            self._say(said.format(title=model.title), tone="bad")
            return
        steps = partial(work.download, model.id)
        ask_to_download(
            self.page or self._window,
            model,
            offer,
            lambda: self.tasks.add(Task("download", model.title, steps, model.id)),
        )

    def choose_profile(self, profile_id: str) -> None:
        """Answer with this profile from now on."""
        manager = self._manager
        if manager is not None:
            self._errands.run(lambda: manager.choose_profile(profile_id), lambda _: self._look())

    def _look(self) -> None:
        if self._watch is not None:
            self._watch.look()

    def _ended(self, task: Task) -> None:
        text, tone = words.ended(task)
        self._say(text, tone=tone)
        if isinstance(task.end, PackDone):
            self._newest = task.end.model.id
        manager = self._manager
        if manager is not None:
            self._errands.run(manager.refresh, lambda _: self._look())

    def _failed(self, failure: BaseException) -> None:
        self._say(words.why(failure), tone="bad")
        self._show()  # a choice that was refused is not shown as made
