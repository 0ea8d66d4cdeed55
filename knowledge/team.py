"""A knowledge base that a team shares: which services keep it, and the exchange with one's own.

| URL | keeps | library | |
|---|---|---|---|
| `redis://host:6379/0` | profiles | redis | |
| `chroma://host:8000` | notes | chromadb | |
| `lancedb:///folder` | notes | lancedb | |
| `elasticsearch://host:9200` | notes | elasticsearch | experimental: never run against a server |
| `falkordb:///folder/team.graph` | relations | falkordblite | Python 3.12 and later |
| `falkordb://host:6379` | relations | falkordb | |
| `neo4j://host:7687`, `bolt://...` | relations | neo4j | experimental: never run against a server |
| `file:///folder/team.json` | all of it | none | a folder that everybody reaches |
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from knowledge.base import check_piece, knowledge_base_of
from knowledge.errors import (
    BackendNotInstalled,
    KnowledgeError,
    KnowledgeRefused,
    KnowledgeStoreError,
    TeamAddressUnknown,
)
from knowledge.sentences import said
from knowledge.services.base import JsonFile
from knowledge.services.graph import FileGraphService, MemoryGraphService
from knowledge.services.key_value import FileKeyValueService, MemoryKeyValueService
from knowledge.services.retrieval import FileRetrievalService, MemoryRetrievalService

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from urllib.parse import SplitResult

    from knowledge.base import KnowledgeBase
    from knowledge.ports import TextVectors

_SERVER = said("the team's server")
PROFILES, NOTES, RELATIONS = "profiles", "notes", "relations"
_EVERYTHING = (PROFILES, NOTES, RELATIONS)
_KEEPS = {
    "redis": (PROFILES,),
    "rediss": (PROFILES,),
    "chroma": (NOTES,),
    "lancedb": (NOTES,),
    "elasticsearch": (NOTES,),
    "falkordb": (RELATIONS,),
    "neo4j": (RELATIONS,),
    "bolt": (RELATIONS,),
    "file": _EVERYTHING,
}
EXPERIMENTAL = frozenset({"elasticsearch", "neo4j", "bolt"})
"""Services whose client never ran against a real server."""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """What a synchronisation brought: new or changed, here and there. refused: what, and why."""

    taken: int = 0
    given: int = 0
    refused: tuple[str, ...] = ()


def kept_by(url: str) -> tuple[str, ...]:
    """Return which of profiles, notes and relations a URL keeps. Raises: TeamAddressUnknown."""
    scheme = urlsplit(url).scheme
    if scheme not in _KEEPS:
        raise TeamAddressUnknown(shown(url), sorted(_KEEPS))
    return _KEEPS[scheme]


def shown(url: str) -> str:
    """Return a URL without its password."""
    parts = urlsplit(url)
    if parts.password is None:
        return url
    return url.replace(f":{parts.password}@", ":…@", 1)


def team_base(urls: Sequence[str], vectors: TextVectors | None) -> KnowledgeBase:
    """Open what a team shares; what no URL keeps is empty. vectors: most that keep notes need one.

    Raises: TeamAddressUnknown; BackendNotInstalled; KnowledgeStoreError, if one is not reached.
    """
    services: dict[str, Any] = {}
    for url in urls:
        parts = kept_by(url)
        if parts == _EVERYTHING:
            file = JsonFile(_path(urlsplit(url)))
            services[PROFILES] = FileKeyValueService(file)
            services[NOTES] = FileRetrievalService(file)
            services[RELATIONS] = FileGraphService(file)
        else:
            services[parts[0]] = _opened(url, vectors)
    return knowledge_base_of(
        services.get(PROFILES) or MemoryKeyValueService(),
        services.get(NOTES) or MemoryRetrievalService(),
        services.get(RELATIONS) or MemoryGraphService(),
    )


def synchronise(own: KnowledgeBase, team: KnowledgeBase, parts: Sequence[str]) -> Exchanged:
    """Give a team what it lacks, and take what one lacks; the newer version of a note wins.

    parts: what the team keeps. A profile is taken over where one has none and given
    otherwise. Nothing is deleted on either side.

    Raises: KnowledgeStoreError.
    """
    refused: list[str] = []
    exchanges = {PROFILES: _profiles, NOTES: _notes, RELATIONS: _relations}
    with _reached(), own.transaction():
        counts = [each(own, team, refused) for part, each in exchanges.items() if part in parts]
    taken, given = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0)
    return Exchanged(taken, given, tuple(refused))


def _profiles(own: KnowledgeBase, team: KnowledgeBase, refused: list[str]) -> tuple[int, int]:
    here = {each.entity_id: each for each in own.metadata_store.all()}
    there = {each.entity_id: each for each in team.metadata_store.all()}
    taken = 0
    for entity_id in sorted(set(there) - set(here)):
        with _noted(refused, entity_id):
            taken += own.add_metadata(there[entity_id])
    return taken, sum(team.add_metadata(each) for each in here.values())


def _notes(own: KnowledgeBase, team: KnowledgeBase, refused: list[str]) -> tuple[int, int]:
    here = {piece.piece_id: piece for piece in own.piece_store.all()}
    there = {piece.piece_id: piece for piece in team.piece_store.all()}
    wanted = []
    for piece in there.values():
        own_one = here.get(piece.piece_id)
        if own_one is None or (piece != own_one and piece.created > own_one.created):
            wanted.append(piece)
    allowed = []
    for piece in wanted:
        with _noted(refused, piece.piece_id):
            check_piece(piece)
            allowed.append(piece)
    kept = {piece.piece_id for piece in wanted}
    lacking = [p for p in here.values() if p.piece_id not in kept and there.get(p.piece_id) != p]
    return own.add_pieces(allowed), team.add_pieces(lacking)


def _relations(own: KnowledgeBase, team: KnowledgeBase, refused: list[str]) -> tuple[int, int]:
    counts = []
    for source, target in ((team, own), (own, team)):
        known = {node.node_id for node in target.graph_store.nodes()}
        new = 0
        for node in source.graph_store.nodes():
            if node.node_id not in known:
                with _noted(refused, node.node_id):
                    new += target.add_node(node)
        edges = {edge.key for edge in target.graph_store.edges()}
        for edge in source.graph_store.edges():
            if edge.key not in edges:
                with _noted(refused, f"{edge.source_id} {edge.edge_type} {edge.target_id}"):
                    new += target.add_edge(edge)
        counts.append(new)
    return counts[0], counts[1]


@contextmanager
def _noted(refused: list[str], name: str) -> Iterator[None]:
    """Note what may not be kept, and go on."""
    try:
        yield
    except KnowledgeRefused as error:
        refused.append(said("{name}: {error}", name=name, error=error))


def _opened(url: str, vectors: TextVectors | None) -> Any:
    from knowledge.services import cypher, key_value, vector_databases

    parts = urlsplit(url)
    with _reached(shown(url)):
        if parts.scheme in ("redis", "rediss"):
            client = _library("Redis", "redis").Redis.from_url(url)
            client.ping()
            return key_value.RedisKeyValueService(client)
        if parts.scheme in ("neo4j", "bolt"):
            driver = _library("Neo4j", "neo4j").GraphDatabase.driver(url)
            driver.verify_connectivity()
            return cypher.Neo4jGraphService(driver)
        if parts.scheme == "falkordb":
            if parts.hostname:
                falkordb = _library("FalkorDB", "falkordb").FalkorDB
                return cypher.FalkorDBGraphService(falkordb(parts.hostname, parts.port or 6379))
            embedded = _library("FalkorDB", "redislite.falkordb_client").FalkorDB
            return cypher.FalkorDBGraphService(embedded(str(_path(parts))))
        if vectors is None:
            raise KnowledgeStoreError("a text model is needed, but there is none.")
        if parts.scheme == "chroma":
            chroma = _library("Chroma", "chromadb")
            settings = import_module("chromadb.config").Settings(anonymized_telemetry=False)
            client = chroma.HttpClient(parts.hostname, parts.port or 8000, settings=settings)
            return vector_databases.ChromaRetrievalService(client, vectors)
        if parts.scheme == "lancedb":
            connection = _library("LanceDB", "lancedb").connect(str(_path(parts)))
            return vector_databases.LanceDBRetrievalService(connection, vectors)
        library = _library("Elasticsearch", "elasticsearch")
        client = library.Elasticsearch(f"http://{parts.netloc}")
        return vector_databases.ElasticsearchRetrievalService(client, vectors)


def _path(parts: SplitResult) -> Path:
    return Path(unquote(f"{parts.netloc}{parts.path}"))


def _library(backend: str, package: str) -> Any:
    try:
        return import_module(package)
    except ImportError as error:
        raise BackendNotInstalled(backend, package) from error


@contextmanager
def _reached(address: str = _SERVER) -> Iterator[None]:
    """Turn what a client raises inside into a `KnowledgeStoreError`. address: of its server."""
    try:
        yield
    except KnowledgeError:
        raise
    except Exception as error:
        kind = type(error).__name__
        raise KnowledgeStoreError(
            "{address} cannot be used: {kind}.", address=address, kind=kind
        ) from error
