"""Safety messages are recognised in the languages of manuals, and nothing else is."""

import pytest

from desktop.core.structure.safety import warning_level, without_signal_word
from tests.fakes.drawn_page import DrawnPage, structure_page, style


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("DANGER High voltage inside.", "DANGER"),
        ("GEFAHR! Hochspannung.", "DANGER"),
        ("LEBENSGEFAHR durch Strom", "DANGER"),
        ("Warning: hot surface", "WARNING"),
        ("WARNUNG Heiße Oberfläche", "WARNING"),
        ("⚠ WARNING – do not open", "WARNING"),
        ("▢ Warning", "WARNING"),
        ("Caution! Keep dry.", "CAUTION"),
        ("VORSICHT", "CAUTION"),
        ("ACHTUNG: Netz trennen.", "CAUTION"),
        ("Note: the fuse is slow.", "NOTE"),
        ("Hinweis: Die Sicherung ist träge.", "NOTE"),
        ("NOTES", "NOTE"),
        ("GEFAHR", "DANGER"),
        ("⚡ GEFAHR – Hochspannung", "DANGER"),
        ("⚠️ ⚡ WARNUNG Netz trennen", "WARNING"),
        ("WARNHINWEIS: Netz trennen", "WARNING"),
        ("(!) VORSICHT Heiß", "CAUTION"),
        ("⚠ ACHTUNG Netz trennen", "CAUTION"),
        ("A CAUTION", "CAUTION"),  # the sign of an icon font
        ("\N{INFORMATION SOURCE} HINWEIS Die Sicherung ist träge.", "NOTE"),
        ("⚠ Hot surface. Do not touch.", "WARNING"),
        ("⚠", "WARNING"),
        ("Danger", "DANGER"),
        ("HAZARD! A folded blade springs out.", "WARNING"),
        ("PERICOLO !", "DANGER"),
        ("ALARM! The tank is empty.", "WARNING"),
        ("! Use no other cable.", "CAUTION"),
        ("Внимание! Тормоз монтируется.", "CAUTION"),
        ("Примечание. Двигатель перегревается.", "NOTE"),
        ("\u6ce8\uff1a\u4f7f\u7528TMC2209", "NOTE"),
        ("ADVERTENCIA: alta tensión", "WARNING"),
        ("LET OP Draag handschoenen", "CAUTION"),
        ("Remarque : le fusible est lent.", "NOTE"),
        ("Προσοχή: καυτό", "CAUTION"),
    ],
)
def test_a_safety_word_that_opens_a_block_makes_it_a_warning(text, level):
    assert warning_level(text) == level


@pytest.mark.parametrize(
    "text",
    [
        "Note the serial number of the pump.",
        "Warning lamps are yellow.",
        "The WARNING lamp is yellow.",
        "Achtung verdient das Ventil.",
        "Notebook: not included",
        "Cautionary words",
        "Attention to detail pays.",
        "Warnung vor dem Ventil steht auf Seite 4.",
        "Hinweise zur Pflege finden Sie unten.",
        "→ Open the lid.",
        "Great! You are done.",
        "TROUBLE! SAW WILL NOT START",
        "",
    ],
)
def test_the_same_words_in_a_sentence_do_not(text):
    assert warning_level(text) == ""


def warnings_of(page):
    blocks, _ = structure_page(page.raw(), style())
    return [(b.warning, b.text) for b in blocks if b.kind == "warning"]


def test_a_safety_word_takes_the_message_below_it():
    page = DrawnPage().line("WARNING", 72, 200, size=12, bold=True)
    page.paragraph(["Switch the mains off before", "you open the housing."], 72, 218)
    page.line("The housing has four screws.", 72, 300)
    assert warnings_of(page) == [
        ("WARNING", "WARNING Switch the mains off before you open the housing.")
    ]


def test_a_safety_word_takes_the_message_beside_it():
    page = DrawnPage().line("VORSICHT", 72, 200, bold=True)
    page.paragraph(["Netz trennen, bevor das", "Gehäuse geöffnet wird."], 135, 200)
    assert warnings_of(page) == [
        ("CAUTION", "VORSICHT Netz trennen, bevor das Gehäuse geöffnet wird.")
    ]


def test_an_icon_takes_the_text_beside_it():
    page = DrawnPage().line("⚠", 72, 200, bold=True)
    page.paragraph(["Heiße Oberfläche. Vor dem", "Öffnen abkühlen lassen."], 92, 200)
    assert warnings_of(page) == [("WARNING", "⚠ Heiße Oberfläche. Vor dem Öffnen abkühlen lassen.")]


def test_the_message_comes_without_the_word_or_the_icon():
    assert without_signal_word("⚠ WARNUNG – Netz trennen.") == "Netz trennen."
    assert without_signal_word("⚠ Hot surface.") == "Hot surface."
    assert without_signal_word("GEFAHR") == "GEFAHR"


def test_a_safety_word_does_not_take_what_stands_far_below():
    page = DrawnPage().line("NOTE", 72, 200, bold=True).line("The cover is grey.", 72, 400)
    assert warnings_of(page) == [("NOTE", "NOTE")]


def test_a_warning_of_one_block_keeps_its_words_and_its_section():
    page = DrawnPage().line("Service", 72, 120, size=16, bold=True)
    page.paragraph(["DANGER: Rotating parts.", "Keep your hands away."], 72, 180)
    blocks, units = structure_page(page.raw(), style())
    (warning,) = [block for block in blocks if block.warning]
    assert warning.section == ("Service",)
    assert any("Rotating parts." in unit.text for unit in units)


def test_two_warnings_below_each_other_stay_two():
    page = DrawnPage().line("WARNING", 72, 200, bold=True).line("CAUTION: hot.", 72, 216)
    assert warnings_of(page) == [("WARNING", "WARNING"), ("CAUTION", "CAUTION: hot.")]


def test_a_kind_of_hazard_below_a_sign_is_no_section():
    page = DrawnPage().line("Clean the air filter", 72, 100, size=16, bold=True)
    page.line("A CAUTION", 110, 160, size=12, bold=True)
    page.line("FLYING OBJECT HAZARD!", 72, 240, size=12, bold=True)  # the sign is between them
    page.paragraph(["Wear eye protection when you", "use compressed air."], 72, 258)
    page.line("Loosen the wing nut and lift the cover.", 72, 340)
    blocks, units = structure_page(page.raw(), style())
    assert [(b.warning, b.text) for b in blocks if b.kind == "warning"] == [
        (
            "CAUTION",
            "A CAUTION FLYING OBJECT HAZARD! Wear eye protection when you use compressed air.",
        )
    ]
    (lift,) = [unit for unit in units if unit.text.startswith("Loosen")]
    assert lift.context.endswith("Clean the air filter")


def test_a_safety_word_beside_the_lines_of_its_message_stands_before_them():
    page = DrawnPage().paragraph(["Results vary. Known", "causes are salt and stain."], 160, 200)
    page.line("NOTE", 72, 206, bold=True).region("text", (70, 195, 400, 230))
    blocks, _ = structure_page(page.raw(), style())
    assert [(b.warning, b.text) for b in blocks] == [
        ("NOTE", "NOTE Results vary. Known causes are salt and stain.")
    ]


def test_values_below_a_note_are_a_table():
    page = DrawnPage().line("Note: 0 dBu is 0.775 V.", 72, 200)
    for n, (name, value) in enumerate((("Impedance:", "40 kOhm"), ("Maximum:", "22 dBu"))):
        page.line(name, 72, 215 + 15 * n).line(value, 250, 215 + 15 * n)
    for n, (name, value) in enumerate((("Noise:", "-93 dB"), ("Range:", "114 dB"))):
        page.line(name, 72, 245 + 15 * n).line(value, 250, 245 + 15 * n)
    page.region("text", (70, 198, 320, 275))
    blocks, units = structure_page(page.raw(), style())
    assert [block.kind for block in blocks] == ["table"]
    assert "Maximum: | 22 dBu" in [unit.text for unit in units]
