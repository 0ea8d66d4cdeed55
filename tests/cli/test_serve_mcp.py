"""`groundwork mcp` where it cannot serve."""

from __future__ import annotations

import io
import sys

import pytest

from desktop.cli import main


def test_without_the_extra_a_sentence_says_how_to_get_it(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "mcp", None)
    assert main(["mcp", "--library", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert "pip install 'groundwork[mcp]'" in told.err
    assert told.out == ""


def test_a_person_who_starts_it_is_told_what_it_is_for(monkeypatch, tmp_path, capsys):
    pytest.importorskip("mcp", reason="the extra 'mcp' is not installed")

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    (tmp_path / "library.db").touch()
    monkeypatch.setattr(sys, "stdin", Terminal())
    assert main(["mcp", "--library", str(tmp_path)]) == 1
    assert "for another program to start" in capsys.readouterr().err
