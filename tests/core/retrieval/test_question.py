import pytest

from desktop.core.retrieval.question import Question


@pytest.mark.parametrize(
    ("text", "answering", "other"),
    [
        ("What voltage does the panel need?", "24 V DC", "1.5 A"),
        ("Welche Spannung hat die Anlage?", "230V", "50 Hz"),
        ("How long does the battery test last?", "24 hours", "24 V"),
        ("Wie lange dauert der Test?", "2 Minuten", "2 Volt"),
        ("What is the tightening torque?", "0.5 N m", "0.5 mm"),
        ("What is the highest pressure?", "16 bar", "16 kg"),
        ("How heavy is the pump?", "23 kg", "23 mm"),
        ("At which temperature may it run?", "-10 °C", "10 A"),
    ],
)
def test_a_question_knows_the_value_it_asks_for(text, answering, other):
    question = Question.parse(text)
    assert question.value_share(f"It is {answering} here") == 1
    assert question.value_share(f"It is {other} here") == 0


def test_a_question_for_two_values_is_half_answered_by_one():
    question = Question.parse("What voltage and what current does it need?")
    assert question.value_share("24 V") == 0.5
    assert question.value_share("24 V, 1.5 A") == 1


def test_a_question_for_no_value_finds_none():
    assert Question.parse("Where is the fuse?").value_share("5 A, 24 V") == 0


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("What is the fuse and where is it?", True),
        ("Welche Sicherung und wo?", True),
        ("Which fuse? Where is it?", True),
        ("Which fuse is it?", False),
        ("What is the standby current?", False),
    ],
)
def test_a_question_in_two_parts_is_noticed(text, several):
    assert Question.parse(text).several is several


@pytest.mark.parametrize("text", ["Compare HX-200 and HX-300", "Wo liegt der Unterschied?"])
def test_a_comparison_is_noticed(text):
    assert Question.parse(text).compares


@pytest.mark.parametrize("text", ["", "?", "What is it?", "Was ist das?"])
def test_a_question_without_a_meaningful_word_has_no_terms(text):
    assert Question.parse(text).groups == ()


@pytest.mark.parametrize(
    ("question", "forbidden"),
    [
        ("Which terminals must NOT be connected?", True),
        ("What may the user never open?", True),
        ("What is not allowed in the plant room?", True),
        ("By what mustn't it be lifted?", True),
        ("Was darf nicht angeschlossen werden?", True),
        ("Which terminals must be connected?", False),
        ("Why does the pump not start?", False),
        ("Welche Klemme darf frei bleiben?", False),
    ],
)
def test_a_question_for_what_is_forbidden_is_known(question, forbidden):
    assert Question.parse(question).asks_forbidden == forbidden


def test_the_order_to_compare_is_no_word_of_the_question():
    asked = Question.parse("Compare what both manuals say about menu 63.")
    assert asked.compares
    assert not {"compar", "say"} & {term for group in asked.groups for term in group}
    step = Question.parse("With which table must I compare the current?")
    assert any("compar" in group for group in step.groups)
