"""How domains are told to people: where they come from, what they cover, what is to be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.ui import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.domains import KnownDomain
    from knowledge.atlas import Covered


def short_state(known: KnownDomain) -> str:
    """Return the second line of a domain in the list."""
    match known.origin:
        case "proposed":
            state = _tr("Please check")
        case "own":
            state = _tr("Yours")
        case "built_in":
            state = _tr("Built in")
    manuals = wording.manuals(len(known.covered)) if known.covered else _tr("no manual here")
    return f"{state} · {manuals}"


def state(known: KnownDomain) -> tuple[str, str]:
    """Return a sentence about where a domain comes from, and its tone."""
    match known.origin:
        case "proposed":
            said = _tr(
                "Groundwork wrote this from the manuals themselves, and nobody has checked it. "
                "Correct what is wrong; then it is yours."
            )
            return said, "attention"
        case "own" if known.replaces_built_in:
            said = _tr("Yours, instead of what Groundwork brings along. It is kept in {file}.")
            return said.format(file=_file(known)), "muted"
        case "own":
            return _tr("Yours. It is kept in {file}.").format(file=_file(known)), "muted"
        case "built_in":
            said = _tr("Groundwork brings this along. What you change is kept as your own copy.")
            return said, "muted"


def _file(known: KnownDomain) -> str:
    return known.path.name if known.path is not None else ""


def hint(new: Sequence[KnownDomain]) -> str:
    """Return what is said in the library when proposals are new; the strip is narrow."""
    if len(new) != 1:
        said = _tr("Groundwork has described {n} products from their manuals.")
        return said.format(n=len(new))
    product, covered = new[0].domain.title, new[0].covered
    if len(covered) == 1:
        return _tr("Groundwork has described “{product}” from its manual.").format(product=product)
    readers = [_reader(each) for each in covered]
    if len(readers) == 2 and all(readers) and readers[0] != readers[1]:
        return _tr(
            "Groundwork thinks “{product}” has a manual for {one} and a manual for {other}."
        ).format(product=product, one=readers[0], other=readers[1])
    return _tr("Groundwork thinks {manuals} belong to “{product}”.").format(
        manuals=wording.manuals(len(covered)), product=product
    )


def _reader(covered: Covered) -> str:
    """Return who a manual is for in a word: "installers"."""
    audience = covered.profile.audience if covered.profile is not None else ""
    first = audience.split(",")[0].strip()
    return first if first[:2].isupper() else first[:1].lower() + first[1:]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Domains", text)
