"""Places and people as entities of the knowledge base: "asset:site-12/p-200", "user:alice"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.library.places import EVERYWHERE, Place
from knowledge.graph import GraphEdge, GraphNode

if TYPE_CHECKING:
    from knowledge.base import KnowledgeBase
    from knowledge.graph import EntityGraphStore

SITE, ASSET, PERSON, ROLE = "site", "asset", "user", "role"
SCOPED = frozenset({SITE, ASSET, PERSON, ROLE})
"""What is known of these is not for everybody, as what is known of a technique or a part is."""
STANDS_AT = "STANDS_AT"
"""The relation of an asset to its site."""


def tells_of_another(edge: GraphEdge) -> bool:
    """Whether a relation tells one end about the other: no site tells of all its assets."""
    return edge.edge_type != STANDS_AT


@dataclass(frozen=True, slots=True)
class Asker:
    """Who is asking: a name and a role as a person writes them ("alice", "shift lead"), or ""."""

    person: str = ""
    role: str = ""

    def entities(self, graph: EntityGraphStore) -> tuple[str, ...]:
        """Return what the knowledge base may call the person and the role, the person first."""
        return (*_called(PERSON, self.person, graph), *_called(ROLE, self.role, graph))


def _called(kind: str, name: str, graph: EntityGraphStore) -> tuple[str, ...]:
    """Return the ids that a name may have: given as an id, made from it, or a node's label."""
    told = name.strip()
    if not told or told.startswith(f"{kind}:"):
        return (told,) if told else ()
    labelled = (
        node.node_id
        for node in graph.nodes()
        if node.node_type == kind and node.label.casefold() == told.casefold()
    )
    return tuple(dict.fromkeys((f"{kind}:{_slug(told)}", f"{kind}:{told}", *labelled)))


def kind_of(entity_id: str) -> str:
    """Return the type that an id begins with."""
    return entity_id.partition(":")[0]


def entity_ids(base: KnowledgeBase) -> list[str]:
    """Return entities with a profile or notes of their own."""
    return [*(each.entity_id for each in base.metadata_store.all()), *base.piece_store.entities()]


def entity_of(place: Place) -> str | None:
    """Return what a place is called in the knowledge base, None for everywhere.

    Assets of the same name at two sites are two; case and spaces make no difference.
    """
    if place.asset:
        site = f"{_slug(place.site)}/" if place.site else ""
        return f"{ASSET}:{site}{_slug(place.asset)}"
    return f"{SITE}:{_slug(place.site)}" if place.site else None


def entities_of(place: Place, graph: EntityGraphStore) -> tuple[str, ...]:
    """Return everything that notes for somebody at a place may be about, the nearest first.

    Its asset, the asset of that name without a site, its site; also as other programs
    may have written them ("asset:P-200"). An asset without a site is the only one of
    its name.
    """
    nearest = [entity_of(place), entity_of(Place("", place.asset)), entity_of(Place(place.site))]
    if place.asset and not place.site:
        wanted = _slug(place.asset)
        assets = (node for node in graph.nodes() if node.node_type == ASSET)
        found = [node.node_id for node in assets if _slug(node.label) == wanted]
        nearest[:0] = found if len(found) == 1 else []
    written = [f"{ASSET}:{place.asset}" if place.asset else None]
    written += [f"{SITE}:{place.site}" if place.site else None]
    return tuple(dict.fromkeys(each for each in (*nearest, *written) if each))


def place_of(entity_id: str | None, graph: EntityGraphStore) -> Place:
    """Return the place that an entity is; everywhere if it is not a place."""
    kind, _, name = (entity_id or "").partition(":")
    if kind not in (SITE, ASSET) or not name:
        return EVERYWHERE
    node = graph.get_node(entity_id or "")
    label = node.label if node is not None and node.label else ""
    if kind == SITE:
        return Place(label or name)
    site, _, asset = name.rpartition("/")
    told = str(node.properties.get("site", "")) if node is not None else ""
    return Place(told or site, label or asset)


def keep_place(base: KnowledgeBase, place: Place) -> None:
    """Keep a place as a person spelled it. Raises: KnowledgeRefused. KnowledgeStoreError."""
    site = entity_of(Place(place.site))
    asset = entity_of(place) if place.asset else None
    nodes = [GraphNode(site, SITE, place.site)] if site else []
    if asset:
        told = {"site": place.site} if place.site else {}
        nodes.append(GraphNode(asset, ASSET, place.asset, told))
    for node in nodes:
        if base.graph_store.get_node(node.node_id) is None:
            base.add_node(node)
    if asset and site:
        base.add_edge(GraphEdge(asset, site, STANDS_AT))


def _slug(name: str) -> str:
    """Return a name without case and spaces; "/" stands between site and asset only."""
    return "-".join(name.casefold().split()).replace("/", "%2f")
