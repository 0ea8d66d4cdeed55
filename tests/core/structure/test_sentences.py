import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.structure.sentences import sentence_parts, sentence_spans


def sentences(text):
    words = text.split()
    return [" ".join(words[first:last]) for first, last in sentence_spans(words)]


@given(st.lists(st.text("aB1.!?:()e", min_size=1, max_size=5), max_size=30))
def test_no_word_is_lost_and_none_is_said_twice(words):
    spans = sentence_spans(words)
    assert [word for first, last in spans for word in words[first:last]] == words
    assert all(first < last for first, last in spans)


@pytest.mark.parametrize(
    "text",
    [
        "Use a fuse, e.g. F2, as in Fig. 3 of the manual.",
        "Set it to 5.3 bar in chapter 4.2 of this manual.",
        "Schließen Sie z.B. die Pumpe an, siehe Abb. 4 und Nr. 7.",
        "1. Open the valve",
        "a. Open the valve",
        "It is measured (approx. 24 V) at J1C.",
        "Wählen Sie eine höhere Spannung (z. B. 12 V oder 24 V) für alle Signale.",
        "Sie ist aus, d. h. Die Lampe ist dunkel.",
        "Lassen Sie einen Abstand (mind. 3 mm) zur Wand.",
        "Turn the L.F. Level to the right until the E.Q. Meter moves.",
        "Der Behälter fasst ca. 100 Liter.",
        "It runs slower (eg. 20 times) than before.",
        "1.) When it is hot, the drive stops.",
        "Check: 1). Wiring 2). Pump 3). Pressure switch",
    ],
)
def test_a_mark_inside_a_sentence_does_not_end_it(text):
    assert sentences(text) == [text]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Open the valve. Close the cover.", 2),
        ("Is it on? Yes! It is.", 3),
        ('He said "stop." Then it stopped.', 2),
        ("It needs 24 Volt. 48 Volt destroy it.", 2),
        ("Open it. • Close it.", 2),
        ("It turns on. 2. Close it.", 2),
        ("It turns off the MOS. 50 seconds later it is on again.", 2),
    ],
)
def test_sentences_are_told_apart(text, count):
    assert len(sentences(text)) == count


@pytest.mark.parametrize("dots", [".........", ". . . . . .", "…………"])
def test_a_line_of_contents_ends_with_its_page(dots):
    assert sentences(f"5 Motor of the pump {dots} 12 6 Valves{dots} 3-4 7 Seals") == [
        f"5 Motor of the pump {dots} 12",
        f"6 Valves{dots} 3-4",
        "7 Seals",
    ]


@pytest.mark.parametrize("text", ["It clicks... Then open it.", "Open it . Then close it ."])
def test_dots_of_a_sentence_end_it(text):
    assert len(sentences(text)) == 2


def test_a_number_in_brackets_that_were_opened_ends_its_sentence():
    assert sentences("Take the fuse out (see page 2). Open it.")[1] == "Open it."


@pytest.mark.parametrize(
    "sentence",
    [
        "Status: I1 bzw. I2 is the filament in use.",
        "The filament 1 resp. I2 is in use.",
        "Connect the cable, z. B. H05VV, to the pump.",
    ],
)
def test_an_abbreviation_behind_a_number_ends_no_sentence(sentence):
    assert sentences(sentence) == [sentence]


def test_a_number_that_closes_a_bracket_is_no_point_of_a_list():
    words = "Besides PIN 4 (Control 1) also PIN 5 (Control 2) goes to PIN 7".split()
    assert sentence_parts(words) == [(0, len(words))]
