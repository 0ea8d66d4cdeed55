"""What a person says of how far a document is to be trusted."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.tiers import BEST_TIER, UNVERIFIED_TIER

if TYPE_CHECKING:
    from collections.abc import Iterable

_LONGEST = 80
_ISO_DATE = re.compile(r"(?:19|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")


class BadSource(ValueError):  # noqa: N818 - named after what was given
    """What was given for a document's source cannot be stored; the message says why."""


@dataclass(frozen=True, slots=True)
class SourceEdit:
    """What a person says of documents; None leaves as it is.

    tier: 1 to 5. source_type: such as "bulletin". tags: replace those it has.
    revision: as it is written on it. revision_date: ISO, a year, month or day; "" unknown.
    """

    tier: int | None = None
    source_type: str | None = None
    tags: tuple[str, ...] | None = None
    revision: str | None = None
    revision_date: str | None = None

    @property
    def changes(self) -> bool:
        """Whether it says anything."""
        return self != SourceEdit()

    def columns(self) -> dict[str, object]:
        """Return the columns to set, tidied.

        Raises: BadSource.
        """
        if self.tier is not None and not BEST_TIER <= self.tier <= UNVERIFIED_TIER:
            raise BadSource(f"A tier is a number from {BEST_TIER} to {UNVERIFIED_TIER}.")
        if self.revision_date and not _ISO_DATE.fullmatch(self.revision_date):
            raise BadSource("A revision's date is written as 2026, 2026-03 or 2026-03-01.")
        kind = None if self.source_type is None else _tidy(self.source_type)
        if kind == "":
            raise BadSource("A type needs a name, such as 'bulletin'.")
        given = {
            "tier": self.tier,
            "source_type": kind,
            "tags": None if self.tags is None else _stored_tags(self.tags),
            "revision": None if self.revision is None else _tidy(self.revision),
            "revision_date": self.revision_date,
        }
        return {column: value for column, value in given.items() if value is not None}


def _stored_tags(tags: Iterable[str]) -> str:
    tidy = (_tidy(tag) for tag in tags)
    once = {tag.casefold(): tag for tag in tidy if tag}
    return json.dumps(list(once.values()), ensure_ascii=False)


def _tidy(name: str) -> str:
    visible = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    return " ".join(visible.split())[:_LONGEST].rstrip()
