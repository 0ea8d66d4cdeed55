"""The command line as a person uses it: what is printed, what is written, how it ends."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

import desktop
import desktop.app
from desktop.cli import main
from desktop.cli.ingestion_display import IngestionDisplay
from desktop.core.errors import LibraryBusy
from desktop.core.library.values import (
    DocumentChanged,
    DuplicateFound,
    FileRefused,
    PageFailed,
    PassProgress,
)
from tests.fakes.answerer import FakeAnswerer
from tests.fakes.searcher import FakeSearcher, page_found
from tests.fakes.shelf import manual
from tests.fakes.workspace import FakeLibrary, make_workspace

ROOT = Path(desktop.__file__).resolve().parents[1]


def ask(library, *arguments):
    return main(["ask", "What is the fuse?", "--library", str(library), *arguments])


def test_ask_prints_the_warning_then_the_answer_then_the_citations(library, opened, capsys):
    calls = opened(make_workspace())
    assert ask(library) == 0
    assert capsys.readouterr().out == (
        "WARNING: Disconnect the mains first. (pump.pdf, page 4-4 (page 5 of the file))\n"
        "\n"
        "The fuse is 5 A. [1]\n"
        "\n"
        "Stated in the manual.\n"
        "\n"
        '[1] pump.pdf, page 4-4 (page 5 of the file): "The fuse is 5 A."\n'
    )
    assert calls == [(library.resolve(), {"read_only": True, "soon_asked": True})]


def test_the_library_may_be_named_before_the_command(library, opened):
    calls = opened(make_workspace())
    assert main(["--library", str(library), "ask", "What is the fuse?"]) == 0
    assert calls[0][0] == library.resolve()


def test_ask_json_prints_one_event_a_line_and_nothing_else(library, opened, capsys):
    opened(make_workspace())
    assert ask(library, "--json") == 0
    out, err = capsys.readouterr()
    events = [json.loads(line) for line in out.splitlines()]
    assert events[0]["type"] == "decision"
    assert events[-1]["type"] == "complete"
    assert events[-1]["outcome"] == "answered"
    assert err == ""


def test_ask_writes_every_cited_page_once_with_its_regions(library, opened, capsys, tmp_path):
    found = [page_found("One.", 4), page_found("Two.", 6)]
    workspace = make_workspace(searcher=FakeSearcher(found))
    opened(workspace)
    assert ask(library, "--pages", str(tmp_path / "out"), "--password", "sesame") == 0
    names = sorted(file.name for file in (tmp_path / "out").iterdir())
    assert names == ["01-pump-page-4-4.png", "02-pump-page-4-6.png"]
    assert f"Page written: {tmp_path / 'out' / names[0]}" in capsys.readouterr().out
    assert workspace.parser.drawn == [(4, 2.0, "sesame"), (6, 2.0, "sesame")]


def test_a_refusal_prints_the_nearest_lines(library, opened, capsys):
    opened(make_workspace(answerer=FakeAnswerer(found=False)))
    assert ask(library) == 0
    out = capsys.readouterr().out
    assert out.startswith("Not sure your manuals answer this.\n")
    assert "The nearest lines:\n  pump.pdf, page 4-4" in out


def test_a_library_without_manuals_says_what_to_do_and_fails(library, opened, capsys):
    opened(make_workspace(library=FakeLibrary()))
    assert ask(library) == 1
    assert "groundwork ingest PATH" in capsys.readouterr().out


def test_what_opening_has_to_say_goes_to_stderr(library, opened, capsys):
    workspace = make_workspace()
    workspace.notice = "The settings file could not be used."
    opened(workspace)
    assert ask(library, "--json") == 0
    assert capsys.readouterr().err == "The settings file could not be used.\n"


def test_only_the_named_manual_is_searched(library, opened):
    searcher = FakeSearcher([page_found("x")])
    shelf = FakeLibrary(manual(1, "pump.pdf"), manual(2, "pump-operator.pdf"))
    opened(make_workspace(library=shelf, searcher=searcher))
    assert ask(library, "--manual", "PUMP") == 0
    assert searcher.queries[0].document_ids == frozenset({1})


def test_a_part_of_a_name_means_every_manual_that_has_it(library, opened):
    searcher = FakeSearcher([page_found("x")])
    shelf = FakeLibrary(manual(1, "a-pump.pdf"), manual(2, "b-pump.pdf"), manual(3, "boiler.pdf"))
    opened(make_workspace(library=shelf, searcher=searcher))
    assert ask(library, "-m", "pump") == 0
    assert searcher.queries[0].document_ids == frozenset({1, 2})


def test_an_unknown_manual_is_wrong_usage_and_the_known_ones_are_named(library, opened, capsys):
    opened(make_workspace())
    assert ask(library, "--manual", "boiler") == 2
    assert "pump.pdf" in capsys.readouterr().err


def test_a_failed_question_ends_with_one_and_explains_itself(library, opened, capsys):
    opened(make_workspace(searcher=FakeSearcher(ValueError("boom"))))
    assert ask(library) == 1
    out, err = capsys.readouterr()
    assert "Something went wrong inside Groundwork." in err
    assert "Traceback" not in out + err


def test_a_library_in_use_is_explained_on_stderr(library, monkeypatch, capsys):
    def busy(folder, **options):
        raise LibraryBusy("locked")

    monkeypatch.setattr(desktop.app, "open_workspace", busy)
    assert ask(library) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "open in another Groundwork" in err
    assert "Traceback" not in err


def test_the_trace_is_shown_to_whoever_debugs(library, monkeypatch, capsys):
    def broken(folder, **options):
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(desktop.app, "open_workspace", broken)
    monkeypatch.setenv("GROUNDWORK_DEBUG", "1")
    assert ask(library) == 1
    assert "Traceback" in capsys.readouterr().err


def test_ctrl_c_stops_the_question_and_ends_with_130(library, opened, capsys):
    searcher = FakeSearcher([page_found("x")])
    release = searcher.block()
    opened(make_workspace(searcher=searcher))

    def interrupt():
        assert searcher.searching.wait(30)
        os.kill(os.getpid(), signal.SIGINT)
        end = time.monotonic() + 60
        while not searcher.queries[0].cancelled() and time.monotonic() < end:
            time.sleep(0.01)  # until the question knows of it: on a busy machine, a while
        release.set()

    helper = threading.Thread(target=interrupt)
    helper.start()
    assert ask(library) == 130
    helper.join()
    assert "Stopped." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ask"], "QUESTION"),
        (["ask", "  "], "empty"),
        (["ask", "x", "--colour"], "--colour"),
        (["fly"], "fly"),
        (["ingest", "/no/such/file.pdf"], "/no/such/file.pdf"),
        (["bench", "/no/gold.json"], "gold.json"),
    ],
)
def test_wrong_usage_ends_with_two_and_says_what_is_wrong(arguments, said, capsys):
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert said in err
    assert "--help" in err


def test_a_missing_library_is_named_with_how_to_make_one(tmp_path, capsys):
    assert main(["ask", "x", "--library", str(tmp_path / "none")]) == 1
    err = capsys.readouterr().err
    assert str(tmp_path / "none") in err
    assert "groundwork ingest PATH" in err


def test_without_a_display_the_window_is_refused_with_what_works_instead(capsys, monkeypatch):
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert main([]) == 1
    assert "no display" in capsys.readouterr().err


def ingest(tmp_path, *arguments):
    pdf = tmp_path / "pump.pdf"
    pdf.touch()
    return main(["ingest", str(pdf), "--library", str(tmp_path / "library"), *arguments])


def test_ingest_reports_every_file_and_ends_with_zero(tmp_path, opened, capsys):
    ready = manual()
    events = [
        DocumentChanged(manual(state="indexing")),
        PassProgress(1, "text", 5, 10, 50.0, 0.1),
        PassProgress(1, "text", 10, 10, 50.0, 0.0),
        DocumentChanged(ready),
        DuplicateFound(Path("/tmp/copy.pdf"), ready),
    ]
    workspace = make_workspace(library=FakeLibrary(), events=events)
    opened(workspace)
    assert ingest(tmp_path) == 0
    err = capsys.readouterr().err
    assert "pump.pdf: ready, 10 pages" in err
    assert "copy.pdf: already in the library as pump.pdf" in err
    assert workspace.ingestion.paths == [tmp_path / "pump.pdf"]


def test_ingest_lists_what_failed_with_its_reason_and_ends_with_one(tmp_path, opened, capsys):
    failed = replace(manual(2, "bad.pdf", "failed"), reason="It has no pages.")
    events = [
        DocumentChanged(manual()),
        PageFailed(1, 3, "layout", "It took too long."),
        DocumentChanged(failed),
        FileRefused(Path("/tmp/notes.txt"), "It is not a PDF."),
    ]
    opened(make_workspace(library=FakeLibrary(), events=events))
    assert ingest(tmp_path) == 1
    err = capsys.readouterr().err
    assert "bad.pdf: failed: It has no pages." in err
    assert "/tmp/notes.txt: refused: It is not a PDF." in err
    assert "pump.pdf, page 4: layout: It took too long." in err


def test_a_file_with_hundreds_of_failed_pages_lists_a_few(tmp_path, opened, capsys):
    failed = [PageFailed(1, page, "layout", "It took too long.") for page in range(300)]
    opened(make_workspace(library=FakeLibrary(), events=[DocumentChanged(manual()), *failed]))
    ingest(tmp_path)
    err = capsys.readouterr().err
    assert err.count("It took too long.") == 5
    assert "pump.pdf: 295 more pages like these" in err


def test_a_manual_that_is_found_by_words_alone_says_so(tmp_path, opened, capsys):
    limited = replace(manual(), reason="Found by words only: no model.")
    opened(make_workspace(library=FakeLibrary(), events=[DocumentChanged(limited)]))
    assert ingest(tmp_path) == 0
    assert "ready, 10 pages. Found by words only: no model." in capsys.readouterr().err


def test_into_a_pipe_a_line_now_and_then_says_how_far_it_is():
    output, now = io.StringIO(), iter(range(0, 1000, 6))
    display = IngestionDisplay(output, clock=lambda: float(next(now)))
    with display:
        display.show(DocumentChanged(manual(state="indexing")))
        for page in range(1, 5):
            display.show(PassProgress(1, "layout", page, 10, 2.5, 3.0))
    assert "pump.pdf: layout, 2 of 10 pages, 2.5 pages/s, 3 s left" in output.getvalue()
    assert "1 of 10 pages" not in output.getvalue()


def test_without_a_path_ingest_goes_on_with_what_is_unfinished(library, opened, capsys):
    workspace = make_workspace(library=FakeLibrary(), events=[DocumentChanged(manual())])
    opened(workspace)
    assert main(["ingest", "--library", str(library)]) == 0
    assert "pump.pdf: ready" in capsys.readouterr().err
    assert main(["ingest", "--library", str(library)]) == 1
    assert "Nothing is unfinished" in capsys.readouterr().err


def test_without_a_path_and_without_a_library_ingest_makes_none(tmp_path, capsys):
    assert main(["ingest", "--library", str(tmp_path / "none")]) == 1
    assert "no library" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_ingest_opens_protected_files_with_the_password_given(tmp_path, opened):
    locked = manual(state="needs_password")
    workspace = make_workspace(
        library=FakeLibrary(), events=[DocumentChanged(locked)], password="sesame"
    )
    opened(workspace)
    assert ingest(tmp_path, "--password", "sesame") == 0
    assert workspace.ingestion.given == ["sesame"]


def test_a_wrong_password_is_said_and_the_file_counts_as_failed(tmp_path, opened, capsys):
    locked = manual(state="needs_password")
    opened(
        make_workspace(library=FakeLibrary(), events=[DocumentChanged(locked)], password="sesame")
    )
    assert ingest(tmp_path, "--password", "wrong") == 1
    assert "not the password" in capsys.readouterr().err


def test_on_a_terminal_the_password_is_asked_for_until_it_is_right(tmp_path, opened, monkeypatch):
    locked = manual(state="needs_password")
    workspace = make_workspace(
        library=FakeLibrary(), events=[DocumentChanged(locked)], password="sesame"
    )
    opened(workspace)
    typed = iter(["open", "sesame"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(typed))
    assert ingest(tmp_path) == 0
    assert workspace.ingestion.given == ["open", "sesame"]


def test_an_empty_password_leaves_the_file_protected(tmp_path, opened, monkeypatch, capsys):
    events = [DocumentChanged(manual(state="needs_password"))]
    opened(make_workspace(library=FakeLibrary(), events=events))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda prompt: "")
    assert ingest(tmp_path) == 1
    assert "protected; give its password" in capsys.readouterr().err


def test_ingesting_a_place_without_pdfs_fails(tmp_path, opened, capsys):
    opened(make_workspace(library=FakeLibrary()))
    assert ingest(tmp_path) == 1
    assert "No PDF file" in capsys.readouterr().err


def test_the_demonstration_without_a_display_ends_with_an_answer_and_a_picture(
    tmp_path, opened, capsys
):
    calls = opened(make_workspace(events=[DocumentChanged(manual())]))
    library = tmp_path / "demo"
    assert main(["demo", "--library", str(library)]) == 0
    out = capsys.readouterr().out
    assert f"Library: {library}" in out
    assert "The fuse is 5 A. [1]" in out
    assert f"Page written: {library / 'pages' / '01-pump-page-4-4.png'}" in out
    assert calls[0][0] == library


def test_the_demonstration_with_a_display_opens_the_window_on_the_samples(tmp_path, monkeypatch):
    shown = []

    def run_window(folder, wanted=()):
        shown.append((folder, [path.name for path in wanted]))
        return 0

    monkeypatch.setattr(desktop.app, "run_window", run_window)
    monkeypatch.setattr("desktop.cli.window.has_display", lambda: True)
    assert main(["demo", "--library", str(tmp_path)]) == 0
    assert shown[0][0] == tmp_path
    assert len(shown[0][1]) >= 2


def test_without_a_command_the_window_opens_on_the_library_named(tmp_path, monkeypatch):
    shown = []

    def run_window(folder):
        shown.append(folder)
        return 0

    monkeypatch.setattr(desktop.app, "run_window", run_window)
    monkeypatch.setattr("desktop.cli.window.has_display", lambda: True)
    assert main(["--library", str(tmp_path)]) == 0
    assert shown == [tmp_path]


def test_without_arguments_the_window_opens_before_any_command_is_imported(tmp_path):
    script = """
import sys
import desktop.app
from desktop.cli import main
desktop.app.run_window = lambda folder: print(folder, "typer" in sys.modules) or 0
sys.exit(main([]))
"""
    environment = {**os.environ, "DISPLAY": ":0", "GROUNDWORK_HOME": str(tmp_path)}
    environment.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(tmp_path / "library"), "False"]


def test_a_window_that_cannot_open_is_explained(monkeypatch, capsys):
    def run_window(folder):
        raise PermissionError(13, "Permission denied", str(folder))

    monkeypatch.setattr(desktop.app, "run_window", run_window)
    monkeypatch.setattr("desktop.cli.has_display", lambda: True)
    assert main([]) == 1
    assert "groundwork:" in capsys.readouterr().err


@pytest.fixture
def measured(monkeypatch, opened, tmp_path):
    """A bench that measures nothing and says what it was asked for."""
    calls = opened(make_workspace())
    measures = {"hit@1": 0.625, "mrr": 0.7, "p50_ms": 12.0, "n": 97, "refused_right": 6}

    def run_bench(open_library, own, columns, gold, manuals, progress, *, judged, timed):
        progress("Ingesting")
        with open_library(own, False):
            figures = {"overall": measures, "by_kind": {"table": measures}, "by_document": {}}
        *left_out, first = reversed(columns)
        return {
            "columns": [{"decider": first.decider, "profile": first.profile, **figures}],
            "not_measured": {column.label: "it has no model" for column in left_out},
        }

    monkeypatch.setattr("desktop.core.evaluation.bench.run_bench", run_bench)
    (tmp_path / "gold.json").write_text("[]")
    return calls


def run_bench(tmp_path, *more):
    return main(["bench", str(tmp_path / "gold.json"), "--manuals", str(tmp_path), *more])


def test_bench_prints_json_alone_on_stdout_and_its_progress_beside_it(measured, tmp_path, capsys):
    assert run_bench(tmp_path, "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["overall"]["hit@1"] == 0.625
    assert err == "Ingesting\n"


def test_bench_prints_a_table_for_people(measured, tmp_path, capsys):
    assert run_bench(tmp_path) == 0
    out = capsys.readouterr().out
    assert "overall" in out
    assert "table" in out
    assert "0.62" in out


def test_bench_writes_a_report_and_says_what_changed(measured, tmp_path, capsys):
    old, report = tmp_path / "old.json", tmp_path / "out" / "report.md"
    assert run_bench(tmp_path, "--json") == 0
    old.write_text(capsys.readouterr().out.replace("0.625", "0.5"))
    assert run_bench(tmp_path, "--report", str(report), "--compare", str(old)) == 0
    out, err = capsys.readouterr()
    assert "+0.125" in out
    assert str(report) in err
    assert "| hit@1 | 0.62 |" in report.read_text()
    assert run_bench(tmp_path, "--compare", str(tmp_path / "gold.json")) == 1
    assert "is not what `groundwork bench --json` writes" in capsys.readouterr().err


def test_bench_names_what_it_could_not_measure(measured, tmp_path, capsys):
    assert run_bench(tmp_path, "--decider", "rules,dspy", "--json") == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert [column["decider"] for column in found["columns"]] == ["rules"]
    assert found["not_measured"] == {"dspy, lite": "it has no model"}
    assert "dspy, lite: not measured, it has no model" in err


@pytest.mark.parametrize("option", ["--decider", "--profile"])
def test_bench_says_which_columns_there_are(tmp_path, capsys, option):
    (tmp_path / "gold.json").write_text("[]")
    assert run_bench(tmp_path, option, "rules,crystal-ball") == 2
    assert "crystal-ball: choose from auto, " in " ".join(capsys.readouterr().err.split())


def test_bench_uses_a_folder_of_its_own_and_removes_it(measured, tmp_path):
    assert run_bench(tmp_path, "--json") == 0
    assert not measured[0][0].exists()
    assert run_bench(tmp_path, "--json", "--library", str(tmp_path / "kept")) == 0
    assert measured[1][0] == tmp_path / "kept"


def run_process(*arguments, **options):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
        **options,
    )


def test_the_version_is_printed():
    done = run_process("-m", "desktop", "--version")
    assert (done.returncode, done.stdout) == (0, f"groundwork {desktop.__version__}\n")


def test_help_names_every_command_and_loads_nothing_heavy():
    code = (
        "import sys; from desktop.cli import main; code = main(['--help']);"
        "heavy = {'numpy', 'pydantic', 'apsw', 'PySide6', 'pymupdf', 'torch'} & set(sys.modules);"
        "print('HEAVY', sorted(heavy)); sys.exit(code)"
    )
    done = run_process("-c", code)
    assert done.returncode == 0
    for command in ("ingest", "ask", "demo", "bench", "optimise", "doctor"):
        assert f" {command} " in done.stdout
    assert "HEAVY []" in done.stdout


def test_importing_the_application_loads_no_model_runtime_and_no_pdf_library():
    code = (
        "import sys, desktop.app, desktop.cli;"
        "banned = {'torch', 'mlx', 'transformers', 'dspy', 'pymupdf', 'rapidocr',"
        " 'onnxruntime', 'scipy', 'PySide6'};"
        "print(sorted(banned & {name.partition('.')[0] for name in sys.modules}))"
    )
    done = run_process("-c", code)
    assert done.stdout == "[]\n", done.stderr


def test_a_question_waits_for_nothing_that_only_research_pictures_or_locks_need():
    code = (
        "import sys, desktop.app.agent, desktop.cli.answer_output, desktop.core.workspace;"
        "import desktop.core.research.deep_research, desktop.core.store.database;"
        "import desktop.models.packs.model_folder, desktop.core.reader.reader;"
        "core = 'desktop.core.';"
        "late = {'filelock', core + 'research.orchestrator', core + 'research.report',"
        " core + 'picture_questions', core + 'nameplates.finder'};"
        "print(sorted(late & set(sys.modules)))"
    )
    done = run_process("-c", code)
    assert done.stdout == "[]\n", done.stderr


def test_a_reader_that_closed_the_pipe_gets_no_noise():
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "desktop", "--help"],
            cwd=ROOT,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=400,
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (141, "")
