"""What changed between two revisions: found, grouped, cited; layout is no change."""

from __future__ import annotations

import pytest

from desktop.core.jobs import Cancelled, CancelToken
from desktop.core.library.editions import other_revision
from desktop.core.library.values import SourceEdit
from desktop.core.revisions.alignment import LooseWords, align
from desktop.core.revisions.changes import compare
from desktop.core.revisions.items import Item
from tests.fakes.bookcase import Sheet

STEPS = (
    "1. Close the inlet valve and wait for silence.",
    "2. Open the drain screw below the housing.",
    "3. Take the old filter out of the housing.",
    "4. Press the new filter in until it clicks.",
)
TORQUES = (
    ("Part", "Torque", "Tool"),
    ("Housing lid", "1.2 Nm", "PZ 2"),
    ("Drain screw", "300 mNm", "Slot"),
    ("Mounting foot", "6 Nm", "M8 nut"),
)
WARNING = "WARNING: The housing is hot. Let it cool for 30 minutes."


def pages(*, warning=WARNING, steps=STEPS, torques=TORQUES, remark="Keep the housing dry."):
    """Return a small manual."""
    first = Sheet().heading("1 Safety").text(warning).text(remark)
    second = Sheet().heading("2 Changing the filter")
    for step in steps:
        second.text(step)
    return [first, second, Sheet().heading("3 Torques").rows(*torques)]


def changes_of(bookcase, old, new):
    first, second = bookcase.add("pump_1.pdf", old), bookcase.add("pump_2.pdf", new)
    return compare(bookcase.database, bookcase.library, first, second, CancelToken())


def told(comparison):
    return [(each.group, each.verb) for each in comparison.changes]


def test_the_same_words_on_other_pages_are_no_change(bookcase):
    together = (
        Sheet()
        .heading("1 Safety")
        .text("WARNING: The housing", "is hot. Let it cool for 30 minutes.")
    )
    together.text("Keep the housing", "dry.").heading("2 Changing the filter")
    for step in STEPS[:2]:
        together.text(step)
    rest = Sheet().text(STEPS[2]).text(STEPS[3]).heading("3 Torques").rows(*TORQUES)
    assert changes_of(bookcase, pages(), [together, rest]).changes == ()


def test_a_heading_that_leaves_the_imprint_and_a_hyphen_set_apart_are_no_change(bookcase):
    """A version is left out of what the first pages say, so it must not seem added further on."""
    history = [Sheet().heading("Changes in Version 2.0").text("The stop arms of an AR- 22 bend.")]
    before = [Sheet().heading("Pump").text(f"Page {name}.") for name in ("one", "two", "three")]
    later = [history[0], *before], [*before, Sheet().heading("Changes in Version 2.0")]
    later[1][-1].text("The stop arms of an AR-22 bend.")
    groups = {each.group for each in changes_of(bookcase, *later).changes}
    assert groups <= {"moved"}


def test_a_sentence_beside_a_drawing_is_told_apart_from_its_labels():
    """The labels of a drawing are told as one change; words of a sentence are none of them."""
    old, new = (
        [
            _item("Here is the schematic of the controller."),
            _item(f"J1 R1 1K8 {label} C2", "figure"),
            _item(f"The {name} board sits on the main board and takes 12 V."),
            _item("Solder the header first."),
        ]
        for label, name in (("470uF", "supply"), ("1000uF", "regulator"))
    )
    alignment = align(old, new, lambda: None)
    loose = LooseWords((alignment.removed, alignment.added), (old, new), alignment)
    assert [each.words for each in loose.changes()] == [(["470uF"], ["1000uF"])]
    left = {pair.old for pair in alignment.pairs if not pair.same} - {p.old for p in loose.pairs}
    assert left | set(loose.left[0]) == {2}


def _item(text, kind="text"):
    return Item(kind, text, (), 0, "1", False, b"", (0, 0, 0))


def test_an_amount_is_compared_and_not_its_spelling(bookcase):
    torques = (
        TORQUES[0],
        ("Housing lid", "1.5 Nm", "PZ 2"),
        ("Drain screw", "0.3 Nm", "Slot"),
        TORQUES[3],
    )
    comparison = changes_of(bookcase, pages(), pages(torques=torques))
    (change,) = comparison.changes
    assert (change.group, change.values) == ("value", (("1.2 Nm", "1.5 Nm"),))
    for side in change.sides:
        words = bookcase.words_in(side.region.document_id, side.region.page, side.region.regions)
        assert "Housing lid" in words
        assert "Drain" not in words


def test_warnings_come_first_and_a_step_that_was_added_renumbers_nothing(bookcase):
    steps = (STEPS[0], "2. Switch the pump off at Q1.", *(f"{n}{STEPS[n - 2][1:]}" for n in (3, 4)))
    steps = (*steps, f"5{STEPS[3][1:]}")
    new = pages(warning=WARNING.replace("30 minutes", "60 minutes"), steps=steps)
    comparison = changes_of(bookcase, pages(), new)
    assert told(comparison) == [("warning", "changed"), ("step", "added")]
    warning, step = comparison.changes
    assert warning.level == "WARNING"
    assert warning.values == (("30 minutes", "60 minutes"),)
    assert step.new.text.startswith("2. Switch the pump off")
    assert step.old is None


def test_steps_in_another_order_are_one_change_and_none_is_lost(bookcase):
    swapped = (STEPS[0], f"2{STEPS[2][1:]}", f"3{STEPS[1][1:]}", STEPS[3])
    assert told(changes_of(bookcase, pages(), pages(steps=swapped))) == [("step", "reordered")]


def test_rows_are_added_and_removed_one_by_one(bookcase):
    torques = (*TORQUES[:3], ("Cable gland", "4 Nm", "M16 nut"))
    comparison = changes_of(bookcase, pages(), pages(torques=torques))
    assert sorted(told(comparison)) == [("table", "added"), ("table", "removed")]


def test_a_section_that_moved_is_moved_and_not_deleted(bookcase):
    first = pages()[0]
    renumbered = Sheet().heading("2 Torques").rows(*TORQUES)
    last = Sheet().heading("3 Changing the filter")
    for step in STEPS:
        last.text(step)
    comparison = changes_of(bookcase, pages(), [first, renumbered, last])
    assert told(comparison) == [("moved", "moved")]


def test_a_page_that_was_not_read_is_told_and_nothing_of_it_is_called_removed(bookcase):
    old = bookcase.add("pump_1.pdf", pages())
    new = bookcase.add("pump_2.pdf", pages(remark="Keep the housing clean."))
    bookcase.database.write(
        lambda c: c.execute(
            "DELETE FROM page_passes WHERE pass = 'layout' AND page_id IN"
            " (SELECT id FROM pages WHERE document_id = ? AND page = 1)",
            (new,),
        )
    )
    bookcase.database.write(
        lambda c: c.execute("DELETE FROM units WHERE document_id = ? AND page = 1", (new,))
    )
    comparison = compare(bookcase.database, bookcase.library, old, new, CancelToken())
    assert comparison.unread == 1
    assert told(comparison) == [("text", "changed")]


def test_comparing_can_be_stopped(bookcase):
    one, two = (bookcase.add(f"{name}.pdf", pages(remark=name)) for name in ("one", "two"))
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        compare(bookcase.database, bookcase.library, one, two, cancel)


def test_the_other_revision_is_the_newest_and_of_that_the_one_before(bookcase):
    ids = [
        bookcase.add(f"{n}.pdf", pages(remark=f"Remark {n}."), title="HX-200 service manual")
        for n in range(3)
    ]
    for number, document_id in enumerate(ids):
        bookcase.library.set_source([document_id], SourceEdit(revision=f"Rev {'ABC'[number]}"))
    records = bookcase.library.documents()
    found = [other_revision(records, each) for each in ids]
    assert [(each.id, each.newer) for each in found if each is not None] == [
        (ids[2], True),
        (ids[2], True),
        (ids[1], False),
    ]
    alone = bookcase.add("other.pdf", pages(remark="Other."), title="Another pump")
    assert other_revision(bookcase.library.documents(), alone) is None
