"""A short section told whole, on all its pages."""

from desktop.core.answering.sections import MOST_WORDS, whole_section
from desktop.core.geometry import Box
from desktop.core.reader.quotes import Quote

TITLE = "Printer"
JAM = f"{TITLE} › 7 Care › 7.1 Paper jam"


def page_of(*passages):
    """Return passages of one quote each. passages: kind, section and text of each."""
    return [
        (Quote(text, kind, section, (text,), (Box(0, 20 * n, 300, 20 * n + 10),), (n,)),)
        for n, (kind, section, text) in enumerate(passages)
    ]


def told(pages, page, at):
    parts = whole_section(page, pages[page][at][0], lambda n: pages[n] if n < len(pages) else [])
    return [(part.page, part.heading, part.quote.text) for part in parts]


def test_sentences_beside_drawings_are_told_on_all_pages_of_their_section():
    pages = [
        page_of(
            ("paragraph", f"{TITLE} › 7 Care", "Clean it every week."),
            ("heading", JAM, "7.1 Paper jam"),
            ("caption", JAM, "Lift the door."),
            ("label", JAM, "A B"),
            ("caption", JAM, "Figure 3: The door"),
        ),
        page_of(
            ("caption", JAM, "Fork sensor Plane"),
            ("paragraph", JAM, "Remove the scraps."),
            ("paragraph", JAM, "WARNING! The head is hot."),
            ("heading", f"{TITLE} › 7 Care › 7.2 Cleaning", "7.2 Cleaning"),
            ("paragraph", f"{TITLE} › 7 Care › 7.2 Cleaning", "Wipe the roller."),
        ),
    ]
    whole = [(0, "", "Lift the door."), (1, "", "Remove the scraps.")]
    assert told(pages, 0, 2) == whole
    assert told(pages, 1, 1) == whole


def test_a_section_is_told_with_its_sub_sections_under_their_headings():
    access, panel, web = (
        f"{TITLE} › Access",
        f"{TITLE} › Access › Panel:",
        f"{TITLE} › Access › Web:",
    )
    page = page_of(
        ("heading", access, "Access"),
        ("paragraph", access, "A code keeps others out."),
        ("heading", panel, "Panel:"),
        ("paragraph", panel, "To add a code:"),
        ("item", f"{panel} › To add a code:", "1. Select Access."),
        ("item", f"{panel} › To add a code:", "2. Enter a code."),
        ("heading", web, "Web:"),
        ("item", web, "1. Select the tile."),
    )
    panel_told = [
        (0, "", "To add a code:"),
        (0, "", "1. Select Access."),
        (0, "", "2. Enter a code."),
    ]
    assert told([page], 0, 1) == [
        (0, "", "A code keeps others out."),
        (0, "Panel:", "To add a code:"),
        *panel_told[1:],
        (0, "Web:", "1. Select the tile."),
    ]
    assert told([page], 0, 3) == told([page], 0, 5) == panel_told


def test_a_long_section_and_what_is_of_none_are_not_told_whole():
    long = ("paragraph", JAM, " ".join(["word"] * MOST_WORDS) + ".")
    assert not told([page_of(long, ("paragraph", JAM, "Lift the door."))], 0, 1)
    assert not told([page_of(("paragraph", TITLE, "Lift the door."))], 0, 0)


def test_what_a_colon_announces_is_told_though_it_is_no_sentence():
    page = page_of(
        ("paragraph", JAM, "Write to us at:"),
        ("paragraph", JAM, "help@printer.test"),
        ("paragraph", JAM, "Door Plane"),
    )
    assert [text for _, _, text in told([page], 0, 0)] == ["Write to us at:", "help@printer.test"]


def test_of_lists_right_below_each_other_the_one_is_told_that_a_unit_is_in():
    home = "Faults › What is wrong"
    page = page_of(
        ("paragraph", home, "The saw does not start."),
        ("item", home, "1. No mains"),
        ("item", home, "2. Fuse blown"),
        ("item", home, "1. Dull blade"),
    )
    said = [text for _, _, text in told([page], 0, 0)]
    assert said == ["The saw does not start.", "1. No mains", "2. Fuse blown"]
    assert [text for _, _, text in told([page], 0, 3)] == ["1. Dull blade"]


def test_a_unit_that_its_passage_names_otherwise_is_told_alone():
    page = page_of(
        ("item", "Faults › Care:", "1. Wipe it."), ("item", "Faults › Care:", "1. Dry it.")
    )
    unit = Quote("1. Wipe it.", "item", "Other › Care", (), (), (0,))
    assert whole_section(0, unit, lambda n: page if n == 0 else []) == []
