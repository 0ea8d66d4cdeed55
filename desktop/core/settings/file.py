"""The settings file: where it is stored, the look it asks for, and steps from older forms.

Step n takes the plain values of version n and returns those of version n + 1. Loads no pydantic:
the look is read before the window's first paint, and all settings take longer to load than Qt.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

import platformdirs

from desktop.core.paths import HOME_VARIABLE
from desktop.sentences import said


def settings_file() -> Path:
    """Return the settings file; it need not exist yet."""
    home = os.environ.get(HOME_VARIABLE)
    if home:
        return Path(home).expanduser() / "settings.json"
    return Path(platformdirs.user_config_dir("Groundwork", appauthor=False)) / "settings.json"


Values = dict[str, Any]
Migration = Callable[[Values], Values]


class SettingsTooNew(ValueError):  # noqa: N818 - named after the state
    """The file was written by a newer Groundwork."""


def _without(**dropped: tuple[str, ...]) -> Migration:
    """Return a step that drops values of sections, which mean something else since."""

    def step(values: Values) -> Values:
        changed = {}
        for section, names in dropped.items():
            kept = dict(values.get(section, {}))
            changed[section] = {name: kept[name] for name in kept if name not in names}
        return {**values, **changed}

    return step


MIGRATIONS: Mapping[int, Migration] = MappingProxyType(
    {
        # a file that somebody wrote by hand, without a version, is accepted
        0: dict,
        # re-ranking reads sentences; a number of passages says nothing of them
        1: _without(retrieval=("rerank_units",)),
        # one reader scores all pages, and its chances are calibrated anew
        2: _without(
            retrieval=("rerank_pages", "rerank_quotes", "pages_read"),
            agent=("least_confidence", "hopeless_confidence"),
        ),
        # the least confidence is that there is an answer, not that one is right
        3: _without(agent=("least_confidence", "hopeless_confidence")),
        # as many units are read as the reader was measured with
        4: _without(retrieval=("units_read",)),
        # the reader is measured with as many candidates as it learnt from
        5: _without(
            retrieval=("lexical_pages", "lexical_units", "dense_units", "pages_read"),
            agent=("hopeless_confidence",),
        ),
    }
)


def migrate(values: Values, steps: Mapping[int, Migration] = MIGRATIONS) -> Values:
    """Return the values without their version, brought to the newest form.

    Raises: SettingsTooNew, if no step leads on from a version that is not the newest;
        ValueError, if the version is not a number.
    """
    newest = newest_version(steps)
    values = dict(values)
    version = values.pop("version", 0)
    if not isinstance(version, int) or isinstance(version, bool) or version < 0:
        raise ValueError(said("version {version} is not a number", version=repr(version)))
    if version > newest:
        raise SettingsTooNew(
            said(
                "version {version}; this Groundwork supports {newest}",
                version=version,
                newest=newest,
            )
        )
    for number in range(version, newest):
        values = steps[number](values)
    return values


def newest_version(steps: Mapping[int, Migration] = MIGRATIONS) -> int:
    """Return the version that the last step leads to."""
    return max(steps) + 1


Scheme = Literal["system", "light", "dark"]
Contrast = Literal["system", "on", "off"]
Language = Literal["system", "en", "de"]

LEAST_TEXT_PERCENT, MOST_TEXT_PERCENT = 80, 200
TEXT_PERCENT_STEP = 5
_SWITCHES = ("reduced_motion", "glove_mode", "dim_pages")


@dataclass(frozen=True, slots=True)
class Appearance:
    """The fields of `WindowSettings` that are seen at once, with the same defaults."""

    scheme: Scheme = "system"
    high_contrast: Contrast = "system"
    text_percent: int = 100
    reduced_motion: bool = False
    glove_mode: bool = False
    dim_pages: bool = True
    language: Language = "system"


def peek_appearance(path: Path) -> Appearance:
    """Read the look out of the settings file and touch nothing.

    Returns the default look where the file or one of the looks' values cannot be used.
    """
    try:
        window = migrate(json.loads(path.read_text(encoding="utf-8"))).get("window", {})
        known = {each.name: window[each.name] for each in fields(Appearance) if each.name in window}
    except (OSError, ValueError, TypeError, AttributeError, RecursionError):
        return Appearance()
    return Appearance(**known) if _usable(known) else Appearance()


def _usable(values: dict[str, Any]) -> bool:
    text = values.get("text_percent", 100)
    return (
        values.get("scheme", "system") in get_args(Scheme)
        and values.get("high_contrast", "system") in get_args(Contrast)
        and values.get("language", "system") in get_args(Language)
        and all(isinstance(values.get(each, False), bool) for each in _SWITCHES)
        and type(text) is int
        and LEAST_TEXT_PERCENT <= text <= MOST_TEXT_PERCENT
        and text % TEXT_PERCENT_STEP == 0
    )
