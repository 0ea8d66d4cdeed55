"""Every failure has a title, an advice, and never a trace."""

from __future__ import annotations

import inspect

import pytest

from desktop.core import errors
from desktop.core.problems import explain
from desktop.models.errors import ModelDamaged, ModelNotInstalled


def every_library_error():
    made = {
        errors.LibraryTooNew: errors.LibraryTooNew(9, 1),
        errors.DiskFull: errors.DiskFull("full", 300 * 2**20),
        errors.DocumentNotFound: errors.DocumentNotFound(3),
        errors.ParserLimit: errors.ParserLimit("slow", "time"),
    }
    for _, kind in inspect.getmembers(errors, inspect.isclass):
        if issubclass(kind, errors.LibraryError):
            yield made.get(kind) or kind("told")


@pytest.mark.parametrize("error", list(every_library_error()), ids=lambda e: type(e).__name__)
def test_every_library_error_says_what_to_do(error):
    problem = explain(error)
    assert problem.title
    assert not problem.title.endswith(".")
    assert problem.advice.endswith(".")
    assert "inside Groundwork" not in problem.title


def test_the_named_errors_do_not_fall_back_to_the_general_sentence():
    general = {explain(errors.LibraryError("x")).title, explain(errors.DocumentError("x")).title}
    for error in every_library_error():
        if type(error) not in (errors.LibraryError, errors.DocumentError):
            assert explain(error).title not in general, type(error)


def test_a_full_disk_says_how_much_is_missing():
    assert "300 MB" in explain(errors.DiskFull("full", 300 * 2**20)).advice
    assert explain(OSError(28, "No space left")).title == "The disk is full"


def test_a_newer_library_is_not_to_be_retried():
    problem = explain(errors.LibraryTooNew(9, 1))
    assert not problem.retry
    assert "9" in problem.advice


def test_a_file_that_is_missing_is_named():
    assert "/nowhere" in explain(FileNotFoundError(2, "No such file", "/nowhere")).title


@pytest.mark.parametrize("error", [ModelNotInstalled("x"), ModelDamaged("x")])
def test_a_missing_model_points_to_the_doctor(error):
    assert "groundwork doctor" in explain(error).advice


def test_a_bug_gets_a_general_sentence_and_keeps_its_details():
    problem = explain(ZeroDivisionError("division by zero"))
    assert "inside Groundwork" in problem.title
    assert problem.details == "ZeroDivisionError: division by zero"
