"""Which manuals `--manual NAME` means."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import typer

from desktop.core.library.values import DocumentRecord


def chosen_manuals(
    context: typer.Context, manuals: Sequence[DocumentRecord], names: Sequence[str]
) -> frozenset[int]:
    """Return the ids for the names given: file names, their stems or titles, in any case.

    A name that is exactly one of them wins over names that only contain it.
    Raises: typer.BadParameter, if a name means no manual.
    """
    chosen: set[int] = set()
    for name in names:
        wanted = name.casefold()
        exact = {manual.id for manual in manuals if wanted in _names(manual)}
        partial = {
            manual.id for manual in manuals if any(wanted in known for known in _names(manual))
        }
        if not exact | partial:
            known = ", ".join(manual.name for manual in manuals) or "none yet"
            raise typer.BadParameter(
                f"no manual is called '{name}'. There are: {known}",
                ctx=context,
                param_hint="--manual",
            )
        chosen |= exact or partial
    return frozenset(chosen)


def _names(manual: DocumentRecord) -> set[str]:
    names = {manual.name, PurePath(manual.name).stem, manual.title}
    return {name.casefold() for name in names if name}
