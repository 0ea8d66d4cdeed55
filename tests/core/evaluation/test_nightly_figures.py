"""The figures of a night: kept line by line, so that a night cut short still says something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from desktop.core.events import DecisionEvent
from scripts.bench.nightly_figures import Asked, complaint_about, read_night, report, tool_arguments
from scripts.bench.nightly_figures import write_down as write

if TYPE_CHECKING:
    from pathlib import Path


def asked(name: str, **values: Any) -> Asked:
    usual: dict[str, Any] = {
        "id": name,
        "whole": True,
        "decided": ["fast_vector_search", "text_response"],
        "seconds": [8.0, 4.0],
        "invalid": [],
        "rejected": 0,
        "outcome": "answered",
    }
    return Asked.model_validate(usual | values)


def test_a_night_that_was_cut_short_is_read_again(tmp_path: Path):
    night = [asked("a"), asked("b", outcome="not_found")]
    for each in night:
        write(each, tmp_path / "figures.jsonl")
    assert read_night(tmp_path / "figures.jsonl") == night
    assert read_night(tmp_path / "none.jsonl") == []


def test_the_report_tells_refusals_quotes_and_fallbacks_apart():
    figures = report(
        [
            asked("a", fully_grounded=True),
            asked("b", said="quoted because the manuals carry nothing that the model wrote"),
            asked("c", outcome="not_found", fallen_back=True),
            asked("d", outcome="not_found", answerable=False),
            asked("e", whole=False, decided=["fast_vector_search"], seconds=[6.0]),
        ]
    )
    assert (figures["questions"], figures["decisions"]) == (4, 9)
    assert (figures["answered"], figures["answered_all_grounded"]) == (2, 1)
    assert figures["quoted_in_place_of_the_model"] == 1
    assert (figures["refused_wrongly"], figures["refused_rightly"]) == (1, 1)
    assert figures["fallen_back"] == 1
    assert figures["median_first_decision_seconds"] == 8.0


def test_a_decision_that_no_tool_understands_is_complained_about():
    known = tool_arguments()
    good = DecisionEvent("fast_vector_search", "", {"query": "fuse"}, 1, 0.0)
    assert complaint_about(good, known) == ""
    assert "no tool" in complaint_about(DecisionEvent("dream", "", {}, 1, 0.0), known)
    wrong = DecisionEvent("fast_vector_search", "", {"depth": 3}, 1, 0.0)
    assert complaint_about(wrong, known).startswith("fast_vector_search: ")
