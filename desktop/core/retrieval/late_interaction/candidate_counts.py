"""How many pages the rough stages let through, measured on the library's own pages."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw

    from desktop.core.store.database import Database

_KEY = "page_search"
_GROWTH = 1.5
"""Measured again when there are so many times more pages than at the last time."""

# For libraries that are not measured yet; generous, and of all pages.
_ROUGH_SHARE, _FINE_SHARE = 0.10, 0.02
_LEAST_ROUGH, _LEAST_FINE = 150, 64


@dataclass(frozen=True, slots=True)
class CandidateCounts:
    """What was measured: shares of all pages that keep the best ones with the wanted recall.

    pages: how many the library had. model_id: whose vectors they were.
    """

    rough: float
    fine: float
    pages: int
    model_id: str

    def of(self, pages: int, wanted: int) -> tuple[int, int]:
        """Return how many of `pages` pass the first and the second stage for `wanted` results."""
        fine = max(math.ceil(self.fine * pages), _LEAST_FINE, 4 * wanted)
        return max(math.ceil(self.rough * pages), _LEAST_ROUGH, fine), fine

    def fits(self, pages: int, model_id: str) -> bool:
        """Whether it was measured with about so many pages of this model."""
        return self.model_id == model_id and self.pages * _GROWTH >= pages


UNMEASURED = CandidateCounts(_ROUGH_SHARE, _FINE_SHARE, 0, "")


def load_counts(connection: apsw.Connection) -> CandidateCounts:
    """Return the library's measured counts, generous ones if there are none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_KEY,)).fetchone()
    stored = "" if row is None else str(row[0])
    try:
        return CandidateCounts(**json.loads(stored)) if stored else UNMEASURED
    except (ValueError, TypeError):  # of another version
        return UNMEASURED


def save_counts(database: Database, counts: CandidateCounts) -> None:
    """Keep measured counts in the library."""
    text = json.dumps(asdict(counts))
    database.write(
        lambda c: c.execute("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)", (_KEY, text))
    )
