"""Versions of one note by several people, merged: nothing is lost, whatever order they come in.

Each field of a note is a register with several values. A check-in names the check-ins of the note
that whoever wrote it had seen. What it wrote into a field replaces what those wrote; two who had
not seen each other both stand, and a person chooses (a multi-value register with causal history,
Shapiro et al., "A comprehensive study of convergent and commutative replicated data types", 2011).
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
    """Return every note by its id; the same for the same check-ins in any order."""
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
