"""`groundwork` as a person types it, on a real manual."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pymupdf
import pytest
from PIL import Image

from desktop.cli import main
from tests.e2e.real_library import groundwork
from tests.fakes.manuals import TERMINALS, excerpt

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = "What is the tightening torque of the terminals X1:1 to X1:4?"
TORQUE = "1.8 Nm"
LINE_TYPES = {"decision", "status", "result", "token", "citation", "confidence", "complete"}
PIXELS_PER_POINT = 2
# around a cited box, in points: the marker's margin and a pixel of rounding
MARGIN = 3.0


def test_ingest_says_what_became_of_each_manual(ingested_by_command):
    assert "short.pdf: ready, 2 pages" in ingested_by_command[1]


@pytest.fixture(scope="module")
def asked(ingested_by_command, tmp_path_factory):
    """A question that was asked with its events and its pages, and the folder of these."""
    library, _ = ingested_by_command
    place = tmp_path_factory.mktemp("asked")
    ended = groundwork(
        place / "home", "ask", QUESTION, "--json", "--pages", place / "pages", "--library", library
    )
    assert ended.returncode == 0, ended.stderr
    return ended, place / "pages"


def test_ask_json_prints_the_events_of_the_specification_one_a_line(asked):
    lines = [json.loads(line) for line in asked[0].stdout.splitlines()]
    assert {line["type"] for line in lines} >= LINE_TYPES
    assert lines[0]["type"] == "decision"
    assert lines[-1]["type"] == "complete"
    assert lines[-1]["outcome"] == "answered"
    assert TORQUE in "".join(line["content"] for line in lines if line["type"] == "token")


def test_the_written_page_is_highlighted_where_the_citation_says_and_nowhere_else(
    asked, short_manual
):
    ended, pictures = asked
    cited = [json.loads(line) for line in ended.stdout.splitlines()]
    sources = [line["source"] for line in cited if line["type"] == "citation"]
    (picture,) = pictures.iterdir()
    assert str(picture) in ended.stderr

    shown = np.asarray(Image.open(picture).convert("RGB")).astype(int)
    plain = _drawn(short_manual, sources[0]["page"])
    assert shown.shape == plain.shape
    marked = np.abs(shown - plain).max(axis=2) > 8
    allowed = np.zeros_like(marked)
    for box in (box for source in sources for box in source["regions"]):
        assert marked[_area(box, 0.0)].mean() > 0.6, "a cited box is not highlighted"
        allowed[_area(box, MARGIN)] = True
    assert not (marked & ~allowed).any(), "something else is highlighted"
    quoted = pymupdf.open(short_manual)[sources[0]["page"]].search_for("X1:1 to X1:4")
    assert any(marked[_area(tuple(rect), 0.0)].mean() > 0.6 for rect in quoted)


@pytest.fixture
def run(capsys):
    """Runs a command in this process; returns how it ended, and what it printed."""

    def run(*arguments):
        ended = main([*map(str, arguments)])
        return ended, *capsys.readouterr()

    return run


def test_a_protected_manual_needs_its_password_and_keeps_it_to_itself(tmp_path, run):
    locked = tmp_path / "locked.pdf"
    with pymupdf.open(excerpt(tmp_path / "open.pdf", TERMINALS)) as document:
        document.save(
            locked,
            encryption=pymupdf.PDF_ENCRYPT_AES_256,
            user_pw="sesame-41",
            owner_pw="owner-41",
        )
    folder, pictures = tmp_path / "library", tmp_path / "pages"

    ended, _, told = run("ingest", locked, "--library", folder)
    assert ended == 1
    assert "locked.pdf: protected; give its password with --password" in told

    ended, _, told = run("ingest", locked, "--password", "open", "--library", folder)
    assert ended == 1
    assert "That is not the password for locked.pdf" in told

    ended, _, told = run("ingest", locked, "--password", "sesame-41", "--library", folder)
    assert ended == 0, told
    assert "locked.pdf: ready, 1 page" in told

    asking = ("ask", QUESTION, "--pages", pictures, "--library", folder)
    ended, answer, told = run(*asking)
    assert TORQUE in answer, "the answer itself needs no password"
    assert ended == 1
    assert "--password" in told

    ended, _, told = run(*asking, "--password", "sesame-41")
    assert ended == 0, told
    assert len(list(pictures.iterdir())) == 1
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"sesame-41" not in file.read_bytes(), f"it is in {file}"


def test_a_file_that_could_not_be_read_does_not_keep_the_others_from_answering(
    short_library, run, tmp_path
):
    damaged = tmp_path / "damaged pump.pdf"
    damaged.write_bytes(b"%PDF-1.7\nnothing more")
    assert run("ingest", damaged, "--library", short_library)[0] == 1
    ended, answer, told = run("ask", QUESTION, "--library", short_library)
    assert ended == 0, told
    assert TORQUE in answer


def test_the_doctor_finds_everything_that_was_installed(short_library, run):
    ended, report, _ = run("doctor", "--json", "--library", short_library)
    found = {finding["subject"]: finding for finding in json.loads(report)}
    assert ended == 0, report
    assert found["library"]["found"].startswith("1 manual (1 ready), 2 pages")
    assert found["library"]["state"] == "ok"
    assert found["search by meaning"]["state"] == "ok"


def _drawn(path: Path, page: int) -> np.ndarray:
    with pymupdf.open(path) as document:
        pixmap = document[page].get_pixmap(
            matrix=pymupdf.Matrix(PIXELS_PER_POINT, PIXELS_PER_POINT), alpha=False
        )
    pixels = np.frombuffer(pixmap.samples, np.uint8).reshape(pixmap.height, pixmap.width, 3)
    return pixels.astype(int)


def _area(box, margin: float) -> tuple[slice, slice]:
    x0, y0, x1, y1 = box.values() if isinstance(box, dict) else box
    return tuple(
        slice(
            max(0, round((low - margin) * PIXELS_PER_POINT)),
            round((high + margin) * PIXELS_PER_POINT),
        )
        for low, high in ((y0, y1), (x0, x1))
    )  # type: ignore[return-value]
