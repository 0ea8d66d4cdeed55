"""Relations between things as lines that a person reads and writes: "P-200 > has part > seal".

They are found in a text, edited beside a note, kept in the graph, and shown around an entity.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from desktop.core.library.places import Place
from desktop.core.notes.entities import ASSET, SITE, entity_of, tells_of_another
from knowledge.errors import KnowledgeRefused
from knowledge.graph import GraphEdge, GraphNode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from desktop.core.notes.note import Note
    from knowledge.base import KnowledgeBase
    from knowledge.graph import EntityGraphStore

_LONGEST_NAME = 60
THING = "thing"
"""The type of an entity of which a person wrote the name alone."""


def relation_words(edge: GraphEdge, base: KnowledgeBase) -> str:
    """Return one relation as a person reads it: "P-200 > has part > seal"."""
    ends = map(base.graph_store.get_node, (edge.source_id, edge.target_id))
    return _line(asdict(edge), {node.node_id: node.label for node in ends if node and node.label})


def _line(edge: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return a relation on one line. names: of things by id; one without a name is its id."""
    source, target = (names.get(end, end) for end in (edge["source_id"], edge["target_id"]))
    return " > ".join((source, str(edge["edge_type"]).replace("_", " ").casefold(), target))


def relation_lines_in(text: str) -> list[str]:
    """Return the lines of a text that state a relation and nothing else.

    Such a line has three names separated by ">", and is not a comparison of numbers.
    """
    found = []
    for line in text.splitlines():
        parts = [part.strip() for part in line.split(" > ")]
        names = all(part[:1].isalnum() and len(part) <= _LONGEST_NAME for part in parts)
        if len(parts) == 3 and names and not any(map(str.isdigit, parts[1])):
            found.append(line.strip())
    return found


def relation_lines(data: Mapping[str, Any]) -> str:
    """Return the relations of structured knowledge, one a line."""
    names = _names(data)
    return "\n".join(_line(edge, names) for edge in _graph(data).get("edges") or ())


def with_relations(data: Mapping[str, Any], text: str, notes: Iterable[Note]) -> dict[str, Any]:
    """Return structured knowledge with its relations replaced by those that somebody wrote.

    A name stands for the thing of that name in `data`, for the site or asset of a note,
    or for a new thing; "type:name" gives its type. A new relation belongs to the note
    that states it, else to the first one.

    Raises: KnowledgeRefused, naming the line that cannot be read.
    """
    notes = list(notes)
    known = _known(data, notes)
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
        owner = next((n.piece_id for n in notes if n.piece_id and line.strip() in n.text), first)
        new = {**edge, "properties": {"piece_id": owner}} if owner else edge
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
    """Return the names of things: their labels, unless two have the same one."""
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
    slug = "-".join(name.casefold().split())
    return {"node_id": f"{THING}:{slug}", "node_type": THING, "label": name}


def _ends(edges: Iterable[Mapping[str, Any]]) -> set[str]:
    return {end for edge in edges for end in (edge["source_id"], edge["target_id"])}


def _parts(line: str, number: int) -> tuple[str, str, str]:
    parts = [" ".join(part.split()) for part in line.split(">")]
    if len(parts) != 3 or not all(parts) or not any(map(str.isalnum, parts[1])):
        raise KnowledgeRefused(
            "Line {number} is not in the form: thing > relation > thing.", number=number
        )
    return parts[0], parts[1], parts[2]


def _key(edge: Mapping[str, Any]) -> tuple[str, str, str]:
    return (edge["source_id"], edge["edge_type"], edge["target_id"])


def kept_relations(note: Note, graph: EntityGraphStore) -> str:
    """Return the relations that a note states or that concern its subject, one a line.

    Relations that another note states are that note's; where a thing is located is its
    place.
    """
    return relation_lines(_data(graph, _own(note, graph)))


def keep_relations(note: Note, text: str, base: KnowledgeBase, was: Note | None = None) -> bool:
    """Keep these relations in place of the ones a note had; return whether that changed any.

    text: as `kept_relations` gives it for the note as it was, which may have been about
    another thing. A thing that is named for the first time is created, and one without
    any relation left is forgotten.

    Raises: KnowledgeRefused, naming the line that cannot be read or kept.
    """
    graph = base.graph_store
    before = _own(was or note, graph)
    nodes, after = _wanted(_data(graph, before), text, note)
    there = {edge.key for edge in before}
    stays = {edge.key for edge in after}
    gone = [edge for edge in before if edge.key not in stays]
    new = [edge for edge in after if edge.key not in there]
    with base.transaction():
        _add_missing(nodes, base)
        for edge in gone:
            graph.remove_edge(edge)
        for edge in new:
            base.add_edge(edge)
        _forget_lonely(gone, graph)
    return bool(gone or new)


def _wanted(
    data: Mapping[str, Any], text: str, note: Note
) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Return the things and relations of a text; see `with_relations`."""
    wanted = _graph(with_relations(data, text, [note]))
    nodes = [GraphNode(**node) for node in wanted.get("nodes") or ()]
    return nodes, [GraphEdge(**edge) for edge in wanted.get("edges") or ()]


def _add_missing(nodes: Iterable[GraphNode], base: KnowledgeBase) -> None:
    for node in nodes:
        if base.graph_store.get_node(node.node_id) is None:
            base.add_node(node)


def _own(note: Note, graph: EntityGraphStore) -> list[GraphEdge]:
    own = [edge for edge in graph.edges() if note.piece_id and edge.piece_id == note.piece_id]
    if note.entity:
        around = (*graph.edges_from(note.entity), *graph.edges_to(note.entity))
        own += [edge for edge in around if not edge.piece_id]
    once = {edge.key: edge for edge in own}
    return [edge for edge in once.values() if tells_of_another(edge)]


def _data(graph: EntityGraphStore, edges: Iterable[GraphEdge]) -> dict[str, Any]:
    """Return all things, which a person may name, and some relations, as structured knowledge."""
    nodes = [asdict(node) for node in graph.nodes()]
    return {"graph": {"nodes": nodes, "edges": [asdict(edge) for edge in edges]}}


def _forget_lonely(gone: Iterable[GraphEdge], graph: EntityGraphStore) -> None:
    for node_id in dict.fromkeys(end for edge in gone for end in (edge.source_id, edge.target_id)):
        node = graph.get_node(node_id)
        known = node is not None and node.node_type == THING
        if known and not graph.edges_from(node_id) and not graph.edges_to(node_id):
            graph.remove_node(node_id)


def related(graph: EntityGraphStore, about: Iterable[str] | None = None) -> list[str]:
    """Return relations as lines, by name. about: only those of these entities; None: all.

    Where an asset is located is told by its name and left out.
    """
    wanted = None if about is None else set(about)
    edges = [
        edge
        for edge in graph.edges()
        if tells_of_another(edge) and (wanted is None or wanted & {edge.source_id, edge.target_id})
    ]
    return sorted(set(relation_lines(_data(graph, edges)).splitlines()))


def relate(text: str, base: KnowledgeBase, note: Note) -> int:
    """Keep relations, one a line, of a note's place; return how many are new.

    Raises: KnowledgeRefused, naming the line that cannot be read or kept.
    """
    nodes, edges = _wanted(_data(base.graph_store, ()), text, note)
    ends = {end for edge in edges for end in (edge.source_id, edge.target_id)}
    with base.transaction():
        _add_missing([node for node in nodes if node.node_id in ends], base)
        return sum(base.add_edge(edge) for edge in edges)


def unrelate(text: str, base: KnowledgeBase) -> int:
    """Forget relations, one a line as `related` gives them; return how many there were.

    Raises: KnowledgeRefused, naming the line that cannot be read.
    """
    graph = base.graph_store
    wanted = {
        tuple(part.casefold() for part in _parts(line, number))
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip()
    }
    names = _names(_data(graph, ()))
    gone = [
        edge
        for edge in graph.edges()
        if tells_of_another(edge)
        and tuple(_line(asdict(edge), names).casefold().split(" > ")) in wanted
    ]
    with base.transaction():
        for edge in gone:
            graph.remove_edge(edge)
        _forget_lonely(gone, graph)
    return len(gone)
