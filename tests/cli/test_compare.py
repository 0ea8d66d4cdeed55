"""`groundwork compare`."""

from __future__ import annotations

import json

import pymupdf
import pytest

from desktop.cli import main
from tests.core.revisions.test_changes import STEPS, TORQUES, pages
from tests.fakes.bookcase import bookcase_at


@pytest.fixture
def library(tmp_path):
    torques = (TORQUES[0], ("Housing lid", "1.5 Nm", "PZ 2"), *TORQUES[2:])
    with bookcase_at(tmp_path) as bookcase:
        bookcase.add("pump_rev_a.pdf", pages(), title="HX-200 service manual Rev A")
        new = pages(torques=torques, steps=STEPS[:3])
        bookcase.add("pump_rev_b.pdf", new, title="HX-200 service manual Rev B")
        bookcase.library.read_sources()
    return tmp_path / "library"


def test_both_names_and_the_other_revision_mean_the_same(library, capsys):
    assert main(["compare", "pump_rev_a", "pump_rev_b", "-l", str(library)]) == 0
    told = capsys.readouterr().out
    assert "1.2 Nm → 1.5 Nm" in told
    assert told.index("Values (1)") < told.index("Steps (1)")
    for name in ("pump_rev_a", "2"):  # the newest one is compared with the one before it
        assert main(["compare", name, "-l", str(library)]) == 0
        assert capsys.readouterr().out == told


def test_json_cites_page_and_boxes_on_both_sides(library, capsys):
    assert main(["compare", "1", "2", "--json", "-l", str(library)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["counts"]["value"] == 1
    change = found["changes"][0]
    assert change["values"] == [{"old": "1.2 Nm", "new": "1.5 Nm"}]
    for side in ("old", "new"):
        assert change[side]["page"] == 2
        assert change[side]["label"] == "3"
        assert len(change[side]["boxes"][0]) == 4
    assert change["sure"] is True


def test_the_report_is_a_pdf_or_markdown(library, tmp_path, capsys):
    pdf, markdown = tmp_path / "report.pdf", tmp_path / "report.md"
    for path in (pdf, markdown):
        assert main(["compare", "1", "2", "--out", str(path), "-l", str(library)]) == 0
    said = markdown.read_text("utf-8")
    assert "## Values (1)" in said
    assert "page 3" in said
    with pymupdf.open(pdf) as document:
        printed = "".join(page.get_text() for page in document)
    assert "1.2 Nm → 1.5 Nm" in printed
    assert "Rev B" in printed


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["1", "1"], 1, "Both names refer to the same manual."),
        (["pump", "2"], 2, "matches several manuals"),
        (["nothing", "2"], 2, "no manual is called 'nothing'"),
        (["1", "2", "--out", "report.docx"], 2, "a report must be a .pdf or .md file"),
    ],
)
def test_what_cannot_be_compared_says_why(library, capsys, arguments, code, sentence):
    assert main(["compare", *arguments, "-l", str(library)]) == code
    assert sentence in capsys.readouterr().err
