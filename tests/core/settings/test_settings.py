"""Settings on disk: kept, migrated, and never lost."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from desktop.core.settings.file import SettingsTooNew, migrate, newest_version
from desktop.core.settings.sections import Settings
from desktop.core.settings.storage import load_settings, save_settings


def test_without_a_file_the_defaults_are_in_force(tmp_path):
    loaded = load_settings(tmp_path / "settings.json")
    assert loaded.settings == Settings()
    assert loaded.message == ""


def test_what_was_saved_is_loaded_again(tmp_path):
    path = tmp_path / "deep" / "settings.json"
    settings = Settings()
    settings.agent.max_iterations = 9
    save_settings(path, settings)
    assert load_settings(path).settings.agent.max_iterations == 9
    assert json.loads(path.read_text())["version"] == newest_version()
    assert [file.name for file in path.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "damaged"),
        (b"\xff\xfe\x00", "not text"),
        (b"[1]", "contains no settings"),
        (b'{"version": 1, "colour": "red"}', "colour"),
        (b'{"version": 1, "agent": {"max_iterations": 0}}', "agent.max_iterations"),
        (b'{"version": 99}', "newer version of Groundwork"),
        (b'{"version": "two"}', "not a number"),
    ],
)
def test_an_unusable_file_gives_the_defaults_a_reason_and_is_kept(tmp_path, content, said):
    path = tmp_path / "settings.json"
    path.write_bytes(content)
    loaded = load_settings(path)
    assert loaded.settings == Settings()
    assert said in loaded.message
    kept = next(tmp_path.iterdir())
    assert kept.name in loaded.message
    assert kept.read_bytes() == content


def test_a_file_written_by_hand_without_a_version_is_accepted(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text('{"retrieval": {"pages_per_search": 7}}')
    assert load_settings(path).settings.retrieval.pages_per_search == 7


def test_what_was_set_before_the_learned_reader_is_kept_but_for_the_old_ranking(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(
        '{"version": 1, "retrieval": {"rerank_units": 4, "rerank_pages": 5, "pages_per_search": 9,'
        ' "units_read": 48},'
        ' "agent": {"least_confidence": 0.9, "max_iterations": 4}}'
    )
    loaded = load_settings(path)
    assert loaded.message == ""
    assert loaded.settings.retrieval.pages_per_search == 9
    assert loaded.settings.agent.max_iterations == 4
    assert loaded.settings.agent.least_confidence != 0.9


def test_migrations_run_in_order_from_the_files_version():
    steps = {
        0: lambda values: {**values, "path": [0]},
        1: lambda values: {**values, "path": [*values.get("path", []), 1]},
        2: lambda values: {**values, "path": [*values.get("path", []), 2]},
    }
    assert migrate({}, steps) == {"path": [0, 1, 2]}
    assert migrate({"version": 2}, steps) == {"path": [2]}
    with pytest.raises(SettingsTooNew):
        migrate({"version": 4}, steps)


def test_a_value_out_of_range_cannot_be_set():
    with pytest.raises(ValidationError):
        Settings().agent.time_limit_seconds = -1


def test_every_setting_has_a_title_and_a_description_for_the_dialog():
    for area in Settings.model_fields:
        section = getattr(Settings(), area)
        for field in type(section).model_fields.values():
            assert field.title
            assert field.description
