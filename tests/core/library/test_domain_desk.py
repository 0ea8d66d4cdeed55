"""The domains of a library as a person works on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from desktop.core.library.domains import DomainDesk, is_untouched, proposal_text
from knowledge.domain import Domain, ManualProfile, NamedManual
from knowledge.domain_shelf import write_domain_file

if TYPE_CHECKING:
    from pathlib import Path

CRANE = Domain(
    name="crane", title="Crane 500", manuals=(ManualProfile(patterns=("crane*",)),), proposed=True
)
MANUALS = [
    NamedManual(1, "crane-operator.pdf", "Crane operator"),
    NamedManual(2, "techman.pdf", "ThorGuard"),
    NamedManual(3, "lonely.pdf", "Lonely"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "domains"
    write_domain_file(folder / "crane.toml", proposal_text(CRANE))
    return folder


@pytest.fixture
def desk(folder: Path) -> DomainDesk:
    return DomainDesk(folder, lambda: MANUALS)


def origins(desk: DomainDesk) -> dict[str, str]:
    return {each.domain.name: each.origin for each in desk.look().domains}


def test_every_domain_tells_where_it_comes_from_and_what_it_covers(desk):
    seen = desk.look()
    assert [each.domain.name for each in seen.domains] == ["crane", "thorguard", "hx200"]
    assert origins(desk) == {"crane": "proposed", "thorguard": "built_in", "hx200": "built_in"}
    covered = [[each.manual.name for each in known.covered] for known in seen.domains]
    assert covered == [["crane-operator.pdf"], ["techman.pdf"], []]
    assert [each.name for each in seen.undescribed] == ["lonely.pdf"]
    assert seen.to_check == (), "its only manual is nothing to decide"


def test_a_proposal_that_is_saved_belongs_to_the_person(desk, folder):
    proposal = next(each for each in desk.look().domains if each.origin == "proposed")
    path = desk.save(proposal.domain, proposal.path)
    assert path == folder / "crane.toml"
    assert not is_untouched(path)
    assert origins(desk)["crane"] == "own"


def test_changing_a_built_in_one_makes_a_copy_that_can_be_taken_back(desk, folder):
    known = next(each for each in desk.look().domains if each.domain.name == "thorguard")
    changed = known.domain.model_copy(update={"title": "Our alarm"})
    path = desk.save(changed, known.path)
    own = next(each for each in desk.look().domains if each.domain.name == "thorguard")
    assert (own.domain.title, own.origin, own.replaces_built_in) == ("Our alarm", "own", True)
    desk.delete(path)
    assert origins(desk)["thorguard"] == "built_in"


def test_a_deleted_domain_can_be_brought_back_as_it_was(desk, folder):
    path = folder / "crane.toml"
    before = path.read_text("utf-8")
    text = desk.delete(path)
    assert "crane" not in origins(desk)
    desk.restore(path, text)
    assert path.read_text("utf-8") == before


def test_a_file_that_cannot_be_read_and_one_too_many_are_told_with_their_reason(desk, folder):
    (folder / "broken.toml").write_text('title = "no end', "utf-8")
    (folder / "twice.toml").write_text(
        'name = "crane"\ntitle = "Twice"\n[[manuals]]\npatterns = ["x"]\n', "utf-8"
    )
    broken = {each.path.name: each.reason for each in desk.look().broken}
    assert broken["broken.toml"].startswith("it is not valid TOML")
    assert broken["twice.toml"] == "another file already describes crane."


def test_a_file_keeps_its_own_name_when_it_is_saved(desk, folder):
    (folder / "my notes.toml").write_text(
        'name = "lift"\ntitle = "Lift"\n[[manuals]]\npatterns = ["lonely*"]\n', "utf-8"
    )
    known = next(each for each in desk.look().domains if each.domain.name == "lift")
    assert desk.save(known.domain, known.path).name == "my notes.toml"
    assert sorted(path.name for path in folder.iterdir()) == ["crane.toml", "my notes.toml"]


def test_a_new_domain_gets_a_name_that_nothing_has(desk):
    assert desk.free_name("Crane") == "crane-2"
    assert desk.free_name("HX200") == "hx200-2"
    assert desk.free_name("Boiler B7 (new)") == "boiler-b7-new"
    assert desk.free_name("日本") == "product"
