"""What runtimes bring is left out of Python's garbage collections."""

from __future__ import annotations

import gc
from functools import cache


@cache
def leave_out_of_garbage(kind: type) -> None:  # once for each kind: a key of the cache
    """Leave all objects made so far, the whole program, out of later garbage collections.

    A runtime brings hundreds of thousands that stay: a later collection would hold up the
    interpreter for half a second, and one question in twenty took 8 to 15 ms longer. Not
    done for every load: what is garbage by then, such as a library that was closed, would
    never be freed. Young objects are collected first; going through all would hold up the
    first question by a twentieth of a second.
    """
    gc.collect(1)
    gc.freeze()
