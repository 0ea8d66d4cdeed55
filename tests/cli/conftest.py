from __future__ import annotations

import pytest

import desktop.app


@pytest.fixture
def library(tmp_path):
    """A folder that looks like a library."""
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "library.db").touch()
    return folder


@pytest.fixture
def opened(monkeypatch):
    """Lets `opened(workspace)` decide what commands open; keeps how they opened it."""
    calls = []

    def provide(workspace):
        def open_workspace(folder, **options):
            calls.append((folder, options))
            return workspace

        monkeypatch.setattr(desktop.app, "open_workspace", open_workspace)
        return calls

    return provide
