"""Opening a library for one command."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.settings import Settings
    from desktop.core.workspace import Workspace


@contextmanager
def opened_workspace(
    folder: Path, *, read_only: bool = False, settings: Settings | None = None
) -> Iterator[Workspace]:
    """Open the library, say what is to be known about that, and close it at the end.

    settings: instead of the user's own.
    """
    from desktop import app

    options = {} if settings is None else {"settings": settings}
    with closing(app.open_workspace(folder, read_only=read_only, **options)) as workspace:
        if workspace.notice:
            sys.stderr.write(workspace.notice + "\n")
        yield workspace
