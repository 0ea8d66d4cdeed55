"""`make` starts from whatever Python a machine has; this is how it chooses."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "find_python.sh"


@pytest.fixture
def path_of(tmp_path):
    """Make a folder of programs, each a shell script, and ask the script with it as PATH."""

    def find(named=None, **programs):
        for name, body in programs.items():
            program = tmp_path / name.replace("_", ".")
            program.write_text(f"#!/bin/sh\n{body}\n")
            program.chmod(0o755)
        environment = {"PATH": str(tmp_path)}
        if named:
            environment["GROUNDWORK_PYTHON"] = named
        return subprocess.run(
            ["/bin/sh", str(SCRIPT)],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return find


def test_a_name_that_does_not_run_is_passed_over(path_of):
    works = f'exec "{sys.executable}" "$@"'
    found = path_of(python3_13="exit 127", python3_12=works)
    assert found.returncode == 0
    assert Path(found.stdout.strip()).exists()


def test_a_python_that_somebody_names_is_taken_first(path_of, tmp_path):
    named = tmp_path / "my-python"
    named.write_text('#!/bin/sh\necho "the named one"\n')
    named.chmod(0o755)
    assert path_of(str(named), python3_13="exit 127").stdout.strip() == "the named one"


def test_the_newest_supported_python_is_preferred(path_of):
    found = path_of(python3_11="echo eleven", python3_13="echo thirteen")
    assert found.stdout.strip() == "thirteen"
