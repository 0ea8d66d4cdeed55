"""Sites and assets on the command line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desktop.cli import main
from desktop.core.library.values import DocumentChanged
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import manual
from tests.fakes.workspace import FakeLibrary, make_workspace


def ask(library, *arguments):
    return main(["ask", "What is the fuse?", "--library", str(library), *arguments])


def placed(id_, name, site, asset):
    return replace(manual(id_, name), site=site, asset=asset)


def sites():
    return FakeLibrary(
        placed(1, "pump.pdf", "SITE 12", "Pump P-200"),
        placed(2, "yard.pdf", "SITE 12", ""),
        placed(3, "boiler.pdf", "SITE 7", "Boiler B7"),
        manual(4, "anywhere.pdf"),
    )


@pytest.mark.parametrize(
    ("arguments", "asked", "place"),
    [
        (("--site", "site 12"), {1, 2}, "SITE 12"),
        (("--site", "SITE 12", "--asset", "pump p-200"), {1}, "SITE 12, Pump P-200"),
        (("--asset", "Boiler B7"), {3}, "Boiler B7"),
        (("--site", "SITE 12", "--manual", "yard"), {2}, "SITE 12"),
    ],
)
def test_a_question_at_a_site_asks_its_manuals_and_the_agent_knows_where(
    library, opened, arguments, asked, place
):
    searcher = FakeSearcher([page_found("x")])
    workspace = make_workspace(library=sites(), searcher=searcher)
    opened(workspace)
    assert ask(library, *arguments) == 0
    assert searcher.queries[0].document_ids == frozenset(asked)
    assert str(workspace.place()) == place


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--site", "SITE 99"), "no manual belongs to 'SITE 99'. There are: SITE 12, SITE 7"),
        (("--site", "SITE 7", "--asset", "Pump P-200"), "There are: Boiler B7"),
        (("--site", "SITE 7", "--manual", "yard"), "no manual is called 'yard'"),
    ],
)
def test_a_place_without_manuals_is_wrong_usage(library, opened, capsys, arguments, says):
    opened(make_workspace(library=sites()))
    assert ask(library, *arguments) == 2
    assert says in " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_of_many_manuals_those_called_most_alike_are_told(library, opened, capsys):
    many = [manual(n, f"boiler-b{n}.pdf") for n in range(1, 30)]
    opened(make_workspace(library=FakeLibrary(*many, manual(30, "centrifugal-pump.pdf"))))
    assert ask(library, "--manual", "centrifuge pump") == 2
    told = " ".join(capsys.readouterr().err.replace("│", " ").split())
    assert "The most alike: centrifugal-pump.pdf" in told
    assert "groundwork documents list" in told
    assert "boiler-b9.pdf" not in told


def sources():
    return FakeLibrary(
        replace(manual(1, "pump.pdf"), tier=1, tags=("Hydraulics",)),
        replace(manual(2, "bulletin.pdf"), tier=2, tags=("hydraulics", "2026")),
        replace(manual(3, "remark.pdf"), tier=4),
    )


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (("--tier", "1", "--tier", "2"), {1, 2}),
        (("--tag", "HYDRAULICS", "--tier", "2"), {2}),
        (("--tag", "2026", "--tag", "nothing"), {2}),
        (("--manual", "remark", "--tier", "4"), {3}),
    ],
)
def test_a_question_can_keep_to_tiers_and_tags(library, opened, arguments, asked):
    searcher = FakeSearcher([page_found("x")])
    opened(make_workspace(library=sources(), searcher=searcher))
    assert ask(library, *arguments) == 0
    assert searcher.queries[0].document_ids == frozenset(asked)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--tier", "3"), "no manual matches."),
        (("--tag", "pneumatics"), "Tags in use: 2026, Hydraulics, hydraulics"),
    ],
)
def test_tiers_and_tags_that_no_manual_has_are_wrong_usage(
    library, opened, capsys, arguments, says
):
    opened(make_workspace(library=sources()))
    assert ask(library, *arguments) == 2
    assert says in " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_manuals_are_ingested_to_their_site_and_asset(tmp_path, opened):
    workspace = make_workspace(library=FakeLibrary(), events=[DocumentChanged(manual())])
    opened(workspace)
    pdf = tmp_path / "pump.pdf"
    pdf.touch()
    arguments = ["--site", " SITE 12", "--asset", "Pump P-200", "-l", str(tmp_path / "library")]
    assert main(["ingest", str(pdf), *arguments]) == 0
    assert str(workspace.ingestion.place) == "SITE 12, Pump P-200"


def test_a_place_that_only_notes_know_can_be_chosen(library, opened):
    from desktop.core.library.places import Place
    from desktop.core.notes.note import Note

    workspace = make_workspace(library=sites(), searcher=FakeSearcher([page_found("x")]))
    workspace.notes.add(Note("It hums.", place=Place("SITE 9", "Fan F1")))
    opened(workspace)
    assert ask(library, "--site", "site 9", "--asset", "fan f1") == 0
    assert str(workspace.place()) == "SITE 9, Fan F1"
