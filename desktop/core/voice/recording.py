"""The microphone: what is spoken while somebody holds a key. It is written nowhere."""

from __future__ import annotations

import importlib
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from desktop.core.sentences import said
from desktop.core.voice.reading_aloud import VoiceError
from desktop.models.roles import SPEECH_RATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray


class MicrophoneUnavailable(VoiceError):  # noqa: N818 - named after the state
    """Nothing can be recorded; the message is a sentence with the next step."""


class Recording:
    """Sound that is being recorded; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pieces: list[NDArray[np.float32]] = []

    def add(self, piece: NDArray[np.float32]) -> None:
        """Keep a piece of sound, shape (n,) or (n, 1)."""
        with self._lock:
            self._pieces.append(np.array(piece, np.float32).reshape(-1))

    def samples(self) -> NDArray[np.float32]:
        """Return all of it so far: mono, -1 to 1, `SPEECH_RATE` a second."""
        with self._lock:
            pieces = list(self._pieces)
        return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)


class Microphone:
    """The system's usual microphone, through PortAudio."""

    most_seconds: Final = 30.0
    """What a recogniser hears at once."""

    @contextmanager
    def recording(self) -> Iterator[Recording]:
        """Record until the block ends.

        Raises: MicrophoneUnavailable.
        """
        try:
            sounds: Any = importlib.import_module("sounddevice")
        except (ImportError, OSError) as error:  # the package, or PortAudio itself
            raise MicrophoneUnavailable(
                said(
                    "Recording is not installed: pip install 'groundwork[voice]', and on Linux the "
                    "package libportaudio2."
                )
            ) from error
        recorded = Recording()
        try:
            stream = sounds.InputStream(
                samplerate=SPEECH_RATE,
                channels=1,
                dtype="float32",
                callback=lambda data, *_: recorded.add(data[:, 0]),
            )
            with stream:
                yield recorded
        except sounds.PortAudioError as error:
            raise MicrophoneUnavailable(
                said(
                    "No microphone can be used. Connect one, and allow Groundwork to use it in the "
                    "system's privacy settings."
                )
            ) from error
