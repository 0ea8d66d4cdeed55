"""`python -m scripts.bench labels`, as somebody at a terminal sees it."""

import json
from contextlib import ExitStack
from types import SimpleNamespace

import pytest

from scripts.bench import labels as label_bench
from scripts.bench.__main__ import main
from tests.fakes.bookcase import bookcase_at
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.labels import PUMP_QUESTION, label_manual, write_labels
from tests.fakes.manuals import fill
from tests.fakes.workspace import make_workspace


@pytest.fixture
def bench(tmp_path, monkeypatch):
    """Runs the command on labels about a pump that is in the library and a crane that is not."""
    with ExitStack() as stack:
        bookcase = stack.enter_context(bookcase_at(tmp_path / "library", FakeEmbedder()))
        fill(bookcase)
        opened = []

        def open_workspace(folder, **options):
            opened.append(options)
            workspace = make_workspace(searcher=bookcase.searcher)
            workspace.library, workspace.database = bookcase.library, bookcase.database
            workspace.models.text = lambda: FakeEmbedder()
            return workspace

        monkeypatch.setattr(label_bench, "open_workspace", open_workspace)
        (pump,) = (each for each in bookcase.library.documents() if each.name == "pump.pdf")
        labels = tmp_path / "labels"
        labels.mkdir()
        manuals = [label_manual("pump", sha256=pump.sha256), label_manual("crane")]
        asked = [
            PUMP_QUESTION | {"question": "Replace fuse F2?", "answers": [PLACE]},
            PUMP_QUESTION | {"id": "q2", "answerable": False, "answers": []},
        ]
        write_labels(labels, manuals, {"pump": asked})

        def run(*more):
            return main(["labels", str(labels), *more])

        yield SimpleNamespace(run=run, opened=opened)


PLACE = {"page": 1, "words": [[3, 5]], "value": "F2"}


def test_labels_are_measured_in_one_table_beside_the_baselines_then_in_groups(bench, capsys):
    assert bench.run() == 0
    out, err = capsys.readouterr()
    table, *groups = out.split("By ")
    for shown in (
        "choose split, rules, lite",
        "Groundwork",
        "BM25 pages",
        "plain sum",
        "Hit@1",
        "ahead of plain sum",
    ):
        assert shown in table
    assert [group.split()[0] for group in groups][:2] == ["language", "asked"]
    assert "makers/manuals at abc: docs/crane.pdf" in err
    assert bench.opened[0]["read_only"]


def test_all_measures_are_written_as_json(bench, tmp_path):
    path = tmp_path / "report.json"
    assert bench.run("--report", str(path)) == 0
    report = json.loads(path.read_text())
    assert set(report["systems"]) == {"Groundwork", "BM25 pages", "plain sum"}
    assert report["systems"]["BM25 pages"]["hit@1"]["n"] == 1
    assert (report["manuals"], report["labelled"], report["unanswerable"]) == (2, 2, 1)
    assert [row["id"] for row in report["questions"]] == ["q1", "q2"]


def test_a_split_without_a_manual_in_the_library_is_refused(bench):
    with pytest.raises(SystemExit, match="no manual of these labels is ready"):
        bench.run("--split", "test")


def test_labels_that_cannot_be_read_are_named(tmp_path):
    write_labels(tmp_path, [label_manual("pump")], {"pump": [PUMP_QUESTION | {"page": 3}]})
    with pytest.raises(SystemExit, match=r"pump\.jsonl, line 1"):
        main(["labels", str(tmp_path)])
