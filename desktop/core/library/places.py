"""Places: the site a manual's equipment stands at, and the asset it describes.

"SITE 12" with its "Pump P-200". Both are names that people give; a manual may have neither.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import apsw

LONGEST_NAME = 80
"""Characters of a name that people give."""


@dataclass(frozen=True, slots=True)
class Place:
    """A site, an asset of a site, or an asset alone; without both it is everywhere."""

    site: str = ""
    asset: str = ""

    @classmethod
    def named(cls, site: str, asset: str) -> Place:
        """Return the place with tidy names: one line, no control characters, limited length."""
        return cls(tidy_name(site), tidy_name(asset))

    def __bool__(self) -> bool:
        """Whether it is a place at all."""
        return bool(self.site or self.asset)

    def __str__(self) -> str:
        """Return "SITE 12, Pump P-200"."""
        return ", ".join(name for name in (self.site, self.asset) if name)

    def holds(self, other: Place) -> bool:
        """Whether another place is this one or lies in it; every place lies in everywhere."""
        mine, theirs = self.key, other.key
        return all(not own or own == its for own, its in zip(mine, theirs, strict=True))

    @property
    def key(self) -> tuple[str, str]:
        """The names without case: places of the same key are the same."""
        return self.site.casefold(), self.asset.casefold()


EVERYWHERE = Place()


class ActivePlace:
    """Where the person asking is; read at the start of a question, on any thread."""

    def __init__(
        self, place: Place = EVERYWHERE, usual: Callable[[], Place] = lambda: EVERYWHERE
    ) -> None:
        """usual: where the person is if none was chosen."""
        self._place = place
        self._usual = usual

    def __call__(self) -> Place:
        """Return the place that was chosen last, else the usual one."""
        return self._place or self._usual()

    def choose(self, place: Place) -> None:
        """Work there from now on; questions that run already are not touched."""
        self._place = place


def put_at(connection: apsw.Connection, ids: Iterable[int], place: Place) -> Place:
    """Set the place of documents; those that are gone are left out. Return it as stored.

    A name that differs from a known one only by case is taken to be the same.
    """
    site = _known_spelling(connection, "SELECT DISTINCT site FROM documents", (), place.site)
    asset = _known_spelling(
        connection, "SELECT DISTINCT asset FROM documents WHERE site = ?", (site,), place.asset
    )
    connection.executemany(
        "UPDATE documents SET site = ?, asset = ? WHERE id = ?",
        [(site, asset, document_id) for document_id in ids],
    )
    return Place(site, asset)


def _known_spelling(
    connection: apsw.Connection, query: str, values: tuple[str, ...], name: str
) -> str:
    known = (str(row[0]) for row in connection.execute(query, values).fetchall())
    return next((each for each in known if each.casefold() == name.casefold()), name)


def tidy_name(name: str) -> str:
    """Return a name on one line, without control characters, of limited length."""
    visible = "".join(c if unicodedata.category(c)[0] not in "CZ" else " " for c in name)
    return " ".join(visible.split())[:LONGEST_NAME].rstrip()
