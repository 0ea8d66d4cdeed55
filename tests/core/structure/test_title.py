import pytest

from desktop.core.structure.page import document_title, name_as_title
from tests.fakes.drawn_page import DrawnPage


def front(*lines):
    page = DrawnPage()
    for number, (text, size) in enumerate(lines):
        page.line(text, 72, 100 + 60 * number, size=size)
    return page.raw()


def test_a_title_in_the_metadata_is_taken():
    assert document_title("HX-200  Installation", None) == "HX-200 Installation"


@pytest.mark.parametrize(
    "metadata",
    [
        "",
        "Untitled",
        "manual_v3.docx",
        "Microsoft Word - HX.doc",
        "document1",
        "4711",
        "x.indd",
        "021Q5D0101(D)(EN.ES.FR).cdr",
        "ManualsLib - Makes it easy to find manuals online!",
        "Operator_EN_v3.book",
        "Company template, two columns",
    ],
)
def test_what_a_program_left_in_the_metadata_is_no_title(metadata):
    page = front(("HX-200 Operator Manual", 28), ("Read it before use.", 10))
    assert document_title(metadata, page) == "HX-200 Operator Manual"


def test_where_it_was_downloaded_from_is_no_title():
    downloaded = ("Downloaded from www.manualslib.com manuals search engine", 12)
    assert document_title("", front(downloaded)) == ""
    assert document_title("", front(downloaded, ("Mitre Saw DW708", 20))) == "Mitre Saw DW708"


def test_the_largest_words_may_stand_on_two_lines():
    page = front(("Harbour HX-200", 30), ("Operator Manual", 22), ("Read it before use.", 10))
    assert document_title("", page) == "Harbour HX-200 Operator Manual"


def test_a_title_that_is_printed_is_taken_however_small():
    page = front(("WARNING", 40), ("HX-200 Operator Manual", 12))
    assert document_title("HX-200 operator manual", page) == "HX-200 operator manual"


def test_what_kind_of_manual_it_is_says_too_little_alone():
    page = front(("User’s Manual", 60), ("Glassware Washers", 24), ("44000 Series", 18))
    assert document_title("", page) == "User’s Manual Glassware Washers"


def test_a_title_stands_above_the_contents_of_its_page():
    page = front(
        ("A Controller for the AR-22", 16),
        ("Contents", 18),
        ("Licence ........ 4", 12),
        ("Introduction ...... 4", 12),
    )
    assert document_title("", page) == "A Controller for the AR-22"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("pump_station_2.pdf", "pump station 2"),
        ("pump.pdf", "pump"),
        ("standard-hx230s-marine-vhf.pdf", "standard hx230s marine vhf"),
        ("HX-200.pdf", "HX-200"),
    ],
)
def test_a_document_without_any_is_called_like_its_file(name, title):
    assert document_title("", DrawnPage().raw()) == document_title("", None) == ""
    assert name_as_title(name) == title


def test_contents_in_two_columns_below_the_title_are_no_part_of_it():
    page = DrawnPage()
    page.line("CONTENTS", 400, 16, size=10)
    page.line("Drive unit M600", 40, 70, size=20)
    page.line("CONTENTS", 40, 360, size=20)
    for row, (left, right) in enumerate([(2, 9), (2, 10), (3, 12), (4, None)]):
        page.line(f"{row + 1} Chapter", 40, 400 + 14 * row, size=7)
        page.line(str(left), 190, 400 + 14 * row, size=7)
        if right:
            page.line(f"2.{row + 1} Section", 225, 400 + 14 * row, size=7)
            page.line(str(right), 370, 400 + 14 * row, size=7)
    page.line("Dealer manual", 78, 770, size=6)
    page.line("1", 190, 770, size=6)
    assert document_title("", page.raw()) == "Drive unit M600"


def test_a_list_of_contents_is_no_title():
    page = front(("1. Faults", 24), ("2. Settings", 24), ("3. Modbus RTU", 24))
    assert document_title("", page) == ""


@pytest.mark.parametrize(("pages", "title"), [((6, 11, 19, 22), ""), ((6, 3, 9, 2), "Fitting")])
def test_a_list_of_contents_without_dots_ends_in_numbers_that_count_up(pages, title):
    page = DrawnPage().line("CONTENTS", 269, 56, size=18)
    for row, (text, number) in enumerate(
        zip(("❶ Fitting", "❷ Operation", "❸ Service", "❹ Faults"), pages, strict=True)
    ):
        page.line(text, 128, 84 + 24 * row, size=14)
        page.line(str(number), 518, 84 + 24 * row, size=14)
    found = document_title("", page.raw())
    assert (title in found) if title else not found


def test_a_title_in_a_script_that_the_manual_does_not_use_is_none():
    page = front(("HX-200 Service Manual", 16), ("Read it before use.", 9))
    assert document_title("泳池恒温机", page) == "HX-200 Service Manual"
    assert document_title("泳池恒温机", front(("泳池恒温机", 12), ("HX-200", 10))) == "泳池恒温机"


def test_letters_that_are_set_apart_are_a_word():
    page = front(("S E R V I C E", 44), ("M A N U A L", 28), ("Read it before use.", 10))
    assert document_title("", page) == "SERVICE MANUAL"


def test_the_name_of_a_file_gives_way_to_what_is_printed():
    page = front(("Hydraulic unit LS 8 to 16", 12), ("Installation and operation", 10))
    printed = "Hydraulic unit LS 8 to 16 Installation and operation"
    assert document_title("WWP_LS_8_bis_16B_3069", page) == printed
    assert document_title("WWP_LS_8_bis_16B_3069", None) == "WWP LS 8 bis 16B 3069"


def test_a_page_of_one_print_throughout_has_no_title():
    lines = ("Revision history of the protocol", "Index, date, description, author")
    page = front(*((f"{line} {n}", 10) for n, line in enumerate(lines * 3)))
    assert document_title("", page) == ""
