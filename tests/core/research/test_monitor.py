"""What a site says against what a maker says, statement by statement."""

from __future__ import annotations

import asyncio
from time import sleep

from desktop.core.claims.comparison import Comparison
from desktop.core.research.analyst import RuleAnalyst
from desktop.core.research.monitor import (
    claim_lines,
    compared,
    monitor_draft,
    settled_by_model,
)
from desktop.core.research.report import read_draft
from desktop.core.research.sources import SourceTierFilter
from desktop.core.settings.sections import ReasoningSettings
from tests.fakes.comparer import ScriptedComparer
from tests.fakes.research import handler, note, page

BOLTS = "Tighten the cover bolts to 12 Nm."


def context(tmp_path, *sources):
    parts, items = handler(tmp_path, *sources)
    return SourceTierFilter(parts.sources.tiers).filter_and_enrich(items, "monitor"), parts.sources


def monitored(tmp_path, *sources, verdicts=None):
    items, book = context(tmp_path, *sources)
    comparison = Comparison(ScriptedComparer(verdicts))
    found, left = compared(items, book, ReasoningSettings(), comparison)
    assert left == 0
    return found


def test_a_manual_that_agrees_anywhere_agrees_with_the_site(tmp_path):
    found = monitored(
        tmp_path,
        note("Tighten the cover bolts with 12 Nm."),
        page("Tighten the cover bolts to 10 Nm.", 1),
        page(BOLTS, 2),
        verdicts={("10 Nm", "12 Nm"): "contradict", ("12 Nm", "12 Nm"): "agree"},
    )
    assert [(each.verdict, each.official.text) for each in found] == [("agreement", BOLTS)]


def test_a_contradiction_is_told_with_both_statements(tmp_path):
    found = monitored(
        tmp_path,
        note("We tighten the cover bolts to 15 Nm."),
        page(BOLTS, 1),
        verdicts={("12 Nm", "15 Nm"): "contradict", ("15 Nm", "12 Nm"): "contradict"},
    )
    draft = monitor_draft(found)
    contradictions, agreements = draft.split("## Agreements")
    assert "15 Nm" in contradictions
    assert "12 Nm" in contradictions
    assert "Nm" not in agreements


def test_what_is_not_sure_is_shown_side_by_side_and_other_amounts_come_first(tmp_path):
    found = monitored(
        tmp_path,
        note("Grease the cover bolts when they tighten."),
        note("Tighten the cover bolts to 15 Nm.", "n2"),
        page(BOLTS, 1),
    )
    assert [each.verdict for each in found] == ["open", "open"]
    assert [each.reason for each in found] == ["", "15 Nm / 12 Nm"]
    likely, undecided = monitor_draft(found).split("## Likely")[1].split("## Not decided")
    assert "15 Nm" in likely
    assert "Grease" in undecided


def test_what_was_found_for_a_statement_is_compared_without_a_word_in_common(tmp_path):
    site = note("Deckelschrauben: fünfzehn Newtonmeter.")
    elsewhere = page("The cover is red.", 1)
    items, book = context(tmp_path, site, elsewhere, page(BOLTS, 2))
    comparison = Comparison(
        ScriptedComparer({("12 Nm", "Newton"): "contradict", ("Newton", "12 Nm"): "contradict"})
    )
    assert compared(items, book, ReasoningSettings(), comparison) == ([], 0)
    book.keep_found("Deckelschrauben: fünfzehn Newtonmeter.", [page(BOLTS, 2)])
    (pair,), _ = compared(items, book, ReasoningSettings(), comparison)
    assert (pair.verdict, pair.official.text) == ("contradiction", BOLTS)


def test_the_mark_of_a_quotation_counts_for_all_of_its_sentences():
    says = (
        "- Site notes say: “F3 is 4 A.” [1] The manual says: “Measure 230 V. Replace F3 (2 A).” [2]"
    )
    assert [each.cited for each in read_draft(says)] == [(1,), (2,), (2,)]


def test_an_objection_leaves_the_other_pairs_as_they_are(tmp_path):
    sources = (note("We tighten the cover bolts to 15 Nm."), page(BOLTS, 1))
    parts, items = handler(tmp_path, *sources)
    items = SourceTierFilter(parts.sources.tiers).filter_and_enrich(items, "monitor")

    async def revised() -> tuple[str, str]:
        analyst = RuleAnalyst(parts)
        draft = (await analyst.research("Do the notes agree?", items, "monitor"))["draft"]
        again = await analyst.revise(f"{draft}\n\nThe cover is red.", {}, items)
        return draft, again["draft"]

    draft, again = asyncio.run(revised())
    assert "15 Nm" in draft
    assert again == draft


def test_what_there_is_no_time_for_is_counted_and_the_rest_stays(tmp_path):
    class Slow(ScriptedComparer):
        def compare(self, pairs):
            sleep(0.2)
            return super().compare(pairs)

    notes = [note(f"Tighten cover bolt {number} to 12 Nm.", f"n{number}") for number in range(4)]
    items, book = context(tmp_path, *notes, page(BOLTS, 1))
    found, left = compared(items, book, ReasoningSettings(), Comparison(Slow()), seconds=0.3)
    assert (len(found), left) == (1, 3)


def test_of_undecided_pairs_what_is_likelier_to_contradict_stands_first(tmp_path):
    found = monitored(
        tmp_path,
        note("Tighten the cover bolts by hand."),
        note("Tighten the cover bolts from the left.", "n2"),
        page(BOLTS, 1),
        verdicts={("12 Nm", "left"): "contradict"},
    )
    assert [each.verdict for each in found] == ["open", "open"]
    undecided = monitor_draft(found).split("## Not decided")[1]
    assert undecided.index("from the left") < undecided.index("by hand")


def test_an_amount_that_the_manual_does_not_have_is_not_agreed_with(tmp_path):
    found = monitored(
        tmp_path,
        note("Tighten the cover bolts to 12 Nm in 3 rounds."),
        page(BOLTS, 1),
        verdicts={("12 Nm", "3 (?) rounds"): "agree"},
    )
    assert [each.verdict for each in found] == ["open"]


def test_what_the_maker_says_nothing_about_is_left_out(tmp_path):
    assert monitored(tmp_path, note("The key hangs in the office."), page(BOLTS, 1)) == []


def test_a_model_decides_only_what_is_open_and_no_amount_that_differs_is_agreed_with(tmp_path):
    found = monitored(
        tmp_path,
        note("Tighten the cover bolts to 15 Nm."),
        note("Tighten the cover bolts crosswise.", "n2"),
        page(BOLTS, 1),
    )
    settled = settled_by_model(found, {0: "agreement", 1: "contradiction"})
    assert [each.verdict for each in settled] == ["open", "contradiction"]


def test_without_any_pair_the_lists_say_that_nothing_was_found():
    draft = monitor_draft([])
    assert "No contradiction was found." in draft
    assert "No agreement was found." in draft


def test_a_claim_is_judged_by_the_best_source_and_not_at_all_where_nothing_is_sure(tmp_path):
    items, book = context(tmp_path, page(BOLTS, 1))
    claim = "the cover bolts tighten to 15 Nm"
    both: dict[tuple[str, str], str | float] = {
        ("12 Nm", "15 Nm"): "contradict",
        ("15 Nm", "12 Nm"): "contradict",
    }
    against = Comparison(ScriptedComparer(both))
    heading, line = claim_lines(claim, items, book, against)
    assert (heading.text, line.text) == ("The claim is contradicted", BOLTS)
    assert claim_lines(claim, items, book, Comparison(ScriptedComparer())) == []
