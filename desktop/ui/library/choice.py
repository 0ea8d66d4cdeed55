"""Which manuals of the library are shown, and in which order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from desktop.core.library.values import DocumentRecord

Order = Literal["name", "added", "pages", "used"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person has typed and ticked.

    text: every word of it must stand in a manual's title, file name, place, kind, revision or
    tags; "#pump" in its tags. tags: casefolded, one of them is enough. tiers: as tags. newest:
    older revisions are left out.
    """

    text: str = ""
    tags: frozenset[str] = frozenset()
    tiers: frozenset[int] = frozenset()
    newest: bool = False
    order: Order = "name"

    @property
    def ticked(self) -> int:
        """How many ticks in the menu narrow the list."""
        return len(self.tags) + len(self.tiers) + self.newest

    @property
    def narrows(self) -> bool:
        """Whether it can leave anything out."""
        return bool(self.text.strip() or self.ticked)

    def toggled(self, *, tag: str = "", tier: int = 0) -> Choice:
        """Return it with a tag or a tier ticked that was not, or the other way round."""
        tags = self.tags ^ ({tag.casefold()} if tag else set())
        return replace(self, tags=tags, tiers=self.tiers ^ ({tier} if tier else set()))

    def of(self, manuals: Iterable[DocumentRecord], older: Collection[int]) -> list[DocumentRecord]:
        """Return what is shown of manuals sorted by name. older: ids of older revisions."""
        words = self.text.casefold().split()
        shown = [each for each in manuals if self._fits(each, words, older)]
        match self.order:
            case "added":
                shown.sort(key=lambda each: (each.added_at, each.id), reverse=True)
            case "pages":
                shown.sort(key=lambda each: -each.page_count)
            case "used":
                shown.sort(key=lambda each: each.used_at, reverse=True)
            case "name":
                pass
        return shown

    def _fits(self, manual: DocumentRecord, words: list[str], older: Collection[int]) -> bool:
        if self.newest and manual.id in older:
            return False
        if self.tiers and manual.tier not in self.tiers:
            return False
        if self.tags and self.tags.isdisjoint(tag.casefold() for tag in manual.tags):
            return False
        if not words:
            return True
        said = searched(manual)
        return all(word in said for word in words)


EVERYTHING = Choice()


def searched(manual: DocumentRecord) -> str:
    """Return what the words of a filter are looked for in."""
    tags = "".join(f" #{tag}" for tag in manual.tags)
    return (
        f"{manual.title} {manual.name} {manual.site} {manual.asset} {manual.source_type}"
        f" {manual.revision}{tags}".casefold()
    )
