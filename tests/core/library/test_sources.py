"""How far documents are to be trusted: rules, a person's word, older libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.library.sources import (
    UNKNOWN,
    DocumentWords,
    revision_of,
    tier_of,
)
from desktop.core.library.values import BadSource, SourceEdit
from desktop.core.settings.sections import DEFAULT_TABLE, SourceTier
from tests.fakes.parser import write_manual

if TYPE_CHECKING:
    from pathlib import Path

    from tests.core.library.conftest import Bench


@pytest.mark.parametrize(
    ("name", "title", "cover", "expected"),
    [
        ("hx200_operator_manual.pdf", "HX-200, Operator manual", "", (1, "manual")),
        ("zoe.pdf", "ZOE Display Benutzerhandbuch", "", (1, "manual")),
        ("x.pdf", "MPPT 1210", "MPPT 1210 User Manual", (1, "manual")),
        ("EN_60204-1.pdf", "EN 60204-1 Safety of machinery", "", (1, "standard")),
        ("SB-12.pdf", "Service Bulletin 12: operator manual, page 4", "", (2, "bulletin")),
        ("sop_lockout.pdf", "sop_lockout", "", (2, "procedure")),
        ("a.pdf", "Training manual HX-200", "", (3, "training")),
        ("b.pdf", "b", "Site notes of P-200", (4, "site note")),
        ("c.pdf", "c", "Something else", (5, "unverified")),
    ],
)
def test_a_document_is_told_by_its_title_its_name_or_its_cover(name, title, cover, expected):
    found = tier_of(DocumentWords(name, title, [cover] if cover else []), DEFAULT_TABLE)
    assert (found.tier, found.type) == expected


def test_a_manual_that_mentions_a_bulletin_inside_stays_a_manual():
    pages = ["HX-200", "See service bulletin 12. This manual belongs to the station."]
    found = tier_of(DocumentWords("hx.pdf", "hx", pages), DEFAULT_TABLE)
    assert (found.tier, found.type) == (1, "manual")


def test_the_exact_name_in_the_table_counts_before_everything_else():
    table = {**DEFAULT_TABLE, "old manual.pdf": SourceTier(tier=5, type="withdrawn")}
    assert tier_of(DocumentWords("Old manual.pdf", "Old"), table).type == "withdrawn"
    assert tier_of(DocumentWords("", ""), {}) == UNKNOWN


@pytest.mark.parametrize(
    ("name", "titles", "cover", "expected"),
    [
        ("hx", "HX-200 | LP-HX200-IM-03, Edition 3, March 2026", "", ("Edition 3", "2026-03")),
        ("um", "", "Document revision G, September 2017", ("Revision G", "2017-09")),
        ("srm", "", "Rev A5.5\nMay 20, 2013", ("Rev A5.5", "2013-05-20")),
        ("board_revC", "", "", ("Rev C", "")),
        ("chiller", "", "Manual P/N 000131 Rev. 11/09/00", ("Rev 11/09/00", "")),
        ("uk", "", "Program version number: 6.00.00", ("", "")),
        ("r", "A review of the revision process", "In this version we", ("", "")),
        ("de", "", "Ausgabe 2, 3. März 2021", ("Ausgabe 2", "2021-03-03")),
        ("bad", "", "2021-13-40", ("", "")),
    ],
)
def test_revision_and_date_are_read_as_they_are_written(name, titles, cover, expected):
    assert revision_of(name, titles, [cover] if cover else []) == expected


def test_ingestion_says_what_a_document_is(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "sb.pdf", ["Service bulletin 12\nRev 2, May 2024"]))
    document = bench.only_document()
    assert (document.tier, document.source_type) == (2, "bulletin")
    assert (document.revision, document.revision_date) == ("Rev 2", "2024-05")


def test_what_a_person_said_stays_until_the_rules_are_asked_again(bench: Bench, tmp_path: Path):
    bench.run(write_manual(tmp_path / "pump manual.pdf", ["Rev 2"]))
    document = bench.only_document()
    edit = SourceEdit(tier=4, source_type="site note", tags=("Pumps", "pumps", " "))
    bench.library.set_source([document.id, 99], edit)
    bench.library.read_sources()
    said = bench.only_document()
    assert (said.tier, said.source_type, said.tags, said.revision) == (
        4,
        "site note",
        ("pumps",),
        "Rev 2",
    )
    bench.library.read_sources(again=[document.id])
    again = bench.only_document()
    assert (again.tier, again.source_type, again.tags) == (1, "manual", ("pumps",))


@pytest.mark.parametrize(
    "edit",
    [
        SourceEdit(tier=0),
        SourceEdit(tier=6),
        SourceEdit(source_type=" "),
        SourceEdit(revision_date="May 2024"),
    ],
)
def test_what_cannot_be_meant_is_refused_and_changes_nothing(
    bench: Bench, tmp_path: Path, edit: SourceEdit
):
    bench.run(write_manual(tmp_path / "manual.pdf", ["x"]))
    before = bench.only_document()
    with pytest.raises(BadSource):
        bench.library.set_source([before.id], edit)
    assert bench.only_document() == before
