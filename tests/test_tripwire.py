"""What Python code attempts to reach is counted; each script runs in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from desktop import tripwire
from tests.e2e.real_library import ROOT

REPORT = "\nprint([(each.kind, each.target) for each in desktop.tripwire.attempts()])"


def attempts(script):
    ended = subprocess.run(
        [sys.executable, "-c", f"import desktop, socket\n{script}{REPORT}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=True,
    )
    return ended.stdout.strip()


@pytest.mark.parametrize(
    ("script", "seen"),
    [
        (
            "socket.socket().connect_ex(('127.0.0.1', 9))",
            "[('connect', '127.0.0.1:9')]",
        ),
        (
            "socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
            "[('sendto', '127.0.0.1:9')]",
        ),
        (
            "try: socket.getaddrinfo('nowhere.invalid', 80)\nexcept OSError: pass",
            "[('look up', 'nowhere.invalid')]",
        ),
        (
            "socket.socket().bind(('', 0))",
            "[('bind', ':0')]",
        ),
    ],
)
def test_an_attempt_is_counted_with_its_target(script, seen):
    assert attempts(script) == seen


@pytest.mark.parametrize(
    "script",
    [
        "socket.socketpair()",
        "socket.socket(socket.AF_UNIX).connect_ex('/nowhere')",
        "socket.socket().bind(('127.0.0.1', 0))",
        "socket.getaddrinfo('127.0.0.1', 80)",
        "import urllib3, huggingface_hub, dspy",
    ],
)
def test_what_reaches_nobody_is_not_counted(script):
    assert attempts(script) == "[]"


def test_a_worker_tells_its_attempts_on_standard_error_and_they_are_counted():
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            "import desktop, socket; desktop.tripwire.tell_parent()\n"
            "socket.socket().connect_ex(('127.0.0.1', 9))",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=400,
        check=True,
    )
    before = tripwire.count()
    counted = [tripwire.record_line(line) for line in ended.stderr.splitlines()]
    assert counted == [True]
    assert tripwire.count() == before + 1
    assert tripwire.attempts()[-1] == tripwire.Attempt("connect", "127.0.0.1:9")
    assert not tripwire.record_line("pymupdf: warning")
