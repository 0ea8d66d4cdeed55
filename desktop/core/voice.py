"""The microphone, while somebody holds a key, and answers read aloud by the system's voice."""

from __future__ import annotations

import importlib
import re
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from desktop.core.structure.signs import without_bullet
from desktop.models.roles import SPEECH_RATE
from desktop.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    from numpy.typing import NDArray


_ON_A_MAC: Final = (("say", "-f", "-"),)
_ELSEWHERE: Final = (
    ("spd-say", "--pipe-mode", "--wait", "--language", "{language}"),
    ("espeak-ng", "--stdin", "-v", "{language}"),
    ("espeak", "--stdin", "-v", "{language}"),
)
_STOP: Final = {"spd-say": ("spd-say", "--cancel")}
"""Where the program that was started only hands the text on."""
_LOOK_SECONDS: Final = 0.05


class VoiceError(Exception):
    """Base of the errors in listening and speaking; the message is a sentence for people.

    |- NoVoice                the system cannot speak
    `- MicrophoneUnavailable  nothing can be recorded
    """


class NoVoice(VoiceError):  # noqa: N818 - named after the state
    """The system cannot speak; the message is a sentence with the next step."""


def read_aloud(text: str, language: str, stopped: Callable[[], bool]) -> None:
    """Speak a text and return when it is over, or soon after `stopped` says so.

    language: of the words that are spoken, "en" or "de".

    Raises: NoVoice.
    """
    command = _program(language)
    try:
        speaking = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    except OSError as error:
        raise NoVoice(_nothing_speaks()) from error
    data: bytes | None = spoken(text).encode()
    while True:
        try:
            speaking.communicate(data, timeout=_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            data = None  # it goes on with what it was given
        else:
            break
        if stopped():
            speaking.kill()
            speaking.communicate()
            if command[0] in _STOP:
                subprocess.run(_STOP[command[0]], check=False, timeout=5)
            return
    if speaking.returncode:
        raise NoVoice(
            said("The system's voice is not working. Check its sound settings and try again.")
        )


def spoken(text: str) -> str:
    """Return an answer as it is to be heard: without citation marks or layout marks."""
    unmarked = re.sub(r"\s*\[\d+(?:,\s*\d+)*\]", "", text)
    lines = (without_bullet(line.lstrip(" #")) for line in unmarked.splitlines())
    plain = (" ".join(line.replace("**", "").replace("|", " ").split()) for line in lines)
    return "\n".join(plain).strip() + "\n"


def _program(language: str) -> list[str]:
    known = _ON_A_MAC if sys.platform == "darwin" else _ELSEWHERE
    for name, *arguments in known:
        if shutil.which(name):
            return [name, *(each.format(language=language) for each in arguments)]
    raise NoVoice(_nothing_speaks())


def _nothing_speaks() -> str:
    return said("This system has no voice. Install espeak-ng or speech-dispatcher and try again.")


class MicrophoneUnavailable(VoiceError):  # noqa: N818 - named after the state
    """Nothing can be recorded; the message is a sentence with the next step."""


class Recording:
    """Sound that is being recorded; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pieces: list[NDArray[np.float32]] = []

    def add(self, piece: NDArray[np.float32]) -> None:
        """Keep a piece of sound, shape (n,) or (n, 1)."""
        import numpy as np

        with self._lock:
            self._pieces.append(np.array(piece, np.float32).reshape(-1))

    def samples(self) -> NDArray[np.float32]:
        """Return everything recorded so far: mono, -1 to 1, `SPEECH_RATE` a second."""
        import numpy as np

        with self._lock:
            pieces = list(self._pieces)
        return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)


class Microphone:
    """The system's default microphone, through PortAudio."""

    most_seconds: Final = 30.0
    """What a recogniser hears at once."""

    @contextmanager
    def recording(self) -> Iterator[Recording]:
        """Record until the block ends. Raises: MicrophoneUnavailable."""
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
                    "No microphone is available. Connect one, and allow Groundwork to use it in "
                    "the system's privacy settings."
                )
            ) from error
