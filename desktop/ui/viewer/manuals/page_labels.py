"""Printed page labels: shown as "4-11 (61 of 128)", typed as "4-11" or "61"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from collections.abc import Sequence

_NUMBER = re.compile(r"#?\s*(\d+)(?:\s+[^\W\d]+\s+\d+|\s*/\s*\d+)?")
_SHOWN = re.compile(r"(.*?)\s*\((\d+) [^\W\d]+ \d+\)")


def shown(label: str, page: int, count: int) -> str:
    """Return what the page field shows; the label is left out where it says nothing new."""
    number = QCoreApplication.translate("PageLabels", "{page} of {count}").format(
        page=page + 1, count=count
    )
    return number if label in ("", str(page + 1)) else f"{label} ({number})"


def spoken(label: str, page: int) -> str:
    """Return the label, or the page's number if it has none."""
    return label or str(page + 1)


def page_for(typed: str, labels: Sequence[str], current: int = 0) -> int | None:
    """Return the page a person means, None if there is no such page.

    A printed label wins over a page number, since it is what stands on the paper;
    "#61" is always the number. Of several pages with one label the next one after
    `current` is taken.
    """
    text = typed.strip()
    complete = _SHOWN.fullmatch(text)
    if complete:
        text = "#" + complete.group(2)
    wanted = text.casefold().removeprefix("p.").strip()
    matches = [page for page, label in enumerate(labels) if label and label.casefold() == wanted]
    if matches:
        return next((page for page in matches if page > current), matches[0])
    number = _NUMBER.fullmatch(wanted)
    if number and 1 <= int(number.group(1)) <= len(labels):
        return int(number.group(1)) - 1
    return None
