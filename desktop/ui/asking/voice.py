"""Questions that are spoken, and answers that are read aloud.

What was heard lands in the question field for a person to check; it is never sent by
itself. The sound lives in memory until it has been understood.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from desktop.core.question.languages import language_of
from desktop.sentences import message
from desktop.ui.bridge import WindowPart
from desktop.ui.design.controls import remark
from desktop.ui.design.notices import in_sentences
from desktop.ui.design.tokens import Type
from desktop.ui.language import told

if TYPE_CHECKING:
    from desktop.core.jobs import CancelToken
    from desktop.core.voice import Microphone
    from desktop.ui.chat.chat_panel import ChatPanel

KEY: Final = Qt.Key.Key_F4
TAP_SECONDS: Final = 0.4
"""A button that was only tapped goes on listening until the next tap."""
_LISTENING, _UNDERSTANDING = "listening", "understanding"


class VoiceController(WindowPart):
    """Listens while the key or the button is held. microphone: the system's unless given."""

    def __init__(
        self, chat: ChatPanel, window: QWidget, microphone: Microphone | None = None
    ) -> None:
        super().__init__(window)
        self._chat, self._window = chat, window
        self.microphone = microphone
        self._let_go = threading.Event()
        self._since = 0.0
        self.strip = remark(factor=Type.SMALL, tone="muted")
        chat.composer.show_above(self.strip)
        chat.composer.speak.pressed.connect(self._press)
        chat.composer.speak.released.connect(self._release)
        chat.escaped.connect(self.stop)
        chat.asked.connect(lambda _turn: self.stop())
        self._hearing = self.bridge("hearing", self._take, self._heard)
        self._reading = self.bridge("reading-aloud", over=self._read)

    def close(self) -> None:
        """Stop and join."""
        self.stop()
        super().close()

    @property
    def listening(self) -> bool:
        """Whether sound is being recorded or understood."""
        return self._hearing.running

    def read_last(self) -> None:
        """Read the last answer aloud; a second call stops it."""
        if self._reading.running:
            self._reading.cancel()
            return
        turn = next((each for each in reversed(self._chat.turns) if each.text), None)
        if turn is None:
            self._say(self.tr("There is no answer to read yet."))
            return
        text, language = turn.text, language_of(turn.text)

        def work(cancel: CancelToken) -> Iterator[Any]:
            from desktop.core.voice import read_aloud

            read_aloud(text, language, lambda: cancel.cancelled)
            yield from ()

        self._say(self.tr("Reading aloud… Esc stops it."))
        self._reading.start(work)

    def stop(self) -> None:
        """Stop listening and reading; what was heard until now is forgotten."""
        if self._hearing.running:
            self._hearing.cancel()
            self._let_go.set()
        if self._reading.running:
            self._reading.cancel()
        self.strip.hide()

    def begin(self) -> bool:
        """Begin to listen, or say what is missing; return whether it began."""
        workspace = self._workspace
        if workspace is None or self._hearing.running:
            return False
        recogniser = workspace.models.speech()
        if recogniser is None:
            self._say(
                self.tr(
                    "There is no model that understands speech. Install one on the Models page, "
                    "from the network or a USB stick."
                )
            )
            return False
        self._reading.cancel()
        self._let_go.clear()
        let_go, microphone = self._let_go, self._usual_microphone()
        self._since = time.monotonic()

        def work(cancel: CancelToken) -> Iterator[tuple[str, str]]:
            with microphone.recording() as recording:
                yield _LISTENING, ""
                let_go.wait(microphone.most_seconds)
            cancel.check()
            yield _UNDERSTANDING, ""
            text = recogniser.transcribe(recording.samples())
            cancel.check()
            yield "", text

        self._hearing.start(work)
        return True

    def end(self) -> None:
        """Stop listening, and write down what was heard."""
        self._let_go.set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice when the held key is released or the window left; only there while it is held."""
        let_go = (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyRelease
            and event.key() == KEY
            and not event.isAutoRepeat()
        )
        if let_go or event.type() == QEvent.Type.WindowDeactivate:
            self._window.removeEventFilter(self)
            self._window.releaseKeyboard()
            self.end()
        return super().eventFilter(watched, event)

    def hold_key(self) -> None:
        """The key is down: listen until it is let go."""
        if self.begin():
            self._window.installEventFilter(self)
            self._window.grabKeyboard()  # its release must come here, wherever one types

    def _usual_microphone(self) -> Microphone:
        from desktop.core.voice import Microphone

        if self.microphone is None:
            self.microphone = Microphone()
        return self.microphone

    def _press(self) -> None:
        if self._hearing.running:
            self._since = float("-inf")  # the second tap ends it
        else:
            self.begin()

    def _release(self) -> None:
        if time.monotonic() - self._since > TAP_SECONDS:
            self.end()

    def _take(self, event: tuple[str, str]) -> None:
        state, text = event
        if state == _LISTENING:
            self._chat.composer.show_listening(True)
            self._say(self.tr("Listening… Let go when you have asked. Esc discards it."))
        elif state == _UNDERSTANDING:
            self._chat.composer.show_listening(False)
            self._say(self.tr("Understanding…"))
        elif text:
            self.strip.hide()
            self._chat.composer.append(text)
        else:
            self._say(self.tr("Nothing was understood. Speak closer to the microphone."))

    def _heard(self, failure: BaseException | None) -> None:
        self._chat.composer.show_listening(False)
        if failure is not None:
            self._say_failure(failure)

    def _read(self, failure: BaseException | None) -> None:
        if failure is not None:
            self._say_failure(failure)
        elif not self._hearing.running:
            self.strip.hide()

    def _say_failure(self, failure: BaseException) -> None:
        from desktop.core.voice import VoiceError

        if isinstance(failure, VoiceError):
            self._say(told(message(failure)))
            return
        self._say(in_sentences(failure))

    def _say(self, text: str) -> None:
        self.strip.say(text)
