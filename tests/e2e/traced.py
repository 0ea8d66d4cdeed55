"""Runs a command without a network and sees what it tries to reach and what it writes."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tests.e2e.real_library import ROOT, environment

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

TRACED = (
    "connect,bind,listen,sendto,sendmsg,sendmmsg,"
    "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2"
)
SECONDS = 400.0  # a busy machine under tracing is slow; that is no connection

_INTERNET = re.compile(r"sa_family=AF_INET6?, sin6?_port=htons\([1-9]")
_OPENED_TO_WRITE = re.compile(r'open(?:at)?\([^"]*"([^"]+)", [A-Z_|]*O_(?:WRONLY|RDWR|CREAT)')
_MADE = re.compile(r'(?:creat|mkdir(?:at)?|rename(?:at2?)?)\([^"]*"([^"]+)"(?:[^"]*"([^"]+)")?')
_FAILED = re.compile(r"= -1 E[A-Z]+ ")
_SYSTEM = ("/dev/", "/proc/")


@dataclass(frozen=True, slots=True)
class Trace:
    """What a command did.

    internet: calls that reach another machine. listening: calls that wait for other programs, on
    this machine as well. written: files and folders it made or opened for writing.
    """

    returncode: int
    output: str
    errors: str
    internet: tuple[str, ...]
    listening: tuple[str, ...]
    written: frozenset[Path]

    def written_outside(self, *folders: Path) -> set[Path]:
        """What was written that lies in none of the folders."""
        return {path for path in self.written if not any(path.is_relative_to(f) for f in folders)}


@cache
def isolation() -> tuple[str, ...]:
    """The command that takes the network away and traces, empty where there is none."""
    if not (shutil.which("unshare") and shutil.which("strace")):
        return ()
    for rights in ((), ("--map-root-user",)):
        command = ("unshare", *rights, "--net", "strace", "-f", "-qq", "--seccomp-bpf")
        tried = subprocess.run([*command, "-o", "/dev/null", "true"], capture_output=True)
        if tried.returncode == 0:
            return command
    return ()


def run_traced(home: Path, temp: Path, command: Sequence[str], *, own_folder: bool = True) -> Trace:
    """Run a command as the user of `home`; its temporary files go to `temp`.

    own_folder: data lies in a folder of its own, not where the system keeps that of its user.
    """
    user = environment(home)
    if not own_folder:
        del user["GROUNDWORK_HOME"]
    temp.mkdir(exist_ok=True)
    log = temp.parent / f"{temp.name}.trace"
    ended = subprocess.run(
        traced_command(log, command),
        cwd=ROOT,
        env={**user, "TMPDIR": str(temp)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return read_trace(log, ended.returncode, ended.stdout, ended.stderr)


def traced_command(log: Path, command: Sequence[str]) -> list[str]:
    """The command without a network, its system calls written to `log`."""
    options = ("-s", "4096", "-e", f"trace={TRACED}", "-o", str(log))
    return [*isolation(), *options, *command]


def read_trace(log: Path, returncode: int = 0, output: str = "", errors: str = "") -> Trace:
    """What a traced command did."""
    lines = log.read_text("utf-8", "replace").splitlines()
    return Trace(
        returncode,
        output,
        errors,
        tuple(line for line in lines if _INTERNET.search(line)),
        tuple(line for line in lines if " listen(" in line),
        frozenset(path for line in lines for path in _written(line)),
    )


def _written(line: str) -> list[Path]:
    if _FAILED.search(line):
        return []
    found = _OPENED_TO_WRITE.search(line) or _MADE.search(line)
    names = [name for name in found.groups() if name] if found else []
    return [ROOT / name for name in names if not name.startswith(_SYSTEM)]
