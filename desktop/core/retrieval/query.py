"""What a search is asked for, and which manuals it may look into."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.core.jobs import Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Query:
    """A question for the index.

    document_ids: search only these manuals. tiers: only manuals of these, 1 (a maker's manual)
    to 5 (unverified). tags: only manuals that have one of them, in any case. Empty means all.
    limit: pages to return. cancelled: asked between the steps of a search.
    """

    text: str
    document_ids: frozenset[int] = frozenset()
    limit: int = 10
    tiers: frozenset[int] = frozenset()
    tags: frozenset[str] = frozenset()
    cancelled: Callable[[], bool] = field(default=_never, compare=False, repr=False)

    def check(self) -> None:
        """Raises: Cancelled, if nobody waits for the answer any more."""
        if self.cancelled():
            raise Cancelled

    def documents(self, connection: apsw.Connection) -> tuple[int, ...] | None:
        """Return the manuals to search, in order of their ids; () if none fits, None for all."""
        if not (self.tiers or self.tags):
            return tuple(sorted(self.document_ids)) or None
        wanted = {tag.casefold() for tag in self.tags}
        return tuple(
            document_id
            for document_id, tier, tags in connection.execute(
                "SELECT id, tier, tags FROM documents ORDER BY id"
            )
            if (not self.document_ids or document_id in self.document_ids)
            and (not self.tiers or tier in self.tiers)
            and (not wanted or wanted.intersection(_folded(str(tags))))
        )


def _folded(tags: str) -> set[str]:
    return {str(tag).casefold() for tag in json.loads(tags)}
