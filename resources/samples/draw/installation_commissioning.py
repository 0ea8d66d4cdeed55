"""Installation manual, chapters 5 and 6 and annex A: commissioning, faults, spare parts."""

from __future__ import annotations

from .manual import Manual
from .rich_text import set_lines, wrap
from .table import Table
from .theme import HAIRLINE, INK

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
    m.bullets((
        "Pipes are flushed, connected and tight; the break tank is filled.",
        "All terminals are tightened to the torques of Table 4-2.",
        "The vessel V1 is set as described in section 3.5.",
    ))
    m.section("5.2 Filling and venting the pumps")
    m.notice("CAUTION", "A dry start destroys the mechanical seals within seconds. Vent both pumps.")
    m.steps((
        "Close HV3 and HV4. Open HV5, HV1 and HV2 slowly.",
        "Open the vent plug on each pump head by two turns until water runs without bubbles.",
        "Close the vent plugs with 12 Nm.",
        "Open HV3 and HV4.",
    ))
    m.section("5.3 First start")
    m.steps((
        "Set both pump selectors to 0 and switch on Q1.\nThe display lights up; H1 is green after "
        "12 seconds.",
        "Enter the service code **2684** in Menu 60. The code is valid for 15 minutes.",
        "Check the ranges in Menu 61 (B1: 16 bar) and Menu 62 (B2: 10 bar).",
        "Start the rotation test in Menu 63. Each pump turns for 3 seconds; the fan must turn "
        "clockwise, seen from above. If not, swap two wires at X2.",
        "Set the setpoint in Menu 21.",
        "Turn both selectors to AUTO. The pressure must settle within 20 seconds.",
        "Lift the float switch S-130 out of the water. Both pumps must stop within 5 seconds and "
        "the display must show E02.",
        "Start the internal battery test in Menu 43 and note the result.",
        "Close jumper J9 to lock the service menus.",
    ))
    m.section("5.4 Settings", 200)
    m.table("Settings made during commissioning", Table(
        ("Menu", "Setting", "Range", "Factory"), (0.9, 3, 1.7, 1.2),
        (("Menu 21", "Setpoint of the discharge pressure", "2.0 to 8.0 bar", "4.5 bar"),
         ("Menu 24", "Lowest inlet pressure, stop", "0.1 to 3.0 bar", "0.2 bar"),
         ("Menu 32", "Changeover of the lead pump", "1 to 168 h", "24 h"),
         ("Menu 34", "Stop delay at low flow", "5 to 300 s", "45 s"),
         ("Menu 51", "Modbus address", "1 to 247", "17"),
         ("Menu 52", "Baud rate", "9600 to 38 400", "19 200"),
         ("Menu 61", "Range of transmitter B1", "6 to 25 bar", "16 bar"),
         ("Menu 62", "Range of transmitter B2", "6 to 16 bar", "10 bar")),
    ))
    m.section("5.5 Trial run")
    m.text(
        "Let the station run for 4 hours under normal demand before you hand it over. Compare the "
        "values with Table 5-2 every 30 minutes."
    )
    m.table("Limits during the trial run", Table(
        ("Value", "Where to read it", "Limit"), (2.4, 2.2, 2.4),
        (("Swing of the discharge pressure", "Menu 11", "at most ±0.2 bar"),
         ("Starts of one pump", "Menu 13", "at most 15 per hour"),
         ("Motor current of one pump", "Clamp meter at X2", "at most 7.9 A"),
         ("Temperature in the cabinet", "Display of drive U1", "below 45 °C"),
         ("Leakage at the mechanical seals", "Eye", "no drops after 1 hour")),
    ))
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
    set_lines(canvas, left, bottom + 22, wrap(
        "Remark: the flow switch S-140 was replaced on site because its contact stuck. "
        "Next visit of the service technician: 14 September 2026.", m.frame.column, 11, "italic"),
        11, 17)
    for x, name, what in ((left, "Tarvo Lindqvell", "Installer"), (middle, "M. Ostrava", "Operator")):
        canvas.text(x + 10, bottom + 112, name, 14, "italic")
        canvas.line([(x, bottom + 120), (x + 190, bottom + 120)], HAIRLINE, 0.9)
        canvas.text(x, bottom + 132, f"{what}, date: 14 March 2026", 8.6)


def write_faults(m: Manual) -> None:
    """Chapter 6."""
    m.chapter("6", "Faults during installation")
    m.section("6.1 What to check first")
    m.text(
        "Most faults at the first start come from wiring. The complete list of fault codes is in "
        "chapter 7 of the operator manual."
    )
    m.table("Faults during the first start", Table(
        ("What you see", "Likely cause", "Remedy"), (2.0, 2.2, 2.8),
        (("Display stays dark", "N missing at X1:4, or fuse F3 blown",
          "Measure 230 V between X1:1 and X1:4. Replace F3 (T 2 A)."),
         ("E03 right after start", "B1 not connected, or J3 open",
          "Measure the loop: 4.0 mA at 0 bar. Close J3."),
         ("E09 or E10, motor cold", "PTC not connected",
          "Connect the PTC or bridge X3:1-X3:2 and X3:3-X3:4."),
         ("E17 and no pump starts", "Input S-110 open",
          "Bridge X7:3 to X7:4 when no switch is fitted."),
         ("Pump runs, no pressure", "Wrong direction of rotation",
          "Run Menu 63. Swap two phases at X2."),
         ("Pressure swings by more than 0.5 bar", "B1 too close to a non-return valve",
          "Move B1 to at least 300 mm behind the valve."),
         ("Many starts in short time", "Pre-charge of V1 lost or wrong",
          "Set the pre-charge as in section 3.5."),
         ("No answer on the bus", "A and B swapped, wrong address",
          "Swap X6:1 and X6:2. Check Menu 51 and Menu 52.")),
    ))
    m.section("6.2 Measuring a transmitter loop")
    m.steps((
        "Disconnect the wire from X5:2 (B1) or X5:5 (B2).",
        "Connect a milliammeter between the wire and the terminal.",
        "Compare the current with Table 6-2. A deviation of 0.2 mA is permitted.",
    ))
    m.table("Loop current and pressure", Table(
        ("Current", "B1, range 16 bar", "B2, range 10 bar"), (1, 1.4, 1.4),
        (("4.0 mA", "0 bar", "0 bar"), ("8.0 mA", "4.0 bar", "2.5 bar"),
         ("12.0 mA", "8.0 bar", "5.0 bar"), ("16.0 mA", "12.0 bar", "7.5 bar"),
         ("20.0 mA", "16.0 bar", "10.0 bar")),
        look="open",
    ))
    m.section("6.3 Taking the station out of service")
    m.steps((
        "Set both selectors to 0, open Q1 and lock it. Wait 5 minutes.",
        "Take the fuse out of the battery box of G2 and pull the plug of G1.",
        "Close HV1 to HV4 and drain the station through DV1.",
    ))


def write_accessories(m: Manual) -> None:
    """Annex A."""
    m.chapter("A", "Accessories and assembly kits")
    m.section("A.1 Kits for the installer")
    m.table("Assembly kits", Table(
        ("Part number", "Kit", "Content"), (1.1, 2.2, 3.4),
        (("72-5001", "Flange kit DN 80", "2 gaskets EPDM, 8 bolts M16 × 70, nuts, washers"),
         ("72-5002", "Flange kit DN 65", "2 gaskets EPDM, 8 bolts M16 × 65, nuts, washers"),
         ("72-5010", "Anchor kit", "4 anchors M12 × 110, drill template"),
         ("72-5021", "Expansion joint DN 80", "Bellows EPDM, length 130 mm, PN 16"),
         ("72-5022", "Expansion joint DN 65", "Bellows EPDM, length 115 mm, PN 16"),
         ("72-5035", "External battery box G2", "2 batteries 12 V 18 Ah, fuse 6 A, cable 5 m"),
         ("72-5040", "Cable set for break tank", "Float switch S-130 with 10 m of cable"),
         ("72-5052", "Bus termination kit", "Plug with 120 Ω for lines without jumper J7")),
        look="banded",
    ))
    m.section("A.2 Declaration of materials")
    m.text(
        "All parts in contact with water are of stainless steel 1.4301, EPDM or lead-free brass. "
        "The base frame is of galvanised steel."
    )
