"""The links of a page: where they stand, and where in or out of the document they lead."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from desktop.core.parsing.mupdf import MuDocument, MuPage, plain
from desktop.core.parsing.values import PageLink

if TYPE_CHECKING:
    from collections.abc import Mapping

_MOST_LINKS: Final = 2_000
_LONGEST_ADDRESS: Final = 2_000


def read_links(document: MuDocument, page: MuPage) -> tuple[PageLink, ...]:
    """Return the links of a page in the order of the file, without those that lead nowhere."""
    count = document.page_count
    found = (_link(each, count) for each in page.get_links()[:_MOST_LINKS])
    return tuple(link for link in found if link is not None)


def _link(found: Mapping[str, Any], pages: int) -> PageLink | None:
    rect = found["from"]
    box = (float(rect.x0), float(rect.y0), float(rect.x1), float(rect.y1))
    if not all(map(math.isfinite, box)) or box[2] <= box[0] or box[3] <= box[1]:
        return None
    page = found.get("page", -1)
    # a file of its own has pages too: those are not ours
    if "file" not in found and isinstance(page, int) and 0 <= page < pages:
        return PageLink(box, page, _down(found.get("to")))
    address = str(found.get("uri") or found.get("file") or "")
    return PageLink(box, address=plain(address)[:_LONGEST_ADDRESS]) if address else None


def _down(target: Any) -> float:
    down = float(getattr(target, "y", 0.0))
    return down if math.isfinite(down) and down > 0 else 0.0
