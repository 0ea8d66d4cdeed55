"""Relations between things as lines that a person reads and writes: "P-200 > has part > seal"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from desktop.core.library.places import Place
from desktop.core.notes.entities import ASSET, SITE, entity_of
from knowledge.errors import KnowledgeRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.core.notes.note import Note
    from knowledge.base import KnowledgeBase
    from knowledge.graph import GraphEdge

THING = "thing"
"""The type of an entity of which a person wrote the name alone."""


def relation_words(edge: GraphEdge, base: KnowledgeBase) -> str:
    """Return one relation as a person reads it: "P-200 > has part > seal"."""
    ends = {end: base.graph_store.get_node(end) for end in (edge.source_id, edge.target_id)}
    source, target = (node.label if node and node.label else end for end, node in ends.items())
    return " > ".join((source, edge.edge_type.replace("_", " ").casefold(), target))


def relation_lines(data: Mapping[str, Any]) -> str:
    """Return the relations of structured knowledge, one a line."""
    names = _names(data)
    return "\n".join(
        " > ".join(
            (
                names.get(edge["source_id"], edge["source_id"]),
                str(edge["edge_type"]).replace("_", " ").casefold(),
                names.get(edge["target_id"], edge["target_id"]),
            )
        )
        for edge in _graph(data).get("edges") or ()
    )


def with_relations(data: Mapping[str, Any], text: str, notes: Iterable[Note]) -> dict[str, Any]:
    """Return structured knowledge with the relations that somebody wrote in place of its own.

    A name stands for the thing of that name in `data`, for the site or asset of a note, or for
    a new thing; "type:name" says of what type. A new relation belongs to the first note.

    Raises: KnowledgeRefused, naming the line that cannot be read.
    """
    known = _known(data, list(notes))
    before = {_key(edge): edge for edge in _graph(data).get("edges") or ()}
    nodes = {node["node_id"]: node for node in _graph(data).get("nodes") or ()}
    first = next((note.piece_id for note in notes if note.piece_id), "")
    edges: dict[tuple[str, str, str], Mapping[str, Any]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        source, kind, target = _parts(line, number)
        for name in (source, target):
            node = known.get(name.casefold()) or _new_node(name)
            known[name.casefold()] = node
            nodes.setdefault(node["node_id"], node)
        edge = {
            "source_id": known[source.casefold()]["node_id"],
            "target_id": known[target.casefold()]["node_id"],
            "edge_type": re.sub(r"\W+", "_", kind).strip("_").upper(),
        }
        new = {**edge, "properties": {"piece_id": first}} if first else edge
        edges[_key(edge)] = before.get(_key(edge), new)
    dropped = _ends(before.values()) - _ends(edges.values())
    graph = {
        "nodes": [node for node_id, node in nodes.items() if node_id not in dropped],
        "edges": list(edges.values()),
    }
    rest = {name: value for name, value in data.items() if name != "graph"}
    return {**rest, "graph": graph} if graph["nodes"] else rest


def _graph(data: Mapping[str, Any]) -> Mapping[str, Any]:
    return data.get("graph") or {}


def _names(data: Mapping[str, Any]) -> dict[str, str]:
    """Return how things are called: by their label, unless two have the same one."""
    labels: dict[str, list[str]] = {}
    for node in _graph(data).get("nodes") or ():
        labels.setdefault(str(node.get("label") or ""), []).append(node["node_id"])
    return {ids[0]: label for label, ids in labels.items() if label and len(ids) == 1}


def _known(data: Mapping[str, Any], notes: list[Note]) -> dict[str, Mapping[str, Any]]:
    """Return the things that a name may stand for, by the name without case."""
    known: dict[str, Mapping[str, Any]] = {}
    for note in notes:
        for kind, place in ((SITE, Place(note.place.site)), (ASSET, note.place)):
            name = place.asset if kind == ASSET else place.site
            node_id = entity_of(place)
            if name and node_id:
                known[name.casefold()] = {
                    "node_id": node_id,
                    "node_type": kind,
                    "label": name,
                    # as `entities.keep_place` writes it: the name of a site is not in the id
                    "properties": {"site": place.site} if kind == ASSET and place.site else {},
                }
    names = _names(data)
    for node in _graph(data).get("nodes") or ():
        known[str(node["node_id"]).casefold()] = node
        if node["node_id"] in names:
            known[names[node["node_id"]].casefold()] = node
    return known


def _new_node(name: str) -> dict[str, str]:
    kind, colon, rest = name.partition(":")
    if colon and kind.strip() and rest.strip():
        return {"node_id": name, "node_type": kind.strip(), "label": rest.strip()}
    slug = re.sub(r"\s+", "-", name.casefold())
    return {"node_id": f"{THING}:{slug}", "node_type": THING, "label": name}


def _ends(edges: Iterable[Mapping[str, Any]]) -> set[str]:
    return {end for edge in edges for end in (edge["source_id"], edge["target_id"])}


def _parts(line: str, number: int) -> tuple[str, str, str]:
    parts = [" ".join(part.split()) for part in line.split(">")]
    if len(parts) != 3 or not all(parts) or not re.search(r"\w", parts[1]):
        raise KnowledgeRefused(f"Line {number} is not of the form: thing > relation > thing.")
    return parts[0], parts[1], parts[2]


def _key(edge: Mapping[str, Any]) -> tuple[str, str, str]:
    return (edge["source_id"], edge["edge_type"], edge["target_id"])
