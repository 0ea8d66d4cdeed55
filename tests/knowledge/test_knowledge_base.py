"""Retrieval over the three layers: what is found, how it is scored, and in which order."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.base import memory_knowledge_base
from knowledge.errors import KnowledgeRefused
from knowledge.graph import MOST_EDGES, GraphEdge, GraphNode
from knowledge.metadata import EntityMetadata
from knowledge.pieces import KnowledgePiece, KnowledgeType, PieceFilter
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.knowledge import BACKENDS, knowledge_base


@pytest.fixture(params=BACKENDS)
def base(request, tmp_path):
    with knowledge_base(request.param, tmp_path) as opened:
        yield opened


def chain(base, *names):
    """Link entities in a row, each relation with a piece named after its target."""
    for name in names:
        base.add_node(GraphNode(name, "asset", name.upper()))
    for source, target in pairwise(names):
        base.add_piece(KnowledgePiece(f"about-{target}", f"Something about {target}."))
        base.add_edge(GraphEdge(source, target, "FEEDS", {"piece_id": f"about-{target}"}))


def ids(result):
    return [(piece.piece_id, score) for piece, score in result.pieces]


def test_an_entity_and_the_whole_organisation_have_a_profile(base):
    base.add_metadata(EntityMetadata("user:alice", "user", {"team": "aero"}))
    base.add_metadata(EntityMetadata("global", "global", {"organization": "NASA"}))
    result = base.retrieve("anything", "user:alice")
    assert result.metadata == EntityMetadata("user:alice", "user", {"team": "aero"})
    assert result.global_metadata.properties == {"organization": "NASA"}
    assert base.retrieve("anything").metadata is None


def test_an_entity_sees_its_pieces_and_those_of_nobody_but_not_of_another(base):
    for name, entity in (("mine", "asset:a"), ("theirs", "asset:b"), ("shared", None)):
        base.add_piece(
            KnowledgePiece(name, f"The filter is changed, says {name}.", entity_id=entity)
        )
    assert {name for name, _ in ids(base.retrieve("filter", "asset:a"))} == {"mine", "shared"}
    assert {name for name, _ in ids(base.retrieve("filter", "asset:b"))} == {"theirs", "shared"}
    assert {name for name, _ in ids(base.retrieve("filter"))} == {"shared"}


def test_the_active_entity_is_asked_about_unless_another_is_named(base):
    base.active_entity_id = "asset:a"
    base.add_piece(KnowledgePiece("mine", "The filter is blue.", entity_id="asset:a"))
    assert ids(base.retrieve("filter"))[0][0] == "mine"
    assert ids(base.retrieve("filter", "asset:b")) == []


def test_linked_pieces_score_by_how_far_they_are(base):
    chain(base, "a", "b", "c", "d")
    base.graph_traversal_depth = 3
    assert ids(base.retrieve("", "a")) == [("about-b", 1.0), ("about-c", 0.5), ("about-d", 1 / 3)]
    base.graph_traversal_depth = 1
    assert ids(base.retrieve("", "a")) == [("about-b", 1.0)]
    base.graph_traversal_depth = 0
    assert base.retrieve("", "a").graph_context == ()


def test_a_piece_that_is_found_and_linked_has_the_higher_score_once(base):
    chain(base, "a", "b", "c")
    result = base.retrieve("something about c", "a")
    scores = dict(ids(result))
    assert len(scores) == len(result.pieces)
    assert scores["about-b"] == 1.0
    assert scores["about-c"] == 1.0  # all of its words are asked for; the graph says 0.5


def test_a_ring_of_relations_is_walked_once(base):
    chain(base, "a", "b", "c")
    base.add_edge(GraphEdge("c", "a", "RETURNS_TO"))
    base.graph_traversal_depth = 50
    relations = [(r["relation_type"], r["target_node_id"], r["depth"])
                 for r in base.retrieve("", "a").graph_context]  # fmt: skip
    assert relations == [("FEEDS", "b", 1), ("FEEDS", "c", 2), ("RETURNS_TO", "a", 3)]


def test_an_entity_that_everything_hangs_on_does_not_fill_the_prompt():
    base = memory_knowledge_base()
    base.add_node(GraphNode("hub", "site"))
    for number in range(MOST_EDGES + 50):
        base.add_node(GraphNode(f"n{number}", "asset"))
        base.add_edge(GraphEdge("hub", f"n{number}", "HAS"))
    assert len(base.retrieve("", "hub").graph_context) == MOST_EDGES


def test_a_link_to_a_piece_that_is_gone_is_a_plain_relation(base):
    chain(base, "a", "b")
    base.piece_store.delete("about-b")
    result = base.retrieve("", "a")
    assert result.pieces == ()
    assert result.graph_context[0]["piece_id"] == ""


def test_filters_narrow_found_and_linked_pieces(base):
    chain(base, "a", "b")
    base.add_piece(
        KnowledgePiece("rule", "Check b always.", KnowledgeType.INSTRUCTION, tags=("x", "y"))
    )
    wanted = PieceFilter(knowledge_type=KnowledgeType.INSTRUCTION, tags=("x",))
    assert [name for name, _ in ids(base.retrieve("b", "a", wanted=wanted))] == ["rule"]


@pytest.mark.parametrize("query", ["", "  \n"])
def test_an_empty_query_searches_nothing(base, query):
    base.add_piece(KnowledgePiece("p", "Words."))
    assert base.retrieve(query).pieces == ()


def test_least_score_leaves_weak_finds_out():
    base = memory_knowledge_base(least_score=0.5)
    base.add_piece(KnowledgePiece("weak", "The boiler is in the cellar."))
    base.add_piece(KnowledgePiece("good", "Bleed the radiator valve in spring."))
    assert [n for n, _ in ids(base.retrieve("bleed radiator valve spring cellar"))] == ["good"]


def test_called_with_a_question_it_returns_text(base):
    base.add_piece(
        KnowledgePiece("p", "Bleed the radiator.", KnowledgeType.INSTRUCTION, tags=("h",))
    )
    assert base("How do I bleed it?") == "[Knowledge]\n[instruction] Bleed the radiator.\n  Tags: h"


def test_leaving_the_context_closes_every_store():
    closed = []

    class Store:
        def __init__(self, name):
            self.name = name

        def close(self):
            closed.append(self.name)
            if self.name == "pieces":
                raise OSError("disk is gone")

    from knowledge.base import KnowledgeBase

    stores: list[Any] = [Store("metadata"), Store("pieces"), Store("graph")]
    with pytest.raises(OSError, match="disk is gone"), KnowledgeBase(*stores):
        pass
    assert sorted(closed) == ["graph", "metadata", "pieces"]


def test_a_closed_knowledge_base_says_so(tmp_path):
    from knowledge.errors import KnowledgeStoreError

    base = knowledge_base("sqlite", tmp_path)
    base.close()
    base.close()
    with pytest.raises(KnowledgeStoreError, match="closed"):
        base.retrieve("anything")


def test_what_is_kept_is_there_when_the_file_is_opened_again(tmp_path):
    for backend in ("file", "sqlite"):
        with knowledge_base(backend, tmp_path) as base:
            base.add_metadata(EntityMetadata("a", "asset", {"x": 1}))
            chain(base, "a", "b")
            before = base.retrieve("something", "a")
        with knowledge_base(backend, tmp_path) as base:
            assert base.retrieve("something", "a") == before


@pytest.mark.parametrize(
    "add",
    [
        lambda base: base.add_piece(KnowledgePiece("p", "  ")),
        lambda base: base.add_piece(KnowledgePiece("p", "password: Sesame42!")),
        lambda base: base.add_piece(KnowledgePiece("p", "x", tags=("token=abc12345",))),
        lambda base: base.add_pieces([KnowledgePiece("ok", "x"), KnowledgePiece("p", "\0")]),
        lambda base: base.add_metadata(EntityMetadata("u", "user", {"password": "Sesame42!"})),
        lambda base: base.add_node(GraphNode("n", "asset", properties={"api_key": "a1b2c3d4e5"})),
        lambda base: base.add_edge(GraphEdge("a", "b", "HAS", {"pwd": "Sesame42!"})),
        lambda base: base.add_node(GraphNode("", "asset")),
    ],
)
def test_no_way_in_takes_what_may_not_be_kept(base, add):
    for name in ("a", "b"):
        base.add_node(GraphNode(name, "asset"))
    with pytest.raises(KnowledgeRefused) as refusal:
        add(base)
    assert "Sesame42!" not in str(refusal.value)
    assert list(base.piece_store.all()) == []


WORDS = st.sampled_from("pump valve filter seal rotor P-200 S-130 leak noise 24V".split())


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    contents=st.lists(st.lists(WORDS, min_size=1, max_size=5), min_size=1, max_size=12),
    edges=st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 11)), max_size=12
    ),
    query=st.lists(WORDS, min_size=1, max_size=3),
    seed=st.integers(0, 999),
)
@pytest.mark.parametrize("vectors", [None, FakeEmbedder(dimension=64)])
def test_the_order_things_were_kept_in_never_shows(
    tmp_path_factory, vectors, contents, edges, query, seed
):
    pieces = [KnowledgePiece(f"p{n:02}", " ".join(words)) for n, words in enumerate(contents)]
    nodes = [GraphNode(f"n{n}", "asset") for n in range(6)]
    links = [GraphEdge(f"n{a}", f"n{b}", "TO", {"piece_id": f"p{p:02}"}) for a, b, p in edges]
    results = []
    for backend in ("memory", "sqlite", "sqlite"):
        folder = tmp_path_factory.mktemp("shuffled")
        with knowledge_base(backend, folder, vectors) as base:
            for piece in pieces:
                base.add_piece(piece)
            for node in nodes:
                base.add_node(node)
            for link in links:
                base.add_edge(link)
            result = base.retrieve(" ".join(query), "n0")
            text = base(" ".join(query))
        results.append((
            [(piece.piece_id, round(score, 2)) for piece, score in result.pieces]
            if vectors is None else sorted(piece.piece_id for piece, _ in result.pieces),
            json.dumps(result.graph_context), text if vectors is None else "",
        ))  # fmt: skip
        for items in (pieces, nodes, links):
            random.Random(seed).shuffle(items)
    assert results[0] == results[1] == results[2]
