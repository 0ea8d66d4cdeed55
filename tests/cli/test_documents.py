"""`groundwork documents`."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from desktop.cli import main
from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.settings.sections import IngestionSettings
from desktop.core.store.database import Database
from tests.fakes.parser import FakeParser, write_manual

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def library(tmp_path: Path) -> Path:
    folder = tmp_path / "library"
    with Database.open(folder) as database:
        ingestion = Ingestion(
            database, Library(database, folder), FakeParser(), None, IngestionSettings()
        )
        ingestion.enqueue(
            [
                write_manual(tmp_path / "pump.pdf", ["Operator manual\nEdition 3, March 2026"]),
                write_manual(tmp_path / "sb12.pdf", ["Service bulletin 12"]),
            ]
        )
        list(ingestion.run(CancelToken()))
    return folder


def listed(library: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[dict]:
    capsys.readouterr()
    assert main(["documents", "list", "--json", "-l", str(library), *options]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_the_list_says_tier_type_and_revision(library: Path, capsys):
    pump, bulletin = listed(library, capsys)
    assert (pump["tier"], pump["revision"], pump["revision_date"]) == (1, "Edition 3", "2026-03")
    assert (bulletin["tier"], bulletin["source_type"]) == (2, "bulletin")
    assert main(["documents", "list", "-l", str(library)]) == 0
    assert "bulletin" in capsys.readouterr().out


def test_what_is_set_by_hand_is_listed_and_found_by_its_tag(library: Path, capsys):
    arguments = ["--tier", "4", "--type", "site note", "--tag", "Pumps", "--revision", "B"]
    assert main(["documents", "set", "pump", *arguments, "-l", str(library)]) == 0
    (pump,) = listed(library, capsys, "--tag", "pumps")
    assert (pump["name"], pump["tier"], pump["source_type"]) == ("pump.pdf", 4, "site note")
    assert pump["revision"] == "B"
    assert main(["documents", "set", "pump", "--by-rules", "-l", str(library)]) == 0
    assert listed(library, capsys)[0]["tier"] == 1


@pytest.mark.parametrize(
    "arguments",
    [["pump"], ["pump", "--tier", "6"], ["pump", "--date", "March"], ["nobody", "--tier", "2"]],
)
def test_wrong_usage_ends_with_two(library: Path, arguments: list[str]):
    assert main(["documents", "set", *arguments, "-l", str(library)]) == 2


def test_a_removed_document_and_its_copy_are_gone(library: Path, capsys):
    before = list((library / "originals").iterdir())
    assert main(["documents", "remove", "pump", "--yes", "-l", str(library)]) == 0
    assert "Removed pump.pdf" in capsys.readouterr().out
    assert [each["name"] for each in listed(library, capsys)] == ["sb12.pdf"]
    assert len(list((library / "originals").iterdir())) == len(before) - 1


def test_nothing_is_removed_unless_it_is_confirmed(library: Path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert main(["documents", "remove", "pump", "-l", str(library)]) != 0
    assert len(listed(library, capsys)) == 2
