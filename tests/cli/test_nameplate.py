"""`groundwork nameplate`: read, found and said, or asked, or nothing."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from desktop.cli import main
from desktop.core.library.places import Place
from desktop.core.nameplates.finder import Clue, Match, PlateFinding
from desktop.core.nameplates.plate import Plate
from tests.fakes.workspace import make_workspace

PLATE = Plate(("HX-200",), maker="Lydmoor", model="HX-200", serial="A 17", ratings=("230 V",))
FOUND = Match((1,), ("HX-200",), Place("", "Pump 3"), 9.0, (Clue("HX-200", "title", 9.0, True),))


@pytest.fixture
def read(library, opened, tmp_path, capsys):
    """Run the command on a photo that is read so; returns code and output."""

    def run(finding, *arguments):
        photo = tmp_path / "plate.jpg"
        photo.write_bytes(b"jpeg")
        workspace = make_workspace()
        workspace.nameplates = SimpleNamespace(read=lambda data: (None, finding))
        opened(workspace)
        code = main(["nameplate", str(photo), "--library", str(library), *arguments])
        return code, capsys.readouterr().out

    return run


def test_it_says_what_was_read_what_matches_and_why(read):
    code, out = read(PlateFinding(PLATE, "found", (FOUND,)))
    assert code == 0
    assert "Read: Lydmoor, HX-200, serial number A 17, 230 V." in out
    assert "because “HX-200” is in its title" in out
    assert "Pump 3" in out
    assert '--manual "HX-200"' in out


def test_nothing_found_ends_with_1_and_the_next_step(read):
    code, out = read(PlateFinding(PLATE, "nothing"))
    assert code == 1
    assert "Add the manual for this machine" in out


def test_json_has_all_of_it(read):
    code, out = read(PlateFinding(PLATE, "asked", (FOUND,)), "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["outcome"], told["serial"], told["ratings"]) == ("asked", "A 17", ["230 V"])
    assert told["matches"][0]["because"] == [{"text": "HX-200", "where": "title"}]
