"""The stages of a request, which a supervisor times one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

Stage = Literal["opened", "sampling", "structure", "starting_ocr", "ocr"]
StageReport = Callable[[Stage, int], None]
"""Told which stage begins, and on which page."""


def no_report(_stage: Stage, _page: int) -> None:
    """Report to nobody."""
