"""Relations as lines, back and forth."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.core.library.places import Place
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from desktop.core.notes.relations import (
    relation_lines,
    with_relations,
)
from knowledge.errors import KnowledgeRefused

P200 = Place("SITE 12", "Pump P-200")
NOTE = Note("The seal wears out.", piece_id="seal-note", place=P200)
DATA = {
    "metadata": {"user:alice": {"entity_type": "user", "properties": {"team": "aero"}}},
    "pieces": [{"piece_id": "seal-note", "content": "The seal wears out."}],
    "graph": {
        "nodes": [
            {"node_id": "user:alice", "node_type": "user", "label": "Alice"},
            {"node_id": "technique:les", "node_type": "technique", "label": "LES"},
        ],
        "edges": [
            {
                "source_id": "user:alice",
                "target_id": "technique:les",
                "edge_type": "SPECIALIZES_IN",
                "properties": {"piece_id": "seal-note", "description": "since 2019"},
            }
        ],
    },
}


def test_relations_are_read_as_sentences_with_the_names_of_things():
    assert relation_lines(DATA) == "Alice > specializes in > LES"


def test_unchanged_lines_change_nothing():
    assert with_relations(DATA, relation_lines(DATA), [NOTE]) == DATA


def test_a_written_relation_joins_the_asset_of_the_note_with_a_new_thing():
    text = relation_lines(DATA) + "\npump p-200 > has part > Shaft seal"
    graph = with_relations(DATA, text, [NOTE])["graph"]
    assert graph["edges"][-1] == {
        "source_id": "asset:site-12/pump-p-200",
        "target_id": "thing:shaft-seal",
        "edge_type": "HAS_PART",
        "properties": {"piece_id": "seal-note"},
    }
    assert [node["label"] for node in graph["nodes"]] == [
        "Alice",
        "LES",
        "Pump P-200",
        "Shaft seal",
    ]


def test_a_name_with_a_type_makes_a_thing_of_that_type():
    graph = with_relations({}, "Pump P-200 > has part > valve:V-12", [NOTE])["graph"]
    assert graph["nodes"][-1] == {"node_id": "valve:V-12", "node_type": "valve", "label": "V-12"}


def test_a_deleted_line_takes_its_relation_and_the_things_only_it_named():
    assert with_relations(DATA, "", [NOTE]) == {
        "metadata": DATA["metadata"],
        "pieces": DATA["pieces"],
    }


@pytest.mark.parametrize("line", ["seal", "a > b", "a > > c", "a > b > c > d", "a > ! > c"])
def test_a_line_that_is_no_relation_is_named_by_its_number(line):
    with pytest.raises(KnowledgeRefused, match="Line 2 is not in the form"):
        with_relations(DATA, f"Alice > knows > LES\n{line}", [NOTE])


def test_a_relation_is_kept_and_the_place_keeps_its_spelling():
    desk = NoteDesk()
    proposal = desk.structure("The seal of the pump wears out.", P200, by_rules=True)
    data = with_relations(proposal.data, "Pump P-200 > has part > Shaft seal", proposal.notes)
    kept = desk.keep(replace(proposal, data=data))
    assert kept.problems == ()
    assert kept.notes[0].place == P200
    graph = desk.base().graph_store
    assert {node.label for node in graph.nodes()} >= {"Pump P-200", "Shaft seal", "SITE 12"}
    assert "HAS_PART" in {edge.edge_type for edge in graph.edges()}
