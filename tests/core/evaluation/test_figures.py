"""One format of results: what stands on the screen, in a file and on the page of figures."""

import importlib
import json

import pytest

from desktop.cli import main
from desktop.core.evaluation.figures import BenchResult, Figure, as_text
from scripts.bench import page
from scripts.bench.__main__ import BENCHES
from scripts.bench.__main__ import main as run_bench
from scripts.bench.question import STAGES


def found(*figures):
    return BenchResult(
        bench="pump",
        about="how fast it pumps",
        baseline="a bucket",
        figures=figures,
        measured_at="2026-11-24 09:00 UTC",
        machine="a pump house",
        details=("the tap was open",),
    )


def test_a_figure_stands_beside_its_baseline_and_a_missed_limit_is_named():
    text = as_text(
        found(
            Figure(name="litres", value=12.5, unit="l/s", baseline=3.0),
            Figure(name="noise", value=80, unit="dB", limit=70),
            Figure(name="kept", value=0.99, limit=0.95, more_is_better=True),
        )
    )

    litres, noise, kept = text.splitlines()[2:5]
    assert "12.5 l/s" in litres
    assert "baseline 3" in litres
    assert noise.endswith("at most 70  MISSED")
    assert kept.endswith("at least 0.95")
    assert text.splitlines()[-1].strip() == "the tap was open"


def test_what_was_written_down_is_read_again_and_comes_onto_the_page(tmp_path, monkeypatch):
    kept = found(Figure(name="noise", value=1234.5, unit="dB", baseline=2, limit=70))
    (tmp_path / "pump.json").write_text(kept.model_dump_json())
    monkeypatch.setattr(page, "FOLDER", tmp_path)

    assert page.last_results() == [kept]
    written = page.page([kept])
    assert "| noise | 1,234 dB | 2 | at most 70 (missed) |" in written
    assert "Baseline: a bucket." in written


def test_the_page_in_the_repository_is_made_of_the_kept_results():
    assert (page.DOCS / "figures.md").read_text("utf-8") == page.page(page.last_results())


@pytest.mark.parametrize("name", [name for name in BENCHES if name != "page-embedders"])
def test_every_bench_says_what_it_stands_beside_and_what_can_be_chosen(name, capsys):
    assert importlib.import_module(f"scripts.bench.{name.replace('-', '_')}").BASELINE
    with pytest.raises(SystemExit) as ended:
        run_bench([name, "--help"])

    assert ended.value.code == 0
    assert "--keep" in capsys.readouterr().out


def test_a_bench_writes_its_result_into_a_file(tmp_path, capsys):
    path = tmp_path / "trace.json"

    assert run_bench(["fast-search"]) == 2
    assert (
        run_bench(["knowledge", "--pieces=60", "--load=30", "--questions=3", f"--json={path}"]) == 0
    )

    written = BenchResult.model_validate_json(path.read_text())
    assert written.bench == "knowledge"
    assert as_text(written) in capsys.readouterr().out


def test_anybody_can_measure_how_fast_a_manual_is_read(capsys):
    assert main(["bench", "ingest", "--rounds", "1", "--text-only", "--json"]) == 0

    result = json.loads(capsys.readouterr().out)
    assert result["bench"] == "ingest"
    (until_found, *_) = result["figures"]
    assert until_found["value"] > until_found["baseline"] > 0


@pytest.mark.parametrize(("module", "owner", "function"), STAGES.values())
def test_the_stages_of_a_question_are_where_they_are_timed(module, owner, function):
    place = importlib.import_module(module)
    assert callable(getattr(getattr(place, owner) if owner else place, function))
