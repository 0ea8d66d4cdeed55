"""Operator manual, chapters 1 to 3: safety, front panel, daily use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .figure_panel import draw_panel
from .figure_station import draw_station_with_callouts
from .table import Table

if TYPE_CHECKING:
    from .manual import Manual


def write_about(m: Manual) -> None:
    """Chapter 1."""
    m.chapter("1", "For your safety")
    m.section("1.1 Who this manual is for")
    m.text(
        "You look after an HX-200 booster pump station in daily use: you read values, change the "
        "setpoint, react to alarms and do the simple maintenance. Wiring and commissioning belong "
        "to the installer and are described in the installation manual LP-HX200-IM-03."
    )
    m.section("1.2 Intended use")
    m.text(
        "The station raises the pressure of clean drinking water between 5 and 40 °C. It must not "
        "pump sea water, waste water, fuels or water with chlorine above 2 mg per litre."
    )
    m.section("1.3 Safety rules")
    m.notice(
        "DANGER",
        "Do not open the control cabinet. Voltages of 400 V are present behind the door, even when "
        "the display is dark.",
    )
    m.notice(
        "WARNING",
        "Pumps in AUTO start without notice. Turn both selectors to 0, open Q1 and lock it before "
        "you work near couplings or fans.",
    )
    m.notice("CAUTION", "Hot surfaces: motor housings reach 70 °C during operation.")
    m.bullets(
        (
            "Keep the floor around the station dry and the way to the mains switch Q1 free.",
            "Never bridge the float switch S-130: a dry pump fails within seconds.",
            "Report leaks of more than 20 drops per minute at a mechanical seal to the service.",
        )
    )
    m.section("1.4 The station", 290)
    m.figure("The station and its parts", 224, draw_station_with_callouts)
    m.legend(
        (
            ("1", "Pump P1"),
            ("2", "Pump P2"),
            ("3", "Suction manifold"),
            ("4", "Discharge manifold"),
            ("5", "Diaphragm vessel V1"),
            ("6", "Pressure transmitter B1"),
            ("7", "Control cabinet A1"),
            ("8", "Mains switch Q1"),
            ("9", "Isolating valves"),
            ("10", "Base frame"),
        )
    )
    m.section("1.5 In an emergency")
    m.steps(
        (
            "Turn the mains switch Q1 to 0. Both pumps stop at once.",
            "In case of a burst pipe close HV3 and HV4 as well.",
            "Call the person in charge of the building, then the service.",
        )
    )
    m.section("1.6 Labels on the station")
    m.table(
        "Labels and where they are",
        Table(
            ("Label", "Place", "Meaning"),
            (1.6, 2.2, 3.2),
            (
                ("Yellow triangle, flash", "Cabinet door", "Dangerous voltage behind the door"),
                ("Yellow triangle, waves", "Motor housings", "Hot surface"),
                ("Blue circle, book", "Cabinet door", "Read the manual first"),
                ("Red arrow", "Motor fan covers", "Direction of rotation"),
                ("White plate", "Base frame, left side", "Type plate with serial number"),
            ),
            look="open",
        ),
    )


def write_panel(m: Manual) -> None:
    """Chapter 2."""
    m.chapter("2", "Front panel")
    m.section("2.1 Controls and lights", 300)
    m.figure("Front panel of the control unit CU-20", 262, draw_panel)
    m.legend(
        (
            ("1", "Display with mode, pressure, pump speeds"),
            ("2", "Keys ESC, UP, DOWN, OK"),
            ("3", "Lights H1 to H7"),
            ("4", "Selector of pump P1: HAND, 0, AUTO"),
            ("5", "Selector of pump P2: HAND, 0, AUTO"),
            ("6", "Red key RESET for alarms"),
            ("7", "Service socket (USB-C)"),
            ("8", "Mains switch Q1, can be locked"),
        )
    )
    m.section("2.2 Meaning of the lights")
    m.table(
        "Lights H1 to H7",
        Table(
            ("Light", "Colour", "Steady", "Flashing"),
            (1.2, 0.8, 2.6, 2.8),
            (
                ("H1 POWER", "green", "Mains present", "Unit runs from battery G1"),
                ("H2 PUMP 1", "green", "P1 runs in AUTO", "P1 runs in HAND"),
                ("H3 PUMP 2", "green", "P2 runs in AUTO", "P2 runs in HAND"),
                ("H4 WARN", "yellow", "Warning, station keeps running", "Maintenance is due"),
                ("H5 FAULT", "red", "Fault, acknowledged", "Fault, not yet acknowledged"),
                ("H6 BUS", "blue", "Bus connected", "No message for 30 seconds"),
                ("H7 BATT", "yellow", "Battery below 40 % charge", "Battery test is running"),
            ),
        ),
    )
    m.section("2.3 Home screen")
    m.text(
        "The home screen shows the mode at the top left, the time at the top right, the discharge "
        "pressure in large digits and the speed of both pumps. It returns after **3 minutes** "
        "without a key. Hold OK for 2 seconds to open the menus."
    )
    m.section("2.4 Access levels")
    m.table(
        "Access levels",
        Table(
            ("Level", "Who", "Code", "What can be changed"),
            (0.7, 1.6, 1.2, 3.4),
            (
                ("0", "Everyone", "none", "Nothing, all values can be read"),
                ("1", "Operator", "1100", "Setpoints, pump mode, battery tests"),
                ("2", "Service", "not given here", "All menus, see the installation manual"),
            ),
            look="open",
        ),
    )
    m.section("2.5 Signs in the display")
    m.table(
        "Signs in the display",
        Table(
            ("Sign", "Meaning"),
            (1.2, 5),
            (
                ("AUTO", "Both selectors are at AUTO"),
                ("NIGHT", "The night setpoint of Menu 22 is active"),
                ("LOW FLOW", "Flow switch S-140 is open, the stop delay runs"),
                ("LOCK", "Menus 61 to 64 are locked by jumper J9"),
                ("BAT", "The unit runs from a battery"),
                ("REM", "The setpoint was changed through the RS-485 bus"),
            ),
            look="banded",
        ),
    )
    m.section("2.6 Setting date and time")
    m.steps(
        (
            "On the home screen hold ESC and OK together for 3 seconds.",
            "Set day, month and year with UP and DOWN; confirm each with OK.",
            "Set the hour and the minute. Summer time is not changed automatically.",
        )
    )
    m.section("2.7 Contrast of the display")
    m.text("On the home screen hold ESC and press UP for more or DOWN for less contrast.")


def write_daily_use(m: Manual) -> None:
    """Chapter 3."""
    m.chapter("3", "Daily use")
    m.section("3.1 Switching on")
    m.steps(
        (
            "Check that the isolating valves HV1 to HV4 are open.",
            "Turn Q1 to I. H1 lights after 12 seconds.",
            "Turn both selectors to AUTO.\nThe lead pump starts and the pressure rises to the "
            "setpoint.",
        )
    )
    m.section("3.2 Switching off")
    m.steps(
        (
            "Turn both selectors to 0 and wait until the pumps stand still.",
            "Turn Q1 to 0. The display stays lit because the unit now runs from battery G1.",
            "To switch the display off too, hold ESC for **8 seconds**.",
        )
    )
    m.notice(
        "NOTE",
        "When the station is off for more than 3 days, flush the pipes for 5 minutes before the "
        "water is used for drinking.",
    )
    m.section("3.3 Changing the setpoint")
    m.steps(
        (
            "Hold OK for 2 seconds, go to group 20 with DOWN and press OK.",
            "Choose Menu 21 and enter the operator code 1100.",
            "Set the pressure with UP and DOWN in steps of 0.1 bar.",
            "Press OK. The display shows **Saved** for 2 seconds.",
        )
    )
    m.text(
        "After a change of more than 1 bar the pre-charge of the vessel V1 must be corrected by "
        "the service."
    )
    m.section("3.4 Running a pump by hand")
    m.notice(
        "CAUTION",
        "In HAND the pump runs at 70 % speed without pressure control. Watch the pressure and stay "
        "at the station.",
    )
    m.steps(
        (
            "Turn the selector of the other pump to 0.",
            "Turn the selector to HAND. H2 or H3 flashes.",
            "Return to AUTO within 30 minutes; otherwise the unit stops the pump and shows E20.",
        )
    )
    m.section("3.5 Acknowledging an alarm")
    m.steps(
        (
            "Read the code in the display and note it.",
            "Remove the cause with the help of Table 7-1.",
            "Press RESET once. H5 changes from flashing to steady.",
            "Press RESET again for 3 seconds when the cause is gone. H5 goes out.",
        )
    )
    m.section("3.6 Night operation")
    m.text(
        "Between the hours set in Menu 23 the station holds the night setpoint of Menu 22, "
        "delivered as 3.8 bar from 22:00 to 05:30. The change takes place over 4 minutes so that "
        "nobody notices a jump."
    )
    m.section("3.7 Test run of a pump")
    m.text(
        "A pump that stood still for 48 hours is turned for 10 seconds so that it does not seize. "
        "The test run takes place at 10:00 and can be switched off in Menu 33."
    )
    m.section("3.8 Daily check")
    m.table(
        "What to look at every day",
        Table(
            ("What", "Where", "Normal"),
            (2.2, 2, 2.6),
            (
                ("Discharge pressure", "Display", "Setpoint ±0.2 bar"),
                ("Lights H4 and H5", "Front panel", "Both off"),
                ("Speed of the lead pump", "Menu 12", "35 to 90 %"),
                ("Water on the floor", "Base frame", "None"),
                ("Charge of battery G1", "Menu 41", "At least 80 %"),
            ),
        ),
    )
    m.section("3.9 Saving energy")
    m.bullets(
        (
            "Lower the setpoint by 0.5 bar: this saves about 7 % of the energy.",
            "Use the night setpoint, section 3.6.",
            "Repair dripping taps: constant small demand keeps the lead pump running.",
        )
    )
