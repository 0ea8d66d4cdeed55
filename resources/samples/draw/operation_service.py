"""Operator manual, chapters 5 and 6: control unit with backup battery, maintenance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figure_battery import draw_battery_bay
from .table import Table

if TYPE_CHECKING:
    from .manual import Manual


def write_battery(m: Manual) -> None:
    """Chapter 5."""
    m.chapter("5", "Control unit and backup battery")
    m.section("5.1 Why there are batteries")
    m.text(
        "When the mains fails the pumps stop, but the control unit CU-20 must still report the "
        "failure. The internal battery **G1** (12 V, 2.9 Ah) keeps the control unit, its display "
        "and the fault relay K1 alive for 90 minutes. The external battery **G2** (24 V, 18 Ah, "
        "optional) also supplies the pressure transmitters and the RS-485 bus and lasts at least "
        "30 hours."
    )
    m.section("5.2 Battery tests")
    m.text(
        "The control unit tests both batteries under load. The **internal battery test** lasts "
        "2 minutes; the measurement is repeated every 6 seconds. The **external battery test** "
        "lasts 24 hours; the measurement is repeated hourly."
    )
    m.table(
        "Battery tests",
        Table(
            ("Test", "Menu", "Duration", "Measurement", "Passed when"),
            (2.2, 0.85, 0.9, 1.3, 1.9),
            (
                (
                    "Internal battery test (G1)",
                    "Menu 43",
                    "2 minutes",
                    "every 6 seconds",
                    "Voltage stays above 11.4 V",
                ),
                (
                    "External battery test (G2)",
                    "Menu 44",
                    "24 hours",
                    "repeats hourly",
                    "Voltage stays above 23.0 V",
                ),
            ),
        ),
    )
    m.text(
        "The pumps keep running during both tests. Light H7 flashes until the test has ended; the "
        "result is then in Menu 45."
    )
    m.subheading("Starting the internal battery test")
    m.steps(
        (
            "Check in Menu 41 that the charge of G1 is at least 80 %.",
            "Open Menu 43, enter the operator code and press OK.",
            "Wait for **Test passed** or **Test failed**. To stop the test, press ESC.",
        )
    )
    m.notice(
        "NOTE",
        "A failed test is reported as E13 for the internal and as E14 for the external battery. "
        "The station keeps running; only the reporting of a mains failure is at risk.",
    )
    m.section("5.3 Behaviour when the mains fails")
    m.table(
        "What works without mains",
        Table(
            ("Function", "With G1 only", "With G1 and G2"),
            (2.6, 2, 2),
            (
                ("Pumps", "no", "no"),
                ("Display and keys", "90 minutes", "30 hours"),
                ("Fault relay K1", "90 minutes", "30 hours"),
                ("Pressure transmitters B1, B2", "no", "30 hours"),
                ("RS-485 bus", "no", "30 hours"),
                ("Clock", "5 days", "5 days"),
            ),
            look="banded",
        ),
    )
    m.text(
        "After the mains returns the pumps start with a delay of **20 seconds**, the second pump "
        "10 seconds later. An empty battery G1 is full again after 14 hours."
    )
    m.section("5.4 Replacing the internal battery G1", 180)
    m.notice(
        "WARNING",
        "Danger of explosion when the battery is replaced by a wrong type. Use part number 72-2011 "
        "only. Do not short-circuit the contacts.",
    )
    m.steps(
        (
            "Leave the mains on so that date and alarm log are kept.",
            "Open the flap on the left side of the CU-20 with a screw of type Torx T20.",
            "Pull plug X9 and take out the battery.",
            "Insert the new battery with the label to the front and plug in X9.",
            "Close the flap. Confirm **New battery** in Menu 41.",
            "Start the internal battery test after 14 hours of charging.",
        )
    )
    m.figure("Battery bay behind the left flap of the CU-20", 178, draw_battery_bay)
    m.legend(
        (
            ("1", "Internal battery G1, label to the front"),
            ("2", "Plug X9"),
            ("3", "Holding strap"),
            ("4", "Flap with screw Torx T20"),
        )
    )
    m.text("Take the old battery to a collection point; it contains lead.")


def write_maintenance(m: Manual) -> None:
    """Chapter 6."""
    m.chapter("6", "Maintenance")
    m.section("6.1 Intervals")
    m.table(
        "Maintenance intervals",
        Table(
            ("Interval", "Work", "Who"),
            (1.2, 4.2, 1.1),
            (
                ("Every week", "Look and listen: leaks, noise, display", "Operator"),
                (
                    "Every month",
                    "Compare the display with the gauge; deviation at most 0.2 bar",
                    "Operator",
                ),
                (
                    "Every 3 months",
                    "Lift the float switch S-130 and check that the pumps stop",
                    "Operator",
                ),
                ("Every 3 months", "Internal battery test, Menu 43", "Operator"),
                ("Every 6 months", "Check the pre-charge of the vessel V1", "Service"),
                ("Every 12 months", "Tighten the terminals, clean the cabinet filters", "Service"),
                ("Every 12 months", "External battery test, Menu 44", "Operator"),
                ("Every 2 years", "Compare B1 and B2 with a reference gauge", "Service"),
                ("Every 4 years", "Replace the internal battery G1", "Operator"),
                ("Every 5 years", "Replace the mechanical seals of both pumps", "Service"),
                ("Every 8 years", "Replace the membrane of the vessel V1", "Service"),
            ),
        ),
    )
    m.section("6.2 Cleaning the cabinet filter")
    m.steps(
        (
            "Pull the grille off the left side of the cabinet.",
            "Take out the filter mat and tap it out. Wash it at up to 40 °C when it is greasy.",
            "Let the mat dry completely and put it back with the smooth side inwards.",
        )
    )
    m.section("6.3 Testing the dry-run protection")
    m.steps(
        (
            "Announce a short interruption of the water supply.",
            "Lift the float of S-130 with the chain at the tank.\nBoth pumps stop within 5 "
            "seconds; the display shows E02.",
            "Let the float down. The pumps start again after 60 seconds.",
        )
    )
    m.section("6.4 Checking a mechanical seal")
    m.text(
        "A few drops are normal during the first 50 running hours. Count the drops for one minute "
        "while the pump runs. Up to 20 drops per minute are permitted; more means that the seal is "
        "worn and must be replaced by the service."
    )
    m.section("6.5 Resetting the maintenance reminder", 70)
    m.text(
        "When maintenance is due, H4 flashes and the display shows E23. After the work open Menu "
        "13, hold RESET for 6 seconds and confirm with OK. The next reminder comes after 4000 "
        "running hours or 12 months."
    )
    m.section("6.6 What the service does once a year")
    m.bullets(
        (
            "Tightens all terminals with a torque screwdriver.",
            "Measures the insulation resistance of both motors; at least 1 MΩ is required.",
            "Checks the pre-charge of V1 and the closing of NV1 and NV2.",
            "Reads the alarm log and saves the settings.",
        )
    )
    m.section("6.7 Maintenance record", 250)
    m.text("Enter every piece of work. The record is needed for the warranty of 24 months.")
    m.table(
        "Maintenance record",
        Table(
            ("Date", "Running hours", "Work done", "Name"),
            (1.1, 1.1, 3.6, 1.4),
            tuple((" ", " ", " ", " ") for _ in range(14)),
        ),
    )
