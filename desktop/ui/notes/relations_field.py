"""The field for what belongs to what: one relation a line, in a proposal and in a kept note."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from desktop.ui.domains.field import Field

_REFUSED = ("line ", "the relation", "the id of a node", "the node")
"""How the refusals of relations begin."""


def relations_field() -> Field:
    """Return an empty field for relations."""
    return Field(
        _tr("How things belong together"),
        _tr("One a line: thing > relation > thing. Leave it empty if you like."),
        lines=2,
        example=_tr("For example: Pump P-200 > has part > Shaft seal"),
    )


def is_of_relations(reason: str) -> bool:
    """Whether a refusal is about the relations and not about the note."""
    return reason.casefold().startswith(_REFUSED)


def _tr(text: str) -> str:
    return QCoreApplication.translate("ReviewPage", text)
