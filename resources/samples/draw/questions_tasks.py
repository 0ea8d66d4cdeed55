"""Answerable questions on procedures, faults, places, and across both manuals."""

from __future__ import annotations

from .question import Question, installation, operation

QUESTIONS: tuple[Question, ...] = (
    Question(
        "procedure",
        "How do I change the setpoint of the discharge pressure?",
        "Hold OK for 2 seconds, go to group 20, choose Menu 21, enter 1100, set the pressure in "
        "steps of 0.1 bar with UP and DOWN, press OK.",
        (
            operation("3-1", "Choose Menu 21 and enter the operator code 1100."),
            operation("3-1", "Set the pressure with UP and DOWN in steps of 0.1 bar."),
        ),
    ),
    Question(
        "procedure",
        "How is the internal battery G1 replaced?",
        "Leave the mains on, open the flap (Torx T20), pull plug X9, exchange the battery, plug in "
        "X9, close the flap, confirm New battery in Menu 41, test after 14 hours.",
        (
            operation(
                "5-2", "Open the flap on the left side of the CU-20 with a screw of type Torx T20."
            ),
            operation("5-2", "Pull plug X9 and take out the battery."),
            operation("5-2", "Insert the new battery with the label to the front and plug in X9."),
        ),
    ),
    Question(
        "procedure",
        "How are the pumps vented before the first start?",
        "Open the vent plug on each pump head by two turns until water runs without bubbles, then "
        "close with 12 Nm.",
        (
            installation(
                "5-1",
                "Open the vent plug on each pump head by two turns until water runs "
                "without bubbles.",
            ),
        ),
    ),
    Question(
        "procedure",
        "How do I export the alarm log to a memory stick?",
        "Plug in a USB-C stick (FAT32), open Menu 14, hold OK for 4 seconds, wait for Export "
        "complete.",
        (operation("4-2", "Open Menu 14 and hold OK for 4 seconds."),),
    ),
    Question(
        "procedure",
        "How do I connect the external battery G2?",
        "Fix the box, take out the 6 A fuse, red wire to X4:1, black wire to X4:2, insert the "
        "fuse; Menu 41 shows G2 present.",
        (installation("4-6", "Connect the red wire to X4:1 and the black wire to X4:2."),),
    ),
    Question(
        "troubleshooting",
        "The display shows E07. What does it mean and what should I do?",
        "Overload of drive U1; P1 stops. Let it cool for 10 minutes and check P1 for blockage.",
        (operation("7-1", "E07 Overload of drive U1 P1 stops"),),
    ),
    Question(
        "troubleshooting",
        "E17 appears at the first start and no pump starts. What is the remedy?",
        "Input S-110 is open: bridge X7:3 to X7:4 when no switch is fitted.",
        (
            installation(
                "6-1",
                "E17 and no pump starts Input S-110 open Bridge X7:3 to X7:4 when no "
                "switch is fitted.",
            ),
        ),
    ),
    Question(
        "troubleshooting",
        "What helps against water hammer when a pump stops?",
        "Non-return valve NV1 or NV2 is worn: call the service to replace it.",
        (
            operation(
                "7-2", "Non-return valve NV1 or NV2 worn Call the service to replace the valve."
            ),
        ),
    ),
    Question(
        "troubleshooting",
        "Motor P2 too hot: which alarm code is that and what must be cleaned?",
        "E10; clean the fan cover of P2.",
        (operation("7-1", "E10 Motor P2 too hot P2 stops Clean the fan cover of P2"),),
    ),
    Question(
        "where",
        "On which page are the terminals of the RS-485 interface X6 listed?",
        "Installation manual, page 4-2, Table 4-3.",
        (installation("4-2", "X6 RS-485"),),
    ),
    Question(
        "where",
        "Where is the type plate of the station?",
        "On the left side of the base frame.",
        (
            installation("2-2", "The type plate is on the left side of the base frame."),
            operation("1-2", "White plate Base frame, left side Type plate with serial number"),
        ),
    ),
    Question(
        "where",
        "Where do I find the results of the last battery tests?",
        "In Menu 45.",
        (
            operation("4-2", "45 Last results Results of the last ten battery tests"),
            operation("5-1", "the result is then in Menu 45."),
        ),
    ),
    Question(
        "paraphrase",
        "The pump was left in manual operation too long and stopped by itself. Why?",
        "After 30 minutes in HAND the unit stops the pump and shows E20.",
        (
            operation(
                "3-1",
                "Return to AUTO within 30 minutes; otherwise the unit stops the pump and "
                "shows E20.",
            ),
            operation("7-2", "E20 More than 30 minutes in HAND"),
        ),
    ),
    Question(
        "paraphrase",
        "How long must I stay away from live parts after isolating the supply?",
        "At least 5 minutes: the drives hold a lethal voltage. Measure before touching X1 and X2.",
        (
            installation(
                "1-1",
                "Open Q1, lock it, and wait at least 5 minutes before you touch "
                "terminals X1 and X2.",
            ),
        ),
    ),
    Question(
        "paraphrase",
        "When is the service technician going to come to the reference station again?",
        "14 September 2026.",
        (installation("5-3", "service technician: 14 September 2026."),),
        notes="scanned page without a text layer",
    ),
    Question(
        "cross",
        "After E03, which loop current should be measured at 0 bar, and do the pumps run "
        "while E03 is active?",
        "4.0 mA at 0 bar (installation manual); both pumps stop at E03 (operator manual).",
        (
            installation("6-1", "E03 right after start B1 not connected, or J3 open"),
            operation("7-1", "E03 B1 below 3.6 mA, broken wire Both stop"),
        ),
    ),
    Question(
        "cross",
        "Which code opens Menu 63 and what does this menu do according to both manuals?",
        "The service code 2684 (installation manual); it turns each pump for 3 seconds.",
        (
            installation("5-1", "Enter the service code 2684 in Menu 60."),
            operation("4-2", "63 Rotation test Turns each pump for 3 seconds"),
        ),
    ),
    Question(
        "cross",
        "What are the part numbers of the external battery box and of a single battery for G2?",
        "Box 72-5035 (installation manual), battery 72-2024 (operator manual).",
        (
            installation("A-1", "72-5035 External battery box G2"),
            operation("A-1", "72-2024 Battery 12 V 18 Ah"),
        ),
    ),
    Question(
        "procedure",
        "Wie wird eine Störung quittiert?",
        "Fehlercode notieren, Ursache beseitigen, RESET einmal kurz und danach drei Sekunden lang "
        "drücken; H5 erlischt.",
        (operation("B-1", "RESET einmal kurz drücken, danach drei Sekunden lang drücken."),),
        lang="de",
        notes="German page",
    ),
)
