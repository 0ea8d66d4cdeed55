"""Which manuals `--manual NAME` means, and which place `--site` and `--asset` mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath

import typer

from desktop.core.library.places import EVERYWHERE, Place, manuals_at
from desktop.core.library.values import DocumentRecord


def chosen_manuals(
    context: typer.Context,
    manuals: Sequence[DocumentRecord],
    names: Sequence[str],
    place: Place = EVERYWHERE,
) -> frozenset[int]:
    """Return the ids for the names given: file names, their stems or titles, in any case.

    A name that is exactly one of them wins over names that only contain it.
    place: only manuals of this place are meant; without names all of them.
    Raises: typer.BadParameter, if a name means no manual.
    """
    manuals = manuals_at(place, manuals)
    if place and not names:
        return frozenset(manual.id for manual in manuals)
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


def chosen_place(
    context: typer.Context, manuals: Sequence[DocumentRecord], site: str, asset: str
) -> Place:
    """Return the place that is meant, as the library writes it; case does not count.

    Raises: typer.BadParameter, if the library has no manual there.
    """
    named = Place.named(site, asset)
    site = _known(context, "--site", named.site, [manual.site for manual in manuals])
    there = manuals_at(Place(site), manuals)
    asset = _known(context, "--asset", named.asset, [manual.asset for manual in there])
    return Place(site, asset)


def _known(context: typer.Context, option: str, wanted: str, names: Sequence[str]) -> str:
    known = sorted({name for name in names if name})
    for name in known:
        if wanted.casefold() == name.casefold():
            return name
    if wanted:
        raise typer.BadParameter(
            f"no manual belongs to '{wanted}'. There are: {', '.join(known) or 'none yet'}",
            ctx=context,
            param_hint=option,
        )
    return ""


def _names(manual: DocumentRecord) -> set[str]:
    names = {manual.name, PurePath(manual.name).stem, manual.title}
    return {name.casefold() for name in names if name}
