"""`groundwork doctor`: what it finds and how it ends."""

from __future__ import annotations

import json

import pytest

from desktop import tripwire
from desktop.cli import main
from desktop.core import paths
from desktop.core.diagnostics import checkup
from desktop.core.store.database import Database
from desktop.models import text_model
from tests.fakes.manuals import TERMINALS, excerpt

pytestmark = pytest.mark.slow


@pytest.fixture
def quick(monkeypatch):
    """Leave out what takes seconds: starting the parser, hashing the text model."""
    for check in ("_parser", "_text_embedder"):
        finding = checkup.Finding(check, "ok", "not looked at")
        monkeypatch.setattr(checkup, check, lambda *_, finding=finding: finding)


def findings(capsys, library):
    code = main(["doctor", "--json", "--library", str(library)])
    found = {each["subject"]: each for each in json.loads(capsys.readouterr().out)}
    return code, found


def test_every_part_is_named_and_what_is_not_fine_has_an_advice(capsys, tmp_path):
    _, found = findings(capsys, tmp_path / "library")
    assert list(found) == [
        "python",
        "window (Qt)",
        "search index",
        "pdf reader",
        "scanned pages",
        "search by meaning",
        "profile",
        "memory",
        "settings",
        "disk",
        "library",
    ]
    assert all(each["found"] for each in found.values())
    assert all(each["advice"] for each in found.values() if each["state"] != "ok")


def test_a_library_that_is_not_there_yet_is_no_fault(capsys, tmp_path, quick):
    _, found = findings(capsys, tmp_path / "library")
    assert found["library"]["state"] == "ok"
    assert "groundwork ingest" in found["library"]["advice"]
    assert not (tmp_path / "library").exists()


def test_a_library_is_counted(capsys, tmp_path, quick):
    Database.open(tmp_path / "library").close()
    _, found = findings(capsys, tmp_path / "library")
    assert found["library"]["found"].startswith("0 manuals")


def test_manuals_without_vectors_are_named_with_what_to_do(capsys, tmp_path, quick):
    with Database.open(tmp_path / "library") as database:
        database.write(
            lambda c: c.execute(
                "INSERT INTO documents(sha256, name, title, bytes, page_count, state, added_at,"
                " text_done, layout_done) VALUES('a', 'pump.pdf', 'Pump', 1, 9, 'ready', '', 9, 9)"
            )
        )
    code, found = findings(capsys, tmp_path / "library")
    assert code == 0
    assert found["library"]["state"] == "limited"
    assert "pump.pdf" in found["library"]["found"]
    assert "groundwork ingest" in found["library"]["advice"]


def test_a_damaged_library_ends_with_one_and_says_what_to_do(capsys, tmp_path, quick):
    library = tmp_path / "library"
    library.mkdir()
    (library / "library.db").write_bytes(b"this is no database at all" * 100)
    code, found = findings(capsys, library)
    assert code == 1
    assert found["library"]["state"] == "missing"
    assert found["library"]["advice"]


@pytest.mark.parametrize(
    ("read_by", "state"),
    [
        (text_model.MODEL_ID, "ok"),
        ("all-MiniLM-L6-v2@53aa5117", "limited"),
        ("nomic-embed-text@1", "ok"),  # of a profile: it may be the one in force
    ],
)
def test_a_library_that_an_earlier_text_model_has_read_is_told(
    capsys, tmp_path, quick, read_by, state
):
    with Database.open(tmp_path / "library") as database:
        database.write(lambda c: c.execute("INSERT INTO vector_models VALUES(?, 384)", (read_by,)))
    _, found = findings(capsys, tmp_path / "library")
    assert found["library"]["state"] == state
    assert ("earlier text model" in found["library"]["found"]) == (state == "limited")


def test_a_missing_package_is_named_with_what_to_do(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    finding = checkup._package("window (Qt)", "PySide6.QtPdf", ("PySide6",), "missing")
    assert (finding.state, finding.found) == ("missing", "PySide6 is not installed")
    assert "Install" in finding.advice


def test_the_plain_listing_marks_each_line(capsys, tmp_path, quick):
    main(["doctor", "--library", str(tmp_path / "library")])
    out = capsys.readouterr().out
    assert "+ python" in out
    assert "-> groundwork ingest PATH" in out


def test_doctor_offline_counts_what_was_to_be_reached_while_a_manual_is_read_and_asked(
    capsys, monkeypatch, tmp_path
):
    monkeypatch.setenv("GROUNDWORK_HOME", str(tmp_path))
    short = excerpt(tmp_path / "short_installation.pdf", TERMINALS)  # they hold the answer
    monkeypatch.setattr(paths, "sample_manuals", lambda: [short])
    count = tripwire.count
    before = count()  # other tests of this process may have tried something
    monkeypatch.setattr(tripwire, "count", lambda: count() - before)
    assert main(["doctor", "--offline"]) == 0
    told = capsys.readouterr().out
    assert "connections made   0 while this was done" in told
    assert "a question about it: answered" in told
    assert "open sockets       none in" in told


def test_doctor_offline_ends_with_1_and_says_what_was_to_be_reached(monkeypatch):
    monkeypatch.setattr(tripwire, "count", lambda: 1)
    monkeypatch.setattr(tripwire, "attempts", lambda: (tripwire.Attempt("connect", "host:443"),))
    finding = checkup.check_offline("nothing")[0]
    assert finding.state == "missing"
    assert "connect host:443" in finding.found
    assert finding.advice
