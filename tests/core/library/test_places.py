from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.core.library.places import ActivePlace, Place
from desktop.core.library.values import manuals_at
from tests.fakes.parser import write_manual
from tests.fakes.shelf import manual

if TYPE_CHECKING:
    from pathlib import Path

    from tests.core.library.conftest import Bench

PUMP = Place("SITE 12", "Pump P-200")


def add(bench: Bench, folder: Path, *names: str) -> list[int]:
    bench.run(*(write_manual(folder / f"{name}.pdf", [name]) for name in names))
    known = {each.title: each.id for each in bench.library.documents()}
    return [known[name] for name in names]


def test_manuals_get_a_site_and_an_asset_and_keep_them(bench: Bench, tmp_path: Path):
    installer, operator, boiler = add(bench, tmp_path, "installer", "operator", "boiler")
    bench.library.set_place([installer, operator], "SITE 12", "Pump P-200")
    bench.restart()
    places = {each.id: each.place for each in bench.library.documents()}
    assert places == {installer: PUMP, operator: PUMP, boiler: Place()}

    bench.library.set_place([operator], "", "")
    assert not bench.library.document(operator).place


def test_names_are_one_tidy_line_and_keep_the_capitals_that_are_known(bench: Bench, tmp_path: Path):
    first, second = add(bench, tmp_path, "first", "second")
    assert bench.library.set_place([first], "  SITE\n 12\t", "Pump\u202e P-200") == PUMP
    assert bench.library.set_place([second], "site 12", "PUMP P-200") == PUMP
    assert len(bench.library.set_place([first], "x" * 500, "").site) == 80


def test_a_manual_that_is_gone_does_not_keep_the_others_from_their_place(
    bench: Bench, tmp_path: Path
):
    (only,) = add(bench, tmp_path, "only")
    bench.library.set_place([only, 999], "SITE 12", "")
    assert bench.library.document(only).site == "SITE 12"


def test_files_are_taken_in_at_their_place_and_known_ones_move_there(bench: Bench, tmp_path: Path):
    folder = tmp_path / "new"
    folder.mkdir()
    known = write_manual(tmp_path / "known.pdf", ["known"])
    write_manual(folder / "fresh.pdf", ["fresh"])
    bench.run(known)
    bench.ingestion.enqueue([known, folder], PUMP)
    bench.run()
    assert [each.place for each in bench.library.documents()] == [PUMP, PUMP]
    bench.run(known)
    assert bench.library.documents()[0].place == PUMP


def test_a_site_holds_its_assets_and_an_asset_only_itself():
    site, other = Place("site 12"), Place("SITE 7", "Pump P-200")
    assert site.holds(PUMP)
    assert not PUMP.holds(site)
    assert not PUMP.holds(other)
    assert Place().holds(other)
    assert Place(asset="Pump P-200").holds(other)

    pump = replace(manual(1), site="SITE 12", asset="Pump P-200")
    yard = replace(manual(2), site="SITE 12")
    away = replace(manual(3), site="SITE 7")
    shelf = [pump, yard, away, manual(4)]
    assert [each.id for each in manuals_at(site, shelf)] == [1, 2]
    assert [each.id for each in manuals_at(PUMP, shelf)] == [1]


def test_the_place_of_a_question_is_the_one_chosen_when_it_was_asked():
    active = ActivePlace()
    assert not active()
    active.choose(PUMP)
    assert str(active()) == "SITE 12, Pump P-200"
