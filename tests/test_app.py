"""The composition root: logging and what it keeps out of the log."""

from __future__ import annotations

import logging

import pytest

from desktop.app import load_user_settings, make_parser, start_logging
from desktop.core.settings import Settings
from desktop.core.settings.location import settings_file
from tests.fakes.agent import ask, make_agent
from tests.fakes.searcher import FakeSearcher


def log_of(folder):
    return (folder / "logs" / "groundwork.log").read_text()


def test_a_question_leaves_numbers_in_the_log_and_no_words(tmp_path):
    stop = start_logging(tmp_path)
    try:
        ask(make_agent(), "Where is the secret fuse?")
        ask(make_agent(searcher=FakeSearcher(ValueError("secret text"))), "Where is it?")
    finally:
        stop()
    logged = log_of(tmp_path)
    assert "question: answered in 2 steps" in logged
    assert "ValueError at" in logged
    assert "secret" not in logged


def test_after_it_is_stopped_nothing_more_is_written(tmp_path):
    start_logging(tmp_path)()
    logging.getLogger("desktop.test").warning("late")
    assert log_of(tmp_path) == ""


def test_other_libraries_do_not_write_into_the_log(tmp_path):
    stop = start_logging(tmp_path)
    try:
        logging.getLogger("urllib3").warning("calling home")
    finally:
        stop()
    assert log_of(tmp_path) == ""


def test_a_folder_that_cannot_be_written_has_no_log_and_works(tmp_path):
    (tmp_path / "file").touch()
    stop = start_logging(tmp_path / "file")
    stop()


def test_an_unusable_settings_file_is_survived_and_logged(tmp_path, caplog):
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text("{")
    logging.getLogger("desktop").propagate = True
    with caplog.at_level(logging.WARNING, "desktop"):
        assert load_user_settings() == Settings()
    assert "settings file could not be used" in caplog.text


@pytest.mark.parametrize("in_process", [True, False])
def test_the_parser_follows_the_setting(in_process):
    settings = Settings()
    settings.parser.in_process = in_process
    parser = make_parser(settings)
    parser.close()
    assert type(parser).__name__ == ("InProcessParser" if in_process else "ParserProcess")
