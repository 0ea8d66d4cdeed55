"""The notes of a library: written, found again, structured, exchanged, and never mixed up."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from desktop.core.jobs import CancelToken
from desktop.core.library.places import Place
from desktop.core.notes.desk import NoteDesk
from desktop.core.notes.note import Note, NoteFilter
from knowledge.errors import KnowledgeRefused
from knowledge.pieces import KnowledgeType, PageLink
from tests.fakes.language_model import FakeLanguageModel

NOW = datetime(2026, 3, 12, 9, 30, tzinfo=UTC)
PUMP = Place("SITE 12", "P-200")
SHA = "ab" * 32


@pytest.fixture(params=["memory", "file"])
def desk(request, tmp_path):
    path = None if request.param == "memory" else tmp_path / "knowledge.db"
    desk = NoteDesk(path, now=lambda: NOW)
    yield desk
    desk.close()


def test_a_library_without_notes_gets_no_file_until_the_first_one(tmp_path):
    path = tmp_path / "knowledge.db"
    desk = NoteDesk(path)
    assert desk.list() == ()
    assert desk.delete("gone") is None
    assert not path.exists()
    desk.add(Note("The seal leaks."))
    assert path.exists()
    desk.close()


def test_a_note_comes_back_as_it_was_written(desk):
    link = PageLink(SHA, 3, "seal", ((1.0, 2.0, 3.0, 4.5),))
    note = Note(
        "Tighten to 12 Nm.", kind=KnowledgeType.INSTRUCTION, info_type="lessons", tags=("seal",),
        place=PUMP, role="shift lead", written="2026-03-01", tier=5, pages=(link,),
        search_words="torque",
    )  # fmt: skip
    kept = desk.add(note)
    assert kept == replace(note, piece_id=kept.piece_id)
    assert desk.get(kept.piece_id) == kept
    assert desk.list() == (kept,)
    assert kept.scope == "asset P-200"


def test_a_new_note_has_the_date_of_today(desk):
    assert desk.add(Note("Words.")).written == "2026-03-12"


def test_the_same_words_about_two_assets_are_two_notes(desk):
    desk.add(Note("Leaks.", place=PUMP))
    desk.add(Note("Leaks.", place=Place("SITE 12", "P-300")))
    desk.add(Note("Leaks.", place=Place("SITE 13", "P-200")))
    assert len(desk.list()) == 3
    assert {str(note.place) for note in desk.list()} == {
        "SITE 12, P-200", "SITE 12, P-300", "SITE 13, P-200",
    }  # fmt: skip


def test_a_note_is_changed_and_a_deleted_one_comes_back(desk):
    kept = desk.add(Note("Leaks.", place=PUMP))
    changed = desk.update(replace(kept, text="Leaks no more."))
    assert desk.list() == (changed,)
    assert desk.delete(changed.piece_id) == changed
    assert desk.list() == ()
    desk.update(changed)
    assert desk.list() == (changed,)


def test_a_list_is_narrowed_down_and_the_latest_comes_first(desk):
    old = desk.add(Note("The seal leaks.", tags=("Seal",), written="2026-01-02", place=PUMP))
    new = desk.add(
        Note("Use grease.", kind=KnowledgeType.INSTRUCTION, written="2026-02-02", role="fitter",
             place=Place("SITE 12"), pages=(PageLink(SHA, 1),))
    )  # fmt: skip
    assert desk.list() == (new, old)
    assert desk.list(NoteFilter(text="SEAL p-200")) == (old,)
    assert desk.list(NoteFilter(text="fitter")) == (new,)
    assert desk.list(NoteFilter(tag="seal")) == (old,)
    assert desk.list(NoteFilter(place=Place("site 12"))) == (new, old)
    assert desk.list(NoteFilter(place=PUMP)) == (old,)
    assert desk.list(NoteFilter(kind=KnowledgeType.INSTRUCTION)) == (new,)
    assert desk.list(most=1) == (new,)


def test_whoever_listens_hears_of_every_change_until_it_ends(desk):
    heard = []
    end = desk.subscribe(lambda: heard.append(len(desk.list())))
    kept = desk.add(Note("One."))
    desk.update(replace(kept, text="Two."))
    desk.delete(kept.piece_id)
    end()
    desk.add(Note("Three."))
    assert heard == [1, 1, 0]


def test_a_secret_is_refused_on_every_way_in_and_never_repeated(desk, tmp_path):
    bad = "The password: Sesame42!x"
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"pieces": [{"piece_id": "p", "content": bad}]}))
    kept = desk.add(Note("Words."))
    for way in (
        lambda: desk.add(Note(bad)),
        lambda: desk.update(replace(kept, text=bad)),
        lambda: desk.add(Note("Words", tags=(bad,))),
        lambda: desk.add(Note("Words", pages=(PageLink(SHA, 0, bad),))),
        lambda: desk.structure(bad),
        lambda: desk.add(Note("   ")),
    ):
        with pytest.raises(KnowledgeRefused) as refusal:
            way()
        assert "Sesame" not in str(refusal.value)
    proposal = desk.structure("Fine words.")
    edited = replace(proposal, notes=(replace(proposal.notes[0], text=bad),))
    for problems in (desk.keep(edited).problems, desk.import_json(file).problems):
        assert "seems to contain" in str(problems[0])
        assert "Sesame" not in str(problems[0])
    assert desk.list() == (kept,)


def test_without_a_model_rules_structure_a_text_and_nothing_is_kept_yet(desk):
    text = "Never use grease on P-200.\n\nFirst close V1, then open V2."
    proposal = desk.structure(text, PUMP, role="fitter", tags=("pump",), pages=(PageLink(SHA, 2),))
    assert [note.kind for note in proposal.notes] == ["instruction", "procedure"]
    assert all(note.place == PUMP and note.role == "fitter" for note in proposal.notes)
    assert all("pump" in note.tags and note.pages for note in proposal.notes)
    assert (proposal.by_model, proposal.notice) == (False, "")
    assert desk.list() == ()
    kept = desk.keep(replace(proposal, notes=proposal.notes[:1]))
    assert [note.text for note in kept.notes] == ["Never use grease on P-200."]
    assert len(desk.list()) == 1


STRUCTURED = {
    "metadata": {"user:alice": {"entity_type": "user", "properties": {"team": "aero"}}},
    "pieces": [{"piece_id": "les", "content": "Start LES from RANS.",
                "knowledge_type": "procedure", "info_type": "instructions", "tags": ["les"],
                "entity_id": "user:alice", "embedding_text": "warm start"}],
    "graph": {
        "nodes": [{"node_id": "user:alice", "node_type": "user", "label": "Alice"},
                  {"node_id": "technique:les", "node_type": "technique", "label": "LES"}],
        "edges": [{"source_id": "user:alice", "target_id": "technique:les",
                   "edge_type": "SPECIALIZES_IN",
                   "properties": {"piece_id": "les", "description": ""}}],
    },
}  # fmt: skip


def structuring(*answers):
    model = FakeLanguageModel(*[a if isinstance(a, str) else json.dumps(a) for a in answers])
    return model, NoteDesk(language_model=lambda: model, now=lambda: NOW)


def test_the_language_model_structures_a_text():
    model, desk = structuring(STRUCTURED)
    proposal = desk.structure("Start LES from RANS.")
    assert proposal.by_model
    (note,) = proposal.notes
    assert (note.kind, note.entity_id) == (KnowledgeType.PROCEDURE, "user:alice")
    assert note.scope == "user alice"
    assert proposal.profiles == ("user:alice: team: aero",)
    assert proposal.relations == ("user:alice SPECIALIZES_IN technique:les",)
    assert desk.keep(proposal).problems == ()
    edges = desk.base().graph_store.edges_from("user:alice")
    assert [(edge.target_id, edge.edge_type, edge.piece_id) for edge in edges] == [
        ("technique:les", "SPECIALIZES_IN", "les")
    ]
    prompt = "\n".join(message.text for message in model.requests[0].messages)
    assert "Leave out every credential" in prompt


def test_a_malformed_answer_is_asked_for_again_with_what_was_wrong():
    wrong = json.loads(json.dumps(STRUCTURED))
    wrong["pieces"][0]["knowledge_type"] = "opinion"
    model, desk = structuring("no JSON at all", wrong, STRUCTURED)
    proposal = desk.structure("Start LES from RANS.")
    assert proposal.by_model
    assert len(proposal.faults) == 2
    prompt = "\n".join(message.text for message in model.requests[2].messages)
    assert "it must be one of fact, instruction" in prompt


def test_rules_do_it_when_the_model_cannot_and_say_so():
    _, desk = structuring("no", "no", "no")
    proposal = desk.structure("Never use grease.", PUMP)
    assert not proposal.by_model
    assert proposal.notice.startswith("The language model did not structure the text.")
    assert proposal.notes[0].place == PUMP


def test_the_place_a_person_chose_goes_before_the_models_guess():
    _, desk = structuring(STRUCTURED)
    (note,) = desk.structure("Start LES from RANS.", PUMP).notes
    assert (note.place, note.entity_id) == (PUMP, None)


def test_a_structured_piece_never_takes_the_place_of_another_note():
    _, desk = structuring(STRUCTURED)
    desk.add(Note("Something else.", piece_id="les"))
    kept = desk.keep(desk.structure("Start LES from RANS."))
    assert {note.text for note in desk.list()} == {"Something else.", "Start LES from RANS."}
    (edge,) = desk.base().graph_store.edges_from("user:alice")
    assert edge.piece_id == kept.notes[0].piece_id != "les"


def test_keeping_a_text_leaves_a_check_in_record(tmp_path):
    desk = NoteDesk(check_ins=tmp_path / "check-ins", now=lambda: NOW)
    desk.keep(desk.structure("Never use grease."))
    (record,) = (tmp_path / "check-ins").glob("*.json")
    written = json.loads(record.read_text())
    assert written["raw_input"] == "Never use grease."
    assert written["structured_output"]["pieces"][0]["content"] == "Never use grease."


def test_what_is_exported_can_be_imported_elsewhere(desk, tmp_path):
    note = desk.add(Note("Leaks.", place=PUMP, tier=5, pages=(PageLink(SHA, 1),)))
    desk.add(Note("Other."))
    assert desk.export_json(tmp_path / "out.json", [note]) == 1
    other = NoteDesk()
    assert other.import_json(tmp_path / "out.json").problems == ()
    assert other.list() == (note,)
    assert desk.export_json(tmp_path / "all.json") == 2


def test_missing_vectors_are_made_later_and_go_on_where_they_were_stopped(tmp_path):
    from desktop.core.jobs import Cancelled
    from desktop.core.notes.desk import NoteVectors
    from tests.fakes.embedder import FakeEmbedder

    cancel = CancelToken()

    class Stopped(FakeEmbedder):
        def embed(self, texts):
            cancel.cancel()
            return super().embed(texts)

    embedder = Stopped()
    desk = NoteDesk(tmp_path / "knowledge.db", NoteVectors(embedder, embedder))
    for number in range(150):
        desk.add(Note(f"Note number {number}."))
    assert embedder.embedded == []
    with pytest.raises(Cancelled):
        desk.embed_missing(cancel)
    assert len(embedder.embedded) == 64
    desk.embed_missing(CancelToken())
    assert len(set(embedder.embedded)) == len(embedder.embedded) == 150
    desk.close()


def test_a_note_of_another_program_is_listed(tmp_path):
    here, there = (NoteDesk(tmp_path / "knowledge.db") for _ in range(2))
    assert here.list() == ()
    here.add(Note("One.", pages=(PageLink(SHA, 0),)))
    assert len(here.list()) == 1
    there.add(Note("Two.", pages=(PageLink(SHA, 0),)))
    assert {note.text for note in here.list()} == {"One.", "Two."}
    here.close()
    there.close()


def test_a_proposal_is_kept_whole_or_not_at_all(desk, monkeypatch):
    proposal = desk.structure("Never use grease.", PUMP)
    base = desk.base()

    def fail(_pieces):
        raise OSError("the disk is gone")

    monkeypatch.setattr(base.piece_store, "add_all", fail)
    with pytest.raises(OSError, match="disk is gone"):
        desk.keep(proposal)
    monkeypatch.undo()
    assert desk.list() == ()
    assert base.graph_store.nodes() == []
    assert len(desk.keep(proposal).notes) == 1


def test_an_assets_name_is_spelled_as_it_was_first_written(desk):
    desk.add(Note("One.", place=Place("Site 12", "Pump P-200")))
    desk.add(Note("Two.", place=Place("SITE 12", "pump p-200")))
    assert {str(note.place) for note in desk.list()} == {"Site 12, Pump P-200"}


def test_a_place_of_an_imported_file_is_known_by_its_id_alone(desk, tmp_path):
    file = tmp_path / "in.json"
    pieces = [
        {"piece_id": "a", "content": "One.", "entity_id": "asset:P-200"},
        {"piece_id": "b", "content": "Two.", "entity_id": "asset:site 12/p-200"},
        {"piece_id": "c", "content": "Three.", "entity_id": "user:alice"},
    ]
    file.write_text(json.dumps({"pieces": pieces}))
    desk.import_json(file)
    assert {note.text: str(note.place) for note in desk.list()} == {
        "One.": "P-200", "Two.": "site 12, p-200", "Three.": "",
    }  # fmt: skip
