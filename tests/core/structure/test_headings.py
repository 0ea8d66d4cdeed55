"""What is observed of a page's short blocks, and which of them are headings."""

import pytest

from desktop.core.structure.blocks import DraftBlock
from desktop.core.structure.headings import OBSERVATIONS, observed, of_others, with_headings
from desktop.core.structure.raw import Segment
from desktop.core.structure.values import OutlineEntry
from tests.fakes.drawn_page import DrawnPage, structure_page, style
from tests.fakes.drawn_tables import COLUMNS, rows_of

SAID = "The pump runs as long as the tank is not full, and stops when somebody opens the lid of it."


def block(text, y, *, kind="text", x=72.0, size=10.0, bold=False, font="Sans", number=0):
    box = (x, y, x + 5 * len(text), y + 1.2 * size)
    return DraftBlock(kind, (Segment((), text, box, size, bold, number, font=font),), box)


def seen(blocks, *, regions=(), outline=(), rule=None):
    page = DrawnPage()
    if rule:
        page.rule(*rule)
    for kind, box in regions:
        page.region(kind, box)
    found = observed(blocks, page.raw(), style(*outline))
    return {at: dict(zip(OBSERVATIONS, each, strict=True)) for at, each in found.items()}


def test_print_and_the_layout_model_are_observed():
    blocks = [block("Wiring", 100, size=14, bold=True), block(SAID, 130), block(SAID, 150)]
    found = seen(blocks)[0]
    assert found["larger"] == pytest.approx(0.336, abs=0.01)
    assert found["bolder"] > 0.9 > found["larger"]
    assert (found["unasked"], found["seen"], found["unseen"]) == (1, 0, 0)
    region = ("section-header", (70, 98, 200, 120))
    assert seen(blocks, regions=[region])[0]["seen"] == 1
    elsewhere = ("section-header", (70, 398, 200, 420))
    assert seen(blocks, regions=[elsewhere])[0]["unseen"] == 1
    assert seen(blocks, outline=(OutlineEntry(1, "1 Wiring", 0),))[0]["outline"] == 1


def test_a_line_drawn_below_words_underlines_them_if_it_is_as_wide():
    words = [block("Wiring of the pump", 100)]
    assert seen(words, rule=(72, 162, 113))[0]["underlined"] == 1
    assert seen(words, rule=(72, 400, 113))[0]["underlined"] == 0
    assert seen(words, rule=(72, 162, 130))[0]["underlined"] == 0
    assert seen(words)[0]["underlined"] == 0


def test_words_and_signs_are_observed():
    texts = ["6.4.3 Reset the pump", "lasts 5 min.", "CH6=0", "[Normal]", "Tighten, then,"]
    found = list(seen([block(t, 100 + 30 * n) for n, t in enumerate(texts)]).values())
    assert [each["section"] for each in found] == [1, 0, 0, 0, 0]
    assert [each["signs"] for each in found] == [0, 0, 1, 1, 0]
    assert [each["stop"] for each in found] == [0, 1, 0, 0, 0]
    assert [each["small"] for each in found] == [0, 1, 0, 0, 0]
    assert [each["comma"] for each in found] == [0, 0, 0, 0, 1]


def test_what_stands_beside_is_observed():
    table = DraftBlock("table", (), (80, 155, 300, 200))
    found = seen([block(SAID, 100), block("Pump", 140), table])[1]
    assert (found["prose_above"], found["table_below"]) == (1, 1)
    assert found["apart"] > 0
    beside = [block("Pump", 140), block(SAID, 140, x=200)]
    assert seen(beside)[0]["beside_below"] == 1


def test_only_short_blocks_with_words_may_be_headings():
    long = block(" ".join(["word"] * 21), 100)
    caption = block("Fig. 1", 190, kind="caption")
    assert not seen([long, block("0", 130), block("U F", 160), caption])


def test_others_in_the_same_print_and_those_numbered_beside_one_speak_for_it():
    blocks = [
        block("1. Limits", 100, bold=True),
        block("2. Ramps", 130, bold=True),
        block("3. Brake", 160, bold=True),
        block("5. Fan", 190, bold=True),
        block("4. Lamp", 220),
    ]
    sure = {0: 2.0, 1: -1.0, 2: 9.0, 3: 1.0, 4: 3.0}
    others = of_others(sure, blocks)
    assert others[1] == (4.0, 4.0)
    assert others[3] == (4.0, 0.0)
    assert others[4] == (0.0, 0.0)


def test_a_line_in_the_print_of_a_heading_above_another_table_heads_its_own():
    page = DrawnPage()
    for y, title in ((180, "NIBE SMO S40"), (280, "Heat pump slave 1")):
        page.line(title, 66, y)
        page.row(("Function", "ID", "Unit"), COLUMNS, y + 20, bold=True)
        page.row(("Outdoor temperature", "1", "C"), COLUMNS, y + 40)
        page.row(("Return temperature", "2", "C"), COLUMNS, y + 60)
        page.region("table", (66, y + 16, 560, y + 76))
    page.region("section-header", (64, 178, 130, 194))
    contexts = [row.context for row in rows_of(page)]
    assert contexts[0].startswith("NIBE SMO S40 › ")
    assert contexts[-1].startswith("Heat pump slave 1 › ")


@pytest.mark.parametrize(
    ("title", "is_heading"),
    [
        ("Airspeed Mode", True),
        ("10. Diagnostic (0x0E00 - 0x0EFF)", True),
        ("Always switch the mains off first.", False),
        ("A5 AA 01 16 81 00 0D", False),
        ("Send command: A5 AA 01 16 81 00 0D 00 00 01 06 08", False),
        ("Manual: https://example.org/manual", False),
        ("CH6=0, CH7=255", False),
    ],
)
def test_what_was_learnt_weighs_words_against_what_the_layout_model_says(title, is_heading):
    page = DrawnPage().line(title, 72, 200).paragraph([SAID, SAID], 72, 240)
    page.region("section-header", (70, 198, 560, 214)).region("text", (70, 238, 590, 270))
    blocks, _ = structure_page(page.raw(), style())
    assert (blocks[0].kind == "heading") is is_heading


def test_what_is_no_heading_is_told_as_text():
    blocks = [block("A5 AA 01 16", 100, kind="heading"), block(SAID, 130)]
    told = with_headings(blocks, DrawnPage().raw(), style())
    assert [each.kind for each in told] == ["text", "text"]


def test_a_bold_sentence_is_no_heading():
    page = DrawnPage().line("Always switch the mains off first.", 72, 200, bold=True)
    blocks, _ = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["text"]


def test_a_lone_sign_is_no_heading():
    page = DrawnPage().line("0", 72, 200, size=14, bold=True)
    page.region("section-header", (70, 198, 90, 220)).line("Reset the detector.", 72, 240)
    blocks, _ = structure_page(page.raw(), style())

    assert "heading" not in [b.kind for b in blocks]


def test_captions_and_addresses_of_an_outline_are_no_sections():
    outline = (
        OutlineEntry(1, "3 Operation", 0),
        OutlineEntry(2, "Figure 3-2: Data page", 0),
        OutlineEntry(2, "download: https://example.org", 0),
    )
    page = DrawnPage(1).line("The pump runs.", 72, 240)
    blocks, _ = structure_page(page.raw(), style(*outline))
    assert blocks[0].section == ("3 Operation",)
