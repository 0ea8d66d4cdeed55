"""Where the files that come with Groundwork are: the same in a checkout, a wheel, a frozen program.

In all three `resources` lies beside the packages `desktop` and `knowledge`; PyInstaller keeps
that order below the folder that `sys._MEIPASS` names.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def resource(*parts: str) -> Path:
    """Return a path below `resources/`; without parts that folder. It need not exist."""
    frozen = getattr(sys, "_MEIPASS", None)  # set by PyInstaller
    root = Path(frozen) if frozen else Path(__file__).resolve().parents[1]
    return root.joinpath("resources", *parts)


@cache
def words_by_language(name: str) -> Mapping[str, frozenset[str]]:
    """Return the words of a list below `resources/`: lines of a language's code and its words."""
    listed: dict[str, frozenset[str]] = {}
    for line in resource(name).read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            language, *words = line.split()
            listed[language] = listed.get(language, frozenset()) | frozenset(words)
    return listed
