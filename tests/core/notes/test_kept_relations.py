"""The relations of a note that is kept: shown as lines, added, removed, never another note's."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.core.library.places import Place
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note
from knowledge.errors import KnowledgeRefused
from knowledge.graph import GraphEdge, GraphNode

PUMP = Place("SITE 12", "P-200")


@pytest.fixture(params=["memory", "file"])
def desk(request, tmp_path):
    path = None if request.param == "memory" else tmp_path / "knowledge.db"
    desk = NoteDesk(path)
    yield desk
    desk.close()


def kinds(desk):
    return {
        (edge.source_id, edge.edge_type, edge.target_id) for edge in desk.base().graph_store.edges()
    }


def test_a_relation_is_added_to_a_kept_note_and_taken_away_again(desk):
    note = desk.add(Note("The seal leaks.", place=PUMP))
    assert desk.relations(note) == ""
    desk.update(note, "P-200 > has part > Shaft seal")
    assert desk.relations(note) == "P-200 > has part > Shaft seal"
    assert "Shaft seal" in [node.label for node in desk.base().graph_store.nodes()]
    desk.update(note, "P-200 > has part > Shaft seal\nShaft seal > is made of > Viton")
    assert len(desk.relations(note).splitlines()) == 2
    desk.update(note, "")
    assert desk.relations(note) == ""
    labels = [node.label for node in desk.base().graph_store.nodes()]
    assert "Shaft seal" not in labels
    assert "P-200" in labels


def test_where_a_thing_stands_is_its_place_and_stays(desk):
    note = desk.add(Note("The seal leaks.", place=PUMP))
    desk.update(note, "P-200 > has part > Seal")
    desk.update(note, "")
    assert kinds(desk) == {("asset:site-12/p-200", "STANDS_AT", "site:site-12")}


def test_what_another_note_tells_is_not_this_notes_to_remove(desk):
    one = desk.add(Note("The seal leaks.", place=PUMP))
    other = desk.add(Note("The seal is new.", place=PUMP))
    desk.update(other, "P-200 > has part > Seal")
    assert desk.relations(one) == ""
    desk.update(one, "P-200 > feeds > Tank")
    desk.update(one, "")
    assert desk.relations(other) == "P-200 > has part > Seal"


def test_relations_that_nobody_told_are_edited_at_the_thing_they_are_about(desk):
    note = desk.add(Note("The seal leaks.", place=PUMP))
    base = desk.base()
    base.add_node(GraphNode("valve:v1", "valve", "V1"))
    base.add_edge(GraphEdge(note.entity, "valve:v1", "FEEDS", {"description": "by the ring main"}))
    assert desk.relations(note) == "P-200 > feeds > V1"
    desk.update(note, "P-200 > feeds > V1\nV1 > opens > Drain")
    kept = {edge.target_id: edge for edge in base.graph_store.edges()}
    assert kept["valve:v1"].properties["description"] == "by the ring main"
    desk.update(note, "V1 > opens > Drain")
    assert desk.relations(note) == "V1 > opens > Drain"


def test_a_note_that_moves_to_another_thing_leaves_that_things_relations_alone(desk):
    note = desk.add(Note("The seal leaks.", place=PUMP))
    there = Place("SITE 12", "P-300")
    elsewhere = desk.add(Note("Another pump.", place=there))
    base = desk.base()
    base.add_node(GraphNode("valve:v1", "valve", "V1"))
    base.add_edge(GraphEdge(elsewhere.entity, "valve:v1", "FEEDS"))
    desk.update(replace(note, place=there), "P-300 > has part > Seal")
    assert "P-300 > feeds > V1" in desk.relations(elsewhere)


@pytest.mark.parametrize("wrong", ["P-200 has part seal", "P-200 > > seal", "a > b > c > d"])
def test_a_line_that_cannot_be_read_changes_nothing_at_all(desk, wrong):
    note = desk.add(Note("The seal leaks.", place=PUMP))
    desk.update(note, "P-200 > has part > Seal")
    with pytest.raises(KnowledgeRefused, match="Line 2"):
        desk.update(replace(note, text="Other words."), f"P-200 > has part > Seal\n{wrong}")
    assert desk.get(note.piece_id).text == "The seal leaks."
    assert desk.relations(note) == "P-200 > has part > Seal"


def test_a_secret_is_refused_in_a_relation_too(desk):
    note = desk.add(Note("The panel is locked.", place=PUMP))
    with pytest.raises(KnowledgeRefused):
        desk.update(note, "P-200 > has password > password: Zw4rt&Rood!7")
    assert desk.relations(note) == ""


def test_saving_a_note_as_before_leaves_its_relations(desk):
    note = desk.add(Note("The seal leaks.", place=PUMP))
    desk.update(note, "P-200 > has part > Seal")
    desk.update(replace(note, text="The seal leaks badly."))
    assert desk.relations(note) == "P-200 > has part > Seal"
