"""Real servers for the contracts of shared back ends: started once, ended with the tests."""

from __future__ import annotations

import atexit
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import pytest

_SECONDS = 60.0


@cache
def redis_url() -> str:
    """Return the URL of a redis-server of our own; skips where none is installed."""
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    port = _free_port()
    _start([program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir"], port)
    return f"redis://127.0.0.1:{port}/0"


@cache
def chroma_port() -> int:
    """Return the port of Chroma's own HTTP server; skips where it is not installed."""
    pytest.importorskip("chromadb")
    program = Path(sys.executable).with_name("chroma")
    if not program.exists():
        pytest.skip("Chroma's server is not installed")
    port = _free_port()
    _start([str(program), "run", "--host", "127.0.0.1", "--port", str(port), "--path"], port)
    return port


def _start(command: list[str], port: int) -> None:
    """Run a server until the tests end; the last argument of its command is its folder."""
    folder = tempfile.mkdtemp(prefix="groundwork-server-")
    server = subprocess.Popen(
        [*command, folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder
    )

    def end() -> None:
        server.terminate()
        server.wait(10)
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    ends = time.monotonic() + _SECONDS
    while time.monotonic() < ends:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail(f"{command[0]} does not answer")


def _free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])
