"""The look that is read before the window is painted is the one the settings give."""

from __future__ import annotations

import json

import pytest

from desktop.core.settings.file import Appearance, peek_appearance
from desktop.core.settings.sections import Settings
from desktop.core.settings.storage import peek_settings, save_settings


def looks(window):
    return {name: getattr(window, name) for name in Appearance.__dataclass_fields__}


def test_a_fresh_installation_looks_as_the_settings_say(tmp_path):
    assert looks(peek_appearance(tmp_path / "none.json")) == looks(Settings().window)


def test_what_a_person_has_chosen_is_what_is_read(tmp_path):
    file = tmp_path / "settings.json"
    settings = Settings()
    chosen = {"scheme": "dark", "high_contrast": "on", "text_percent": 150, "language": "de"}
    chosen |= {"reduced_motion": True, "glove_mode": True, "dim_pages": True}
    for name, value in chosen.items():
        setattr(settings.window, name, value)
    save_settings(file, settings)

    assert looks(peek_appearance(file)) == chosen


@pytest.mark.parametrize(
    "window",
    [
        {"scheme": "purple"},
        {"scheme": ["dark"]},
        {"high_contrast": True},
        {"text_percent": 79},
        {"text_percent": 205},
        {"text_percent": 101},
        {"text_percent": "big"},
        {"language": "fr"},
        {"reduced_motion": "perhaps"},
        {"scheme": "dark", "text_percent": 1e9},
    ],
)
def test_a_look_that_is_not_possible_is_the_usual_one_as_in_the_settings(tmp_path, window):
    file = tmp_path / "settings.json"
    file.write_text(json.dumps({"version": 1, "window": window}))

    assert looks(peek_appearance(file)) == looks(peek_settings(file).window)
    assert peek_appearance(file) == Appearance()


@pytest.mark.parametrize("text", ["", "[]", "[1]", "3", "null", "{", '{"window": 3}', "[" * 99_999])
def test_a_damaged_file_gives_the_usual_look_and_stays_as_it_is(tmp_path, text):
    file = tmp_path / "settings.json"
    file.write_text(text)

    assert peek_appearance(file) == Appearance()
    assert file.read_text() == text
