"""A note as people write, read and cite it, the piece it is kept as, and list filters.

Versions of one note by several people are merged, and nothing is lost, whatever order
they come in. Each field of a note is a register with several values. A check-in names
the check-ins of the note that its author had seen. What it wrote into a field replaces
what those wrote; if two authors had not seen each other's, both values stand, and a
person chooses (a multi-value register with causal history, Shapiro et al., "A
comprehensive study of convergent and commutative replicated data types", 2011).
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, Final

from desktop.core.library.places import EVERYWHERE, Place
from desktop.core.notes.entities import entity_of, place_of
from desktop.sentences import ENGLISH, in_language, is_sentence, said, template
from knowledge.pieces import CONTEXT, SITE_NOTE, UNVERIFIED, KnowledgePiece, KnowledgeType, PageLink

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from desktop.core.events import NoteSource
    from knowledge.graph import EntityGraphStore


_LONGEST_TITLE = 60
SAID_BY_LABEL: Final = frozenset({SITE_NOTE, UNVERIFIED})
"""Tiers that `note_label` tells in words."""


@dataclass(frozen=True, slots=True)
class Note:
    """What somebody at the site knows.

    piece_id: "" before it is kept. kind: what it is. info_type: the section of a prompt
    it belongs in, any word. place: what it is about; everywhere for all equipment.
    entity_id: whom or what it is about if that is no place ("user:alice"). role: of its
    author. written: ISO 8601 date or time. tier: 2 (company procedure) to 5
    (unverified), 4 usually. pages: of manuals that it is pinned to. search_words: other
    words to find it by.
    """

    text: str
    piece_id: str = ""
    kind: KnowledgeType = KnowledgeType.NOTE
    info_type: str = CONTEXT
    tags: tuple[str, ...] = ()
    place: Place = EVERYWHERE
    entity_id: str | None = None
    role: str = ""
    written: str = ""
    tier: int = SITE_NOTE
    pages: tuple[PageLink, ...] = ()
    search_words: str = ""

    @property
    def title(self) -> str:
        """Its first words, on one line."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        line = " ".join(lines[0].split()) if lines else ""
        if len(line) <= _LONGEST_TITLE:
            return line
        return line[:_LONGEST_TITLE].rsplit(" ", 1)[0].rstrip(" ,;:.-") + " …"

    @property
    def entity(self) -> str | None:
        """Whom or what it is about, as the knowledge base calls it; None for everything."""
        return entity_of(self.place) or self.entity_id

    @property
    def scope(self) -> str:
        """What it is about in words: "asset P-200", "site 12", "user alice", "" for everything."""
        if self.place.asset:
            return _named("asset", self.place.asset)
        if self.place.site:
            return _named("site", self.place.site)
        kind, _, name = (self.entity_id or "").partition(":")
        return _named(kind, name) if name else kind

    def piece(self) -> KnowledgePiece:
        """Return the note as a piece of knowledge."""
        return KnowledgePiece(
            piece_id=self.piece_id,
            content=self.text,
            knowledge_type=self.kind,
            info_type=self.info_type,
            tags=self.tags,
            entity_id=self.entity,
            embedding_text=self.search_words or None,
            author=self.role,
            created=self.written,
            links=self.pages,
            tier=self.tier,
        )


def note_of(piece: KnowledgePiece, graph: EntityGraphStore) -> Note:
    """Return a piece of knowledge as a note. graph: knows how its place is spelled."""
    return noted(piece, place_of(piece.entity_id, graph))


def notes_of(pieces: Iterable[KnowledgePiece], graph: EntityGraphStore) -> Iterator[Note]:
    """Yield pieces as notes; each place is looked up once."""
    places: dict[str | None, Place] = {}
    for piece in pieces:
        if piece.entity_id not in places:
            places[piece.entity_id] = place_of(piece.entity_id, graph)
        yield noted(piece, places[piece.entity_id])


def noted(piece: KnowledgePiece, place: Place) -> Note:
    """Return a piece about a place as a note."""
    return Note(
        text=piece.content,
        piece_id=piece.piece_id,
        kind=piece.knowledge_type,
        info_type=piece.info_type,
        tags=piece.tags,
        place=place,
        entity_id=None if place else piece.entity_id,
        role=piece.author,
        written=piece.created,
        tier=piece.tier,
        pages=piece.links,
        search_words=piece.embedding_text or "",
    )


def at(note: Note, place: Place) -> Note:
    """Return the note as one about a place."""
    return replace(note, place=place, entity_id=None if place else note.entity_id)


_ABOUT = {
    "asset": template("asset {name}"),
    "site": template("site {name}"),
    "user": template("user {name}"),
}


def _named(kind: str, name: str) -> str:
    """Return "asset P-200", but not "site SITE 12"."""
    if name.casefold().startswith(kind.casefold()):
        return name
    template = _ABOUT.get(kind)
    return f"{kind} {name}" if template is None else said(template, name=name)


@dataclass(frozen=True, slots=True)
class NoteFilter:
    """Empty fields do not narrow anything down.

    text: every word of it is in the note, its tags, its author's role or what it is
    about. place: notes about it and what lies in it.
    """

    text: str = ""
    tag: str = ""
    place: Place = EVERYWHERE
    kind: KnowledgeType | None = None

    def shows(self, note: Note) -> bool:
        """Whether a note is in the list."""
        told = "\n".join((note.text, *note.tags, note.role, note.scope)).casefold()
        return (
            self.kind in (None, note.kind)
            and (not self.tag or self.tag.casefold() in {tag.casefold() for tag in note.tags})
            and (not self.place or self.place.holds(note.place))
            and all(word in told for word in self.text.casefold().split())
        )


EVERY_NOTE = NoteFilter()


_DAYS = (
    *(template("{day} January"), template("{day} February"), template("{day} March")),
    *(template("{day} April"), template("{day} May"), template("{day} June")),
    *(template("{day} July"), template("{day} August"), template("{day} September")),
    *(template("{day} October"), template("{day} November"), template("{day} December")),
)


def note_label(note: NoteSource, today: date | None = None, language: str = ENGLISH) -> str:
    """Return "site note, 12 March, by shift lead"; with the year unless it is that of `today`."""
    parts = [
        said("unverified note") if note.tier >= UNVERIFIED else said("site note"),
        day(note.written, today, language),
        said("by {role}", role=_one_line(note.role)) if note.role.strip() else "",
    ]
    return ", ".join(in_language(part, language) for part in parts if part)


def note_place(note: NoteSource, today: date | None = None, language: str = ENGLISH) -> str:
    """Return the label of a note, what it is about, and its tier unless the label tells it."""
    scope = note.scope if is_sentence(note.scope) else _one_line(note.scope)
    about = [scope] if note.tier in SAID_BY_LABEL else [scope, said("tier {n}", n=note.tier)]
    if note.page is not None:
        pinned = said(
            "pinned to {manual}, page {page}", manual=note.page.document, page=note.page.label
        )
        about.append(pinned)
    told = ", ".join(in_language(part, language) for part in about if part)
    label = note_label(note, today, language)
    return f"{label} ({told})" if told else label


def day(written: str, today: date | None = None, language: str = ENGLISH) -> str:
    """Return "12 March" for an ISO 8601 date or time, with its year if it is not this one's."""
    try:
        found = date.fromisoformat(written[:10])
    except ValueError:
        return ""
    this_year = (today or date.today()).year
    year = "" if found.year == this_year else f" {found.year}"
    return in_language(said(_DAYS[found.month - 1], day=found.day), language) + year


def _one_line(text: str) -> str:
    return " ".join(text.split())


DELETED: Final = "deleted"
"""The field that says that a note is no more."""

Values = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CheckIn:
    """One change of one note by one person.

    id: of exactly these bytes. author: the fingerprint of their key; name: as they call
    themselves. at: ISO 8601, only to order what is shown. seen: the check-ins of the note that
    they had. values: the whole note as JSON has it; changed: the fields that they wrote.
    """

    id: str
    piece_id: str
    author: str
    name: str
    at: str
    seen: frozenset[str]
    values: Mapping[str, Any]
    changed: frozenset[str]

    @property
    def deletes(self) -> bool:
        """Whether it deletes the note."""
        return DELETED in self.changed and bool(self.values.get(DELETED))


@dataclass(frozen=True, slots=True)
class Version:
    """What one person wrote into a field. value: for `DELETED` whether it is deleted."""

    value: Any
    check_in: CheckIn


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field of a note that people wrote without having seen each other's version.

    versions: each value once, the one that is shown meanwhile first.
    """

    piece_id: str
    field: str
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """A note as all check-ins together have it. values: None if it is deleted. seen: their ids."""

    values: Values | None
    conflicts: tuple[Conflict, ...]
    seen: frozenset[str]


def merged_notes(check_ins: Iterable[CheckIn]) -> dict[str, Merged]:
    """Return every note by its id; the same check-ins in any order give the same result."""
    of_note: defaultdict[str, dict[str, CheckIn]] = defaultdict(dict)
    for each in check_ins:
        of_note[each.piece_id][each.id] = each
    return {piece_id: _merged(list(found.values())) for piece_id, found in of_note.items()}


def _merged(check_ins: list[CheckIn]) -> Merged:
    latest_first = sorted(check_ins, key=lambda each: (each.at, each.id), reverse=True)
    piece_id, seen = latest_first[0].piece_id, frozenset(each.id for each in check_ins)
    heads = _not_replaced(latest_first)
    values: Values = {}
    conflicts = []
    for field in sorted({name for each in check_ins for name in each.values} - {DELETED}):
        writers = _not_replaced([each for each in latest_first if field in each.changed])
        versions = _versions(field, writers or heads[:1])
        values[field] = versions[0].value
        if len(versions) > 1:
            conflicts.append(Conflict(piece_id, field, versions))
    deleting = _not_replaced([each for each in latest_first if DELETED in each.changed])
    deleting = [each for each in deleting if each.deletes]
    others = [each for each in heads if each not in deleting]
    if deleting and not others:
        return Merged(None, (), seen)
    if deleting:  # somebody changed it who did not know
        both = (Version(False, others[0]), Version(True, deleting[0]))
        conflicts.append(Conflict(piece_id, DELETED, both))
    return Merged(values, tuple(conflicts), seen)


def _not_replaced(check_ins: list[CheckIn]) -> list[CheckIn]:
    """Return the check-ins that none of the others had seen."""
    known = frozenset[str]().union(*(each.seen for each in check_ins))
    return [each for each in check_ins if each.id not in known]


def _versions(field: str, writers: list[CheckIn]) -> tuple[Version, ...]:
    found: dict[str, Version] = {}
    for each in writers:
        value = each.values.get(field)
        found.setdefault(json.dumps(value, sort_keys=True), Version(value, each))
    return tuple(found.values())
