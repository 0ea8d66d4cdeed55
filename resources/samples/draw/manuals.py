"""The two sample manuals, drawn from the first page to the last."""

from __future__ import annotations

from pathlib import Path

from . import (
    installation_commissioning,
    installation_electrical,
    installation_mechanical,
    installation_reference,
    operation_daily,
    operation_menus,
    operation_reference,
    operation_service,
)
from .front_matter import draw_contents, draw_cover
from .identity import INSTALLATION, OPERATION
from .manual import Manual

MANUALS_FOLDER = Path(__file__).resolve().parent.parent / "manuals"


def draw_installation_manual() -> Manual:
    """Draw the installer's manual and return it finished."""
    manual = Manual(INSTALLATION)
    draw_cover(manual)
    contents = manual.page()
    installation_mechanical.write_safety(manual)
    installation_mechanical.write_description(manual)
    installation_mechanical.write_mechanical(manual)
    installation_electrical.write_electrical(manual)
    installation_commissioning.write_commissioning(manual)
    installation_reference.write_faults(manual)
    installation_reference.write_accessories(manual)
    draw_contents(manual, contents)
    manual.finish()
    return manual


def draw_operator_manual() -> Manual:
    """Draw the operator's manual and return it finished."""
    manual = Manual(OPERATION)
    draw_cover(manual)
    contents = manual.page()
    operation_daily.write_about(manual)
    operation_daily.write_panel(manual)
    operation_daily.write_daily_use(manual)
    operation_menus.write_menus(manual)
    operation_service.write_battery(manual)
    operation_service.write_maintenance(manual)
    operation_reference.write_faults(manual)
    operation_reference.write_data(manual)
    operation_reference.write_spare_parts(manual)
    operation_reference.write_german_summary(manual)
    draw_contents(manual, contents)
    manual.finish()
    return manual


def save(manual: Manual, folder: Path) -> Path:
    """Write the PDF with nothing in it that differs between two runs."""
    path = folder / manual.identity.file_name
    manual.document.save(path, garbage=4, deflate=True, use_objstms=1, no_new_id=True)
    return path
