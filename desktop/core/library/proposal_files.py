"""Keeps proposed domains beside a library, and leaves alone what a person wrote."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
from typing import TYPE_CHECKING

from desktop.core.errors import DocumentNotFound
from desktop.core.library.domain_proposal import ManualFacts, propose_domains
from knowledge.domain_files import (
    SUFFIX,
    domain_paths,
    domain_toml,
    read_domain,
    write_domain_file,
)
from knowledge.domains import built_in_domains
from knowledge.errors import DomainFileError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from knowledge.domain import Domain

_log = logging.getLogger(__name__)

_NOTE = "# Proposed by Groundwork from the manuals. Once edited, this file is yours. "
_MARK = re.compile(re.escape(_NOTE) + r"\[([0-9a-f]{16})\]\n")
_OPENING_PAGES = 3
_LONGEST_OPENING = 4_000
_MOST_CHAPTERS = 12


class DomainProposals:
    """Writes a file for every product that no domain describes; may be used from any thread."""

    def __init__(self, library: Library, folder: Path) -> None:
        """folder: where the library keeps its domains; made when there is something to write."""
        self._library = library
        self._folder = folder
        self._guard = threading.Lock()

    def update(self) -> None:
        """Bring the proposals up to date with the manuals that are ready.

        Nothing is raised: without proposals the agent still knows the titles.
        """
        try:
            with self._guard:
                self._update()
        except OSError as error:
            _log.warning("a domain could not be proposed: %s", error.strerror)

    def _update(self) -> None:
        untouched = [path for path in domain_paths(self._folder) if is_untouched(path)]
        described = (*self._written(), *built_in_domains())
        facts = [
            fact
            for document in self._library.documents()
            if document.state == "ready"
            and not any(domain.covers(document.name, document.title) for domain in described)
            for fact in self._facts(document)
        ]
        kept = {self._keep(domain) for domain in propose_domains(facts)}
        for path in untouched:
            if path not in kept:
                path.unlink(missing_ok=True)
        _log.info("%d domains proposed for %d manuals", len(kept), len(facts))

    def _written(self) -> Iterator[Domain]:
        """Yield the domains whose files a person wrote or edited."""
        for path in domain_paths(self._folder):
            if not is_untouched(path):
                try:
                    yield read_domain(path)
                except DomainFileError:
                    continue  # the shelf says what is wrong with it

    def _keep(self, domain: Domain) -> Path:
        """Write a proposal where no file of a person stands; return the file."""
        number = 1
        path = self._folder / f"{domain.name}{SUFFIX}"
        while path.exists() and not is_untouched(path):
            number += 1
            path = self._folder / f"{domain.name}-{number}{SUFFIX}"
        text = proposal_text(domain.model_copy(update={"name": path.stem}))
        if not path.exists() or path.read_text("utf-8") != text:
            write_domain_file(path, text)
        return path

    def _facts(self, document: DocumentRecord) -> Iterator[ManualFacts]:
        """Yield what a proposal needs, nothing for a document deleted meanwhile."""
        try:
            pages = [self._library.blocks(document.id, page) for page in range(_OPENING_PAGES)]
            chapters = [e.title for e in self._library.outline(document.id) if e.level == 1] or [
                block.text for blocks in pages[1:] for block in blocks if block.kind == "heading"
            ]
        except DocumentNotFound:
            return
        opening = "\n".join(block.text for blocks in pages for block in blocks)
        yield ManualFacts(
            document.id,
            document.name,
            document.title,
            tuple(chapters[:_MOST_CHAPTERS]),
            opening[:_LONGEST_OPENING],
        )


def proposal_text(domain: Domain) -> str:
    """Return the text of a proposal's file; its first line tells whether it was edited."""
    text = domain_toml(domain)
    return f"{_NOTE}[{_checksum(text)}]\n{text}"


def is_untouched(path: Path) -> bool:
    """Whether a file is a proposal that nobody has edited, renamed or accepted."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    mark = _MARK.match(text)
    if mark is None:
        return False
    own = text[mark.end() :]
    return mark.group(1) == _checksum(own) and own.startswith(f'name = "{path.stem}"\n')


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
