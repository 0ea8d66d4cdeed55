"""Finds what is typed among manuals, pages, headings, actions and questions, off the UI thread."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeVar

from desktop.ui import wording
from desktop.ui.palette.entry import Entry, needle_of
from desktop.ui.palette.ranking import best

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from desktop.core.library.contents import Heading, LabelledPage
    from desktop.core.library.values import DocumentRecord

MOST_SHOWN = 40
MOST_OF_A_KIND = 60
MOST_RECENT = 5
MOST_FIRST = 4
"""Pages whose printed number fits that come before everything else."""
QUESTIONS_KEPT = 200
LONGEST_LABEL = 12


Place = TypeVar("Place", "Heading", "LabelledPage")


def _title(manual: DocumentRecord) -> str:
    return manual.title.strip() or manual.name


def _about(manual: DocumentRecord) -> str:
    parts = (wording.pages(manual.page_count), manual.revision, str(manual.place))
    return " · ".join(filter(None, parts))


def _known_by(manual: DocumentRecord) -> str:
    return " ".join((manual.name, manual.site, manual.asset, *manual.tags, manual.revision))


class Landmarks(Protocol):
    """The library, as far as the palette asks it."""

    def headings(self, text: str, limit: int = ...) -> list[Heading]:
        """Return headings with words that begin like those of a text."""

    def pages_labelled(self, label: str, limit: int = ...) -> list[LabelledPage]:
        """Return pages by the number that is printed on them."""


class Questions(Protocol):
    """The conversations, as far as the palette asks them."""

    def recent_questions(self, limit: int) -> list[tuple[int, str, str]]:
        """Return conversation id, question and when it was asked, the latest first."""


@dataclass
class PaletteSearch:
    """What can be found while the palette is open; made anew each time it opens.

    manual_in_view: its pages and headings come first, None if there is none.
    """

    manuals: Sequence[DocumentRecord]
    actions: Sequence[Entry]
    library: Landmarks
    conversations: Questions
    manual_in_view: int | None = None

    def find(self, text: str) -> list[Entry]:
        """Return what fits, the best first; blocking, for a thread that is not the window's."""
        needle = needle_of(text)
        if not needle:
            return self._recent()
        listed = [*self._manuals, *self.actions, *self._questions]
        found = best(needle, listed, MOST_OF_A_KIND)
        found += best(needle, self._headings(text, needle), MOST_OF_A_KIND)
        pages = self._pages(text, needle)
        exact = [each for each in pages if each.label.casefold() == text.split()[-1].casefold()]
        others = [each for each in pages if each not in exact]
        near = others[:MOST_FIRST] if " " in needle[-1] else []  # "4-1" is hardly a word
        rest = [*found, *exact[MOST_FIRST:], *others[len(near) :]]
        ranked = best(needle, rest, MOST_SHOWN)
        return [*exact[:MOST_FIRST], *near, *ranked][:MOST_SHOWN]

    def _recent(self) -> list[Entry]:
        by_use = sorted(
            zip(self.manuals, self._manuals, strict=True), key=lambda pair: pair[0].used_at
        )
        latest = [entry for manual, entry in reversed(by_use) if manual.used_at][:MOST_RECENT]
        return [*latest, *self._questions[:MOST_RECENT], *self.actions][:MOST_SHOWN]

    @cached_property
    def _manuals(self) -> list[Entry]:
        return [
            Entry("manual", _title(each), _about(each), _known_by(each), number=each.id)
            for each in self.manuals
        ]

    @cached_property
    def _questions(self) -> list[Entry]:
        return [
            Entry("question", " ".join(prompt.split()), wording.day_and_time(asked), number=id_)
            for id_, prompt, asked in self.conversations.recent_questions(QUESTIONS_KEPT)
        ]

    @cached_property
    def _names(self) -> dict[int, Entry]:
        return {entry.number: entry for entry in self._manuals}

    def _headings(self, text: str, needle: Sequence[str]) -> list[Entry]:
        """Return headings; where not all words stand in one, the others may name the manual."""
        found = self.library.headings(text, MOST_OF_A_KIND)
        if len(found) < MOST_SHOWN and len(needle) > 1:
            named = [word for word in needle if self._manuals_called([word])]
            left = [word for word in needle if word not in named]
            meant = self._manuals_called(named)
            if left and meant:
                more = self.library.headings(" ".join(left), 10 * MOST_OF_A_KIND)
                found += [each for each in more if each.document_id in meant]
        return [
            self._heading(each)
            for each in self._nearest_first(dict.fromkeys(found))
            if each.document_id in self._names
        ]

    def _pages(self, text: str, needle: Sequence[str]) -> list[Entry]:
        """Return pages by their printed number, alone or with words of the manual's title."""
        words = text.split()
        label, others = words[-1], needle_of(" ".join(words[:-1]))
        if len(label) > LONGEST_LABEL or (others and not any(map(str.isdigit, label))):
            return []
        meant = self._manuals_called(others) if others else None
        limit = MOST_OF_A_KIND if meant is None else 40 * MOST_OF_A_KIND
        found = [
            each
            for each in self.library.pages_labelled(label, limit)
            if each.document_id in (self._names if meant is None else meant)
        ]
        return [self._page(each) for each in self._nearest_first(found)][:MOST_OF_A_KIND]

    def _page(self, place: LabelledPage) -> Entry:
        manual = self._names[place.document_id].title
        shown = wording.page_label(place.label, place.page)
        title = f"{shown[:1].upper()}{shown[1:]}"
        also = f"{place.label} {manual}"
        return Entry("page", title, manual, also, "", place.document_id, place.page, place.label)

    def _heading(self, place: Heading) -> Entry:
        manual = self._names[place.document_id].title
        detail = f"{wording.page_label(place.label, place.page)} · {manual}"
        return Entry("heading", place.title, detail, manual, "", place.document_id, place.page)

    def _manuals_called(self, needle: Sequence[str]) -> set[int]:
        called = (entry for entry in self._manuals if needle)
        return {
            entry.number for entry in called if all(f" {word}" in entry.line for word in needle)
        }

    def _nearest_first(self, places: Iterable[Place]) -> list[Place]:
        return sorted(places, key=lambda each: each.document_id != self.manual_in_view)
