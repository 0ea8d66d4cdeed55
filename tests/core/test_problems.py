"""Every failure has a title, an advice, and never a trace."""

from __future__ import annotations

import inspect

import pytest

from desktop.core import errors
from desktop.core.problems import explain
from desktop.models import errors as model_errors
from desktop.models.errors import ModelDamaged, ModelNotInstalled
from desktop.models.text_model import MODEL_ID as TEXT_MODEL


def every_library_error():
    made = {
        errors.LibraryTooNew: errors.LibraryTooNew(9, 1),
        errors.DiskFull: errors.DiskFull("full", 300 * 2**20),
        errors.DocumentNotFound: errors.DocumentNotFound(3),
        errors.BelongsToPack: errors.BelongsToPack("Pump", "Plant"),
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


@pytest.mark.parametrize(
    "error",
    [
        ModelNotInstalled(f"the text model {TEXT_MODEL} is not installed"),
        ModelDamaged("model.safetensors is not the published file"),
    ],
)
def test_a_fault_of_the_built_in_text_model_points_to_the_doctor(error):
    assert "groundwork doctor" in explain(error).advice


def test_a_bug_gets_a_general_sentence_and_keeps_its_details():
    problem = explain(ZeroDivisionError("division by zero"))
    assert "inside Groundwork" in problem.title
    assert problem.details == "ZeroDivisionError: division by zero"


def every_model_error():
    made = {
        model_errors.ModelOutOfBudget: model_errors.ModelOutOfBudget(
            "big needs 18.0 GB, and 6.0 GB can be had", 18, 6, "Use a smaller model."
        ),
        model_errors.PromptTooLong: model_errors.PromptTooLong(9_000, 4_096),
    }
    for _, kind in inspect.getmembers(model_errors, inspect.isclass):
        if issubclass(kind, model_errors.ModelError) and kind is not model_errors.ModelError:
            yield made.get(kind) or kind("told")


@pytest.mark.parametrize("error", list(every_model_error()), ids=lambda e: type(e).__name__)
def test_every_model_error_has_its_own_title_and_says_what_to_do(error):
    problem = explain(error)
    assert problem.title not in ("", explain(model_errors.ModelError("x")).title)
    assert problem.advice.endswith(".")


def test_a_model_that_does_not_fit_says_how_much_is_missing_and_what_else_would_do():
    advice = explain(next(e for e in every_model_error() if hasattr(e, "needed_bytes"))).advice
    assert advice == "Big needs 18.0 GB, and 6.0 GB can be had. Use a smaller model."
