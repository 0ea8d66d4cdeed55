"""Notes on the command line."""

from __future__ import annotations

import io
import json

import pytest

import desktop.app
from desktop.cli import main
from desktop.core.notes.desk import NoteDesk
from desktop.core.paths import LibraryFolder
from desktop.core.store.database import Database
from tests.fakes.language_model import FakeLanguageModel
from tests.fakes.workspace import make_workspace

STRUCTURED = {
    "metadata": {},
    "pieces": [
        {
            "piece_id": "seal-torque",
            "content": "The seal bolts take 12 Nm.",
            "knowledge_type": "fact",
            "info_type": "context",
            "tags": ["seal"],
        }
    ],
    "graph": {},
}


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "library"
    Database.open(folder).close()
    return folder


@pytest.fixture
def model():
    return FakeLanguageModel()


@pytest.fixture
def run(library, capsys, monkeypatch, model):
    """Runs a command over real notes; a model answers if a test enqueued something."""

    def open_workspace(folder, **options):
        paths = LibraryFolder(folder)
        workspace = make_workspace()
        has_answers = bool(model._scripts)
        workspace.notes = NoteDesk(
            paths.knowledge,
            language_model=lambda: model if has_answers else None,
            check_ins=paths.check_ins,
        )
        workspace.resources.callback(workspace.notes.close)
        return workspace

    monkeypatch.setattr(desktop.app, "open_workspace", open_workspace)

    def call(*arguments: str):
        code = main(["--library", str(library), "knowledge", *arguments])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


@pytest.fixture
def text(tmp_path):
    file = tmp_path / "note.txt"
    file.write_text("Never use grease on the seal.", "utf-8")
    return str(file)


def listed(run, *arguments):
    return json.loads(run("list", "--json", *arguments)[1])["pieces"]


def test_a_text_becomes_notes_by_rules_where_there_is_no_model(run, text, library):
    code, out, err = run("ingest", text, "--asset", "P-200", "--role", "fitter", "--tag", "seal")
    assert (code, err) == (0, "")
    assert "[instruction] Never use grease on the seal.  (asset P-200, fitter" in out
    assert "Kept: 1 note, 1 item new or changed." in out
    (piece,) = listed(run, "--asset", "p-200")
    assert (piece["author"], piece["entity_id"]) == ("fitter", "asset:p-200")
    assert "seal" in piece["tags"]
    assert len(list((library / "check-ins").glob("*.json"))) == 1


def test_the_language_model_structures_a_text(run, text, model):
    model.enqueue(json.dumps(STRUCTURED))
    code, out, _ = run("ingest", text)
    assert code == 0
    assert "[fact] The seal bolts take 12 Nm." in out
    assert [piece["piece_id"] for piece in listed(run)] == ["seal-torque"]


def test_rules_are_told_of_when_the_model_did_not_do_it(run, text, model):
    for _ in range(3):
        model.enqueue("no")
    code, out, err = run("ingest", text)
    assert code == 0
    assert err.startswith("The language model did not structure the text.")
    assert "[instruction]" in out


def test_the_same_text_twice_changes_nothing(run, text):
    run("ingest", text)
    assert "0 items new or changed" in run("ingest", text)[1]
    assert len(listed(run)) == 1


def test_a_dry_run_keeps_nothing(run, text):
    assert "Nothing was kept" in run("ingest", text, "--dry-run")[1]
    assert listed(run) == []


def test_a_text_is_read_from_standard_input(run, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("Check the oil."))
    assert run("ingest", "-")[0] == 0
    assert [piece["content"] for piece in listed(run)] == ["Check the oil."]


def test_a_secret_is_refused_with_the_reason_and_never_repeated(run, tmp_path, library, model):
    model.enqueue(json.dumps(STRUCTURED))
    file = tmp_path / "secret.txt"
    file.write_text("The door code.\npassword: Sesame42!x\n")
    code, out, err = run("ingest", str(file))
    assert code == 1
    assert "a password, key or token (line 2)" in err
    assert "Sesame" not in out + err
    assert model.requests == []
    assert not (library / "check-ins").exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"  \n", "is empty"), (b"\xff\xfe\x00x", "is not UTF-8 text"),
     (b"x " * 60_000, "120,000 characters")],
)  # fmt: skip
def test_what_is_no_text_is_refused_with_the_reason(run, tmp_path, content, said):
    file = tmp_path / "odd.txt"
    file.write_bytes(content)
    code, _, err = run("ingest", str(file))
    assert code == 1
    assert said in err


def test_notes_go_out_to_a_file_and_come_in_from_it(run, text, tmp_path):
    run("ingest", text, "--site", "SITE 12", "--asset", "P-200")
    out = tmp_path / "notes.json"
    assert run("export", str(out))[1] == f"Written: {out}, 1 note\n"
    (piece,) = listed(run)
    run("delete", piece["piece_id"], "--yes")
    assert listed(run) == []
    assert run("import", str(out))[0] == 0
    assert listed(run) == [piece]
    assert "P-200" in run("list")[1]


def test_an_import_names_what_it_leaves_out_and_fails_if_nothing_is_left(run, tmp_path):
    file = tmp_path / "in.json"
    bad = {"piece_id": "b", "content": "token=abc12345x"}
    file.write_text(json.dumps({"pieces": [{"piece_id": "a", "content": "Fine."}, bad]}))
    code, out, err = run("import", str(file))
    assert code == 0
    assert "pieces[1]: The content seems to contain" in err
    assert "abc12345x" not in out + err
    file.write_text(json.dumps({"pieces": [bad]}))
    assert run("import", str(file))[0] == 1
    file.write_text("{")
    code, _, err = run("import", str(file))
    assert code == 1
    assert "in.json is not valid JSON" in err
    assert "Traceback" not in err


def test_deleting_asks_first_and_names_what_is_not_there(run, text, monkeypatch):
    run("ingest", text)
    (piece,) = listed(run)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run("delete", piece["piece_id"])[0] != 0
    assert len(listed(run)) == 1
    code, _, err = run("delete", "gone")
    assert code == 1
    assert "groundwork knowledge list" in err


def test_the_list_is_narrowed_down_by_words_tag_and_type(run, text):
    run("ingest", text, "--tag", "seal")
    assert listed(run, "--search", "grease")
    assert listed(run, "--tag", "Seal")
    assert listed(run, "--type", "Instruction")
    assert listed(run, "--type", "fact") == []
    assert "There are no such notes." in run("list", "--search", "nothing of it")[2]
    assert "Available: fact, instruction" in run("list", "--type", "opinion")[2]


def test_without_a_library_the_command_says_what_to_do(tmp_path, capsys):
    assert main(["--library", str(tmp_path / "none"), "knowledge", "list"]) == 1
    assert "There is no library" in capsys.readouterr().err


def test_a_library_without_notes_gets_no_file_by_being_listed(run, library):
    assert listed(run) == []
    assert not LibraryFolder(library).knowledge.exists()


def test_notes_that_cannot_be_opened_are_explained(run, text, library):
    LibraryFolder(library).knowledge.mkdir()
    code, _, err = run("ingest", text)
    assert code == 1
    assert "cannot be" in err
    assert "Traceback" not in err
