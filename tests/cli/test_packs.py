"""`groundwork pack` as a company's IT and an engineer type it."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from desktop.app import models
from desktop.cli.application import main
from desktop.core.settings.file import settings_file
from desktop.core.settings.sections import ParserSettings, Settings
from desktop.core.settings.storage import save_settings
from tests.core.manual_packs.conftest import MIXER, PUMP, Company
from tests.fakes.manuals import TERMINALS, excerpt


@pytest.fixture
def company(tmp_path, monkeypatch):
    company = Company(tmp_path / "company")
    company.write("pump.pdf", PUMP, title="Pump")
    company.write("hall 2/mixer.pdf", MIXER, title="Mixer")

    @contextmanager
    def tools(_settings):
        yield company.tools

    monkeypatch.setattr(models, "open_pack_tools", tools)
    return company


def _run(*words):
    return main(["pack", *map(str, words)])


def test_the_whole_way_from_a_folder_to_a_laptop_and_back(company, tmp_path, capsys):
    pack, key, library = tmp_path / "plant", tmp_path / "keys" / "plant.key", tmp_path / "library"
    assert _run("keygen", key) == 0
    assert "Fingerprint: " in capsys.readouterr().out
    assert _run("keygen", key) == 1
    assert "keys are never replaced" in capsys.readouterr().err
    assert _run("build", company.manuals, "--out", pack, "--name", "Plant") == 0
    told = capsys.readouterr().out
    assert "Plant, release 1: 2 manuals, 5 pages. 2 built now" in told
    assert "Sign it: groundwork pack sign" in told
    assert _run("attach", pack, "-l", library) == 1
    assert "The signature is missing" in capsys.readouterr().err
    assert _run("sign", pack, "--key", key) == 0
    assert _run("attach", pack, "-l", library) == 1
    assert "does not trust" in capsys.readouterr().err
    assert _run("trust", key) == 1
    assert "stays with its owner" in capsys.readouterr().err
    assert _run("trust", key.with_suffix(".pub")) == 0
    assert _run("verify", pack) == 0
    assert "every file is as signed" in capsys.readouterr().out
    assert _run("attach", pack, "-l", library) == 0
    assert "Plant, release 1: 2 added." in capsys.readouterr().out
    assert _run("list", "-l", library) == 0
    told = capsys.readouterr().out
    assert "Plant, release 1 of " in told
    assert "2 manuals, 5 pages" in told
    company.write("valve.pdf", ["The valve."], title="Valve")
    assert _run("build", company.manuals, "--out", pack) == 0
    assert _run("update", "plant", "-l", library) == 1
    assert _run("sign", pack, "--key", key) == 0
    assert _run("update", "plant", "-l", library) == 0
    assert "Plant, release 2: 1 added. 2 unchanged." in capsys.readouterr().out
    assert _run("detach", "plant", "-l", library) == 0
    assert "3 removed" in capsys.readouterr().out
    assert _run("list", "-l", library) == 0
    assert "No pack is attached" in capsys.readouterr().out


def test_a_site_names_its_part_in_a_file(company, tmp_path, capsys):
    company.release()
    _run("trust", company.key.with_suffix(".pub"))
    listed = tmp_path / "site.txt"
    listed.write_text("hall 2/*\n\nturbine\n")
    library = tmp_path / "library"
    assert _run("attach", company.pack.root, "--only-from", listed, "-l", library) == 0
    assert main(["documents", "list", "-l", str(library)]) == 0
    told = capsys.readouterr().out
    assert "Mixer" in told
    assert "Pump" not in told
    listed.write_text("\n")
    assert _run("attach", company.pack.root, "--only-from", listed, "-l", library) == 1


def test_what_cannot_be_read_is_told_and_the_rest_is_built(company, tmp_path, capsys):
    (company.manuals / "text.pdf").write_text("no pdf")
    assert _run("build", company.manuals, "--out", tmp_path / "plant") == 1
    told = capsys.readouterr()
    assert "text.pdf: This is not a PDF." in told.err
    assert "2 manuals, 5 pages. 2 built now, 0 were there, 1 in quarantine" in told.out


def test_verify_names_what_is_damaged(company, tmp_path, capsys):
    pack = company.release()
    public = company.key.with_suffix(".pub")
    assert _run("verify", company.pack.root, "--key", public) == 0
    company.pack.manual(pack.shards[0].manual).write_bytes(b"%PDF-other")
    assert _run("verify", company.pack.root, "--key", public) == 1
    told = capsys.readouterr().out
    assert f"x {pack.shards[0].title}: " in told
    assert "damaged or has been changed" in told


def test_a_key_with_a_passphrase(company, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("desktop.cli.packs._asked_for", lambda *_args, **_more: "correct horse")
    key = tmp_path / "locked.key"
    assert _run("keygen", key, "--passphrase") == 0
    company.build()
    assert _run("sign", company.pack.root, "--key", key) == 1
    assert "passphrase is needed" in capsys.readouterr().err
    assert _run("sign", company.pack.root, "--key", key, "--passphrase") == 0


def test_a_key_is_trusted_no_longer(company, tmp_path, capsys):
    company.release()
    _run("trust", company.key.with_suffix(".pub"), "--name", "acme")
    assert _run("trust", "--remove", "acme") == 0
    assert "No key is trusted" in capsys.readouterr().out
    assert _run("trust", "--remove", "acme") == 1
    assert _run("attach", company.pack.root, "-l", tmp_path / "library") == 1


@pytest.mark.slow
def test_a_real_manual_is_answered_from_a_pack(tmp_path, capsys):
    manuals = tmp_path / "manuals"
    manuals.mkdir()
    excerpt(manuals / "short.pdf", 0, TERMINALS)
    patient = ParserSettings(page_seconds=600, document_seconds=600)
    save_settings(settings_file(), Settings(parser=patient))
    pack, key, library = tmp_path / "plant", tmp_path / "plant.key", tmp_path / "library"
    assert _run("build", manuals, "--out", pack) == 0
    assert _run("keygen", key) == 0
    assert _run("sign", pack, "--key", key) == 0
    assert _run("trust", key.with_suffix(".pub")) == 0
    assert _run("attach", pack, "-l", library) == 0
    question = "What is the tightening torque of the terminals X1:1 to X1:4?"
    assert main(["ask", question, "-l", str(library)]) == 0
    assert "1.8 Nm" in capsys.readouterr().out
