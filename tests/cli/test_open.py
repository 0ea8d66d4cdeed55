"""Manuals named on the command line: `groundwork open PATH`, and `groundwork MANUAL.pdf`."""

from __future__ import annotations

import pytest

import desktop.app
from desktop.cli import main
from desktop.cli import window as cli_window


@pytest.fixture
def shown(monkeypatch):
    """What the window was asked to show; none is."""
    calls: list[dict[str, object]] = []

    def run_window(folder, wanted=(), files=()):
        calls.append({"folder": folder, "files": [path.name for path in files]})
        return 0

    monkeypatch.setattr(desktop.app, "run_window", run_window)
    monkeypatch.setattr(cli_window, "has_display", lambda: True)
    return calls


def test_manuals_alone_open_the_window_on_them(shown, tmp_path):
    (tmp_path / "Pump P-200.PDF").touch()
    (tmp_path / "boiler.pdf").touch()
    arguments = [str(tmp_path / "Pump P-200.PDF"), str(tmp_path / "boiler.pdf")]
    assert main(arguments) == 0
    assert shown[0]["files"] == ["Pump P-200.PDF", "boiler.pdf"]


def test_a_folder_can_be_opened_in_a_library_of_choice(shown, tmp_path):
    assert main(["open", str(tmp_path), "--library", str(tmp_path / "library")]) == 0
    assert shown == [{"folder": tmp_path / "library", "files": [tmp_path.name]}]


def test_a_manual_that_is_not_there_is_wrong_usage(shown, tmp_path, capsys):
    assert main([str(tmp_path / "gone.pdf")]) == 2
    assert "gone.pdf" in capsys.readouterr().err
    assert shown == []


def test_without_a_display_the_way_without_a_window_is_named(monkeypatch, tmp_path, capsys):
    (tmp_path / "a.pdf").touch()
    monkeypatch.setattr(cli_window, "has_display", lambda: False)
    assert main([str(tmp_path / "a.pdf")]) == 1
    assert "groundwork ingest" in capsys.readouterr().err
