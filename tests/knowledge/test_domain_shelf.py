"""The domains of an open library, while manuals and files change."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

from knowledge.domain import NamedManual
from knowledge.domain_shelf import DomainShelf

INSTALLATION = NamedManual(1, "hx200_installation_manual.pdf", "HX-200")
OPERATOR = NamedManual(2, "hx200_operator_manual.pdf", "HX-200")
TECHMAN = NamedManual(3, "techman.pdf", "")
BOILER = 'title = "Boiler"\n[[manuals]]\npatterns = ["b7*"]\n'


def test_a_manual_that_is_added_is_known_at_once():
    manuals = [INSTALLATION]
    shelf = DomainShelf(None, lambda: manuals)
    assert "not in this library" in shelf.atlas().agent_description
    manuals.append(OPERATOR)
    assert "not in this library" not in shelf.atlas().agent_description
    manuals.append(TECHMAN)
    assert "ThorGuard" in shelf.atlas().agent_description


def test_an_edited_file_counts_at_once_and_a_broken_one_is_reported(tmp_path):
    shelf = DomainShelf(tmp_path, lambda: [NamedManual(1, "b7.pdf", "B7")])
    path = tmp_path / "boiler.toml"
    path.write_text(BOILER)
    assert "Boiler" in [d.title for d in shelf.active()]
    path.write_text(BOILER.replace("Boiler", "Heater"))
    os.utime(path, ns=(1, 1))
    assert "Heater" in [d.title for d in shelf.active()]
    path.write_text("title = ")
    assert shelf.active() == ()
    assert "boiler.toml" in shelf.problems()[0]
    path.unlink()
    assert shelf.problems() == ()


def test_files_are_read_once_while_they_stay_the_same(tmp_path, monkeypatch):
    (tmp_path / "boiler.toml").write_text(BOILER)
    shelf = DomainShelf(tmp_path, list)
    first = shelf.domains()
    assert shelf.domains() is first


def test_every_product_has_its_own_opinion():
    shelf = DomainShelf(None, lambda: [INSTALLATION, OPERATOR, TECHMAN])
    assert [dict(each) for each in shelf.preferred("Which cable is used for wiring?")] == [
        {1: 1.0, 2: 0.0},
        {3: 1.0},
    ]
    assert shelf.preferred("How heavy is it?") == ()


def test_many_threads_may_ask_at_once(tmp_path):
    (tmp_path / "boiler.toml").write_text(BOILER)
    shelf = DomainShelf(tmp_path, lambda: [INSTALLATION, OPERATOR])
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: shelf.preferred("Which menu?"), range(64)))
    assert answers == [answers[0]] * 64
