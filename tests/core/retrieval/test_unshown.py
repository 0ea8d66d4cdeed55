"""Values and work that are asked for and that no statement of the page gives for the thing."""

from __future__ import annotations

import pytest

from desktop.core.retrieval.asked_values import asked_kinds, sharp_kinds, without_own_codes
from desktop.core.retrieval.evidence import Evidence
from desktop.core.retrieval.grounding import Quote
from desktop.core.retrieval.question import Question
from desktop.core.retrieval.quote_ranking import RankedQuote
from desktop.core.retrieval.unshown.exception import lacks_exception
from desktop.core.retrieval.unshown.values import lacks_qualifier, lacks_value
from desktop.core.retrieval.unshown.work import lacks_way, lacks_work

PAGE = Evidence(1, "loom.pdf", "Loom L9", 0, "1", 1.0, (), ())


def ranked(*texts, kind="row", context="Loom L9 › Parts"):
    return [
        RankedQuote(Quote(text, kind, context, (), ()), 1.0 - i / 10, (), i)
        for i, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("question", "without", "with_value"),
    [
        ("How heavy is the warp beam?", "Warp beam, oak", "Warp beam | 41 kg"),
        ("What is the torque of the reed screws?", "Turn the reed screws", "Reed screws | 9 Nm"),
        ("Which part number has the shuttle S4?", "3 Shuttle S4", "33-8120 | Shuttle S4"),
        ("What is the peak load of the drive in kA?", "Drive | 16 A gG", "Drive | 6 kA"),
    ],
)
def test_a_value_must_stand_with_the_thing_it_is_asked_of(question, without, with_value):
    asked = Question.parse(question)
    other_thing = with_value.replace("Warp beam", "Frame").replace("Reed screws", "Bearing")
    other_thing = other_thing.replace("Shuttle S4", "Comb").replace("Drive", "Lamp")
    unsaid = without if "kA" not in question else "Drive | in two steps"
    assert lacks_value(asked, PAGE, ranked(unsaid))
    assert lacks_value(asked, PAGE, ranked(unsaid, other_thing))
    assert not lacks_value(asked, PAGE, ranked(unsaid, with_value))


def test_the_unit_of_a_figure_may_stand_above_its_column():
    asked = Question.parse("How heavy is the warp beam?")
    row = "Warp beam | 41"
    assert not lacks_value(asked, PAGE, ranked(row, context="Loom L9 › Part | Mass (kg)"))
    assert lacks_value(asked, PAGE, ranked(row, context="Loom L9 › Part | Pieces"))


def test_words_that_lie_together_in_a_drawing_state_nothing():
    asked = Question.parse("How heavy is the warp beam?")
    assert lacks_value(asked, PAGE, ranked("warp beam 41 kg cloth beam", kind="label"))


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("What is the default take-up ratio in loom.conf?", True),
        ("Default take-up ratio of the loom?", True),
        ("What is the default beat delay of the loom?", False),
        ("What is the default setting of the loom?", False),
        ("What happens to the default of the loom?", False),
    ],
)
def test_a_default_must_be_that_of_the_setting(question, lacks):
    asked = Question.parse(question)
    said = ranked("The beat delay of the loom is 9 by default.", "See loom.conf for the defaults.")
    assert lacks_value(asked, PAGE, said) is lacks
    drawn = ranked("loom.conf", kind="label")
    assert not lacks_value(asked, PAGE, drawn)


def test_a_question_for_no_such_value_lacks_none():
    assert not lacks_value(Question.parse("Why does the shuttle stop?"), PAGE, ranked("It jams."))


def test_how_often_work_is_done_is_told_by_what_names_work_thing_and_time():
    asked = Question.parse("How often must the brake band be replaced?")
    assert lacks_work(asked, PAGE, ranked("Every 3 months | Look at the brake band"))
    assert lacks_work(asked, PAGE, ranked("Every 4 years | Replace the fuse"))
    assert not lacks_work(asked, PAGE, ranked("Every 2 years | Renew the brake band"))


def test_the_row_of_a_schedule_may_name_no_work():
    asked = Question.parse("How often is the brake band renewed?")
    schedule = "Loom L9 › Care › Part | 1000 h | Note"
    assert not lacks_work(asked, PAGE, ranked("Brake band | I | R 2 years", context=schedule))
    assert lacks_work(asked, PAGE, ranked("Reed | I | R 3 years", context=schedule))
    assert lacks_work(asked, PAGE, ranked("Brake band | check every month", context=schedule))
    under_bands = "Loom L9 › Torques › Brake band | Again"
    assert lacks_work(asked, PAGE, ranked("Anchor | after 24 hours", context=under_bands))


def test_one_quantity_is_not_answered_with_its_like():
    asked = Question.parse("What is the idling speed of the shuttle?")
    assert lacks_qualifier(asked, PAGE, ranked("Top speed of the shuttle | 9 m/s"))
    assert not lacks_qualifier(asked, PAGE, ranked("Shuttle, idling | 1 m/s"))
    assert not lacks_qualifier(Question.parse("What is the speed?"), PAGE, ranked("9 m/s"))


@pytest.mark.parametrize(
    ("question", "statement", "lacks"),
    [
        ("Which terminals are not bridged?", "X3:1 | PTC | Bridge when not used", True),
        ("Which terminals are not bridged?", "X3:5 is not bridged.", False),
        ("Which terminals aren't bridged?", "All but X3:5 are bridged.", False),
        ("Which terminals aren't bridged?", "Bridge all terminals except X3:5.", False),
        ("Which parts are not covered?", "Belts are excluded from the warranty.", False),
        ("Welche Klemmen sind nicht gebrückt?", "Die Klemme X5 ist gebrückt.", True),
        ("Welche Klemmen sind nicht gebrückt?", "Die Klemme X5 wird nie gebrückt.", False),
        ("Which terminals are bridged?", "X3:1 | PTC | Bridge when not used", False),
    ],
)
def test_what_is_not_so_is_not_answered_with_what_is(question, statement, lacks):
    assert lacks_exception(Question.parse(question), ranked(statement)) == lacks


def test_the_heading_of_a_column_names_the_thing_of_no_row():
    asked = Question.parse("Which torque do the screws of the breast beam need?")
    table = "Loom L9 › Torques of the loom › Joint | Screws | Torque"
    assert lacks_value(asked, PAGE, ranked("Side frame | M10 | 40 Nm", context=table))
    assert not lacks_value(asked, PAGE, ranked("Breast beam | M8 | 22 Nm", context=table))


def test_a_row_that_opens_with_the_quantity_alone_speaks_of_the_product():
    asked = Question.parse("Which protection class does the weaving machine have?")
    row = "Protection class | IP 20 | with its hood"
    assert not lacks_value(asked, PAGE, ranked(row))
    assert lacks_value(asked, PAGE, ranked("Hood protection | IP 20"))
    part = Question.parse("Which protection class does switch S4 have?")
    assert lacks_value(part, PAGE, ranked(row))


def test_who_asks_where_a_value_is_shown_asks_for_no_value():
    assert not sharp_kinds("Where is the temperature shown?")
    assert not asked_kinds("Wo wird der Reifendruck angezeigt?")
    assert sharp_kinds("Where is the sensor, and which temperature does it stand?")
    assert asked_kinds("What pressure does the vessel need?")


def test_of_a_long_question_a_statement_may_say_less():
    asked = Question.parse(
        "Which torque do the screws of the beam need, and does the loom brake stay on meanwhile?"
    )
    assert not lacks_value(asked, PAGE, ranked("Beam | 22 Nm"))


@pytest.mark.parametrize(
    ("question", "lacking", "giving"),
    [
        ("How many picks does a bobbin hold?", "3. Wind the bobbin", "A bobbin holds 900 picks"),
        (
            "How many shuttles are in the box?",
            "The box of 40 mm is shut",
            "It has four shuttles",
        ),
        ("How many digits has the loom code?", "The code of the loom", "Its 9-digit loom code"),
        ("Wie viele Schäfte hat der Webstuhl?", "Schäfte, 12 mm dick", "Acht Schäfte"),
    ],
)
def test_a_number_of_things_must_stand_with_their_name(question, lacking, giving):
    asked = Question.parse(question)
    assert lacks_value(asked, PAGE, ranked(lacking, kind="item", context="Loom L9"))
    assert not lacks_value(asked, PAGE, ranked(lacking, giving, kind="item", context="Loom L9"))


def test_how_long_is_told_by_a_time_or_a_length():
    asked = Question.parse("How long does the warping take?")
    assert lacks_value(asked, PAGE, ranked("Warping | on the big frame"))
    assert not lacks_value(asked, PAGE, ranked("Warping | on the big frame | 6 h"))
    assert not lacks_value(asked, PAGE, ranked("Warping goes on until the beam is full."))


def test_a_number_of_units_is_no_number_of_things():
    asked = Question.parse("How many bits has a warp command?")
    assert not lacks_value(asked, PAGE, ranked("8 bit warp command", context="Loom L9"))


@pytest.mark.parametrize(
    ("question", "text", "heading", "lacks"),
    [
        ("How do I replace the reed of the loom?", "2. Change the band.", "Brake band", True),
        ("How do I replace the reed of the loom?", "Lift it out.", "Replacing the reed", False),
        ("How do I replace the reed?", "2. Change it for a new one.", "The reed", False),
        ("How can I replace the reed?", "The worn reed is exchanged whole.", "Care", False),
        ("Wie tausche ich das Riet?", "Das Tuch abnehmen.", "Tuch", True),
        ("Wie ersetze ich das Riet am Webstuhl?", "Das Riet tauschen.", "Pflege", False),
        ("How do I whisper to the reed?", "It hums.", "The reed", False),
        ("How do I clean the reed box?", "Lift out the reed.", "Cleaning the parts", False),
        ("How do I clean the reed box?", "Lift out the band.", "Cleaning the parts", True),
    ],
)
def test_how_work_is_done_is_told_where_work_and_thing_are_named(question, text, heading, lacks):
    said = ranked(text, kind="item", context=f"Loom L9 › {heading}")
    assert lacks_way(Question.parse(question), said) == lacks


def test_a_code_of_the_question_is_no_value_for_it():
    assert "HV3" not in without_own_codes("9 Valves HV3, HV4", "Part number of HV3?")
    assert not sharp_kinds("Which menu shows the time?")


def test_a_unit_is_counted_whatever_stands_behind_it():
    asked = Question.parse("How many km late may the service of the loom be?")
    assert not lacks_value(asked, PAGE, ranked("Service of the loom: at most 500 km late."))


@pytest.mark.parametrize(
    "question",
    [
        "Wie oft muss ich drücken, um die Temperatur zu sehen?",
        "How often must the key be pressed for the noise level?",
        "How many counterweight discs has the beam?",
    ],
)
def test_a_quantity_that_is_only_mentioned_is_not_asked_for(question):
    assert sharp_kinds(question) == ()


def test_an_article_is_no_unit():
    assert sharp_kinds("How do I hang the loom in a frame?") == ()
    assert sharp_kinds("What does the drive draw in A?")


def test_who_asks_why_asks_for_no_value():
    assert asked_kinds("Why is only half the current delivered?") == ()
    assert asked_kinds("Why does it stop, and at which temperature?")


def test_the_word_that_names_the_kind_of_value_tells_nothing_from_its_like():
    asked = Question.parse("What is the tightening torque of the reed bolts?")
    assert not lacks_qualifier(asked, PAGE, ranked("Reed bolts | 9 Nm"))
    asked = Question.parse("What is the breaking torque of the reed bolts?")
    assert lacks_qualifier(asked, PAGE, ranked("Reed bolts | 9 Nm"))


def test_that_a_quantity_can_be_set_tells_it_from_no_other():
    asked = Question.parse("What is the programmable time of the shuttle?")
    assert not lacks_qualifier(asked, PAGE, ranked("Shuttle, from 1 to 9 min"))


def test_what_is_counted_is_the_thing_and_not_what_it_does():
    asked = Question.parse("How many patterns fit in the memory?")
    assert not lacks_value(asked, PAGE, ranked("200 patterns with number and date."))
    assert lacks_value(asked, PAGE, ranked("The patterns with number and date."))


@pytest.mark.parametrize(
    "question",
    [
        "How do I tighten the drive belt?",
        "What happens if the temperature is too high?",
        "What can I do about the noise of the pump?",
        "How frequently must the belt be greased?",
        "Which parts are resistant to acid?",
        "Can I change the volume of the buzzer?",
        "Wie kann ich das Gewicht verstellen?",
        "Ist die Drehzahl einstellbar?",
        "It went off twice but made no noise at all the third time.",
    ],
)
def test_a_word_for_a_quantity_alone_asks_for_no_figure(question):
    assert sharp_kinds(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        "tightening torque of the reed bolts?",
        "How do I set it, and to which temperature?",
        "Wie ist die Drehzahl und wie hoch das Gewicht?",
        "What is the noise of the loom?",
        "tightening torque of the left reed bolts",
    ],
)
def test_a_figure_that_is_asked_for_must_be_given(question):
    assert sharp_kinds(question)


@pytest.mark.parametrize(
    ("question", "without", "giving"),
    [
        ("Maximum cable length of the shuttle S4?", "Shuttle S4 | DB 9 M", "Shuttle S4 | 15 m"),
        ("What is the rated voltage of the G203V?", "G203V | 1000", "G203V | 24 V"),
        ("Which baud rate does the reader use?", "The reader has 9 pins", "Reader | 9600 baud"),
        (
            "What is the maximum number of shuttles?",
            "Start a shuttle after 30 seconds",
            "It holds 6 shuttles",
        ),
        (
            "Which parameter number sets the weft?",
            "The weft is set on the RJ-45 panel",
            "P3.04 | Weft",
        ),
        ("Which jumper selects the weft?", "The weft is chosen", "Jumper J4 selects the weft"),
        (
            "What is the watchdog time-out?",
            "The watchdog bites when it is not fed",
            "The watchdog bites after 5 ms",
        ),
    ],
)
def test_a_kind_of_value_that_is_named_outright_must_be_given(question, without, giving):
    asked = Question.parse(question)
    lacks = lacks_value(asked, PAGE, ranked(without, kind="paragraph"))
    assert lacks or "time-out" in question  # people say how long without a figure
    assert not lacks_value(asked, PAGE, ranked(without, giving, kind="row"))


def test_a_jumper_may_be_shown_by_a_drawing_that_does_not_say_so():
    asked = Question.parse("Which jumper selects the weft?")
    assert not lacks_value(asked, PAGE, ranked("J4 WEFT", kind="label"))


def test_a_frequency_converter_asks_for_no_frequency():
    assert not sharp_kinds("Welches Gehäuse braucht der Frequenzumrichter?")
    assert sharp_kinds("Welche Frequenz hat der Umrichter?")
