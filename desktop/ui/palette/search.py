"""Finds what is typed among manuals, pages, headings, actions and questions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeVar

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar

from desktop.core.structure.sentences import words_in
from desktop.core.structure.signs import CELLS_APART, cells_apart
from desktop.ui import wording
from desktop.ui.language import tr

if TYPE_CHECKING:
    from desktop.core.geometry import Box
    from desktop.core.library.contents import Heading, LabelledPage, TextPlace
    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord

Kind = Literal["group", "manual", "page", "heading", "text", "action", "question", "ask"]
"""group: no place to go to, but what the entries below it have in common."""


def words_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in lower case; "P-200" is two."""
    return tuple(words_in(text.casefold()))


def needle_of(text: str) -> tuple[str, ...]:
    """Return what is looked for: "pump p-200" is "pump" and, in sequence, "p 200"."""
    return tuple(filter(None, (" ".join(words_of(part)) for part in text.split())))


@dataclass(frozen=True)
class Entry:
    """What an entry shows, and what it stands for.

    also: more words it is found by. keys: of an action. number: the manual's id, the
    action's position among all actions, or the conversation's id. page: from 0, of a
    page or heading; label: the number printed on that. boxes: of the words found.
    """

    kind: Kind
    title: str
    detail: str = ""
    also: str = ""
    keys: str = ""
    number: int = 0
    page: int = 0
    label: str = ""
    boxes: tuple[Box, ...] = ()

    @cached_property
    def line(self) -> str:
        """The words of the title with spaces around each, so that parts can be looked for."""
        return _line(self.title)

    @cached_property
    def also_line(self) -> str:
        """The other words it is found by, in the same way."""
        return _line(self.also)


def _line(text: str) -> str:
    return f" {' '.join(words_of(text))} "


_WHOLE_WORD, _BEGINNING, _ELSEWHERE = 3.0, 2.0, 1.0
_FIRST_WORD = 0.5
_IN_ORDER = 1.0
_SAME = 4.0
_WEIGHTS: dict[Kind, float] = {
    "manual": 0.4,
    "action": 0.3,
    "heading": 0.2,
    "page": 0.1,
    "question": 0.0,
}


def score(needle: Sequence[str], entry: Entry) -> float:
    """Return how well an entry fits what `needle_of` returns, not empty; 0 if a part is missing.

    A whole word counts more than a beginning, the title more than anything else known,
    and words that begin the title in their order most. A long title is worth a little
    less.
    """
    total = 0.0
    for word in needle:
        beginning = f" {word}"
        if f"{beginning} " in entry.line:
            total += _WHOLE_WORD
        elif beginning in entry.line:
            total += _BEGINNING
        elif beginning in entry.also_line:
            total += _ELSEWHERE
        else:
            return 0.0
    typed = f" {' '.join(needle)}"
    total += _FIRST_WORD * entry.line.startswith(f" {needle[0]}")
    total += _IN_ORDER * entry.line.startswith(typed)
    total += _SAME * (entry.line == f"{typed} ")
    return total / len(needle) + _WEIGHTS[entry.kind] - len(entry.line.split()) / 100


def best(needle: Sequence[str], entries: Iterable[Entry], limit: int) -> list[Entry]:
    """Return the entries that fit, best first; without words, all of them in their order."""
    if not needle:
        return list(entries)[:limit]
    scored = [(score(needle, entry), entry) for entry in entries]
    fitting = [pair for pair in scored if pair[0] > 0]
    fitting.sort(key=lambda pair: (-pair[0], pair[1].title.casefold()))
    return [entry for _, entry in fitting[:limit]]


USUAL_ACTIONS = (
    "Add manuals…",
    "New note…",
    "Compare with the other revision",
    "Settings…",
    "Models",
)
"""As the menus call them: offered until a person has used others."""
KEYS = "Ctrl+K"
"""What opens the palette; Qt means the command key with it on a Mac."""

Named = tuple[QAction, str]
"""An action, and the menus that lead to it."""


def actions_of(bar: QMenuBar, viewer: Iterable[QAction]) -> list[Named]:
    """Return what can be triggered now, each once; not what opens the palette itself."""
    found: dict[str, Named] = {}
    for action, path in _in_menus(bar.actions(), ""):
        if action.shortcut() != QKeySequence(KEYS):
            found.setdefault(_plain(action.text()), (action, path))
    for action in viewer:
        if action.text() and action.isEnabled():
            found.setdefault(_plain(action.text()), (action, ""))
    return list(found.values())


def entries_of(actions: Iterable[Named]) -> list[Entry]:
    """Return the entries; their numbers are the places in `actions`."""
    return [
        Entry(
            "action",
            _plain(action.text()),
            path,
            path,
            action.shortcut().toString(QKeySequence.SequenceFormat.NativeText),
            number,
        )
        for number, (action, path) in enumerate(actions)
    ]


def _in_menus(actions: Iterable[QAction], path: str) -> Iterator[Named]:
    for action in actions:
        menu: QMenu | None = action.menu()  # type: ignore[assignment]  # typed as an object
        if menu is not None:
            name = _plain(action.text())
            inner = f"{path} › {name}" if path else name
            menu.aboutToShow.emit()  # it ticks and dims its entries only then
            reachable = [each for each in menu.actions() if each.isEnabled()]
            menu.aboutToHide.emit()
            yield from _in_menus(reachable, inner)
        elif not action.isSeparator() and action.text():
            yield action, path


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")


MOST_SHOWN = 10
"""Beside the last row, which asks: all of them are in view at once."""
FEWEST_NAMED = 6
MOST_SAID = 6
SNIPPET = 90
"""Letters of the words around what was looked for."""
MOST_OF_A_KIND = 60
MOST_RECENT = 5
MOST_FIRST = 4
"""Pages whose printed number fits that come before everything else."""
QUESTIONS_KEPT = 200
LONGEST_LABEL = 12


Place = TypeVar("Place", "Heading", "LabelledPage", "TextPlace")


@dataclass
class PaletteSearch:
    """What can be found while the palette is open; made anew each time it opens.

    recent_questions: returns at most so many conversation ids, questions and when they were
    asked, the latest first. manual_in_view: its pages and headings come first, None if there is
    none. used_actions: titles of the actions that were used, the latest first.
    """

    manuals: Sequence[DocumentRecord]
    actions: Sequence[Entry]
    library: Library
    recent_questions: Callable[[int], list[tuple[int, str, str]]]
    manual_in_view: int | None = None
    used_actions: Sequence[str] = ()

    def find(self, text: str) -> list[Entry]:
        """Return what fits, the best first; blocking, for a thread that is not the window's."""
        needle = needle_of(text)
        if not needle:
            return self._recent()
        named = self._named(text, needle)
        # a line of contents says what its heading does, which is there already
        leading = {f"{each.title}{CELLS_APART}{each.label}" for each in named}
        said = [each for each in self._said(text, needle) if each.title not in leading]
        first = named[: max(FEWEST_NAMED, MOST_SHOWN - len(said))]
        return [*first, *said[: MOST_SHOWN - len(first)], self._ask(text)]

    def _named(self, text: str, needle: Sequence[str]) -> list[Entry]:
        """Return what goes by that name: manuals, actions, questions, headings, pages."""
        listed = [*self._manuals, *self.actions, *self._questions]
        found = best(needle, listed, MOST_OF_A_KIND)
        found += best(needle, self._headings(text, needle), MOST_OF_A_KIND)
        pages = self._pages(text)
        exact = [each for each in pages if each.label.casefold() == text.split()[-1].casefold()]
        others = [each for each in pages if each not in exact]
        near = others[:MOST_FIRST] if " " in needle[-1] else []  # "4-1" is hardly a word
        rest = [*found, *exact[MOST_FIRST:], *others[len(near) :]]
        ranked = best(needle, rest, MOST_SHOWN)
        return [*exact[:MOST_FIRST], *near, *ranked][:MOST_SHOWN]

    def _recent(self) -> list[Entry]:
        """Return the latest questions, manuals and actions, each below what they are."""
        # those that nobody has opened come after the others, the newest first
        latest = sorted(self.manuals, key=lambda each: (each.used_at, each.added_at), reverse=True)
        titles = [*self.used_actions, *(_plain(tr(text)) for text in USUAL_ACTIONS)]
        named = {entry.title: entry for entry in self.actions}
        groups = {
            tr("Recent questions"): self._questions,
            tr("Manuals"): [self._names[each.id] for each in latest],
            tr("Actions"): [named[title] for title in dict.fromkeys(titles) if title in named],
        }
        return [
            entry
            for title, entries in groups.items()
            if entries
            for entry in (Entry("group", title), *entries[:MOST_RECENT])
        ]

    def _said(self, text: str, needle: Sequence[str]) -> list[Entry]:
        """Return places that contain the words, the manual in view first."""
        found = self._nearest_first(self.library.words(text, MOST_SAID))
        return [
            Entry(
                "text",
                _around(cells_apart(each.text), needle),
                self._where(each),
                number=each.document_id,
                page=each.page,
                label=each.label,
                boxes=each.boxes,
            )
            for each in found
            if each.document_id in self._names
        ]

    def _ask(self, text: str) -> Entry:
        asked = " ".join(text.split())
        return Entry("ask", tr("Ask “{text}”").format(text=asked), also=asked)

    @cached_property
    def _manuals(self) -> list[Entry]:
        found = []
        for each in self.manuals:
            parts = (wording.pages(each.page_count), each.revision, str(each.place))
            names = (each.name, each.site, each.asset, *each.tags, each.revision)
            title, about = each.title.strip() or each.name, " · ".join(filter(None, parts))
            found.append(Entry("manual", title, about, " ".join(names), number=each.id))
        return found

    @cached_property
    def _questions(self) -> list[Entry]:
        return [
            Entry("question", " ".join(prompt.split()), wording.day_and_time(asked), number=id_)
            for id_, prompt, asked in self.recent_questions(QUESTIONS_KEPT)
        ]

    @cached_property
    def _names(self) -> dict[int, Entry]:
        return {entry.number: entry for entry in self._manuals}

    def _headings(self, text: str, needle: Sequence[str]) -> list[Entry]:
        """Return headings; if not all words occur in one, the others may name the manual."""
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

    def _pages(self, text: str) -> list[Entry]:
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
        where, number = self._where(place), place.document_id
        return Entry("heading", place.title, where, manual, "", number, place.page, place.label)

    def _where(self, place: Heading | TextPlace) -> str:
        manual = self._names[place.document_id].title
        return f"{wording.page_label(place.label, place.page)} · {manual}"

    def _manuals_called(self, needle: Sequence[str]) -> set[int]:
        called = (entry for entry in self._manuals if needle)
        return {
            entry.number for entry in called if all(f" {word}" in entry.line for word in needle)
        }

    def _nearest_first(self, places: Iterable[Place]) -> list[Place]:
        return sorted(places, key=lambda each: each.document_id != self.manual_in_view)


def _around(text: str, needle: Sequence[str]) -> str:
    """Return the words around the first place where any part of the needle occurs."""
    low = text.casefold()
    places = [at for part in needle if (at := low.find(part.split()[0])) >= 0]
    first = min(places, default=0)
    if len(text) <= SNIPPET or first < SNIPPET // 2:
        return text[: 2 * SNIPPET]
    begin = text.rfind(" ", 0, first - SNIPPET // 3) + 1
    return f"… {text[begin : begin + 2 * SNIPPET]}"
