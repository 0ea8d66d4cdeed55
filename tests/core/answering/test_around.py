"""How much of a page is told around what answers."""

from desktop.core.answering.around import told_around
from desktop.core.geometry import Box
from desktop.core.reader.quotes import Quote

LONG = " ".join(["Switch the mains off for a minute and look whether it comes back."] * 8)
FAULTS = (
    ("paragraph", "Green flashes four times, red is lit."),
    ("paragraph", "Fault F9: The current is above the limit that was set."),
    ("paragraph", f"Remedy: {LONG}"),
    ("paragraph", "Green flashes three times, red is lit."),
    ("paragraph", "Fault F10: The housing is hotter than 80 degrees."),
    ("paragraph", "Remedy: Charging is interrupted."),
    ("item", "• It goes on below 70 degrees."),
)


def page_of(*texts):
    """Return the passages of a page, each of one quote, and the quotes."""
    quotes = [
        Quote(text, kind, "Manual › Faults", (text,), (Box(0, 20 * n, 300, 20 * n + 10),), (n,))
        for n, (kind, text) in enumerate(texts)
    ]
    return [(quote,) for quote in quotes], quotes


def told(page, quote, *, amount=False):
    return [each.text for each in told_around(quote, page, amount=amount)]


def test_a_fault_is_told_with_its_remedy_and_without_the_next_fault():
    page, quotes = page_of(*FAULTS)
    assert told(page, quotes[1]) == [FAULTS[1][1], FAULTS[2][1]]
    assert told(page, quotes[4]) == [text for _, text in FAULTS[4:]]


def test_where_an_amount_is_asked_for_the_remedy_is_left_out():
    page, quotes = page_of(*FAULTS)
    assert told(page, quotes[4], amount=True) == [FAULTS[4][1]]


def test_what_is_seen_of_a_fault_is_told_with_what_it_means():
    page, quotes = page_of(*FAULTS)
    assert told(page, quotes[3]) == [text for _, text in FAULTS[3:]]


def test_names_that_stand_there_once_make_no_entry():
    page, quotes = page_of(
        ("paragraph", "Supply: 24 V from the terminal on the left."),
        ("paragraph", f"Note: {LONG}"),
        ("paragraph", LONG),
    )
    assert told(page, quotes[0]) == ["Supply: 24 V from the terminal on the left."]


def test_a_picture_over_a_paragraph_does_not_cut_its_section():
    page, quotes = page_of(
        ("paragraph", "Loosen the belt."),
        ("paragraph", "Remove the lower wheel."),
        ("paragraph", "Fit the new belt."),
    )
    picture = Quote("Fig. 14", "caption", "Manual › Faults", ("Fig. 14",), (), (0, 9))
    assert told([*page, (picture,)], quotes[0]) == [quote.text for quote in quotes]


def test_a_table_that_a_sentence_announces_is_told_with_it_but_no_words_of_a_picture():
    lead = ("paragraph", "The addresses are the following:")
    rows = (("row", "IP | 192.168.100.3"), ("row", "Port | 55000"))
    page, quotes = page_of(lead, *rows, ("paragraph", "Then restart it."))
    texts = [lead[1], *(text for _, text in rows)]
    assert told(page, quotes[0]) == texts
    assert told(page, quotes[0], amount=True) == texts
    page, quotes = page_of(lead, ("row", "12:43"), *rows)
    assert told(page, quotes[0]) == texts
