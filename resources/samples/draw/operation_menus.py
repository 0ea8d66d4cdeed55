"""Operator manual, chapter 4: the menus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figure_panel import draw_menu_tree
from .table import Table

if TYPE_CHECKING:
    from .manual import Manual

_MENUS: tuple[tuple[str, ...], ...] = (
    ("10  Status",),
    ("11", "Pressures", "Discharge (B1) and inlet (B2)", "bar", "0"),
    ("12", "Pump speeds", "Present speed of P1 and P2", "0 to 100 %", "0"),
    ("13", "Running hours", "Hours and starts of each pump", "h", "0"),
    ("14", "Alarm log", "The last 50 alarms with date and time", "-", "0"),
    ("20  Setpoints",),
    ("21", "Setpoint", "Discharge pressure by day", "2.0 to 8.0 bar", "1"),
    ("22", "Night setpoint", "Discharge pressure by night", "2.0 to 8.0 bar", "1"),
    ("23", "Night hours", "Start and end of the night", "22:00 to 05:30", "1"),
    ("24", "Inlet limit", "Stop below this inlet pressure", "0.1 to 3.0 bar", "2"),
    ("30  Pumps",),
    ("31", "Mode", "Alternate, or P1 leads, or P2 leads", "Alternate", "1"),
    ("32", "Changeover", "Hours until the other pump leads", "1 to 168 h", "1"),
    ("33", "Test run", "Short run of a pump that stood still", "10 s every 48 h", "1"),
    ("34", "Stop delay", "Run-on when there is no flow", "5 to 300 s", "2"),
    ("40  Batteries",),
    ("41", "Charge state", "Charge of G1 and G2, G2 present or not", "%", "0"),
    ("42", "Voltages", "Voltage of G1 and G2", "V", "0"),
    ("43", "Internal test", "Starts the test of G1", "2 min", "1"),
    ("44", "External test", "Starts the test of G2", "24 h", "1"),
    ("45", "Last results", "Results of the last ten battery tests", "-", "0"),
    ("50  Interfaces",),
    ("51", "Bus address", "Modbus address", "1 to 247", "2"),
    ("52", "Baud rate", "Speed of the RS-485 line", "9600 to 38 400", "2"),
    ("53", "Relay K2", "Pump runs, or warning, or mains present", "Pump runs", "2"),
    ("60  Service",),
    ("61", "Range B1", "Upper end of the transmitter B1", "6 to 25 bar", "2"),
    ("62", "Range B2", "Upper end of the transmitter B2", "6 to 16 bar", "2"),
    ("63", "Rotation test", "Turns each pump for 3 seconds", "-", "2"),
    ("64", "Factory reset", "Sets all values to factory settings", "-", "2"),
)


def write_menus(m: Manual) -> None:
    """Chapter 4."""
    m.chapter("4", "Menus")
    m.section("4.1 Menu tree", 240)
    m.figure("Menu tree of the CU-20", 204, draw_menu_tree)
    m.text(
        "The number of a menu is always shown at the top left. To go to a menu directly, hold UP "
        "and DOWN together and set the number."
    )
    m.section("4.2 List of menus")
    m.table(
        "Menus, ranges and access levels",
        Table(
            ("Menu", "Name", "Content", "Range or value", "Level"),
            (0.7, 1.4, 3.2, 1.6, 0.6),
            _MENUS,
        ),
    )
    m.section("4.3 Exporting the alarm log")
    m.steps(
        (
            "Plug a USB-C memory stick (FAT32, at most 64 GB) into the service socket.",
            "Open Menu 14 and hold OK for 4 seconds.",
            "Wait for **Export complete**. The file is named HXLOG.CSV.",
        )
    )
