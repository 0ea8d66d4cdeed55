from desktop.core.question.tokens import index_terms, query_terms
from desktop.core.structure.page import document_title
from desktop.core.structure.sentences import sentence_spans
from tests.fakes.bookcase import Sheet, bookcase_at
from tests.fakes.drawn_page import DrawnPage, structure_page, style


def test_another_code_is_no_answer(tmp_path):
    with bookcase_at(tmp_path) as case:
        text = "The sensor S-131 is calibrated every 6 months."
        case.add(
            "a.pdf",
            [Sheet().heading("Sensors").text(text)]
            + [Sheet().text(f"Page {n} about paint.") for n in range(6)],
        )
        assert not case.ask("How often is S-200 calibrated?", least_confidence=0.5).found


def test_amperes_with_a_space_are_found_as_one_term():
    asked = {t for group in query_terms("Which fuse has 1.5 A?") for t in group}
    assert "1_5a" in asked & set(index_terms("a fuse of 1.5A").split())


def test_a_measure_ends_a_sentence():
    assert len(sentence_spans("The fuse is 5 A. The lid has screws.".split())) == 2


def test_a_heading_of_the_next_page_is_beside_one_of_the_same_size():
    first = DrawnPage(0).line("Power", 72, 120, size=16, bold=True).line("It is 24 V.", 72, 160)
    blocks, _ = structure_page(first.raw(), style())
    second = DrawnPage(1).line("Bus", 72, 120, size=16, bold=True).line("It ends here.", 72, 160)
    blocks, _ = structure_page(second.raw(), style(), blocks[-1].section)
    assert blocks[0].section == ("Bus",)


def test_a_warning_panel_that_the_model_calls_a_table_is_a_warning():
    page = DrawnPage().row(("WARNING", "Switch the mains off first."), (72, 200), 200)
    blocks, _ = structure_page(page.region("table", (70, 195, 560, 215)).raw(), style())
    assert [(b.kind, b.warning) for b in blocks] == [("warning", "WARNING")]


def test_a_table_with_a_column_called_note_has_no_warning_level():
    page = DrawnPage().row(("NOTE", "Value"), (72, 200), 200).row(("Fuse", "5 A"), (72, 200), 220)
    blocks, _ = structure_page(page.region("table", (70, 195, 560, 235)).raw(), style())
    assert [(b.kind, b.warning) for b in blocks] == [("table", "")]


def test_a_product_code_on_a_line_of_its_own_is_in_the_title():
    page = DrawnPage().line("HX-200", 72, 100, size=30).line("Operator Manual", 72, 160, size=22)
    assert document_title("", page.line("Read it.", 72, 300).raw()) == "HX-200 Operator Manual"


def test_a_printed_question_without_an_answer_does_not_bring_the_next_heading(tmp_path):
    with bookcase_at(tmp_path) as case:
        case.add(
            "a.pdf", [Sheet().text("How do I reset it?").heading("Storage").text("Keep it dry.")]
        )
        assert "Storage" not in [s.quote for s in case.ask("How do I reset it?").statements]
