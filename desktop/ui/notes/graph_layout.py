"""Where the entities around one entity are drawn: a column for every hop away from it. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.notes.neighbours import NOTE
from desktop.ui.notes import kinds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.core.notes.neighbours import Link, Neighbour, Neighbourhood

MOST_IN_COLUMN = 7
"""Entities one below the other; the rest is counted, so that names stay readable."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An entity or a note in the picture. column: hops from the middle. row: may end in .5."""

    node: Neighbour
    column: int
    row: float

    @property
    def is_note(self) -> bool:
        """Whether it is a note and no entity."""
        return self.node.kind == NOTE


@dataclass(frozen=True, slots=True)
class Line:
    """What joins two drawn nodes, read from `source` to `target`; said: "" for a note's line."""

    source: str
    target: str
    said: str


@dataclass(frozen=True, slots=True)
class GraphPlan:
    """What is drawn. rows: of the fullest column. left_out: nodes there was no room for."""

    placed: tuple[Placed, ...] = ()
    lines: tuple[Line, ...] = ()
    rows: int = 0
    left_out: int = 0
    cut: bool = False


def plan_graph(around: Neighbourhood) -> GraphPlan:
    """Return the picture of a neighbourhood; the same one always gives the same picture.

    Nodes stand below each other in the order they were found in: those that belong to the same
    node of the column before are together.
    """
    columns = _columns(around.nodes)
    shown = [column[:MOST_IN_COLUMN] for column in columns]
    rows = max((len(column) for column in shown), default=0)
    placed = tuple(
        Placed(node, number, row + (rows - len(column)) / 2)
        for number, column in enumerate(shown)
        for row, node in enumerate(column)
    )
    drawn = {each.node.node_id for each in placed}
    return GraphPlan(
        placed, _lines(around.links, drawn), rows, len(around.nodes) - len(placed), around.cut
    )


def _columns(nodes: Sequence[Neighbour]) -> list[list[Neighbour]]:
    deepest = max((node.depth for node in nodes), default=-1)
    return [[node for node in nodes if node.depth == depth] for depth in range(deepest + 1)]


def _lines(links: Sequence[Link], drawn: set[str]) -> tuple[Line, ...]:
    """Return one line for each pair of nodes, whatever the number of notes that tell it."""
    said: dict[tuple[str, str], list[str]] = {}
    for link in links:
        if {link.source_id, link.target_id} <= drawn and link.source_id != link.target_id:
            words = said.setdefault((link.source_id, link.target_id), [])
            name = "" if link.kind == NOTE else kinds.relation(link.kind)
            if name and name not in words:
                words.append(name)
    return tuple(Line(*ends, ", ".join(words)) for ends, words in sorted(said.items()))
