"""What kind of document it is and how far it is to be trusted, told by its own words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING

from desktop.core.library.values import UNVERIFIED_TIER
from desktop.core.settings.sources import SourceTier

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

UNKNOWN = SourceTier(tier=UNVERIFIED_TIER, type="unverified")

COVER_CHARACTERS = 1_200
"""Of the first page that says anything: further down it names other documents."""

_MAKERS_OWN = 1
"""Only what makes a document a manual may stand behind its cover: a manual's second page
names the bulletins and the courses that belong to it."""


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """What a document says of itself.

    name: its file name. title: from the PDF, its subject and keywords after it.
    pages: the text of its first pages, those without any left out.
    """

    name: str
    title: str
    pages: Sequence[str] = ()


def tier_of(words: DocumentWords, table: Mapping[str, SourceTier]) -> SourceTier:
    """Return the tier and type of a document; `UNKNOWN` if nothing tells.

    Its exact name or title in the table counts before all; then its title and file name, then
    its cover, then, for what a maker publishes, the next pages. In each the first line of the
    table that fits counts.
    """
    names = {_plain(words.name), _plain(PurePath(words.name).stem), _plain(words.title)}
    for key, tier in table.items():
        if _plain(key) in names and "*" not in key:
            return tier
    cover = words.pages[0][:COVER_CHARACTERS] if words.pages else ""
    for text in (f"{words.title} | {PurePath(words.name).stem}", cover):
        found = _first_that_fits(text, table)
        if found is not None:
            return found
    makers = {key: tier for key, tier in table.items() if tier.tier == _MAKERS_OWN}
    return _first_that_fits(" ".join(words.pages), makers) or UNKNOWN


def _first_that_fits(text: str, table: Mapping[str, SourceTier]) -> SourceTier | None:
    plain = _plain(text)
    return next((tier for key, tier in table.items() if _pattern(key).search(plain)), None)


@lru_cache(maxsize=1_000)
def _pattern(key: str) -> re.Pattern[str]:
    words = [re.escape(word).replace(r"\*", r"\w*") for word in _plain(key, keep="*").split()]
    return re.compile(r"(?<!\w)" + " ".join(words) + r"(?!\w)" if words else r"(?!)")


def _plain(text: str, keep: str = "") -> str:
    """Return words in small letters with single spaces between them, apostrophes dropped."""
    joined = re.sub(r"['’`]", "", text.casefold())
    return " ".join(re.sub(rf"[^\w{re.escape(keep)}]+|_", " ", joined).split())
