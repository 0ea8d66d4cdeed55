"""Proposed domains beside a library, and what a person does to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.library.domains import DomainProposals, is_untouched
from desktop.core.library.ingestion import Ingestion
from knowledge.domain_shelf import domain_toml, read_domain, read_domains, write_domain_file
from tests.fakes.parser import write_manual

if TYPE_CHECKING:
    from pathlib import Path

    from tests.core.library.conftest import Bench

PUMP = "P-200 Pump Installation manual"
PUMP_TOO = "P-200 Pump Operator manual"


@pytest.fixture
def folder(bench: Bench) -> Path:
    """Where the domains are; manuals that become ready are proposed there."""
    folder = bench.library.folder.domains
    bench.ingestion = Ingestion(
        bench.database,
        bench.library,
        bench.parser,
        bench.embedder,
        bench.settings,
        DomainProposals(bench.library, folder).update,
    )
    return folder


def take_in(bench: Bench, tmp_path: Path, name: str, title: str) -> None:
    bench.run(write_manual(tmp_path / name, [f"words of {title}"], title=title))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_manual_that_becomes_ready_is_proposed(bench, folder, tmp_path):
    take_in(bench, tmp_path, "p.pdf", PUMP)
    domain = read_domain(folder / "p-200-pump.toml")
    assert domain.proposed
    assert domain.covers("p.pdf", "") is not None
    assert is_untouched(folder / "p-200-pump.toml")


def test_a_second_manual_of_the_product_joins_the_first_ones_file(bench, folder, tmp_path):
    take_in(bench, tmp_path, "p.pdf", PUMP)
    take_in(bench, tmp_path, "o.pdf", PUMP_TOO)
    assert files(folder) == ["p-200-pump.toml"]
    assert len(read_domain(folder / "p-200-pump.toml").manuals) == 2


def test_a_file_that_a_person_edited_is_never_written_again(bench, folder, tmp_path):
    take_in(bench, tmp_path, "p.pdf", PUMP)
    path = folder / "p-200-pump.toml"
    edited = path.read_text().replace("P-200 Pump", "Our pump in the cellar", 1)
    path.write_text(edited)
    take_in(bench, tmp_path, "o.pdf", PUMP_TOO)
    assert path.read_text() == edited
    assert files(folder) == ["p-200-pump-2.toml", "p-200-pump.toml"]
    assert read_domain(folder / "p-200-pump-2.toml").covers("o.pdf", "") is not None
    assert read_domains(folder).problems == ()


def test_a_file_that_a_person_renamed_stays_under_its_new_name(bench, folder, tmp_path):
    take_in(bench, tmp_path, "p.pdf", PUMP)
    (folder / "p-200-pump.toml").rename(folder / "cellar.toml")
    take_in(bench, tmp_path, "crane.pdf", "Crane C7")
    assert files(folder) == ["cellar.toml", "crane-c7.toml"]


def test_an_accepted_proposal_stays_as_it_is(bench, folder, tmp_path):
    take_in(bench, tmp_path, "p.pdf", PUMP)
    accepted = read_domain(folder / "p-200-pump.toml").model_copy(update={"proposed": False})
    write_domain_file(folder / "p-200-pump.toml", domain_toml(accepted))
    take_in(bench, tmp_path, "crane.pdf", "Crane C7")
    assert read_domain(folder / "p-200-pump.toml") == accepted
    assert files(folder) == ["crane-c7.toml", "p-200-pump.toml"]


def test_a_file_that_a_person_broke_is_left_for_him_to_repair(bench, folder, tmp_path):
    take_in(bench, tmp_path, "p.pdf", PUMP)
    path = folder / "p-200-pump.toml"
    path.write_text(path.read_text() + "\nmanuals = ")
    broken = path.read_text()
    take_in(bench, tmp_path, "crane.pdf", "Crane C7")
    assert path.read_text() == broken
    assert len(read_domains(folder).problems) == 1


def test_a_proposal_goes_when_a_person_describes_its_manual(bench, folder, tmp_path):
    take_in(bench, tmp_path, "p.pdf", PUMP)
    (folder / "mine.toml").write_text('title = "Mine"\n[[manuals]]\npatterns = ["p.pdf"]\n')
    take_in(bench, tmp_path, "crane.pdf", "Crane C7")
    assert files(folder) == ["crane-c7.toml", "mine.toml"]


def test_manuals_that_the_program_knows_are_not_proposed(bench, folder, tmp_path):
    take_in(bench, tmp_path, "techman.pdf", "Technical Manual")
    assert not folder.exists()


def test_a_folder_that_cannot_be_written_does_not_stop_ingestion(bench, folder, tmp_path):
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file where the folder should be")
    take_in(bench, tmp_path, "p.pdf", PUMP)
    assert bench.only_document().state == "ready"
