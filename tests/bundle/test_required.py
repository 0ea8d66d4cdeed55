from __future__ import annotations

import json

from scripts.bundle import required
from scripts.bundle.variant import Variant


def test_an_empty_program_lacks_everything_by_name(tmp_path):
    complaints = required.complaints(Variant("slim", "linux", tmp_path), [])
    told = "\n".join(complaints)
    for part in (
        "sample manuals",
        "vec0",
        "PySide6/QtPdf",
        "desktop.parser_worker",
        "desktop.core.agent.tools.summarize",
        "architecture qwen3",
        "vision network qwen3_vl",
        "the text model",
        "bill of materials",
    ):
        assert part in told


def test_what_must_not_be_inside_is_named(tmp_path):
    modules = ["torch", "litellm", "PySide6.QtNetwork"]
    told = required.complaints(Variant("slim", "linux", tmp_path), modules)
    assert {f"{name} must not be inside" for name in modules} <= set(told)
    full = required.complaints(Variant("full", "linux", tmp_path), modules)
    assert "torch must not be inside" not in full
    assert {"the module sympy", "the module colpali_engine.models"} <= set(full)
    assert "the module torch" not in full


def test_a_bill_of_materials_without_the_parts_is_none(tmp_path):
    variant = Variant("slim", "linux", tmp_path)
    path = variant.contents / "resources" / "sbom.cdx.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"components": [{"name": "dspy"}]}))
    told = required.complaints(variant, [])
    assert "the bill of materials without pymupdf" in told
    assert "the bill of materials without dspy" not in told
