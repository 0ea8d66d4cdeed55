"""The page of what Groundwork knows in its states, for people and every check to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desktop.core.library.domains import proposal_text
from desktop.ui.domains.page import ABOUT, SIZE, domain_key, file_key
from knowledge.domain import Domain, ManualProfile
from knowledge.domain_shelf import domain_toml, write_domain_file
from tests.ui.fake_workspace import fake_workspace, manual
from tests.ui.take_pictures import settle

if TYPE_CHECKING:
    from pathlib import Path

    from desktop.ui.window.main_window import MainWindow

PUMP = Domain(
    name="p-200-pump",
    title="P-200 Pump",
    description='You are a technical assistant for the product titled "P-200 Pump".',
    manuals=(
        ManualProfile(
            title="P-200 Pump Installation manual",
            patterns=("p-200-pump-installation-manual.pdf",),
            audience="Installers, electricians",
            purpose='Placing, wiring, first start. Chapters: "Safety", "Mounting", "Wiring"',
            use_for=("How do I wire...", "Which terminal..."),
            cues=("wire", "wiring", "terminal", "torque", "install", "commissioning"),
        ),
        ManualProfile(
            title="P-200 Pump Operator manual",
            patterns=("p-200-pump-operator-manual.pdf",),
            audience="Operators, caretakers",
            purpose='Daily use, menus, alarms. Chapters: "Front panel", "Menus", "Alarms"',
            use_for=("How do I set...", "What does alarm mean..."),
            cues=("menu", "alarm", "display"),
        ),
    ),
    search_strategy=(
        'Installation questions → search "P-200 Pump Installation manual" first',
        "If the first manual does not answer → search the others",
    ),
    important="These manuals are about the same product; each tells another side of it.",
    proposed=True,
)
BOILER = Domain(
    name="boiler",
    title="Boiler B7",
    manuals=(ManualProfile(title="Service", patterns=("boiler*",), audience="Service"),),
    glossary={"setpoint": ("wanted temperature", "Sollwert")},
)
SHELF = (
    manual(1, "P-200 Pump Installation manual", pages=152),
    manual(2, "P-200 Pump Operator manual", pages=128),
    manual(3, "Boiler B7 service"),
    manual(4, "techman", pages=1293),
    manual(5, "RS-485 handbook", pages=46),
)


def library(window: MainWindow, root: Path):
    folder = root / "domains"
    write_domain_file(folder / "p-200-pump.toml", proposal_text(PUMP))
    write_domain_file(folder / "boiler.toml", domain_toml(BOILER))
    (folder / "old notes.toml").write_text('title = "Crane', "utf-8")
    workspace = fake_workspace(root, *SHELF)
    window.open_workspace(workspace)
    settle(0.3)
    return workspace


def at(key: str):
    def setup(window: MainWindow, root: Path) -> None:
        library(window, root)
        window.domains.show_page(key)
        settle(0.3)
        assert window.domains.page is not None
        window.domains.page.resize(SIZE)

    return setup


def faulty(window: MainWindow, root: Path) -> None:
    at(domain_key("boiler"))(window, root)
    page = window.domains.page
    assert page is not None
    page.editor.form.fields["title"].editor.clear()
    page.editor.form.add.click()
    page.editor.save.click()


def new(window: MainWindow, root: Path) -> None:
    at("")(window, root)
    page = window.domains.page
    assert page is not None
    page.begin_new()


def told(window: MainWindow, root: Path) -> None:
    at(ABOUT)(window, root)
    page = window.domains.page
    assert page is not None
    page.about.you.set_text("Electrician, 12 years with pumps. Short answers, please.")
    page.about.place.set_text("Outdoors, often wet; no crane on site.")
    page.about.place.edited.emit()


STATES = {
    "domains-hint": lambda window, root: library(window, root),
    "domains-proposal": at(""),
    "domains-built-in": at(domain_key("thorguard")),
    "domains-broken": at(file_key("old notes.toml")),
    "domains-fault": faulty,
    "domains-new": new,
    "domains-about": told,
}
