"""The ThorGuard Intruder Alarm System: a technical and a users manual."""

from __future__ import annotations

from knowledge.domain import Domain, ManualProfile

DOMAIN = Domain(
    name="thorguard",
    title="ThorGuard Intruder Alarm System",
    description="You are a technical assistant for the ThorGuard Intruder Alarm System.",
    manuals=(
        ManualProfile(
            title="Technical Manual",
            patterns=("techman", "techman.pdf", "*thorguard*technical manual*",
                      "*technical manual*thorguard*"),
            audience="Installers, Electricians",
            purpose="Hardware, wiring, mounting, jumpers, voltages",
            use_for=("How do I wire...", "What voltage...", "Where to connect..."),
            cues=(
                "wiring", "cable", "connector", "terminal block", "mount", "mounting", "install",
                "installation", "jumper", "voltage", "resistor", "hardware", "circuit board",
                "fuse", "power supply", "current consumption",
            ),
        ),
        ManualProfile(
            title="Users Manual",
            patterns=("uk_firmware", "uk_firmware.pdf", "*users manual*thorguard*",
                      "*thorguard*users manual*"),
            audience="End users, Security guards",
            purpose="Software, menus, keypad operation, LED meanings",
            use_for=("How do I set...", "What does LED mean...", "Menu navigation..."),
            cues=(
                "menu", "key", "press", "LED", "PIN", "code", "user", "display", "unset", "log",
                "date and time", "holiday", "programming", "operate", "operation", "software",
            ),
        ),
    ),
    search_strategy=(
        "Installation/wiring questions → Prioritize Technical Manual",
        "Operation/menu questions → Prioritize Users Manual",
        'Component questions (e.g., "RKP keypad") → Search BOTH (they cover different aspects)',
        "If first search insufficient → Search the OTHER manual",
    ),
    important=(
        "These manuals are COMPLEMENTARY. The Technical Manual tells you HOW to install hardware.\n"
        "The Users Manual tells you HOW to operate it once installed."
    ),
    components=("RKP keypad", "keypad", "Intrusion Terminal", "battery", "siren", "detector",
                "branch", "GPI"),
    units=("V", "mA", "Ah"),
    glossary={
        "Intrusion Terminal": ("keypad",),
        "set": ("arm",),
        "unset": ("disarm",),
        "Event Log": ("alarm log", "history"),
    },
)  # fmt: skip
