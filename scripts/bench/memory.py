"""How much memory the window and its parsers take with a large library, under a limit.

    python -m scripts.bench memory MANUAL [--pages 100000] [--limit 4]

A library of made-up manuals is written as if they had been read. The window opens it, asks, and
takes MANUAL in while it asks on. What is resident is added up over the window and its parser
processes, ten times a second, and the most of each phase is told; pages that several processes
share count once for each. With --limit, on Linux and as root, they run in a memory control group
that may take so much with what it keeps of files, and may not swap: half of an 8 GB Mac by default.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.evaluation.figures import Figure

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

BASELINE = "an empty PySide6 window"
GROUPS = Path("/sys/fs/cgroup/memory")
_MIB = 2**20
_READ_AT_LEAST_S, _READ_AT_MOST_S = 10.0, 300.0
_PHASES = ("opened", "asked ten questions", "a manual read, asked meanwhile")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Say what can be chosen."""
    parser.add_argument("manual", type=Path, help="a PDF to take in")
    parser.add_argument("--pages", type=int, default=100_000, help="of the library")
    parser.add_argument("--limit", type=float, default=4.0, metavar="GIB", help="0 for none")
    parser.add_argument("--library", type=Path, help="keep the library there, or take it")


def measure(options: argparse.Namespace) -> tuple[list[Figure], list[str]]:
    """Write the library and run the windows."""
    from desktop.models.text_model import MODEL_ID
    from scripts.bench.text_search import UNITS_OF_PAGE, make_library

    with tempfile.TemporaryDirectory() as made:
        library = options.library or Path(made) / "library"
        if not library.exists():
            make_library(library, options.pages * UNITS_OF_PAGE, MODEL_ID)
        with _group(options.limit) as group:
            empty = _run(group, "empty")
            manual = str(options.manual.resolve())
            found = _run(group, str(library.resolve()), manual, str(options.pages))
            refused, most = _told(group)
    figures = [
        Figure(name=f"{phase}, resident", value=found[phase], unit="MiB", baseline=empty["opened"])
        for phase in _PHASES
    ]
    limit = f"at most {options.limit:g} GiB with cached files, no swap" if group else "no limit"
    return figures, [
        f"a library of {options.pages:,} pages; {found['answers']:.0f} questions answered",
        f"{limit}; the group took {most:,} MiB at most and ran into its limit {refused:,} times,"
        " when files that were kept in memory gave way",
    ]


@contextlib.contextmanager
def _group(gib: float) -> Iterator[Path | None]:
    """Make a memory control group that may not swap; None without a limit."""
    if not gib:
        yield None
        return
    group = GROUPS / f"groundwork-{os.getpid()}"
    group.mkdir()
    try:
        (group / "memory.limit_in_bytes").write_text(str(int(gib * 2**30)))
        (group / "memory.swappiness").write_text("0")
        yield group
    finally:
        while (group / "cgroup.procs").read_text():  # parser processes are ending
            time.sleep(0.1)
        group.rmdir()


def _told(group: Path | None) -> tuple[int, int]:
    """Return how often the limit was met, and the most memory in MiB."""
    if group is None:
        return 0, 0
    refused = int((group / "memory.failcnt").read_text())
    return refused, int((group / "memory.max_usage_in_bytes").read_text()) // _MIB


def _run(group: Path | None, *arguments: str) -> dict[str, float]:
    enter = f"echo $$ > {group}/cgroup.procs && " if group else ""
    command = [sys.executable, "-m", "scripts.bench.memory", *arguments]
    done = subprocess.run(
        ["sh", "-c", f'{enter}exec "$@"', "sh", *command],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


class _Watch:
    """Notes the most that this process and its children hold, phase by phase."""

    def __init__(self) -> None:
        self.phase = "opened"
        self.most: dict[str, float] = {}
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self) -> None:
        import psutil

        here = psutil.Process()
        while True:
            resident = 0
            for each in (here, *here.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    resident += each.memory_info().rss
            before = self.most.get(self.phase, 0.0)
            self.most[self.phase] = max(before, resident / _MIB)
            time.sleep(0.1)


def _empty() -> None:
    from PySide6.QtWidgets import QApplication, QMainWindow

    from scripts.bench.window_pages import run

    application = QApplication([])
    window = QMainWindow()
    window.show()
    watch = _Watch()
    run(2.0)
    del application
    print(json.dumps(watch.most))


def _work(library: Path, manual: Path, pages: int) -> None:
    from desktop.app import open_workspace
    from desktop.core.settings.sections import Settings
    from desktop.ui.window.main_window import MainWindow
    from desktop.ui.window.opening import load_parts
    from desktop.ui.window.start import make_application
    from scripts.bench.text_search import UNITS_OF_PAGE, questions
    from scripts.bench.window_pages import run

    make_application(sys.argv[:1])
    load_parts()
    window = MainWindow()
    window.resize(1440, 900)
    window.show()
    watch = _Watch()
    workspace = open_workspace(library, settings=Settings())
    window.open_workspace(workspace)
    run(10.0)
    asked = questions(pages * UNITS_OF_PAGE, 60)
    answers = 0

    def ask(number: int) -> int:
        window.chat.ask(asked[number]["text"])
        turn = window.chat.turns[-1]
        return int(run(60.0, lambda: not turn.running))

    watch.phase = _PHASES[1]
    for number in range(10):
        answers += ask(number)
    watch.phase = _PHASES[2]
    window.library.add([manual])
    begun = time.monotonic()
    while time.monotonic() - begun < _READ_AT_LEAST_S or window.library.indexing.running:
        answers += ask(10 + int(time.monotonic()) % 50)
        run(2.0)
        if time.monotonic() - begun > _READ_AT_MOST_S:
            break
    print(json.dumps({**watch.most, "answers": answers}))
    window.close()
    run(0.2)
    workspace.close()


if __name__ == "__main__":
    if sys.argv[1] == "empty":
        _empty()
    else:
        _work(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
