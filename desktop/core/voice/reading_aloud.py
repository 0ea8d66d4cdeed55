"""An answer read aloud with the system's voice, by a program that the system has.

The text goes in on standard input, never through a shell or an argument.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from desktop.core.sentences import said

if TYPE_CHECKING:
    from collections.abc import Callable

_ON_A_MAC: Final = (("say", "-f", "-"),)
_ELSEWHERE: Final = (
    ("spd-say", "--pipe-mode", "--wait", "--language", "{language}"),
    ("espeak-ng", "--stdin", "-v", "{language}"),
    ("espeak", "--stdin", "-v", "{language}"),
)
_STOP: Final = {"spd-say": ("spd-say", "--cancel")}
"""Where the program that was started only hands the text on."""
_LOOK_SECONDS: Final = 0.05
_MARK = re.compile(r"\s*\[\d+(?:,\s*\d+)*\]")
_BEGINS = re.compile(r"^\s*(?:#+|[-*•](?=\s))")


class VoiceError(Exception):
    """Base of what is missing to listen or to speak; the message is a sentence for people.

    |- NoVoice                the system cannot speak
    `- MicrophoneUnavailable  nothing can be recorded
    """


class NoVoice(VoiceError):  # noqa: N818 - named after the state
    """The system cannot speak; the message is a sentence with the next step."""


def read_aloud(text: str, language: str, stopped: Callable[[], bool]) -> None:
    """Speak a text and return when it is over, or soon after `stopped` says so.

    language: "en" or "de", of the words that are spoken.

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
            said("The system's voice does not speak. Check its sound settings and try again.")
        )


def spoken(text: str) -> str:
    """Return an answer as it is to be heard: without marks of citations and of layout."""
    lines = (_BEGINS.sub("", line) for line in _MARK.sub("", text).splitlines())
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
