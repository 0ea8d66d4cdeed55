"""Files are opened beside the window without ever waiting for each other for good."""

from __future__ import annotations

import os
import subprocess
import sys

OPENINGS = 2000
OPEN_WHILE_RECEIVERS_DIE = f"""
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from desktop.ui.viewer.render_service import PdfFiles

class Receiver:
    def take(self):
        pass

def drop_a_receiver():
    timer, receiver = QTimer(), Receiver()
    timer.timeout.connect(receiver.take)
    del receiver  # PySide disconnects it, and asks for the interpreter lock within Qt's

app = QGuiApplication([])
files, opened, done = PdfFiles(), [], 0
files.opened.connect(opened.append)
for _ in range(4):
    files.open(Path(sys.argv[1]), None)
while done < {OPENINGS}:
    for _ in range(20):
        drop_a_receiver()
    app.processEvents()
    while opened and done < {OPENINGS}:
        file = opened.pop()
        file.renderer
        files.close(file)
        files.open(Path(sys.argv[1]), None)
        done += 1
files.shutdown(None)
print("opened", done)
"""


def test_files_open_while_connections_go_in_the_window(manual):
    # in a process of its own: when both wait, neither a timer of Python's nor a signal gets through
    ran = subprocess.run(
        [sys.executable, "-c", OPEN_WHILE_RECEIVERS_DIE, str(manual)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert ran.stdout == f"opened {OPENINGS}\n", ran.stderr
