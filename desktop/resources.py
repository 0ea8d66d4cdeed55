"""Where the files that come with Groundwork are: the same in a checkout, a wheel, a frozen program.

In all three `resources` lies beside the packages `desktop` and `knowledge`; PyInstaller keeps
that order below the folder that `sys._MEIPASS` names.
"""

from __future__ import annotations

import sys
from pathlib import Path


def resource(*parts: str) -> Path:
    """Return a path below `resources/`; without parts that folder. It need not exist."""
    frozen = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    root = Path(frozen) if frozen else Path(__file__).resolve().parents[1]
    return root.joinpath("resources", *parts)
