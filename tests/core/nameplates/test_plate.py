"""What a plate says is told by its labels and shapes, and looked up in titles, pages and notes."""

from __future__ import annotations

from contextlib import closing

import pytest

from desktop.app import open_workspace
from desktop.app.models import warm_up
from desktop.core.errors import NotAPicture
from desktop.core.library.places import Place
from desktop.core.nameplates.plate import field_of, read_plate
from desktop.core.notes.note import Note
from desktop.core.paths import sample_manuals
from desktop.core.settings.sections import Settings
from desktop.core.structure.values import PhotoLine
from tests.core.nameplates.plate_cases import MANUALS, PLATES
from tests.e2e.real_library import ingest
from tests.fakes.plates import write_manuals


def lines(*rows):
    """Return lines of print, each (text, left, top)."""
    return [PhotoLine(t, (x, y, x + 12.0 * len(t), y + 20.0), 0.95) for t, x, y in rows]


@pytest.mark.parametrize(
    ("label", "field"),
    [
        ("Serial No.:", "serial"),
        ("SERIAL N0", "serial"),
        ("Fabr.-Nr", "serial"),
        ("Typ:", "model"),
        ("Hersteller", "maker"),
        ("Nennspannung", "rating"),
        ("Baujahr", "other"),
        ("HX-200", None),
        ("Lydmoor Pumpworks", None),
    ],
)
def test_a_label_is_known_by_the_pieces_of_its_words(label, field):
    assert field_of(label) == field


def test_values_stand_beside_or_below_their_labels_or_after_them():
    beside = [("Type", 0, 0), ("HX-200", 200, 2), ("S/N", 0, 40), ("K-917", 200, 41)]
    below = [("Type", 0, 0), ("HX-200", 0, 30), ("S/N", 200, 0), ("K-917", 200, 30)]
    after = [("Type: HX-200 S/N: K-917", 0, 0), ("230 V 50 Hz", 0, 40)]
    plates = [read_plate(lines(*rows)) for rows in (beside, below, after)]
    assert {(plate.model, plate.serial) for plate in plates} == {("HX-200", "K-917")}
    assert plates[-1].ratings == ("230 V 50 Hz",)


def test_the_largest_words_are_the_maker_unless_a_label_says_who():
    large = PhotoLine("Lydmoor Pumpworks", (0, 0, 400, 60), 0.9)
    assert read_plate([large, *lines(("Type HX-200", 0, 80))]).maker == "Lydmoor Pumpworks"
    labelled = lines(("Manufacturer: Orwick", 0, 80))
    assert read_plate([large, *labelled]).maker == "Orwick"


def test_ratings_dates_and_serial_numbers_do_not_tell_a_manual():
    plate = read_plate(lines(("Type: HX-200", 0, 0), ("S/N: KT310", 0, 40), ("IP20", 0, 80)))
    assert plate.telling == ("HX-200",)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory):
    """A library of seven manuals, and what reads plates for it."""
    folder = tmp_path_factory.mktemp("plates")
    with closing(open_workspace(folder / "library", settings=Settings())) as workspace:
        warm_up(workspace.parser)
        ingest(workspace, [*sample_manuals(), *write_manuals(folder / "pdf", MANUALS)])
        yield workspace


@pytest.mark.slow
@pytest.mark.parametrize("name", PLATES)
def test_a_photographed_plate_finds_its_manuals_and_no_others(shelf, name):
    plate, wanted = PLATES[name]
    _, finding = shelf.nameplates.read(plate.jpeg())
    titles = [title for match in finding.matches for title in match.titles]
    if not wanted:
        assert finding.outcome != "found"
        return
    assert titles
    assert all(any(name in title for name in wanted) for title in titles)
    assert finding.outcome == ("found" if len(wanted) == 1 else "asked")
    if finding.outcome == "found":
        assert wanted[0] in str(finding.found)
        assert finding.plate.serial


@pytest.mark.slow
def test_a_serial_number_in_a_note_about_an_asset_finds_its_manuals(shelf):
    compressor = next(each for each in shelf.library.documents() if "KT310" in each.title)
    place = Place("SITE 12", "Compressor 3")
    shelf.library.set_place([compressor.id], place.site, place.asset)
    shelf.notes.add(Note("Its serial number is ZZ-90817.", place=place))
    finding = shelf.nameplates.find(read_plate(lines(("Serial No. ZZ-90817", 0, 0))))
    assert finding.outcome == "found"
    assert finding.matches[0].place == place
    assert "ZZ-90817" in finding.matches[0].why


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"", b"%PDF-1.7", b"\x89PNG\r\n\x1a\n" + b"\0" * 40])
def test_what_is_no_picture_is_refused(shelf, data):
    with pytest.raises(NotAPicture):
        shelf.nameplates.read(data)
