"""The composition root: logging and what it keeps out of the log."""

from __future__ import annotations

import logging
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import desktop
from desktop.app import load_user_settings, logging_to, make_parser, open_workspace
from desktop.core.errors import LibraryBusy, NotALibrary
from desktop.core.settings.file import settings_file
from desktop.core.settings.sections import Settings
from tests.fakes.agent import ask, make_agent
from tests.fakes.searcher import FakeSearcher


def log_of(folder):
    return (folder / "logs" / "groundwork.log").read_text()


def test_a_question_leaves_numbers_in_the_log_and_no_words(tmp_path):
    with logging_to(tmp_path):
        ask(make_agent(), "Where is the secret fuse?")
        ask(make_agent(searcher=FakeSearcher(ValueError("secret text"))), "Where is it?")
    logged = log_of(tmp_path)
    assert "question: answered in 2 steps" in logged
    assert "ValueError at" in logged
    assert "secret" not in logged


def test_after_it_is_stopped_nothing_more_is_written(tmp_path):
    with logging_to(tmp_path):
        pass
    logging.getLogger("desktop.test").warning("late")
    assert log_of(tmp_path) == ""


def test_other_libraries_do_not_write_into_the_log(tmp_path):
    with logging_to(tmp_path):
        logging.getLogger("urllib3").warning("calling home")
    assert log_of(tmp_path) == ""


def test_a_folder_that_cannot_be_written_has_no_log_and_works(tmp_path):
    (tmp_path / "file").touch()
    with logging_to(tmp_path / "file"):
        pass


def test_an_unusable_settings_file_is_survived_said_and_logged(tmp_path):
    settings_file().parent.mkdir(parents=True, exist_ok=True)
    settings_file().write_text("{")
    with closing(open_workspace(tmp_path / "library")) as workspace:
        assert workspace.settings == Settings()
        assert "settings file could not be used" in workspace.notice
    assert "settings file could not be used" in log_of(tmp_path / "library")
    assert load_user_settings().message == ""


@pytest.mark.parametrize("in_process", [True, False])
def test_the_parser_follows_the_setting(in_process):
    settings = Settings()
    settings.parser.in_process = in_process
    parser = make_parser(settings)
    parser.close()
    assert type(parser).__name__ == ("InProcessParser" if in_process else "ParserProcess")


def answer_of(workspace, question):
    events: list[Any] = []
    handle = workspace.ask(question, frozenset(), events.append, lambda: None)
    assert handle.wait(60)
    return events


def test_a_new_library_opens_answers_what_to_do_and_closes_without_a_thread(tmp_path):
    with closing(open_workspace(tmp_path / "library")) as workspace:
        assert workspace.profile == "lite"
        assert not workspace.ingestion.has_work()
        events = answer_of(workspace, "Where is the fuse?")
    assert events[-1].outcome == "impossible"
    assert "Add PDF files" in "".join(e.content for e in events if e.type == "token")
    assert (tmp_path / "library" / "logs" / "groundwork.log").exists()


def test_questions_can_be_asked_beside_whoever_has_the_library_open(tmp_path):
    with closing(open_workspace(tmp_path)), closing(open_workspace(tmp_path, read_only=True)) as it:
        assert answer_of(it, "Where?")[-1].outcome == "impossible"


def test_a_second_writer_is_refused_and_leaves_nothing_running(tmp_path):
    with closing(open_workspace(tmp_path)), pytest.raises(LibraryBusy):
        open_workspace(tmp_path)


def test_reading_from_where_there_is_no_library_makes_none(tmp_path):
    with pytest.raises(NotALibrary):
        open_workspace(tmp_path / "none", read_only=True)
    assert not (tmp_path / "none").exists()


def test_the_frozen_program_serves_as_its_own_parser_worker():
    done = subprocess.run(
        [sys.executable, "-m", "desktop", "--parser-worker"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=400,
        cwd=Path(desktop.__file__).parents[1],
        check=False,
    )
    assert done.returncode == 0
    assert b"Usage" not in done.stdout + done.stderr
