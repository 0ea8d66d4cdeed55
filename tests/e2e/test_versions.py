"""An older program and a newer library: it says so, and changes nothing."""

from __future__ import annotations

import hashlib
import shutil

import apsw
import pytest

from desktop.cli import main


@pytest.mark.slow
def test_an_older_program_refuses_a_newer_library_and_does_not_touch_it(
    sample_library, tmp_path, capsys
):
    library = tmp_path / "library"
    shutil.copytree(sample_library, library)
    connection = apsw.Connection(str(library / "library.db"))
    connection.pragma("user_version", 99)
    connection.pragma("wal_checkpoint(TRUNCATE)")
    connection.close()
    before = hashlib.sha256((library / "library.db").read_bytes()).hexdigest()
    for command in (["ask", "How?"], ["ingest"], ["doctor"]):
        assert main([*command, "--library", str(library)]) == 1
        told = "".join(capsys.readouterr())
        assert "was written by a newer Groundwork" in told
        assert "Update" in told
    assert hashlib.sha256((library / "library.db").read_bytes()).hexdigest() == before
