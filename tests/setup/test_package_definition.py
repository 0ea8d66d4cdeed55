"""What pyproject.toml promises: pinned versions, and a Qt that does not abort."""

import re
import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QObject

ROOT = Path(__file__).parents[2]


def requirements():
    definition = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = definition["project"]
    return [
        *project["dependencies"],
        *project["optional-dependencies"]["mlx"],
        *project["optional-dependencies"]["colqwen"],
        *definition["dependency-groups"]["dev"],
    ]


def name_of(requirement):
    return re.split(r"[\s<>=;!\[]", requirement, maxsplit=1)[0].lower().replace("_", "-")


@pytest.mark.parametrize("requirement", requirements())
def test_every_dependency_is_pinned_in_the_constraints(requirement):
    pinned = {name_of(line) for line in (ROOT / "constraints.txt").read_text().splitlines()}
    assert name_of(requirement) in pinned


def test_set_up_on_linux_asks_for_no_graphics_card_packages():
    constraints = (ROOT / "constraints.txt").read_text()
    assert "nvidia" not in constraints
    assert "torch==" in constraints


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_calls_into_qt_that_return_nothing_lose_no_reference():
    watched = QObject()
    before = sys.getrefcount(None)
    for _ in range(100_000):
        watched.setObjectName("x")
    assert abs(sys.getrefcount(None) - before) < 1_000
