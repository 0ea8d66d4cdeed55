"""Opening a library for one command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.workspace import Workspace


@contextmanager
def opened_workspace(folder: Path, *, read_only: bool = False) -> Iterator[Workspace]:
    """Open the library, say what is to be known about that, and close it at the end."""
    from desktop import app

    with closing(app.open_workspace(folder, read_only=read_only)) as workspace:
        if workspace.notice:
            sys.stderr.write(workspace.notice + "\n")
        yield workspace
