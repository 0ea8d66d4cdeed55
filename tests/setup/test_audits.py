"""The checks of the dependencies find what they are for."""

from __future__ import annotations

from typing import Any

import pytest

from scripts import check_licences, check_vulnerabilities


@pytest.mark.parametrize(
    ("expression", "compatible"),
    [
        ("MIT", True),
        ("LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", True),
        ("MPL-2.0 AND (Apache-2.0 OR MIT)", True),
        ("GPL-2.0-only", False),
        ("MIT AND LicenseRef-Proprietary", False),
        ("LicenseRef-Proprietary OR MIT", True),
        ("", False),
    ],
)
def test_a_licence_is_compatible_if_one_of_each_choice_is(expression, compatible):
    assert check_licences.is_compatible(expression) is compatible


def test_what_no_build_may_contain_is_not_judged():
    """PyPI's torch for Linux brings NVIDIA's packages, which constraints.txt does not pin."""
    installed = ["groundwork", "numpy", "nvidia-cublas"]
    assert check_licences.handed_out(installed) == ["groundwork", "numpy"]


def test_every_part_of_this_program_is_compatible(capsys):
    assert check_licences.main() == 0, capsys.readouterr().out


def test_a_vulnerable_version_is_named_with_its_repair_and_a_skipped_one_is_not_clean():
    found: list[dict[str, Any]] = [
        {"name": "a", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": ["2"]}]},
        {"name": "b", "version": "1", "vulns": []},
        {"name": "c", "skip_reason": "not found"},
    ]
    vulnerable, unknown = check_vulnerabilities.findings(found)
    assert vulnerable == ["a 1: CVE-1, repaired in 2"]
    assert unknown == ["c"]


def test_a_database_that_does_not_know_the_canary_is_no_clean_bill(monkeypatch, capsys):
    """pip-audit ends well for an index without a database: it has skipped everything."""
    skipped = [{"name": "requests", "skip_reason": "not found"}]
    monkeypatch.setattr(check_vulnerabilities, "audit", lambda *_: skipped)
    assert check_vulnerabilities.main([]) == check_vulnerabilities.NOT_LOOKED_UP
    assert check_vulnerabilities.main(["--strict"]) == 1
    assert "NOT looked up" in capsys.readouterr().out


def test_a_clean_database_ends_well_and_a_finding_ends_with_1(monkeypatch, capsys):
    flawed = {"name": "x", "version": "1", "vulns": [{"id": "CVE-1", "fix_versions": []}]}
    answers = {check_vulnerabilities.CANARY + "\n": [flawed]}
    monkeypatch.setattr(check_vulnerabilities, "audit", lambda _, text: answers.get(text, []))
    assert check_vulnerabilities.main([]) == 0
    monkeypatch.setattr(check_vulnerabilities, "audit", lambda *_: [flawed])
    assert check_vulnerabilities.main([]) == 1
    assert "repaired in no version yet" in capsys.readouterr().out
