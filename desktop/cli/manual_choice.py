"""Which manuals `--manual`, `--tier` and `--tag` mean, and which place `--site` and `--asset`."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import typer

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.library.values import DocumentRecord, manuals_at, manuals_named

_MOST_NAMED: Final = 8
_LEAST_ALIKE: Final = 0.3


def chosen_manuals(
    context: typer.Context,
    manuals: Sequence[DocumentRecord],
    names: Sequence[str],
    place: Place = EVERYWHERE,
    option: str = "--manual",
) -> frozenset[int]:
    """Return the ids for the names given: file names, their stems or titles, in any case.

    An exact match wins over names that only contain it.
    place: only the manuals of this place; all of them if no names are given.
    Raises: typer.BadParameter, if a name matches no manual.
    """
    manuals = manuals_at(place, manuals)
    if place and not names:
        return frozenset(manual.id for manual in manuals)
    chosen: set[int] = set()
    for name in names:
        named = manuals_named(manuals, name)
        if not named:
            raise typer.BadParameter(
                f"no manual is called '{name}'. {_most_alike(name, manuals)}",
                ctx=context,
                param_hint=option,
            )
        chosen |= named
    return frozenset(chosen)


def _most_alike(name: str, manuals: Sequence[DocumentRecord]) -> str:
    """Return the manuals whose file names or titles are most like a name, of few all."""
    names = {wording.casefold(): m.name for m in manuals for wording in (m.name, m.title)}
    if len(manuals) <= _MOST_NAMED:
        return f"There are: {', '.join(m.name for m in manuals) or 'none yet'}"
    alike = get_close_matches(name.casefold(), names, n=_MOST_NAMED, cutoff=_LEAST_ALIKE)
    near = ", ".join(dict.fromkeys(names[each] for each in alike))
    all_of_them = "See all with: groundwork documents list"
    return f"The most alike: {near}. {all_of_them}" if near else all_of_them


def chosen_place(
    context: typer.Context,
    manuals: Sequence[DocumentRecord],
    site: str,
    asset: str,
    noted: Sequence[Place] = (),
) -> Place:
    """Return the place meant, of a manual or of `noted`, spelt as there, in whatever case.

    Raises: typer.BadParameter, if the library has neither a manual nor a note there.
    """
    named = Place.named(site, asset)
    places = [*(manual.place for manual in manuals), *noted]
    site = _known(context, "--site", named.site, [place.site for place in places])
    there = [place for place in places if Place(site).holds(place)]
    asset = _known(context, "--asset", named.asset, [place.asset for place in there])
    return Place(site, asset)


def chosen_sources(
    context: typer.Context,
    manuals: Sequence[DocumentRecord],
    chosen: frozenset[int],
    tiers: Sequence[int],
    tags: Sequence[str],
) -> frozenset[int]:
    """Return the chosen manuals (all if none is) with one of the tiers and one of the tags.

    Raises: typer.BadParameter, if there is none.
    """
    if not tiers and not tags:
        return chosen
    wanted = {tag.casefold() for tag in tags}
    kept = [manual for manual in manuals if not chosen or manual.id in chosen]
    kept = [manual for manual in kept if not tiers or manual.tier in tiers]
    found = [
        manual for manual in kept if not tags or wanted & {tag.casefold() for tag in manual.tags}
    ]
    if found:
        return frozenset(manual.id for manual in found)
    known = sorted({tag for manual in manuals for tag in manual.tags})
    there = f" Tags in use: {', '.join(known) or 'none yet'}." if tags else ""
    option = "--tag" if kept else "--tier"
    raise typer.BadParameter(f"no manual matches.{there}", ctx=context, param_hint=option)


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
