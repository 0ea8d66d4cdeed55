"""The fields of a product: what is known of one kind of equipment, edited, and what is wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from desktop.ui import wording
from desktop.ui.design.controls import (
    discard,
    fill,
    flat_button,
    in_column,
    in_row,
    label,
    push_button,
    remark,
)
from desktop.ui.design.forms import Advanced, Field, PageFrame
from desktop.ui.design.tokens import Space, Type
from desktop.ui.language import tr
from knowledge.domain import Domain, Manual, ManualProfile

if TYPE_CHECKING:
    from desktop.core.library.domains import KnownDomain


Faults = dict[str, str]
"""A sentence for every field that is wrong, by its name ("title", "manuals.0.patterns")."""

_SYNONYMS = "="
_MOST_SUGGESTED = 12
_LINES = ("patterns", "use_for", "cues")
"""Fields of a manual that have one item a line."""


@dataclass(frozen=True, slots=True)
class ProfileDraft:
    """One manual's fields; patterns, use_for and cues have one item a line."""

    title: str = ""
    patterns: str = ""
    audience: str = ""
    purpose: str = ""
    use_for: str = ""
    cues: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A domain's fields. search_strategy, components: one item a line. units: comma-separated.

    glossary: one term a line, "term = other word, another word".
    """

    title: str = ""
    description: str = ""
    manuals: tuple[ProfileDraft, ...] = ()
    search_strategy: str = ""
    important: str = ""
    components: str = ""
    units: str = ""
    glossary: str = ""


def draft_of(domain: Domain) -> Draft:
    return Draft(
        domain.title,
        domain.description,
        tuple(map(_profile_draft, domain.manuals)),
        "\n".join(domain.search_strategy),
        domain.important,
        "\n".join(domain.components),
        ", ".join(domain.units),
        "\n".join(_term(term, words) for term, words in domain.glossary.items()),
    )


def blank_draft(manuals: Sequence[Manual]) -> Draft:
    """Return a draft for manuals that nobody has described, or for one that is to be named."""
    profiles = tuple(
        ProfileDraft(title=each.title or each.name, patterns=literal(each.name))
        for each in manuals[:_MOST_SUGGESTED]
    )
    return Draft(manuals=profiles or (ProfileDraft(),))


def read_draft(draft: Draft, name: str, base: Domain | None = None) -> Domain | Faults:
    """Return the domain of a draft, or what is wrong with it.

    base: gives what the fields do not show.
    """
    hidden = base.model_dump(include={"style", "end_goal"}) if base is not None else {}
    values: dict[str, Any] = {
        **hidden,
        "name": name,
        "title": draft.title,
        "description": draft.description,
        "manuals": [_profile_values(each) for each in draft.manuals],
        "search_strategy": _lines(draft.search_strategy),
        "important": draft.important,
        "components": _lines(draft.components),
        "units": [unit for unit in map(str.strip, draft.units.split(",")) if unit],
        "glossary": _glossary(draft.glossary),
    }
    try:
        return Domain.model_validate(values)
    except ValidationError as error:
        return _faults(error)


def meant(patterns: str, manuals: Sequence[Manual]) -> list[str]:
    """Return the titles of the manuals that patterns (one a line) mean."""
    lines = _lines(patterns)
    if not lines:
        return []
    profile = ManualProfile.model_construct(patterns=tuple(lines))
    return [each.title or each.name for each in manuals if profile.covers(each.name, each.title)]


def literal(name: str) -> str:
    """Return a pattern that means exactly this file name."""
    return "".join(f"[{c}]" if c in "*?[" else c for c in name)


def _profile_draft(profile: ManualProfile) -> ProfileDraft:
    values = {each.name: getattr(profile, each.name) for each in fields(ProfileDraft)}
    values |= {name: "\n".join(values[name]) for name in _LINES}
    return ProfileDraft(**values)


def _profile_values(draft: ProfileDraft) -> dict[str, Any]:
    return asdict(draft) | {name: _lines(getattr(draft, name)) for name in _LINES}


def _lines(text: str) -> list[str]:
    return [line for line in map(str.strip, text.splitlines()) if line]


def _term(term: str, words: Iterable[str]) -> str:
    said = ", ".join(words)
    return f"{term} {_SYNONYMS} {said}" if said else term


def _glossary(text: str) -> dict[str, list[str]]:
    terms: dict[str, list[str]] = {}
    for line in _lines(text):
        term, _, words = line.partition(_SYNONYMS)
        known = terms.setdefault(term.strip(), [])
        known += [word for word in map(str.strip, words.split(",")) if word and word not in known]
    return terms


def _faults(error: ValidationError) -> Faults:
    faults: Faults = {}
    for each in error.errors():
        place = [str(part) for part in each["loc"] if part != "[key]"]
        depth = 3 if place[0] == "manuals" else 1
        field = ".".join(place[:depth])
        line = place[depth] if len(place) > depth and place[depth].isdigit() else ""
        faults.setdefault(field, _sentence(each["type"], each.get("ctx", {}), field, line))
    if any(field.startswith("manuals.") for field in faults):
        faults.pop("manuals", None)  # a manual with a fault is not counted
    return faults


def _sentence(kind: str, context: Mapping[str, Any], field: str, line: str) -> str:
    most = context.get("max_length", 0)
    match kind:
        case "string_too_short":
            return tr("Give the product a name.")
        case "string_too_long" if line:
            return tr("Line {line} is longer than {most} characters.").format(
                line=int(line) + 1, most=wording.number(most)
            )
        case "string_too_long":
            return tr("This is longer than {most} characters.").format(most=wording.number(most))
        case "too_short" if field.endswith("patterns"):
            return tr("Name the file or title you mean.")
        case "too_short":
            return tr("Describe at least one manual.")
        case "too_long":
            return tr("This is more than {most} lines.").format(most=most)
        case _:
            return tr("This cannot be saved as it is.")


MOST_NAMED = 5


class ProfileCard(QFrame):
    """edited(): a field changed. remove_wanted()."""

    edited = Signal()
    remove_wanted = Signal()

    def __init__(self, draft: ProfileDraft, manuals: Sequence[Manual]) -> None:
        """manuals: all of the library; those that are meant are named."""
        super().__init__()
        self.setProperty("role", "card")
        self._manuals = manuals
        self.covers = label("", factor=Type.SMALL, tone="muted", wrap=True)
        self.fields = {
            "title": Field(self.tr("Manual"), example=self.tr("For example Installation manual")),
            "audience": Field(
                self.tr("Who it is for"), example=self.tr("For example installers, electricians")
            ),
            "purpose": Field(self.tr("What it is about"), lines=2),
            "use_for": Field(
                self.tr("Typical questions begin with"),
                self.tr("One per line, such as “How do I wire…”."),
                lines=2,
            ),
            "cues": Field(
                self.tr("Related words"),
                self.tr("One per line. A question with such a word looks here first."),
                lines=2,
            ),
            "patterns": Field(
                self.tr("Matching files or titles"),
                self.tr("One per line; * stands for anything."),
                lines=2,
            ),
        }
        self.remove = flat_button("trash-2", self.tr("Leave this manual out"), self.remove_wanted)
        top = QHBoxLayout()
        fill(top, (self.covers, 1), self.remove)
        beside = in_row(spacing=Space.M)
        for name in ("title", "audience"):
            beside.addWidget(self.fields[name], 1, Qt.AlignmentFlag.AlignTop)
        self.advanced = Advanced(
            self.tr("Advanced"), *(self.fields[name] for name in ("use_for", "cues", "patterns"))
        )
        column = in_column(self, (Space.M, Space.S, Space.M, Space.M), spacing=Space.M)
        fill(column, top, beside, self.fields["purpose"], self.advanced)
        for name, field in self.fields.items():
            field.set_text(getattr(draft, name))
            field.edited.connect(self.edited)
        self.fields["patterns"].edited.connect(self._name_manuals)
        self._name_manuals()

    def _name_manuals(self) -> None:
        titles = meant(self.fields["patterns"].text, self._manuals)
        named = ", ".join(wording.quoted(title) for title in titles[:MOST_NAMED])
        if len(titles) > MOST_NAMED:
            named = wording.manuals(len(titles))
        self.covers.setText(
            self.tr("In this library: {manuals}").format(manuals=named)
            if titles
            else self.tr("No matching manual")
        )

    @property
    def draft(self) -> ProfileDraft:
        """The fields as they stand."""
        return ProfileDraft(**{name: field.text for name, field in self.fields.items()})

    def show_faults(self, faults: Mapping[str, str]) -> None:
        """Say what is wrong, by the fields' names."""
        for name, field in self.fields.items():
            field.show_fault(faults.get(name, ""))
        if not {"use_for", "cues", "patterns"}.isdisjoint(faults):
            self.advanced.open()


BELOW = ("components", "units", "glossary")
FOLDED = ("description", "search_strategy", "important")
"""What a language model is told: written for it, and of no use to most people."""


class DomainForm(QWidget):
    """edited(): a field changed, or a manual was added or left out."""

    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields = self._make_fields()
        self.cards: list[ProfileCard] = []
        self._manuals: Sequence[Manual] = ()
        self._fault = remark(factor=Type.SMALL, tone="bad")
        self.add = push_button(self.tr("Add a manual"), self._add_card, name="plus")
        self._cards = in_column(spacing=Space.M)
        self.advanced = Advanced(
            self.tr("Advanced: what a language model is told"),
            *(self.fields[name] for name in FOLDED),
        )
        fill(
            in_column(self, spacing=Space.L),
            self.fields["title"],
            label(self.tr("Manuals"), factor=Type.LEAD, bold=True),
            self._cards,
            self._fault,
            self.add,
            label(self.tr("Words of this product"), factor=Type.LEAD, bold=True),
            *(self.fields[name] for name in BELOW),
            self.advanced,
        )
        for field in self.fields.values():
            field.edited.connect(self.edited)

    @property
    def draft(self) -> Draft:
        """The fields as they stand."""
        texts = {name: field.text for name, field in self.fields.items()}
        return Draft(manuals=tuple(card.draft for card in self.cards), **texts)

    def show_draft(self, draft: Draft, manuals: Sequence[Manual]) -> None:
        """Show a draft. manuals: all of the library; the cards name those that they mean."""
        self._manuals = manuals
        for name, field in self.fields.items():
            field.set_text(getattr(draft, name))
        while self.cards:
            self._take(self.cards[-1])
        for profile in draft.manuals:
            self._put(profile)
        self.show_faults({})

    def show_faults(self, faults: Faults) -> QWidget | None:
        """Say beside each field what is wrong with it; return the first one with a fault."""
        for name, field in self.fields.items():
            field.show_fault(faults.get(name, ""))
        if not set(FOLDED).isdisjoint(faults):
            self.advanced.open()
        self._fault.say(faults.get("manuals", ""))
        for number, card in enumerate(self.cards):
            beginning = f"manuals.{number}."
            own = {
                key.removeprefix(beginning): sentence
                for key, sentence in faults.items()
                if key.startswith(beginning)
            }
            card.show_faults(own)
        every = [*self.fields.values(), *(f for card in self.cards for f in card.fields.values())]
        return next((field for field in every if not field.fault.isHidden()), None)

    def _put(self, draft: ProfileDraft) -> ProfileCard:
        card = ProfileCard(draft, self._manuals)
        card.edited.connect(self.edited)
        card.remove_wanted.connect(lambda: self._remove(card))
        self.cards.append(card)
        self._cards.addWidget(card)
        return card

    def _take(self, card: ProfileCard) -> None:
        self.cards.remove(card)
        discard(card, self._cards)

    def _add_card(self) -> None:
        self._put(ProfileDraft()).fields["title"].setFocus()
        self.edited.emit()

    def _remove(self, card: ProfileCard) -> None:
        self._take(card)
        self.add.setFocus()
        self.edited.emit()

    def _make_fields(self) -> dict[str, Field]:
        tr = self.tr
        return {
            "title": Field(tr("Product"), example=tr("For example HX-200 booster pump station")),
            "description": Field(
                tr("What a language model is told about it"),
                tr("For example: You are a technical assistant for…"),
                lines=2,
            ),
            "search_strategy": Field(
                tr("Which manual to search for what"),
                tr("One rule per line, such as “Wiring → Installation manual first”."),
                lines=3,
            ),
            "important": Field(tr("How the manuals fit together"), lines=2),
            "components": Field(
                tr("Parts that several manuals describe"),
                tr("One per line. A question about such a part looks in all of them."),
                lines=2,
            ),
            "units": Field(tr("Units"), example=tr("For example bar, V, Nm")),
            "glossary": Field(
                tr("Other words"),
                tr("One term per line: setpoint = wanted pressure, Sollwert"),
                lines=3,
            ),
        }


class DomainEditor(QWidget):
    """save_wanted(domain, known): with `known` None for a new one, whose name is to be made.

    delete_wanted(known): None for a new one as well. file_wanted(known), edited().
    """

    save_wanted = Signal(object, object)
    delete_wanted = Signal(object)
    file_wanted = Signal(object)
    edited = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._known: KnownDomain | None = None  # None for a new one
        self._original = Draft()
        self._manuals: Sequence[Manual] = ()
        self.form = DomainForm()
        self.delete = push_button(self.tr("Delete"), name="trash-2")
        self.open_file = push_button(self.tr("Open file"))
        self.revert = push_button(self.tr("Revert"), self._revert)
        self.save = push_button(self.tr("Save"), self._save, kind="primary")
        self.frame = PageFrame(
            self.form, left=(self.delete, self.open_file), right=(self.revert, self.save)
        )
        in_column(self).addWidget(self.frame)
        self.form.edited.connect(self._edited)
        self.delete.clicked.connect(lambda: self.delete_wanted.emit(self._known))
        self.open_file.clicked.connect(lambda: self.file_wanted.emit(self._known))

    @property
    def changed(self) -> bool:
        """Whether the fields differ from what is kept."""
        return self.form.draft != self._original

    def show_known(
        self, known: KnownDomain, manuals: Sequence[Manual], draft: Draft | None = None
    ) -> None:
        """Show a domain, with changes of earlier that are not saved; manuals: all there are."""
        self._manuals = manuals
        self._show(known, draft_of(known.domain), draft)
        self.frame.show_title(known.domain.title, *self._state(known))

    def show_new(
        self, undescribed: Sequence[Manual], manuals: Sequence[Manual], draft: Draft | None = None
    ) -> None:
        """Show a new domain, to begin with for the manuals that nobody has described."""
        self._manuals = manuals
        self._show(None, blank_draft(undescribed), draft)
        self.frame.show_title(
            self.tr("New product"), self.tr("Give the product's name and its manuals.")
        )
        self.form.fields["title"].setFocus()

    def _show(self, known: KnownDomain | None, original: Draft, draft: Draft | None) -> None:
        """original: the draft that the editing of a domain, or of a new one, begins with."""
        self._known, self._original = known, original
        self.form.show_draft(draft or original, self._manuals)
        self.frame.to_top()
        self._update_buttons()

    def _edited(self) -> None:
        self.form.show_faults({})
        self._update_buttons()
        self.edited.emit()

    def _state(self, known: KnownDomain) -> tuple[str, str]:
        """Return a sentence about where a domain comes from, and its tone."""
        file = known.path.name if known.path is not None else ""
        match known.origin:
            case "proposed":
                said = self.tr(
                    "Written by Groundwork from the manuals, not yet checked. Correct what is "
                    "wrong; then it is yours."
                )
                return said, "attention"
            case "own" if known.replaces_built_in:
                said = self.tr(
                    "Yours, instead of what comes with Groundwork. It is kept in {file}."
                )
                return said.format(file=file), "muted"
            case "own":
                return self.tr("Yours. It is kept in {file}.").format(file=file), "muted"
            case "built_in":
                said = self.tr(
                    "This comes with Groundwork. What you change is kept as your own copy."
                )
                return said, "muted"

    def _update_buttons(self) -> None:
        known, changed = self._known, self.changed
        proposed = known is not None and known.origin == "proposed"
        own = known is not None and known.origin == "own"
        accepting = proposed and not changed
        _say(self.save, self.tr("Accept") if accepting else self.tr("Save"))
        self.save.setEnabled(changed or proposed or known is None)
        self.revert.setVisible(changed)
        back = own and known is not None and known.replaces_built_in
        _say(self.delete, self.tr("Reset to built-in") if back else self.tr("Delete"))
        self.delete.setVisible(own or known is None)
        self.open_file.setVisible(known is not None and known.path is not None)

    def _save(self) -> None:
        known = self._known
        base = known.domain if known is not None else None
        read = read_draft(self.form.draft, base.name if base is not None else "new", base)
        if isinstance(read, dict):
            first = self.form.show_faults(read)
            if first is not None:
                first.setFocus()
                self.frame.area.ensureWidgetVisible(first)
        else:
            self.save_wanted.emit(read, known)

    def _revert(self) -> None:
        self._show(self._known, self._original, None)
        self.edited.emit()


def _say(button: QPushButton, text: str) -> None:
    button.setText(text if button.icon().isNull() else f" {text}")
    button.setAccessibleName(text)
