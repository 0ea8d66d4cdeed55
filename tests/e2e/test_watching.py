"""`groundwork watch` on a real library: what comes in, and which edition is asked first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from desktop.cli import main
from tests.e2e.real_library import ask, citations, opened
from tests.fakes.manuals import excerpt

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.slow]

QUESTION = "What is the tightening torque of the terminals X1:1 to X1:4?"
TITLE = "HX-200 Installation"


def test_a_watched_folder_is_taken_in_and_its_newer_edition_is_asked_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    share, library = tmp_path / "share", tmp_path / "library"
    share.mkdir()
    excerpt(share / "hx.pdf", 8, 9, title=TITLE)

    def run(*arguments: object) -> str:
        assert main(["watch", *map(str, arguments), "--library", str(library)]) == 0
        return "".join(capsys.readouterr())

    assert "Watched:" in run("add", share)
    assert "hx.pdf: ready, 2 pages" in run("scan")
    assert "Nothing is new." in run("scan")
    excerpt(share / "hx.pdf", 8, 16, title=TITLE)
    assert "hx.pdf: ready, 2 pages" in run("scan")
    assert run("list").split() == ["1", str(share)]

    with opened(library, read_only=True) as workspace:
        older, newer = workspace.library.documents()
        assert newer.replaces == older.sha256
        cited = citations(ask(workspace, QUESTION))
    assert {each.source.document_id for each in cited} == {newer.id}

    (share / "hx.pdf").unlink()
    excerpt(share / "other.pdf", 10, title=TITLE)
    told = run("scan")
    assert "hx.pdf is no longer in" in told
    assert "other.pdf: ready" in told
    share.rename(tmp_path / "away")
    assert "cannot be reached" in run("scan")
    assert "(not reachable)" in run("list")
    with opened(library, read_only=True) as workspace:
        assert len(workspace.library.documents()) == 3
    assert json.loads((library / "watched.json").read_bytes())["folders"] == [str(share)]
    assert main(["watch", "add", str(share), "--library", str(library)]) == 1
    assert "cannot be watched" in capsys.readouterr().err
