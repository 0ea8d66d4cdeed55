"""Which asset and manuals a nameplate belongs to, judged by what the library knows of it.

There is no list of makers: the words on the plate are looked up in the titles and pages
of the manuals and in the notes of the site. Words found in few manuals say more than
words found in many, a title more than a page.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.nameplates.plate import Plate, read_plate
from desktop.core.question.tokens import index_term_set, query_terms
from desktop.core.retrieval.lexical import TextIndex, term_pages
from desktop.core.retrieval.routing import Shelf, read_shelf
from desktop.sentences import Sentence, joined, said, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from desktop.core.notes.desk import NoteDesk
    from desktop.core.parsing.parser import Parser
    from desktop.core.question.query import TermGroup
    from desktop.core.store.database import Database
    from desktop.core.structure.values import PhotoText

Where = Literal["title", "pages", "place", "note"]
Outcome = Literal["found", "asked", "nothing"]

_CODE, _WORD, _NUMBER = 3.0, 1.0, 0.2
"""What a code with letters and digits counts, a word, and a bare number."""
_TITLE, _PLACE, _NOTE = 3.0, 3.0, 2.0
_PAGES = 0.5
"""A page counts so much, and with the share of the manual's pages up to twice that."""
_CLEARLY: Final = 0.6
"""What reaches this share of the best match is a candidate as well."""
_LEAST: Final = 2.5
"""Below it nothing of the plate tells a manual: words that any plate may have."""
MOST_CANDIDATES: Final = 5
_MISREAD = str.maketrans({"o": "0", "i": "1", "l": "1", "s": "5", "b": "8", "z": "2"})
"""Letters and digits that OCR takes for each other."""


@dataclass(frozen=True, slots=True)
class Clue:
    """Words of the plate that the library knows. where: in a title, on pages, ...

    names: whether they are the name of a machine, and not only its maker's or its kind's.
    """

    text: str
    where: Where
    weight: float
    names: bool


@dataclass(frozen=True, slots=True)
class Match:
    """Manuals that the plate may belong to, and why. titles: of the manuals, in their order."""

    document_ids: tuple[int, ...]
    titles: tuple[str, ...]
    place: Place
    score: float
    clues: tuple[Clue, ...]

    @property
    def named(self) -> bool:
        """Whether something names the machine; else a person is asked."""
        return any(clue.names for clue in self.clues)

    @property
    def why(self) -> Sentence:
        """The strongest clue in a sentence."""
        return _why(self.clues[0])


@dataclass(frozen=True, slots=True)
class PlateFinding:
    """outcome: "found" with one match, "asked" with those a person chooses from, "nothing"."""

    plate: Plate
    outcome: Outcome
    matches: tuple[Match, ...] = ()

    @property
    def read(self) -> Sentence:
        """What was read, in a sentence."""
        plate = self.plate
        parts = [part for part in (plate.maker, plate.model) if part]
        if plate.serial:
            parts.append(said("serial number {serial}", serial=plate.serial))
        parts += plate.ratings
        if not parts:
            parts = list(plate.lines[:6])
        if not parts:
            return said("Nothing could be read in the picture.")
        return said("Read: {listed}.", listed=joined(parts))

    @property
    def found(self) -> Sentence:
        """What follows from the finding, in a sentence with the next step."""
        if self.outcome == "nothing":
            if not self.plate.lines:
                return said(
                    "Take the photo again: closer, straight on, no glare, with the plate filling "
                    "the picture."
                )
            return said(
                "No manual in this library matches the nameplate. Add the manual for this "
                "machine, or choose one yourself."
            )
        if self.outcome == "asked":
            if self.plate.model and not any(match.named for match in self.matches):
                return said("No manual names this model. Is it one of these, with the same name?")
            return said("The nameplate may belong to one of these. Which one?")
        match = self.matches[0]
        titles = " / ".join(match.titles)
        told = said("Matches “{titles}”, because {why}.", titles=titles, why=match.why)
        if match.place:
            return together([told, said("Location: {place}.", place=str(match.place))])
        return told


class NameplateReader:
    """Reads photos of plates and looks them up; blocking, callable from any thread."""

    def __init__(
        self, database: Database, library: Library, parser: Parser, notes: NoteDesk
    ) -> None:
        self._database = database
        self._library = library
        self._parser = parser
        self._notes = notes

    def read(self, data: bytes) -> tuple[PhotoText, PlateFinding]:
        """Return what a picture file shows and what that belongs to. The picture is not kept.

        Raises: DocumentError, LibraryError.
        """
        photo = self._parser.read_photo(data)
        return photo, self.find(read_plate(photo.lines))

    def find(self, plate: Plate) -> PlateFinding:
        """Look a plate up. Raises: LibraryError."""
        manuals = {each.id: each for each in self._library.documents() if each.searchable}
        clues = self._database.read(lambda connection: _of_manuals(connection, plate, manuals))
        if plate.model or plate.serial or plate.telling:
            self._of_places(plate, manuals, clues)
        scored = sorted(
            ((sum(c.weight for c in found), id_) for id_, found in clues.items()), reverse=True
        )
        if not scored or scored[0][0] < _LEAST:
            return PlateFinding(plate, "nothing")
        near = [id_ for score, id_ in scored if score >= _CLEARLY * scored[0][0]]
        matches = _grouped(near, clues, manuals)[:MOST_CANDIDATES]
        alone = len(matches) == 1 and matches[0].named
        return PlateFinding(plate, "found" if alone else "asked", matches)

    def _of_places(
        self, plate: Plate, manuals: dict[int, DocumentRecord], clues: dict[int, list[Clue]]
    ) -> None:
        """Add what the names of assets and the notes about them have in common with the plate."""
        wanted = [
            (text, group)
            for text in dict.fromkeys((plate.serial, plate.model, *plate.telling))
            for group in query_terms(text)
            if _kind(group) == _CODE or (text == plate.serial and len(group[0]) > 3)
        ]
        noted: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        for note in self._notes.list():
            if note.place.asset:
                noted[note.place.key] |= index_term_set(note.text)
        for id_, manual in manuals.items():
            if not manual.asset:
                continue
            own = index_term_set(manual.asset)
            for text, group in wanted:
                if not own.isdisjoint(group):
                    clues.setdefault(id_, []).append(Clue(text, "place", _PLACE * _CODE, True))
                elif not noted[manual.place.key].isdisjoint(group):
                    clues.setdefault(id_, []).append(Clue(text, "note", _NOTE * _CODE, True))


def _of_manuals(
    connection: apsw.Connection, plate: Plate, manuals: dict[int, DocumentRecord]
) -> dict[int, list[Clue]]:
    """Return what titles and pages have in common with the plate, by document."""
    index = TextIndex()
    shelf = read_shelf(connection, index)
    texts: dict[TermGroup, str] = {}
    for text in plate.telling:
        for part in (text, *text.split()):
            for group in query_terms(part):
                texts.setdefault(group, min(part, text, key=len))
    groups = list(texts)
    found = dict(zip(groups, term_pages(connection, groups, index), strict=True))
    clues: dict[int, list[Clue]] = {}
    for group, occurrence in found.items():
        kind = _kind(group)
        pages = occurrence.per_document
        named = _named(group, shelf, fuzzy=kind == _CODE)
        known = [id_ for id_ in manuals if id_ in pages or id_ in named]
        rarity = math.log(1 + (len(manuals) + 1) / max(1, len(known)))
        for id_ in known:
            share = pages.get(id_, 0) / max(1, shelf.page_counts.get(id_, 0))
            weight = _TITLE if id_ in named else _PAGES * (1 + share) if kind == _CODE else 0.0
            if weight:
                where: Where = "title" if id_ in named else "pages"
                names = kind == _CODE or (kind == _WORD and texts[group] in plate.model)
                clue = Clue(texts[group], where, weight * kind * rarity, names)
                clues.setdefault(id_, []).append(clue)
    return clues


def _named(group: TermGroup, shelf: Shelf, *, fuzzy: bool) -> frozenset[int]:
    """Return the manuals whose title or file name has a term, misread letters allowed."""
    exact = frozenset(id_ for id_, terms in shelf.names.items() if not terms.isdisjoint(group))
    if exact or not fuzzy:
        return exact
    misread = {term.translate(_MISREAD) for term in group if len(term) > 3}
    return frozenset(
        id_
        for id_, terms in shelf.names.items()
        if any(_has_both(term) and term.translate(_MISREAD) in misread for term in terms)
    )


def _grouped(
    ids: Sequence[int], clues: dict[int, list[Clue]], manuals: dict[int, DocumentRecord]
) -> tuple[Match, ...]:
    """Return manuals grouped by machine: those of one place, or with equal clues."""
    groups: dict[object, list[int]] = {}
    for id_ in ids:
        own = frozenset(c.text for c in clues[id_] if c.where == "title" and c.names)
        place = manuals[id_].place if manuals[id_].asset else EVERYWHERE
        groups.setdefault((place.key, own or id_), []).append(id_)
    return tuple(
        Match(
            tuple(members),
            tuple(manuals[id_].title.strip() or manuals[id_].name for id_ in members),
            manuals[members[0]].place,
            max(sum(clue.weight for clue in clues[id_]) for id_ in members),
            tuple(sorted(clues[members[0]], key=lambda clue: -clue.weight)),
        )
        for members in groups.values()
    )


def _why(clue: Clue) -> Sentence:
    match clue.where:
        case "title":
            return said("“{text}” is in its title", text=clue.text)
        case "pages":
            return said("“{text}” is on its pages", text=clue.text)
        case "place":
            return said("the asset is called “{text}”", text=clue.text)
        case _:
            return said("a note about the asset has “{text}”", text=clue.text)


def _kind(group: TermGroup) -> float:
    if any(_has_both(term) for term in group):
        return _CODE
    return _NUMBER if group[0].replace("_", "").isdigit() else _WORD


def _has_both(term: str) -> bool:
    return any(map(str.isdigit, term)) and any(map(str.isalpha, term))
