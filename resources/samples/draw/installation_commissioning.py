"""Installation manual, chapter 5: commissioning."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .rich_text import set_lines, wrap
from .table import Table
from .theme import HAIRLINE, INK

if TYPE_CHECKING:
    from .manual import Manual

_CHECKS: tuple[tuple[str, str], ...] = (
    ("Serial number of the station", "HX2-26-0417"),
    ("Supply voltage L1-L2 / L2-L3 / L1-L3", "402 / 401 / 403 V"),
    ("Insulation resistance of motor P1", "310 MΩ"),
    ("Insulation resistance of motor P2", "285 MΩ"),
    ("Direction of rotation P1 / P2", "right / right"),
    ("Motor current P1 at full speed", "7.6 A"),
    ("Motor current P2 at full speed", "7.7 A"),
    ("Inlet pressure, pumps stopped", "0.4 bar"),
    ("Setpoint after adjustment", "4.8 bar"),
    ("Pre-charge of vessel V1", "3.4 bar"),
    ("Dry-run test with S-130, stop after", "3 s"),
    ("Internal battery test", "passed, 12.6 V"),
    ("Firmware of the CU-20", "2.14"),
)


def write_commissioning(m: Manual) -> None:
    """Chapter 5."""
    m.chapter("5", "Commissioning")
    m.section("5.1 Conditions")
    m.bullets(
        (
            "Pipes are flushed, connected and tight; the break tank is filled.",
            "All terminals are tightened to the torques of Table 4-2.",
            "The vessel V1 is set as described in section 3.5.",
        )
    )
    m.section("5.2 Filling and venting the pumps")
    m.notice(
        "CAUTION", "A dry start destroys the mechanical seals within seconds. Vent both pumps."
    )
    m.steps(
        (
            "Close HV3 and HV4. Open HV5, HV1 and HV2 slowly.",
            "Open the vent plug on each pump head by two turns until water runs without bubbles.",
            "Close the vent plugs with 12 Nm.",
            "Open HV3 and HV4.",
        )
    )
    m.section("5.3 First start")
    m.steps(
        (
            "Set both pump selectors to 0 and switch on Q1.\nThe display lights up; H1 is green "
            "after 12 seconds.",
            "Enter the service code **2684** in Menu 60. The code is valid for 15 minutes.",
            "Check the ranges in Menu 61 (B1: 16 bar) and Menu 62 (B2: 10 bar).",
            "Start the rotation test in Menu 63. Each pump turns for 3 seconds; the fan must turn "
            "clockwise, seen from above. If not, swap two wires at X2.",
            "Set the setpoint in Menu 21.",
            "Turn both selectors to AUTO. The pressure must settle within 20 seconds.",
            "Lift the float switch S-130 out of the water. Both pumps must stop within 5 seconds "
            "and the display must show E02.",
            "Start the internal battery test in Menu 43 and note the result.",
            "Close jumper J9 to lock the service menus.",
        )
    )
    m.section("5.4 Settings", 200)
    m.table(
        "Settings made during commissioning",
        Table(
            ("Menu", "Setting", "Range", "Factory"),
            (0.9, 3, 1.7, 1.2),
            (
                ("Menu 21", "Setpoint of the discharge pressure", "2.0 to 8.0 bar", "4.5 bar"),
                ("Menu 24", "Lowest inlet pressure, stop", "0.1 to 3.0 bar", "0.2 bar"),
                ("Menu 32", "Changeover of the lead pump", "1 to 168 h", "24 h"),
                ("Menu 34", "Stop delay at low flow", "5 to 300 s", "45 s"),
                ("Menu 51", "Modbus address", "1 to 247", "17"),
                ("Menu 52", "Baud rate", "9600 to 38 400", "19 200"),
                ("Menu 61", "Range of transmitter B1", "6 to 25 bar", "16 bar"),
                ("Menu 62", "Range of transmitter B2", "6 to 16 bar", "10 bar"),
            ),
        ),
    )
    m.section("5.5 Trial run")
    m.text(
        "Let the station run for 4 hours under normal demand before you hand it over. Compare the "
        "values with Table 5-2 every 30 minutes."
    )
    m.table(
        "Limits during the trial run",
        Table(
            ("Value", "Where to read it", "Limit"),
            (2.4, 2.2, 2.4),
            (
                ("Swing of the discharge pressure", "Menu 11", "at most ±0.2 bar"),
                ("Starts of one pump", "Menu 13", "at most 15 per hour"),
                ("Motor current of one pump", "Clamp meter at X2", "at most 7.9 A"),
                ("Temperature in the cabinet", "Display of drive U1", "below 45 °C"),
                ("Leakage at the mechanical seals", "Eye", "no drops after 1 hour"),
            ),
        ),
    )
    m.section("5.6 Handover")
    m.text(
        "Explain the front panel, the alarms and the battery tests to the operator. Fill in the "
        "checklist on the next page and keep a copy in the cabinet door. The page printed here is "
        "the scan of the checklist of the reference station."
    )
    _draw_checklist(m)


def _draw_checklist(m: Manual) -> None:
    """Draw the filled checklist that becomes a scan."""
    canvas = m.page("scanned")
    m.section("5.7 Commissioning checklist")
    m.text("Fill in every line. Values outside the limits of this manual must be reported.")
    left, right, middle = m.frame.left, m.frame.right, m.frame.left + 268
    y = m.frame.top + 62
    canvas.rect((left, y, right, y + 27 * (len(_CHECKS) + 1)), colour=INK, width=0.9)
    canvas.text(left + 8, y + 17, "Check", 9.6, "bold")
    canvas.text(middle + 8, y + 17, "Measured value", 9.6, "bold")
    canvas.text(right - 8, y + 17, "OK", 9.6, "bold", align="right")
    for number, (check, value) in enumerate(_CHECKS, 1):
        top = y + 27 * number
        canvas.line([(left, top), (right, top)], INK, 0.6)
        canvas.text(left + 8, top + 17, check, 9.6)
        canvas.text(middle + 12, top + 18, value, 11.5, "italic")
        tick = (right - 20, top + 15)
        canvas.line([(tick[0] - 5, tick[1] - 4), tick, (tick[0] + 8, tick[1] - 11)], INK, 1.6)
    bottom = y + 27 * (len(_CHECKS) + 1)
    for x in (middle, right - 40):
        canvas.line([(x, y), (x, bottom)], INK, 0.6)
    set_lines(
        canvas,
        left,
        bottom + 22,
        wrap(
            "Remark: the flow switch S-140 was replaced on site because its contact stuck. "
            "Next visit of the service technician: 14 September 2026.",
            m.frame.column,
            11,
            "italic",
        ),
        11,
        17,
    )
    for x, name, what in (
        (left, "Tarvo Lindqvell", "Installer"),
        (middle, "M. Ostrava", "Operator"),
    ):
        canvas.text(x + 10, bottom + 112, name, 14, "italic")
        canvas.line([(x, bottom + 120), (x + 190, bottom + 120)], HAIRLINE, 0.9)
        canvas.text(x, bottom + 132, f"{what}, date: 14 March 2026", 8.6)
