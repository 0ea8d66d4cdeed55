"""What is recorded stays in memory; what is read aloud goes to a program's standard input."""

from __future__ import annotations

import stat
import sys
import threading
import time
import types

import numpy as np
import pytest

from desktop.core.voice import Microphone, MicrophoneUnavailable, NoVoice, read_aloud, spoken


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """Put a program on the only path there is; returns where it writes what it was told."""
    monkeypatch.setenv("PATH", str(tmp_path))
    heard = tmp_path / "heard"

    def make(name, body):
        program = tmp_path / name
        program.write_text(f"#!{sys.executable}\nimport sys, time\n{body.format(heard=heard)}")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return heard

    return make


WRITES = "open({heard!r}, 'w').write(repr(sys.argv[1:]) + sys.stdin.read())"
EVIL = 'Close V1 [1]; $(touch /tmp/x) `id` "quoted" | --help'


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac has say")
def test_an_answer_goes_to_the_voice_as_text_alone(programs):
    heard = programs("espeak-ng", WRITES.replace("{heard!r}", "'{heard}'"))
    read_aloud(f"**{EVIL}**", "de", lambda: False)
    told = heard.read_text()
    assert told.startswith("['--stdin', '-v', 'de']")
    assert "$(touch /tmp/x) `id`" in told
    assert "[1]" not in told
    assert "**" not in told


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac has say")
def test_reading_stops_when_it_is_told_to(programs):
    programs("espeak-ng", "sys.stdin.read()\ntime.sleep(600)")
    stopped = threading.Event()
    reading = threading.Thread(target=lambda: read_aloud("long " * 9, "en", stopped.is_set))
    reading.start()
    stopped.set()
    reading.join(20)
    assert not reading.is_alive()


@pytest.mark.skipif(sys.platform == "darwin", reason="a Mac has say")
def test_without_a_voice_the_next_step_is_said(programs):
    with pytest.raises(NoVoice, match="Install espeak-ng"):
        read_aloud("Anything", "en", lambda: False)
    programs("espeak-ng", "sys.exit(3)")
    with pytest.raises(NoVoice, match="sound settings"):
        read_aloud("Anything", "en", lambda: False)


def test_tables_and_citations_are_not_read_out():
    answer = "## Torque\n| Bolt | Torque |\n- **M8**: 25 Nm [1, 2]\n"
    assert spoken(answer) == "Torque\nBolt Torque\nM8: 25 Nm\n"


def test_sound_is_put_together_as_it_comes(monkeypatch):
    class Stream:
        def __init__(self, callback, **asked):
            assert asked == {"samplerate": 16_000, "channels": 1, "dtype": "float32"}
            self.callback = callback

        def __enter__(self):
            for value in (0.1, 0.2):
                self.callback(np.full((4, 1), value, np.float32), 4, None, None)

        def __exit__(self, *_):
            pass

    fake = types.SimpleNamespace(InputStream=Stream, PortAudioError=RuntimeError)
    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    with Microphone().recording() as recording:
        pass
    assert recording.samples() == pytest.approx([0.1] * 4 + [0.2] * 4)


def test_without_a_microphone_the_next_step_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    with (
        pytest.raises(MicrophoneUnavailable, match=r"groundwork\[voice\]"),
        Microphone().recording(),
    ):
        time.sleep(0)
