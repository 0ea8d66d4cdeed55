"""One resolver finds what comes with Groundwork: in a checkout, a wheel, a frozen program."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from desktop.core.paths import sample_manuals
from desktop.models import text_model
from desktop.resources import resource

ROOT = Path(__file__).parents[2]
LOOK = """
import sys
sys.path[:0] = [sys.argv[1]]
import desktop
from desktop.core.diagnostics.licences import our_parts
from desktop.core.paths import sample_manuals
from desktop.models.catalogue import Catalogue
from desktop.resources import resource
assert desktop.__file__.startswith(sys.argv[1]), desktop.__file__
assert resource().is_relative_to(sys.argv[1]), resource()
assert len(sample_manuals()) == 2 and Catalogue.load().families and our_parts([])
assert resource("icons", "x.svg").is_file() and resource("app", "groundwork.png").is_file()
print("all found")
"""


def test_in_a_checkout_they_are_beside_the_packages():
    assert resource() == ROOT / "resources"
    assert len(sample_manuals()) == 2


def test_in_a_wheel_they_are_installed_beside_the_packages(tmp_path):
    definition = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = definition["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    for package in packages:  # as pip lays them out in site-packages
        unwanted = shutil.ignore_patterns("__pycache__", "models" if package == "resources" else "")
        shutil.copytree(ROOT / package, tmp_path / package, ignore=unwanted)
    looked = subprocess.run(
        [sys.executable, "-P", "-c", LOOK, str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert looked.stdout == "all found\n", looked.stderr


def test_in_a_frozen_program_they_are_where_it_was_unpacked(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert resource("models.toml") == tmp_path / "resources" / "models.toml"
    assert text_model.places()[0] == tmp_path / "resources" / "models" / text_model.NAME
