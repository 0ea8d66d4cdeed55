"""An answer carries the warnings of the section it quotes, as they stand there."""

from dataclasses import replace

from desktop.core.answering.answer import Statement
from desktop.core.answering.governing_warnings import is_among, is_part, safety_blocks
from desktop.core.events import PageRegion, WarningBlockEvent
from desktop.core.geometry import Box
from desktop.core.structure.values import Block

SERVICE = ("5 Service",)
FUSES = ("5 Service", "5.1 Fuses")
PUMP = ("5 Service", "5.2 Pump")


def block(position, text, section, warning=""):
    top = 100.0 + 40 * position
    box = (72.0, top, 500.0, top + 20)
    return Block(position, "warning" if warning else "text", text, box, section, 0, warning)


def quoting(quoted, page=4, document=1):
    source = PageRegion(document, "pump.pdf", page, "5-1", (Box(*quoted.box),))
    return Statement(quoted.text, source, quoted.text)


def carried(statements, *blocks):
    found = safety_blocks(
        statements,
        lambda document, page: blocks if (document, page) == (1, 4) else (),
        lambda _document, _page: "",
    )
    return [(each.level, each.text) for each in found]


REPLACE = block(0, "Replace fuse F2 by one of 5 A.", FUSES)


def test_the_warning_of_the_quoted_section_comes_with_the_answer():
    mains = block(1, "WARNING Switch the mains off.", FUSES, "WARNING")
    assert carried([quoting(REPLACE)], REPLACE, mains) == [("WARNING", "Switch the mains off.")]


def test_a_safety_word_alone_and_the_title_of_a_note_warn_of_nothing():
    bare = block(1, "WARNING", FUSES, "WARNING")
    title = block(2, "NOTE SAFETY INSTRUCTIONS", FUSES, "NOTE")
    hot = block(3, "CAUTION HOT SURFACE", FUSES, "CAUTION")
    shown = carried([quoting(REPLACE)], REPLACE, hot, title, bare)
    assert shown == [("CAUTION", "HOT SURFACE")]


def test_a_warning_that_only_announces_what_it_says_is_shown_with_that():
    shock = block(1, "DANGER To reduce the risk of electric shock:", FUSES, "DANGER")
    unplug = listed(2, "1. Always unplug the machine.", FUSES)
    check = listed(3, "2. Check the cable.", FUSES)
    shown = (
        "To reduce the risk of electric shock: 1. Always unplug the machine. 2. Check the cable."
    )
    assert carried([quoting(REPLACE)], REPLACE, shock, unplug, check) == [("DANGER", shown)]
    example = block(1, "NOTE Example of use:", FUSES, "NOTE")
    assert carried([quoting(REPLACE)], REPLACE, example) == []


def test_a_warning_of_the_chapter_around_it_comes_too():
    chapter = block(1, "DANGER High voltage.", SERVICE, "DANGER")
    assert carried([quoting(REPLACE)], chapter, REPLACE) == [("DANGER", "High voltage.")]


def headed(position, text, section):
    return replace(block(position, text, section), kind="heading", level=len(section))


def listed(position, text, section):
    return replace(block(position, text, section), kind="list")


def test_a_warning_before_the_first_steps_of_a_section_governs_all_below_it():
    begin = headed(1, "5 Service", SERVICE), block(2, "DANGER High voltage.", SERVICE, "DANGER")
    fuses = headed(4, "5.1 Fuses", FUSES), listed(5, "1 Pull F2.", FUSES)
    shown = [("DANGER", "High voltage.")]
    assert carried([quoting(fuses[1])], *begin, *fuses) == shown
    message = listed(3, "• Wait 5 minutes.", SERVICE)
    assert carried([quoting(fuses[1])], *begin, message, *fuses) == shown


def test_a_warning_among_the_steps_of_another_procedure_does_not_come():
    others = (
        headed(1, "5 Service", SERVICE),
        listed(2, "1 Pull the pipe out.", SERVICE),
        block(3, "CAUTION Pull it straight.", SERVICE, "CAUTION"),
        listed(4, "2 Close the lid.", SERVICE),
    )
    fuses = headed(5, "5.1 Fuses", FUSES), listed(6, "1 Pull F2.", FUSES)
    assert carried([quoting(fuses[1])], *others, *fuses) == []
    assert carried([quoting(others[3])], *others, *fuses) == [("CAUTION", "Pull it straight.")]


def test_a_warning_of_the_next_parameter_of_one_section_does_not_come():
    stall, start = (replace(block(at, f"C0{at} Mode", FUSES), kind="table") for at in (2, 5))
    told = block(3, "The drive may trip.", FUSES)
    danger = block(6, "DANGER It starts by itself.", FUSES, "DANGER")
    page = headed(1, "Parameters", FUSES), stall, told, start, danger
    assert carried([quoting(told)], *page) == []
    assert carried([quoting(start)], *page) == [("DANGER", "It starts by itself.")]


def test_what_a_safety_section_says_does_not_govern_a_warning_that_is_the_answer():
    meaning = block(1, "DANGER Indicates a hazard that may cause death.", FUSES, "DANGER")
    wait = block(2, "DANGER Wait at least 5 minutes.", FUSES, "DANGER")
    assert carried([quoting(wait)], meaning, wait) == []


def test_a_warning_that_lost_its_message_has_what_stands_below_it():
    word = block(1, "CAUTION WARNING", FUSES, "CAUTION")
    message = block(2, "Only for trained people.", FUSES)
    assert carried([quoting(REPLACE)], REPLACE, word, message) == [
        ("CAUTION", "Only for trained people.")
    ]


def test_a_warning_of_another_section_does_not():
    other = block(1, "CAUTION Hot pump.", PUMP, "CAUTION")
    assert carried([quoting(REPLACE)], REPLACE, other) == []


def test_the_gravest_comes_first_and_there_are_never_more_than_three():
    levels = ("NOTE", "CAUTION", "WARNING", "DANGER", "NOTE")
    blocks = [
        block(n, f"{level}: Mind hazard {n}.", FUSES, level) for n, level in enumerate(levels, 1)
    ]
    found = carried([quoting(REPLACE)], REPLACE, *blocks)
    assert [level for level, _ in found] == ["DANGER", "WARNING", "CAUTION"]


def test_a_warning_that_is_the_answer_is_not_said_twice():
    mains = block(1, "WARNING Switch the mains off.", FUSES, "WARNING")
    assert carried([quoting(mains)], REPLACE, mains) == []


def test_a_grave_warning_inside_a_longer_quote_is_shown_as_one_too_and_a_note_is_not():
    step = "5 Close the lid. WARNING: Do not touch the hot plate. NOTE: It stays hot for an hour."
    here = PageRegion(1, "pump.pdf", 4, "5-1", (Box(*REPLACE.box),))
    grave = block(1, "WARNING: Do not touch the hot plate.", FUSES, "WARNING")
    note = block(2, "NOTE: It stays hot for an hour.", FUSES, "NOTE")
    shown = [("WARNING", "Do not touch the hot plate.")]
    assert carried([Statement(step, here, step)], REPLACE, grave, note) == shown


def test_of_a_warning_that_is_quoted_in_part_the_rest_is_said():
    whole = "Switch the mains off. Wait five minutes: the drives hold a lethal voltage."
    mains = block(1, f"DANGER {whole}", FUSES, "DANGER")
    source = PageRegion(1, "pump.pdf", 4, "5-1", (Box(*mains.box),))
    half = Statement("Switch the mains off.", source, "Switch the mains off.")
    assert carried([half], mains) == [("DANGER", whole)]


def test_a_warning_is_said_once_for_two_statements():
    mains = block(2, "WARNING Switch the mains off.", FUSES, "WARNING")
    lid = block(1, "Close the lid.", FUSES)
    assert len(carried([quoting(REPLACE), quoting(lid)], REPLACE, lid, mains)) == 1


def test_a_warning_shows_where_it_stands():
    mains = block(1, "WARNING Switch the mains off.", FUSES, "WARNING")
    pages = {4: (REPLACE, mains)}
    (found,) = safety_blocks([quoting(REPLACE)], lambda _, at: pages.get(at, ()), lambda *_: "")
    assert found.source.regions == (Box(*mains.box),)
    assert (found.source.document, found.source.page, found.source.label) == ("pump.pdf", 4, "5-1")


def test_a_page_without_layout_has_no_warnings_and_does_not_fail():
    assert carried([quoting(REPLACE)]) == []


def test_without_statements_there_is_nothing_to_warn_of():
    assert carried([], block(1, "DANGER!", FUSES, "DANGER")) == []


def over_pages(pages, statement):
    found = safety_blocks(
        [statement],
        lambda _document, page: pages.get(page, ()),
        lambda _document, page: f"5-{page}",
    )
    return [(each.level, each.text, each.source.page, each.source.label) for each in found]


MAINS = block(1, "WARNUNG Netz trennen.", FUSES, "WARNING")


def test_a_warning_on_the_page_before_comes_from_a_section_that_goes_on():
    pages = {3: (MAINS,), 4: (REPLACE,)}
    assert over_pages(pages, quoting(REPLACE)) == [("WARNING", "Netz trennen.", 3, "5-3")]


def test_a_warning_at_the_start_of_the_chapter_comes_from_the_page_before():
    pages = {
        3: (block(1, "DANGER High voltage.", SERVICE, "DANGER"),),
        4: (
            Block(0, "heading", "5.1 Fuses", (72.0, 60.0, 500.0, 80.0), FUSES, 2),
            REPLACE,
        ),
    }
    assert over_pages(pages, quoting(REPLACE)) == [("DANGER", "High voltage.", 3, "5-3")]


def test_a_section_that_begins_on_the_cited_page_takes_no_warning_of_its_namesake_before():
    heading = Block(0, "heading", "5.1 Fuses", (72.0, 60.0, 500.0, 80.0), FUSES, 2)
    assert over_pages({3: (MAINS,), 4: (heading, REPLACE)}, quoting(REPLACE)) == []


def test_a_warning_on_the_page_before_of_another_section_or_a_mere_note_does_not_come():
    other = block(1, "CAUTION Hot pump.", PUMP, "CAUTION")
    note = block(2, "NOTE The fuse is slow.", FUSES, "NOTE")
    assert over_pages({3: (other, note), 4: (REPLACE,)}, quoting(REPLACE)) == []


def test_a_section_over_three_pages_brings_its_warning_from_the_first():
    header = Block(0, "header", "Service", (72.0, 10.0, 500.0, 20.0))
    between = block(1, "Lift the cover.", FUSES)
    pages = {2: (header, MAINS), 3: (header, between), 4: (header, REPLACE)}
    assert [page for _, _, page, _ in over_pages(pages, quoting(REPLACE))] == [2]


def test_a_warning_above_the_headings_of_a_page_is_of_the_section_before():
    oil = block(0, "CAUTION Use only HL oil.", (), "CAUTION")
    pages = {3: (headed(0, "5.1 Fuses", FUSES),), 4: (oil, headed(1, "5.2 Pump", PUMP))}
    bleed, fuse = block(2, "Bleed it.", PUMP), block(2, "Pull F2.", ())
    assert over_pages({**pages, 4: (*pages[4], bleed)}, quoting(bleed)) == []
    assert len(over_pages({**pages, 4: (oil, fuse)}, quoting(fuse))) == 1
    assert over_pages({4: (*pages[4], bleed)}, quoting(bleed)) == []


def test_boxes_that_stand_together_do_not_govern_each_other():
    note = block(1, "NOTE Check the float twice a year.", FUSES, "NOTE")
    other = block(2, "WARNING This product contains lead.", FUSES, "WARNING")
    assert carried([quoting(note)], note, other) == []
    assert len(carried([quoting(REPLACE)], REPLACE, other)) == 1


def test_the_first_page_of_a_manual_has_none_before():
    assert over_pages({0: (REPLACE,)}, quoting(REPLACE, page=0)) == []


def test_a_quote_that_only_repeats_a_warning_is_known_and_one_that_says_more_is_not():
    message = "A dry start destroys the seals within seconds. Vent both pumps."
    warnings = [WarningBlockEvent("CAUTION", message, PageRegion(1, "a.pdf", 0, "1", ()))]
    assert is_among(f"CAUTION {message}", warnings)
    assert not is_among(f"{message} Then open HV3 and HV4, one after the other.", warnings)
    assert not is_among("Vent the pumps.", warnings)


def test_a_kind_of_hazard_is_shown_with_what_is_said_of_it():
    hazard = block(1, "WARNING BURN HAZARD!", FUSES, "WARNING")
    cool = listed(2, "• Let the engine cool.", FUSES)
    keep = listed(3, "• Keep your hands away.", FUSES)
    shown = "BURN HAZARD! • Let the engine cool. • Keep your hands away."
    assert carried([quoting(REPLACE)], REPLACE, hazard, cool, keep) == [("WARNING", shown)]


def test_a_note_that_is_told_with_its_signal_word_is_not_shown_again():
    note = block(1, "NOTE: If it stays dark, call our support. See page 9.", FUSES, "NOTE")
    told = block(2, "Note: If it stays dark, call our support.", FUSES)
    assert carried([quoting(REPLACE)], REPLACE, note) == [
        ("NOTE", "If it stays dark, call our support. See page 9.")
    ]
    assert not carried([quoting(REPLACE), quoting(told)], REPLACE, note, told)


def test_a_sentence_is_part_of_the_warning_that_says_it():
    warning = WarningBlockEvent("WARNING", "1. It is hot. 2. Unplug it.", quoting(REPLACE).source)
    assert is_part("2. Unplug it.", [warning])
    assert not is_part("2. Unplug it first.", [warning])
