"""Values of manuals compared as amounts, not as letters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.quantities import (
    amounts_told,
    as_the_source_says,
    plain,
    quantities_in,
    stands_in,
    unit_name,
)

NUMBERS = st.integers(1, 999)
UNITS = ("V", "mA", "Nm", "bar", "mm", "s", "°C", "l/min", "mm²", "%")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("300 mA", "Current per output [mA] | 300"),
        ("5 V", "It is 5.00 VDC."),
        ("1.5 mm2", "Leiter 1,5 mm²"),
        ("1.2 Nm", "Tighten with 1,2 N·m."),
        ("+22dBu", "Max level +22 dBu"),
        ("<100μSec", "less than 100 µs"),
        ("45°C", "(0°C to 45°C)"),
        ("10-20 mA", "10 to 20 mA"),
        ("2.19 kg", "4.84 lbs (2.19kg)"),
        ("24 h", "1 day"),
        ("15 Watts", "15 W"),
        ("F07", "error F 07."),
        ("-10 °C", "minus -10°C"),
        ("1500 W", "1,500 W"),
        ("19200 baud", "19 200 Baud"),
        ("1450 rpm", "1450 min⁻¹"),
        ("5", "menu 5."),
        ("S-130", "S-130 in"),
        ("9600", "9600 bps"),
        ("terminal 5", "Terminal 5"),
        ("25.4 mm", "1 in"),
        ('1"', "25.4 mm"),
        ("230 V", "208/230 V"),
        ("2 l/min", "Flow in l/min: 2"),
        ("100-240 V", "100...240 V AC"),
        ("±0.5 dB", "varies by +- .5 dB"),
        ("RTU, 8N1", "8N1 with Modbus RTU"),
        ("10 mA", "de 10 a 20 mA"),
        ("24 V", "12V-24V"),
        ("-10 °C", "-20 °C, -10°C-70°C"),
        ("5 °C", "below 5 ºC"),
        ("5 °C", "below 5oC"),
    ],
)
def test_a_value_stands_in_a_text_that_says_the_same_amount(value, text):
    assert stands_in(value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("300 mA", "Current [mA] | 3000"),
        ("5 V", "5 A"),
        ("F07", "F070"),
        ("10 °C", "-10 °C"),
        ("3", "3.5"),
        ("5 V", "15 V"),
        ("130 in", "S-130 in"),
        ("0.3 A", "300 A"),
        ("5 s", "F07 5"),
        ("1.2 Nm", "12 Nm"),
        ("5", "5.5 V"),
        ("1.5 mm2", "1.5 mm"),
        ("", "5 V"),
        ("F07, 5 s", "F08 takes 5 s"),
        ("left, right", "It turns left."),
        ("5 V", "The unit has 5 inputs of 12 V."),
    ],
)
def test_a_value_does_not_stand_in_a_text_that_says_another(value, text):
    assert not stands_in(value, text)


@pytest.mark.parametrize(
    ("value", "source", "form"),
    [
        ("300 mA", "Current [mA] | 300", "300 mA"),
        ("1071 mm", "Space needed | D3 | 1071", "1071"),
        ("9-12 months", "Poultry | 9 - 12", "9, 12"),
        ("5 s", "hold | 5", ""),
        ("54.0 V", "Float voltage | 0.1V | 540", ""),
        ("yes", "It must be installed.", ""),
        ("un año", "One year parts and labor", ""),
        ("F07", "Code F07", "F07"),
    ],
)
def test_a_value_is_looked_for_as_its_source_says_it(value, source, form):
    assert as_the_source_says(value, source) == form


def test_a_number_in_a_column_has_its_unit_until_the_next_column():
    amounts = quantities_in("Supply [V] | 24 | Current [mA] | 300\nWeight 7")
    assert [(each.readings, each.unit) for each in amounts] == [
        ((24.0,), "volt"),
        ((300.0,), "milliampere"),
        ((7.0,), ""),
    ]


def test_a_point_before_three_digits_may_be_either():
    (amount,) = quantities_in("1.500 W")
    assert amount.readings == (1.5, 1500.0)
    assert [each.readings for each in quantities_in("0.500 W, 1.500,5 W")] == [(0.5,), (1500.5,)]


def test_codes_and_versions_are_no_amounts():
    assert quantities_in("F07, X1:3, S-130 in, 2N3904 and 1.2.3") == []


@given(NUMBERS, NUMBERS, st.sampled_from(UNITS))
def test_another_number_is_never_the_same_amount(number, other, unit):
    assert stands_in(f"{number} {unit}", f"It is {other} {unit}.") == (number == other)


@given(NUMBERS, st.sampled_from(UNITS), st.sampled_from(UNITS))
def test_another_unit_is_never_the_same_amount(number, unit, other):
    assert stands_in(f"{number} {unit}", f"It is {number} {other}.") == (unit == other)


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_texts_can_be_compared(value, text):
    assert not stands_in(value, text) or value.strip()
    assert stands_in(value, value) == bool(value.strip())


@given(st.text(max_size=8))
def test_whatever_follows_a_number_can_be_compared(text):
    for amount in quantities_in(f"5 {text}"):
        assert amount.same(amount)
        assert not amount.unit or amount.same(amount) != amount.same(quantities_in("5")[0])


@pytest.mark.parametrize("word", ["foo", "x", "Watts?", "", "!", "display"])
def test_a_word_that_is_no_unit_has_no_name(word):
    assert unit_name(word) == ""


def test_capitals_are_forgiven_where_nothing_else_is_meant():
    assert unit_name("Watts") == unit_name("W") == "watt"
    assert unit_name("Watts", exact=True) == ""
    assert unit_name("mW") != unit_name("MW")


def test_amps_are_not_attometres_per_second():
    assert unit_name("amps") == "ampere"
    assert unit_name("mins") == "minute"
    assert unit_name("Nm") == "newton_meter"


def test_raised_digits_are_powers_fractions_and_marks():
    assert stands_in("5 x 10^8 cells", "at 5 x 10⁸ cells/ml")
    assert not stands_in("108", "at 5 x 10⁸ cells/ml")
    assert not stands_in("5 x 10^6", "5 x 10⁸")
    assert [each.readings for each in quantities_in("10⁻⁶ bar, 230¹ V")] == [(1e-6,), (230.0,)]
    assert stands_in('1 1/16"', "radius 1¹⁄₁₆”")
    assert not stands_in('11/16"', "radius 1¹⁄₁₆”")
    assert stands_in("2 1/2 in", "2½ in")


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("Weight: 30 – 33 lbs. (14 – 15 kg)", ["30 - 33 lbs", "14 - 15 kg"]),
        ("It is 161.4mm×101.4mm× 17.95mm large", ["161.4mm×101.4mm× 17.95mm"]),
        ("from -40 °C to +85 °C", ["-40 °C to +85 °C"]),
        ("15 ± 2 Nm", ["15 ± 2 Nm"]),
        ("12/24 V, 50 Hz", ["12/24 V", "50 Hz"]),
        ("48 cm deep x 46 cm wide", ["48 cm", "46 cm"]),
        ("16 A, then 25 A", ["16 A", "25 A"]),
    ],
)
def test_a_range_or_product_is_one_amount(text, amounts):
    known = plain(text)
    told = [known[each[0].start : each[-1].end] for each in amounts_told(text)]
    assert told == amounts


def test_the_last_of_several_terminals_is_no_number():
    assert quantities_in("Connect it to AA5-X2:23-24.") == []
