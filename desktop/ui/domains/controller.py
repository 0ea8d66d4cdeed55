"""Carrying out actions on what is known: save, accept, delete, tell of new proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop.core.paths import LibraryFolder
from desktop.ui import wording
from desktop.ui.bridge import WindowPart
from desktop.ui.design.dialogs import notices_of
from desktop.ui.files import open_with_system

if TYPE_CHECKING:
    from desktop.core.library.domains import BrokenDomain, DomainDesk, KnownDomain, KnownDomains
    from desktop.core.workspace import Workspace
    from desktop.ui.design.notices import NoticeStrip
    from desktop.ui.domains.page import DomainsPage
    from knowledge.atlas import Covered
    from knowledge.domain import Domain

UNDO_MS = 20_000
NOTICE_MS = 6_000


class DomainController(WindowPart):
    """Owns the page of what Groundwork knows; announces new proposals in the library."""

    def __init__(self, window: QWidget, notices: NoticeStrip) -> None:
        """notices: of the library panel."""
        super().__init__(window, self._failed)
        self._window = window
        self._notices = notices
        self._desk: DomainDesk | None = None
        self.page: DomainsPage | None = None
        self._known: KnownDomains | None = None

    def open_workspace(self, workspace: Workspace) -> None:
        """Know the domains of this library."""
        # Not above: pydantic takes its time, and is loaded when there is a workspace.
        from desktop.core.library.domains import DomainDesk

        super().open_workspace(workspace)
        folder = LibraryFolder(workspace.library.folder.root)
        self._desk = DomainDesk(folder.domains, workspace.library.documents)
        self.look()

    def look(self) -> None:
        """Reread the files: manuals were added, or somebody edited a file."""
        if self._desk is not None:
            self._errands.run(self._desk.look, self._show)

    def show_page(self, key: str = "") -> None:
        """Open the page, or bring it to the front, at an entry."""
        if self._workspace is None or self._known is None:
            return
        if self.page is None:
            from desktop.ui.domains.page import DomainsPage

            page = DomainsPage(self._window)
            page.again_wanted.connect(self.look)
            page.editor.save_wanted.connect(self._save)
            page.editor.delete_wanted.connect(self._delete)
            for part in (page.editor, page.broken):
                part.file_wanted.connect(self._open_file)
            page.about.save_wanted.connect(self._remember_about)
            self.page = page
            self.page.about.show_settings(self._workspace.settings.agent)
        self.page.show_known(self._known)
        self.page.go_to(key)
        self.page.come_up()
        self.page.entries.setFocus()
        self.look()

    def close(self) -> None:
        """Save the changes that have no fault, and finish what was asked for."""
        if self.page is not None:
            for domain, known in list(self.page.savable()):
                self._save(domain, known)
            if self.page.about.save.isEnabled():
                self.page.about.save.click()
            self.page.hide()
        super().close()

    def _show(self, known: KnownDomains) -> None:
        self._known = known
        if self.page is not None:
            self.page.show_known(known)
        self._tell_of_new()

    def _tell_of_new(self) -> None:
        """Say once in the library which manuals were taken for those of one product."""
        if self._known is None:
            return
        memory = self.memory
        told = memory.told_proposals
        new = [each for each in self._known.to_check if _told_as(each) not in told]
        if not new:
            return
        memory.told_proposals = told | {_told_as(each) for each in new}
        if self.page is not None and self.page.isVisible():
            return
        from desktop.ui.domains.page import domain_key  # comes with the page

        self._notices.say(
            self._hint(new),
            action=self.tr("Check it") if len(new) == 1 else self.tr("Check them"),
            on_action=lambda: self.show_page(domain_key(new[0].domain.name)),
        )

    def _hint(self, new: Sequence[KnownDomain]) -> str:
        """Return what is said in the library when proposals are new; the strip is narrow."""
        if len(new) != 1:
            said = self.tr("Suggested products: {n}, each with several manuals")
            return said.format(n=len(new))
        product, covered = new[0].domain.title, new[0].covered
        readers = [_reader(each) for each in covered]
        if len(readers) == 2 and all(readers) and readers[0] != readers[1]:
            return self.tr(
                "Suggested product: “{product}”, with a manual for {one} and one for {other}"
            ).format(product=product, one=readers[0], other=readers[1])
        return self.tr("Suggested product: “{product}” ({manuals})").format(
            manuals=wording.manuals(len(covered)), product=product
        )

    def _save(self, domain: Domain, known: KnownDomain | None) -> None:
        desk = self._desk
        if desk is None:
            return

        def save() -> str:
            name = domain.name if known is not None else desk.free_name(domain.title)
            named = domain.model_copy(update={"name": name})
            desk.save(named, known.path if known is not None else None)
            return name

        def told(name: str) -> None:
            if self.page is not None:
                self.page.was_saved(known, name)
                said = self.tr("“{title}” saved. Applies from the next question.")
                self.page.notices.say(said.format(title=domain.title), milliseconds=NOTICE_MS)
            self.look()

        self._errands.run(save, told)

    def _delete(self, known: KnownDomain | None) -> None:
        desk, page = self._desk, self.page
        if page is None or desk is None:
            return
        if known is None or known.path is None:
            page.forget(known)
            return
        path = known.path

        def told(text: str) -> None:
            page.forget(known)
            self.look()
            page.notices.say(
                self.tr("Deleted “{title}”.").format(title=known.domain.title),
                action=self.tr("Undo"),
                on_action=lambda: self._errands.run(
                    lambda: desk.restore(path, text), lambda _: self.look()
                ),
                milliseconds=UNDO_MS,
            )

        self._errands.run(lambda: desk.delete(path), told)

    def _open_file(self, entry: KnownDomain | BrokenDomain) -> None:
        if entry.path is not None and not open_with_system(entry.path) and self.page is not None:
            self.page.notices.say(
                self.tr("The system could not open it; the file is at {path}").format(
                    path=entry.path
                ),
                tone="bad",
            )

    def _remember_about(self, user_profile: str, context: str) -> None:
        workspace, page = self._workspace, self.page
        if workspace is None or page is None:
            return
        from desktop.core.settings.file import settings_file
        from desktop.core.settings.storage import save_settings

        settings = workspace.settings
        settings.agent.user_profile = user_profile
        settings.agent.context = context
        page.about.show_settings(settings.agent)
        self._errands.run(
            lambda: save_settings(settings_file(), settings),
            lambda _: page.notices.say(
                self.tr("Saved. Used from the next question."), milliseconds=NOTICE_MS
            ),
        )

    def _failed(self, failure: BaseException) -> None:
        notices_of(self.page, self._notices).say_failure(failure)


def _told_as(known: KnownDomain) -> str:
    """Return how a proposal is remembered: with another manual it counts as new."""
    return f"{known.domain.name} {len(known.domain.manuals)}"


def _reader(covered: Covered) -> str:
    """Return in a word who a manual is for: "installers"."""
    audience = covered.profile.audience if covered.profile is not None else ""
    first = audience.split(",")[0].strip()
    return first if first[:2].isupper() else first[:1].lower() + first[1:]
