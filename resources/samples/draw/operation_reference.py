"""Operator manual, chapters 7 and 8 and annexes: faults, data, spare parts, German summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .table import Table

if TYPE_CHECKING:
    from .manual import Manual

_CODES: tuple[tuple[str, ...], ...] = (
    ("E01", "Inlet pressure too low", "Both stop", "Open HV5, check the tank and Menu 24"),
    ("E02", "Dry run, S-130 open", "Both stop", "Fill the tank; restart after 60 seconds"),
    ("E03", "B1 below 3.6 mA, broken wire", "Both stop", "Call the service: cable or transmitter"),
    ("E04", "B2 below 3.6 mA, broken wire", "Runs on", "Call the service: cable or transmitter"),
    ("E05", "Discharge pressure above setpoint + 2 bar", "Both stop", "Check the valves; RESET"),
    (
        "E06",
        "Pressure below 1 bar for 40 seconds",
        "Both stop",
        "Look for a burst pipe, then RESET",
    ),
    (
        "E07",
        "Overload of drive U1",
        "P1 stops",
        "Let it cool for 10 minutes; check P1 for blockage",
    ),
    (
        "E08",
        "Overload of drive U2",
        "P2 stops",
        "Let it cool for 10 minutes; check P2 for blockage",
    ),
    ("E09", "Motor P1 too hot", "P1 stops", "Clean the fan cover of P1"),
    ("E10", "Motor P2 too hot", "P2 stops", "Clean the fan cover of P2"),
    ("E11", "Phase missing", "Both stop", "Check the fuses in the distribution board"),
    ("E12", "Mains voltage below 340 V", "Both stop", "Ask the electricity supplier"),
    ("E13", "Internal battery test failed", "Runs on", "Replace G1, section 5.4"),
    ("E14", "External battery test failed", "Runs on", "Call the service to replace G2"),
    ("E15", "Battery G1 not connected", "Runs on", "Check plug X9 behind the flap"),
    ("E16", "No bus message for 5 minutes", "Runs on", "Inform the building management"),
    ("E17", "External off S-110", "Both stop", "Find out who switched off; close S-110"),
    ("E18", "Cabinet above 55 °C", "Half speed", "Clean the filter, section 6.2"),
    ("E19", "Flow switch S-140 does not open", "Runs on", "Call the service"),
    ("E20", "More than 30 minutes in HAND", "Pump stops", "Turn the selector to AUTO"),
    ("E21", "Clock not set", "Runs on", "Set date and time"),
    ("E22", "Settings lost", "Both stop", "Call the service: load the settings again"),
    ("E23", "Maintenance is due", "Runs on", "See section 6.5"),
    ("E24", "Fault inside the CU-20", "Both stop", "Switch off for 1 minute; call the service"),
)


def write_faults(m: Manual) -> None:
    """Chapter 7."""
    m.chapter("7", "Alarms and troubleshooting")
    m.section("7.1 How alarms are shown")
    m.text(
        "A **warning** lights H4 and the station keeps running. A **fault** flashes H5, opens "
        "relay K1 and stops one pump or both. When one pump stops, the other takes over within 4 "
        "seconds."
    )
    m.notice(
        "WARNING",
        "After E01 and E02 the pumps start again without a key being pressed. Switch off and lock "
        "Q1 before you look for the cause at the pumps.",
    )
    m.section("7.2 Alarm codes")
    m.table(
        "Alarm and fault codes",
        Table(
            ("Code", "Meaning", "Pumps", "What to do"),
            (0.7, 2.7, 1.0, 3.0),
            _CODES,
        ),
    )
    m.section("7.3 Troubleshooting without a code")
    m.table(
        "Faults without an alarm code",
        Table(
            ("What you notice", "Possible cause", "What to do"),
            (2.1, 2.2, 2.8),
            (
                (
                    "Pump is loud, pressure swings",
                    "Air in the pump",
                    "Vent the pump: open the vent plug until water comes without bubbles.",
                ),
                (
                    "Pump rattles when the tank is low",
                    "Cavitation",
                    "Raise the water level or the inlet pressure above 0.2 bar.",
                ),
                (
                    "Lead pump starts every minute",
                    "Vessel V1 has lost its pre-charge",
                    "Call the service; close VV1 if the vessel is full of water.",
                ),
                ("Display dark, pumps run", "Display in power-saving mode", "Press any key."),
                (
                    "Pressure too low at the top floor",
                    "Setpoint too low, or a valve half closed",
                    "Open HV1 to HV4 fully; raise Menu 21 by 0.3 bar.",
                ),
                (
                    "Water hammer when a pump stops",
                    "Non-return valve NV1 or NV2 worn",
                    "Call the service to replace the valve.",
                ),
                (
                    "Both lights H2 and H3 are off",
                    "Selectors at 0, or no demand",
                    "Turn the selectors to AUTO and open a tap.",
                ),
            ),
        ),
    )


def write_data(m: Manual) -> None:
    """Chapter 8."""
    m.chapter("8", "Data for the operator")
    m.section("8.1 Limits")
    m.table(
        "Operating limits",
        Table(
            ("Quantity", "Value"),
            (3, 3),
            (
                ("Discharge pressure, adjustable", "2.0 to 8.0 bar"),
                ("Smallest inlet pressure", "0.2 bar"),
                ("Water temperature", "5 to 40 °C"),
                ("Ambient temperature", "5 to 40 °C"),
                ("Starts of one pump", "at most 40 per hour"),
                ("Consumption in standby", "28 W"),
                ("Noise at 1 m", "64 dB(A) at 80 % speed"),
            ),
            look="open",
        ),
    )
    m.section("8.2 Taking out of service for winter")
    m.steps(
        (
            "Switch off as described in section 3.2 and lock Q1.",
            "Close HV5, open DV1 and both vent plugs, and let the water run out.",
            "Leave the vent plugs open and hang a sign on Q1.",
        )
    )
    m.section("8.3 Disposal")
    m.text(
        "Separate metal, electronics and batteries. Battery G1 and the batteries of G2 contain "
        "lead and must not go into household waste."
    )


def write_spare_parts(m: Manual) -> None:
    """Annex A."""
    m.chapter("A", "Spare parts")
    m.section("A.1 Ordering")
    m.text("State the part number and the serial number on the type plate with every order.")
    m.table(
        "Spare parts",
        Table(
            ("Part number", "Part", "Quantity", "Used for"),
            (1.1, 3.0, 0.8, 2.2),
            (
                ("72-1040", "Mechanical seal, shaft 16 mm", "2", "P1, P2"),
                ("72-1062", "O-ring set for one pump head", "2", "P1, P2"),
                ("72-1085", "Non-return valve cartridge DN 50", "2", "NV1, NV2"),
                ("72-1130", "Membrane for vessel, 25 litres", "1", "V1"),
                ("72-2011", "Internal battery 12 V 2.9 Ah", "1", "G1"),
                ("72-2024", "Battery 12 V 18 Ah", "2", "G2"),
                ("72-3010", "Pressure transmitter 0 to 16 bar", "1", "B1"),
                ("72-3011", "Pressure transmitter 0 to 10 bar", "1", "B2"),
                ("72-3020", "Float switch with 10 m of cable", "1", "S-130"),
                ("72-3031", "Flow switch with paddle", "1", "S-140"),
                ("72-4001", "Control unit CU-20, programmed", "1", "A1"),
                ("72-4105", "Drive 4.0 kW", "2", "U1, U2"),
                ("72-4210", "Fuse T 2 A, pack of ten", "1", "F3"),
                ("72-4300", "Filter mat, pack of five", "1", "Cabinet"),
            ),
            look="banded",
        ),
    )


def write_german_summary(m: Manual) -> None:
    """Annex B."""
    m.chapter("B", "Kurzanleitung (Deutsch)")
    m.section("B.1 Einschalten")
    m.steps(
        (
            "Absperrventile HV1 bis HV4 öffnen.",
            "Hauptschalter Q1 auf I drehen. Nach 12 Sekunden leuchtet H1 grün.",
            "Beide Wahlschalter auf AUTO drehen.",
        )
    )
    m.section("B.2 Sollwert ändern")
    m.text(
        "Taste OK zwei Sekunden gedrückt halten, Menü 21 wählen und den Bedienercode 1100 "
        "eingeben. Der Druck wird in Schritten von 0,1 bar verstellt. Mit OK speichern."
    )
    m.section("B.3 Störung quittieren")
    m.text(
        "Den Fehlercode notieren und die Ursache beseitigen. RESET einmal kurz drücken, danach "
        "drei Sekunden lang drücken. Die rote Leuchte H5 erlischt."
    )
    m.section("B.4 Wartung durch den Betreiber")
    m.table(
        "Wartung durch den Betreiber",
        Table(
            ("Abstand", "Arbeit"),
            (1.4, 5),
            (
                ("Wöchentlich", "Auf Undichtigkeiten und Geräusche achten"),
                (
                    "Monatlich",
                    "Anzeige mit dem Manometer vergleichen, Abweichung höchstens 0,2 bar",
                ),
                (
                    "Vierteljährlich",
                    "Schwimmerschalter S-130 anheben und Stillstand der Pumpen prüfen",
                ),
                ("Alle 4 Jahre", "Interne Batterie G1 ersetzen"),
            ),
        ),
    )
    m.notice(
        "NOTE",
        "Bei Frostgefahr die Anlage über das Entleerungsventil DV1 vollständig entleeren und die "
        "Entlüftungsschrauben offen lassen.",
    )
    m.section("B.5 Rufnummer")
    m.text(
        "Der Kundendienst ist werktags von 7 bis 18 Uhr erreichbar. Die Rufnummer steht auf dem "
        "Typenschild am Grundrahmen."
    )
