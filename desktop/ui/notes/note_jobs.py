"""Long work with notes, one piece at a time on its own thread, and the strip that says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from desktop.ui.bridge import Bridge
from desktop.ui.design.notice_strip import BusyNotice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.core.jobs import CancelToken


class BusyStrip(BusyNotice):
    """cancel_wanted(). Hidden while nothing runs."""

    cancel_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.cancel.clicked.connect(self._stop)
        self.hide()

    def begin(self, text: str) -> None:
        """Say what is going on."""
        self.show_progress(text)
        self.cancel.setEnabled(True)
        self.show()

    def _stop(self) -> None:
        self.cancel.setEnabled(False)
        self.text.setText(self.tr("Stopping"))
        self.cancel_wanted.emit()


class NoteJobs(QObject):
    """Runs a job while the strip says so; its button cancels it."""

    def __init__(self, strip: BusyStrip) -> None:
        super().__init__(strip)
        self._strip = strip
        self._over: Callable[[BaseException | None], object] = lambda _: None
        self._bridge = Bridge("groundwork-notes", self)
        self._bridge.finished.connect(self._finished)
        strip.cancel_wanted.connect(self._bridge.cancel)

    @property
    def running(self) -> bool:
        """Whether a job is going on."""
        return self._bridge.running

    def run(
        self,
        said: str,
        work: Callable[[CancelToken], Any],
        done: Callable[[Any], object],
        failed: Callable[[BaseException], object],
        cancelled: Callable[[], object] = lambda: None,
    ) -> None:
        """Do `work` unless something else is going on; exactly one of the others is called."""
        if self.running:
            return
        results: list[Any] = []

        def job(cancel: CancelToken) -> Iterator[None]:
            results.append(work(cancel))
            yield from ()

        def over(failure: BaseException | None) -> None:
            if failure is not None:
                failed(failure)
            elif results:
                done(results[0])
            else:
                cancelled()

        self._over = over
        self._strip.begin(said)
        self._bridge.start(job)

    def close(self) -> None:
        """Cancel and join what runs."""
        self._bridge.close()

    def _finished(self, failure: BaseException | None) -> None:
        self._strip.hide()
        # only now: what `done` shows may be clicked at once, and that click may start a job
        self._over(failure)
