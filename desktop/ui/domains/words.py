"""How domains are told to people: where they come from, what they cover, what is to be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.ui import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.library.domain_desk import KnownDomain
    from knowledge.coverage import Covered

_MOST_NAMED = 3


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
            return _tr("Yours, instead of what Groundwork brings along."), "muted"
        case "own":
            return _tr("Yours."), "muted"
        case "built_in":
            said = _tr("Groundwork brings this along. What you change is kept as your own copy.")
            return said, "muted"


def hint(new: Sequence[KnownDomain]) -> str:
    """Return what is said in the library when proposals are new."""
    if len(new) == 1:
        named = [_manual(each) for each in new[0].covered]
        manuals = _joined(named[:_MOST_NAMED])
        if len(named) > _MOST_NAMED:
            manuals = _tr("{n} manuals").format(n=len(named))
        title = new[0].domain.title
        if len(named) == 1:
            return _tr("Groundwork thinks {manual} is a manual of “{product}”.").format(
                manual=manuals, product=title
            )
        return _tr("Groundwork thinks {manuals} are the manuals of “{product}”.").format(
            manuals=manuals, product=title
        )
    return _tr("Groundwork has described {n} new products from their manuals.").format(n=len(new))


def _manual(covered: Covered) -> str:
    title = f"“{covered.manual.title or covered.manual.name}”"
    audience = covered.profile.audience if covered.profile is not None else ""
    if not audience:
        return title
    return _tr("{title} (for {audience})").format(title=title, audience=_lowered(audience))


def _lowered(audience: str) -> str:
    return audience if audience[:2].isupper() else audience[:1].lower() + audience[1:]


def _joined(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return _tr("{some} and {last}").format(some=", ".join(parts[:-1]), last=parts[-1])


def _tr(text: str) -> str:
    return QCoreApplication.translate("Domains", text)
