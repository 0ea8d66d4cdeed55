"""How many threads onnxruntime gives the models that a library loads by itself."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_THREADS = 4


@contextmanager
def modest_sessions(threads: int | None = None) -> Iterator[None]:
    """Give sessions that are made inside the block few threads, which sleep when idle.

    By default onnxruntime takes every core, and its threads spin while they wait: beside
    other work the small model of PyMuPDF's layout then needs three times as long.
    Without onnxruntime nothing happens.

    Args:
        threads: threads of a session; by default all cores but one, at most four.
    """
    try:
        import onnxruntime
    except ImportError:
        yield
        return
    count = threads or max(1, min(_MOST_THREADS, (os.cpu_count() or 2) - 1))
    original = onnxruntime.SessionOptions

    class ModestOptions(original):  # type: ignore[misc, valid-type]
        def __init__(self) -> None:
            super().__init__()
            self.intra_op_num_threads = count
            self.add_session_config_entry("session.intra_op.allow_spinning", "0")

    onnxruntime.SessionOptions = ModestOptions
    try:
        yield
    finally:
        onnxruntime.SessionOptions = original
