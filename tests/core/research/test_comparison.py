"""What a site says against what a maker says, sentence by sentence, by rules."""

from __future__ import annotations

import pytest

from desktop.core.research.comparison.monitor import compared, monitor_draft, settled_by_model
from desktop.core.research.comparison.quantities import quantities_of
from desktop.core.research.comparison.statement import Statement
from desktop.core.research.comparison.verdict import judge
from desktop.core.research.source_filter import SourceTierFilter
from desktop.core.settings.reasoning import ReasoningSettings
from tests.fakes.research import handler, note, page


def even(_group: tuple[str, ...]) -> float:
    return 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3 bar", "300 kPa"),
        ("0.5 h", "30 minutes"),
        ("every 6 months", "every six months"),
        ("weekly", "every 7 days"),
        ("quarterly", "every 3 months"),
        ("1,5 kW", "1500 W"),
        ("4 mm²", "4 mm2"),
        ("10 to 20 mA", "10-20 mA"),
        ("38 400 Hz", "38.4 kHz"),
        ("four bolts", "4 bolts"),
    ],
)
def test_the_same_value_is_the_same_however_it_is_written(one, other):
    (first,), (second,) = quantities_of(one), quantities_of(other)
    assert first.same_as(second)


@pytest.mark.parametrize(
    ("one", "other"),
    [("3 bar", "3.1 bar"), ("5 V", "5 A"), ("-5 °C", "5 °C"), ("10 to 20 mA", "10 to 25 mA")],
)
def test_other_values_are_other_values(one, other):
    (first,), (second,) = quantities_of(one), quantities_of(other)
    assert not first.same_as(second)


@pytest.mark.parametrize("text", ["Menu 41 of DN 65 and X1:3", "see 4.2", "part 72-2011"])
def test_names_and_numbers_of_sections_are_no_values(text):
    assert quantities_of(text) == ()


@pytest.mark.parametrize(
    ("site", "official", "verdict"),
    [
        ("Tighten the cover bolts with 12 Nm.", "Tighten the cover bolts to 12 Nm.", "agreement"),
        (
            "Tighten the cover bolts with 15 Nm.",
            "Tighten the cover bolts to 12 Nm.",
            "contradiction",
        ),
        ("The pump may run dry.", "The pump must not run dry.", "contradiction"),
        ("Never open the cover bolts hot.", "Never open the cover bolts hot.", "agreement"),
        ("The fault light is yellow.", "The fault light is red.", "contradiction"),
        (
            "Code E07 means the drive overheats.",
            "Code E12 means the drive overheats.",
            "contradiction",
        ),
        # about something else
        ("The suction valve stays at 3 bar.", "The discharge valve stays at 5 bar.", "unrelated"),
        ("The internal battery lasts 2 h.", "The external battery lasts 30 h.", "unrelated"),
        ("Pump P1 draws 4 A.", "Pump P2 draws 6 A at full load.", "unrelated"),
        ("The key hangs in the office.", "Tighten the cover bolts to 12 Nm.", "unrelated"),
        # nothing to compare
        ("Set the room temperature to 20 °C.", "Room temperature: set 5 to 40 °C.", "open"),
    ],
)
def test_statements_are_judged_by_values_names_kinds_and_denials(site, official, verdict):
    assert judge(Statement(site), Statement(official), even).verdict == verdict


@pytest.mark.parametrize(
    "site",
    [
        "X2:1 to X2:6 is 0.6 Nm here: the old ferrules slip",
        "Terminals X2:1 to X2:6 need 0.6 Nm, because the old ferrules slip.",
        "X2:1 to X2:6 mit 0,6 Nm anziehen, sonst rutschen die alten Hülsen.",
        "Tighten X2:1 to X2:6 to 0.6 Nm - the contractor left soft ferrules in there.",
    ],
)
def test_why_the_site_does_it_otherwise_does_not_hide_that_it_does(site):
    table = "Tightening torques > Terminals | Driver | Torque"
    row = Statement("X2:1 to X2:6 | PZ 2 | 1.2 Nm", table)
    other_row = Statement("X1:1 to X1:6 | PZ 2 | 0.5 Nm", table)
    assert judge(Statement(site), row, even).verdict == "contradiction"
    assert judge(Statement(site), other_row, even).verdict == "unrelated"
    same = site.replace("0.6", "1.2").replace("0,6", "1,2")
    assert judge(Statement(same), row, even).verdict == "agreement"


def test_a_value_given_as_a_reason_is_still_part_of_the_claim():
    site = Statement("Change the oil early: every 500 h.")
    assert judge(site, Statement("Change the oil every 1000 h."), even).verdict == "contradiction"


def monitored(tmp_path, *sources):
    parts, items = handler(tmp_path, *sources)
    context = SourceTierFilter(parts.sources.tiers).filter_and_enrich(items, "monitor")
    return compared(context, parts.sources, ReasoningSettings())


def test_a_manual_that_gives_the_sites_value_anywhere_agrees_with_it(tmp_path):
    found = monitored(
        tmp_path,
        note("Tighten the cover bolts with 12 Nm."),
        page("Tighten the cover bolts to 10 Nm.", 1),
        page("Tighten the cover bolts to 12 Nm.", 2),
    )
    assert [each.verdict for each in found] == ["agreement"]


def test_what_somebody_once_saw_is_not_compared_and_nothing_is_said_twice(tmp_path):
    found = monitored(
        tmp_path,
        note("The cover bolts were at 15 Nm. Tighten the cover bolts with 15 Nm.", "a"),
        note("Tighten the cover bolts with 15 Nm.", "b"),
        page("Tighten the cover bolts to 12 Nm."),
    )
    assert [(each.verdict, each.site.text) for each in found] == [
        ("contradiction", "Tighten the cover bolts with 15 Nm.")
    ]


def test_an_unverified_document_is_the_sites_word_and_a_bulletin_is_nobodys(tmp_path):
    found = monitored(
        tmp_path,
        page("Tighten the cover bolts with 15 Nm.", 1, tier=5, document="forum.pdf"),
        page("Tighten the cover bolts with 18 Nm.", 2, tier=2, document="bulletin.pdf"),
        page("Tighten the cover bolts to 12 Nm.", 3),
    )
    assert [each.site.text for each in found] == ["Tighten the cover bolts with 15 Nm."]


def test_a_model_decides_only_what_rules_leave_open(tmp_path):
    found = monitored(
        tmp_path,
        note("Tighten the cover bolts with 15 Nm. Set the room temperature to 20 °C."),
        page("Tighten the cover bolts to 12 Nm. Room temperature: set 5 to 40 °C."),
    )
    assert [each.verdict for each in found] == ["contradiction", "open"]
    settled = settled_by_model(found, {0: "agreement", 1: "contradiction"})
    assert [each.verdict for each in settled] == ["contradiction", "agreement"]
    draft = monitor_draft(settled)
    assert draft.index("15 Nm") < draft.index("## Agreements") < draft.index("20 °C")


def test_without_any_comparison_the_lists_say_that_nothing_was_found(tmp_path):
    assert "No contradiction was found." in monitor_draft(())
