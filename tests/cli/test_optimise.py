"""`groundwork optimise` as a person uses it."""

from __future__ import annotations

import json

import pytest

import desktop.app
from desktop.cli import main
from tests.core.evaluation.test_optimise import GOLD, Learner, Rememberer, opener, traced


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Optimise a library whose model learns from examples, or does not."""
    library = tmp_path / "library"
    library.mkdir()
    (library / "library.db").touch()
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([each.model_dump() for each in GOLD.questions]))

    def optimise(*more, model=None):
        from desktop.core.agent.compiled_programs import CompiledPrograms

        programs = CompiledPrograms(library / "programs")

        def open_workspace(folder, *, settings, read_only=False):
            assert folder == library
            return opener(model or Learner(), programs)(settings, read_only).thing

        monkeypatch.setattr(desktop.app, "open_workspace", open_workspace)
        return main(["optimise", str(gold), "--library", str(library), *more])

    optimise.library = library  # type: ignore[attr-defined]
    return optimise


def test_it_reports_before_and_after_and_keeps_the_program_with_the_library(run, capsys):
    assert run() == 0
    out = capsys.readouterr().out
    assert "Learned from 5 questions, measured on 3 others." in out
    assert "Before: 0.0 of 100. After: 100.0." in out
    assert (run.library / "programs" / "learner_1.json").exists()


def test_what_is_no_better_is_said_and_not_kept(run, capsys):
    assert run(model=Learner(stubborn=True)) == 0
    assert "no better: everything stays as before" in capsys.readouterr().out
    assert not (run.library / "programs").exists()


def test_a_program_written_elsewhere_leaves_the_library_as_it_is(run, tmp_path, capsys):
    out = tmp_path / "tried.json"
    assert run("--out", str(out), "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["before"], found["after"], found["saved"]) == (0, 100, str(out))
    assert json.loads(out.read_text())["model_id"] == "learner@1"
    assert not (run.library / "programs").exists()


def test_decisions_that_a_conversation_left_are_tried_as_well(run, tmp_path, capsys):
    lessons = tmp_path / "lessons.json"
    lessons.write_text(json.dumps([traced("How is the relay wired?").model_dump()]))
    assert run("--examples", str(lessons), "--json", model=Rememberer()) == 0
    assert json.loads(capsys.readouterr().out)["compiled"] == "decision with traces"


def test_a_damaged_file_of_examples_is_refused_with_the_place(run, tmp_path, capsys):
    lessons = tmp_path / "lessons.json"
    lessons.write_text('[{"user_prompt": "How?"}]')
    assert run("--examples", str(lessons)) == 1
    assert "The examples cannot be read: lessons.json, at 0." in capsys.readouterr().err


def test_without_a_library_there_is_nothing_to_optimise(tmp_path, capsys):
    gold = tmp_path / "gold.json"
    gold.write_text("[]")
    assert main(["optimise", str(gold), "--library", str(tmp_path / "none")]) == 1
    assert "There is no library" in capsys.readouterr().err


def test_too_few_questions_are_refused_with_a_reason(run, tmp_path, capsys):
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps([GOLD.questions[0].model_dump()]))
    assert run() == 1
    assert "too few questions" in capsys.readouterr().err
