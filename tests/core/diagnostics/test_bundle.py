from __future__ import annotations

import json
import logging
import threading
import zipfile
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pymupdf
import pytest

from desktop.app import open_workspace
from desktop.cli import main
from desktop.core.diagnostics import checkup
from desktop.core.diagnostics.bundle import log_tail, write_bundle
from desktop.core.events import CompleteEvent
from desktop.core.jobs import CancelToken
from desktop.core.paths import LibraryFolder
from desktop.core.settings.sections import Settings
from desktop.core.settings.storage import LoadedSettings

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow

SECRET = "zirconquark"
"""A word that stands in everything a person brings or says, and nowhere else."""


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Leave out what takes seconds: starting the parser, hashing the text model."""
    for check in ("_parser", "_text_embedder"):
        finding = checkup.Finding(check, "ok", "not looked at")
        monkeypatch.setattr(checkup, check, lambda *_, finding=finding: finding)


def contents(bundle: Path) -> dict[str, str]:
    with zipfile.ZipFile(bundle) as opened:
        return {name: opened.read(name).decode() for name in opened.namelist()}


def manual(path: Path) -> Path:
    with pymupdf.open() as document:
        page = document.new_page()
        page.insert_text((72, 72), f"{SECRET} pump: tighten terminal X2:4 to 0.6 Nm.")
        document.save(path)
    return path


def test_no_text_of_documents_questions_or_settings_gets_into_the_bundle(tmp_path):
    library = tmp_path / f"{SECRET}-library"
    settings = Settings()
    settings.agent.user_profile = f"I am {SECRET}"
    with closing(open_workspace(library, settings=settings)) as workspace:
        broken = tmp_path / f"{SECRET} broken.pdf"
        broken.write_text(f"{SECRET} is no PDF")
        workspace.ingestion.enqueue([manual(tmp_path / f"{SECRET}.pdf"), broken])
        for _ in workspace.ingestion.run(CancelToken()):
            pass
        ended = threading.Event()
        said: list[Any] = []
        workspace.ask(f"How tight is {SECRET}?", frozenset(), said.append, ended.set)
        assert ended.wait(60)
        assert any(isinstance(event, CompleteEvent) for event in said)
        logger = logging.getLogger("desktop.test")
        try:
            raise ValueError(f"cannot parse {SECRET}")
        except ValueError:
            logger.exception("job %s failed", "groundwork-indexing")
        logger.warning("refused '%s'", tmp_path / f"{SECRET} notes.pdf")
        logger.warning("password=%s", "hunter2-Hunter2")
        # beside a window that is open
        write_bundle(tmp_path / "bundle.zip", library, LoadedSettings(settings))

    texts = contents(tmp_path / "bundle.zip")
    assert [name for name, text in texts.items() if SECRET in text.casefold()] == []
    assert "hunter2" not in texts["log.txt"]
    assert "job groundwork-indexing failed" in texts["log.txt"]
    assert "ValueError" in texts["log.txt"]
    assert json.loads(texts["library.json"])["manuals"] == {"failed": 1, "ready": 1}
    assert json.loads(texts["settings.json"])["agent.user_profile"].endswith("characters)")
    assert json.loads(texts["versions.json"])["parts"]["pyside6-essentials"]


def test_a_bundle_can_be_written_without_a_library_and_of_a_damaged_one(tmp_path):
    write_bundle(tmp_path / "none.zip", tmp_path / "nowhere", LoadedSettings(Settings()))
    assert "no library" in contents(tmp_path / "none.zip")["library.json"]

    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "library.db").write_bytes(b"not a database at all" * 100)
    write_bundle(tmp_path / "broken.zip", tmp_path / "broken", LoadedSettings(Settings()))
    found = json.loads(contents(tmp_path / "broken.zip")["library.json"])
    assert found["state"] != "readable"
    assert found["files"] == {"library.db": 2100}


def test_of_a_traceback_only_places_and_types_are_kept(tmp_path):
    logs = LibraryFolder(tmp_path).logs
    logs.mkdir(parents=True)
    (logs / "groundwork.log").write_text(
        "2026-11-22 10:00:00,123 ERROR desktop.ui.bridge job x failed\n"
        "Traceback (most recent call last):\n"
        f'  File "/home/somebody/desktop/core/agent/tool.py", line 7, in run\n'
        f'    raise KeyError("{SECRET}")\n'
        f"desktop.core.errors.DocumentError: the line says {SECRET}\n"
        f"and goes on: {SECRET}\n"
        "2026-11-22 10:00:01,123 INFO desktop.app library opened, read_only=False\n"
    )
    assert log_tail(tmp_path).splitlines() == [
        "2026-11-22 10:00:00,123 ERROR desktop.ui.bridge job x failed",
        "(left out)",
        "  desktop/core/agent/tool.py:7 in run",
        "(left out)",
        "desktop.core.errors.DocumentError",
        "(left out)",
        "2026-11-22 10:00:01,123 INFO desktop.app library opened, read_only=False",
    ]


def test_doctor_writes_the_bundle_and_says_where(tmp_path, capsys):
    target = tmp_path / "help.zip"
    main(["doctor", "--bundle", str(target), "--library", str(tmp_path / "library")])
    assert set(contents(target)) >= {"README.txt", "versions.json", "log.txt"}
    assert str(target) in capsys.readouterr().err
