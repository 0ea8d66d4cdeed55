"""The sample manuals: an HX-200 booster pump station, for its installer and its operator."""

from __future__ import annotations

from knowledge.domain import Domain, ManualProfile

DOMAIN = Domain(
    name="hx200",
    title="HX-200 booster pump station",
    description="You are a technical assistant for the HX-200 booster pump station of "
    "Lydmoor Pumpworks.",
    manuals=(
        ManualProfile(
            title="Installation manual",
            patterns=("hx200_installation_manual*", "*hx-200*installation manual*"),
            audience="Installers, commissioning engineers, electricians",
            purpose="Placing and piping, wiring, terminals, jumpers, RS-485 bus, "
            "commissioning, technical data",
            use_for=("How do I wire...", "Where do I connect...", "Which terminal...",
                     "What torque...", "How do I install..."),
            cues=(
                "wire", "wiring", "cable", "conductor", "terminal", "connect", "connection",
                "jumper", "torque", "install", "installation", "installer", "mount", "lift",
                "commission", "commissioning", "first start", "fuse", "backup fuse",
                "cross-section", "RS-485", "stub", "termination", "protective earth", "pre-charge",
                "plant room", "pipe", "anchor", "dimension", "trial run", "handover",
            ),
        ),
        ManualProfile(
            title="Operator manual",
            patterns=("hx200_operator_manual*", "*hx-200*operator manual*"),
            audience="Operators, caretakers",
            purpose="Front panel, menus, daily use, alarms, maintenance, spare parts",
            use_for=("How do I set...", "How do I change...", "What does the light mean...",
                     "Which menu...", "What does alarm mean..."),
            cues=(
                "menu", "light", "display", "key", "screen", "access level", "code", "alarm",
                "acknowledge", "daily", "date and time", "contrast", "night operation",
                "switch on", "switch off", "selector", "by hand", "maintenance", "clean",
                "spare part", "part number", "alarm log", "battery test", "operator", "caretaker",
                "troubleshooting", "winter",
                "Menü", "Anzeige", "Störung", "quittieren", "einschalten", "Wartung", "Betreiber",
            ),
        ),
    ),
    search_strategy=(
        "Placing, piping, wiring, terminals, jumpers, commissioning → Installation manual first",
        "Menus, lights, alarms, daily use, maintenance, spare parts → Operator manual first",
        "Parts (e.g., the CU-20, pump P1, battery G1 or G2, transmitter B1) → search BOTH: one "
        "tells how it is fitted, the other how it is used",
        "If the first manual does not answer → search the other one",
    ),
    important="The manuals are complementary. The Installation manual tells how the station is "
    "set up and wired; the Operator manual tells how it is run once it works.",
    components=(
        "CU-20", "control unit", "control cabinet", "cabinet A1", "pump P1", "pump P2", "drive U1",
        "drive U2", "transmitter", "vessel", "battery", "float switch", "S-130", "flow switch",
        "S-140", "mains switch", "Q1", "isolating valve", "drain valve", "break tank",
        "mechanical seal", "Steuergerät", "Batterie", "Schwimmerschalter",
    ),
    units=("bar", "m³/h", "m", "V", "A", "kW", "Nm", "mm²", "°C", "litres"),
    glossary={
        "setpoint": ("wanted pressure", "target pressure", "Sollwert"),
        "CU-20": ("control unit", "controller"),
        "vessel V1": ("diaphragm vessel", "expansion vessel", "pressure tank"),
        "float switch S-130": ("dry-run protection",),
        "transmitter B1": ("pressure sensor",),
        "drive": ("frequency converter", "inverter"),
    },
)  # fmt: skip
