"""The stages of one manual: opened, its text, its layout, its vectors; and why one fails."""

from __future__ import annotations

import logging
from collections import deque
from typing import TYPE_CHECKING

from desktop.core.errors import (
    DocumentError,
    DocumentNotFound,
    PdfNeedsPassword,
    UnreadablePdf,
)
from desktop.core.library import work as bookkeeping
from desktop.core.library.documents import finish, set_state, store_info
from desktop.core.library.parsed_pass import LayoutPass, TextPass
from desktop.core.library.sources import read_source
from desktop.core.library.values import DocumentChanged, PassProgress
from desktop.core.library.vector_passes import VectorPass
from desktop.core.sentences import said
from desktop.models.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentState, IngestionEvent
    from desktop.core.library.work import DocumentWork
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings.sections import IngestionSettings, SourceTierSettings
    from desktop.core.store.database import Database
    from desktop.models.roles import TextEmbedder

_log = logging.getLogger(__name__)

WORDS_ONLY = "It is found by its words alone"
"""How the reason of a manual begins that has no vectors."""


class Stages:
    """Brings one manual a stage further at a time; used by one job."""

    def __init__(
        self,
        database: Database,
        library: Library,
        parser: Parser,
        embedder: TextEmbedder | None,
        settings: IngestionSettings,
        when_ready: Callable[[], None] | None,
        source_tiers: SourceTierSettings,
        at_once: Callable[[], int],
    ) -> None:
        """Keep the parts; see `Ingestion`."""
        self._database = database
        self._library = library
        self._parser = parser
        self._when_ready = when_ready
        self._source_tiers = source_tiers
        self._text = TextPass(database, parser, settings)
        self._layout = LayoutPass(database, parser, settings, at_once)
        self._vectors = None if embedder is None else VectorPass(database, embedder, settings)
        self._vectors_prepared = False
        self._words_only = (
            f"{WORDS_ONLY}: the text model is not installed." if embedder is None else ""
        )

    def advance(
        self, document_id: int, stage: str, stop: Callable[[], bool]
    ) -> Iterator[IngestionEvent]:
        """Bring one document one stage further, or say in its row why that cannot be."""
        try:
            work = self.load(document_id)
            if not work.path.exists():
                raise UnreadablePdf("The library's copy of the file is missing. Add it again.")
            yield from self._run(work, stage, stop)
            if self.next() == (document_id, stage) and not stop():
                raise UnreadablePdf(f"Reading it made no progress ({stage}).")
        except DocumentNotFound:
            _log.info("document %s was deleted while it was taken in", document_id)
        except PdfNeedsPassword:
            given = self._library.password(document_id) is not None
            wrong = said("Wrong password.")
            reason = wrong if given else said("It is protected by a password.")
            yield from self._set_state(document_id, "needs_password", reason)
        except DocumentError as error:
            _log.warning("document %s failed: %s", document_id, type(error).__name__)
            yield from self._set_state(document_id, "failed", _sentence(str(error)))
        except OSError as error:  # deleted this moment, or the disk fails
            yield from self._set_state(
                document_id, "failed", f"It cannot be read: {error.strerror or error}."
            )
        except ModelError as error:
            self._do_without_vectors(error)

    def _run(
        self, work: DocumentWork, stage: str, stop: Callable[[], bool]
    ) -> Iterator[IngestionEvent]:
        match stage:
            case "open":
                self._open(work)
            case "text":
                yield from self._text.run(work, stop)
                self._read_source(work.id)
            case "layout":
                yield from self._lay_out(work, stop)
            case "vectors" if self._vectors is not None:
                yield from self._vectors.run(work, stop)
            case _:
                self._finish(work.id)
        yield DocumentChanged(self._library.document(work.id))

    def _lay_out(self, work: DocumentWork, stop: Callable[[], bool]) -> Iterator[IngestionEvent]:
        """Embed what is laid out while the parser, in processes of its own, reads on."""
        self.prepare_vectors()
        told: deque[IngestionEvent] = deque(maxlen=1)  # two bars at a time would confuse
        for event in self._layout.run(work, stop):
            yield event
            if self._vectors is not None and isinstance(event, PassProgress):
                told.extend(self._vectors.run(work, stop))
        yield from told

    def _finish(self, document_id: int) -> None:
        _, laid_out, embedded = self._library.document(document_id).done
        reason = self._words_only if laid_out > embedded else ""
        self._read_source(document_id)  # again: a scan has words only now
        self._database.write(lambda c: finish(c, document_id, reason))
        if self._when_ready is not None:
            self._when_ready()

    def _read_source(self, document_id: int) -> None:
        self._database.write(lambda c: read_source(c, document_id, self._source_tiers))

    def _open(self, work: DocumentWork) -> None:
        if not self._database.write(
            lambda c: bookkeeping.start_parsing(c, work.id, "opening the file")
        ):
            return
        try:
            info = self._parser.open(work.path, work.password)
            if info.page_count < 1:
                raise UnreadablePdf("The file has no pages.")
            self._database.write(lambda c: store_info(c, work.id, info))
        finally:
            self._database.write(lambda c: bookkeeping.stop_parsing(c, work.id))

    def _set_state(
        self, document_id: int, state: DocumentState, reason: str
    ) -> Iterator[IngestionEvent]:
        try:
            self._database.write(lambda c: set_state(c, document_id, state, reason))
            yield DocumentChanged(self._library.document(document_id))
        except DocumentNotFound:
            return

    def load(self, document_id: int) -> DocumentWork:
        """Return what a pass has to know of a document.

        Raises: DocumentNotFound.
        """
        return self._database.read(
            lambda c: bookkeeping.load_work(
                c, document_id, self._library.folder, self._library.password
            )
        )

    def next(self) -> tuple[int, str] | None:
        """Return the document that is to be worked on now and its stage, None if none is."""
        vectors = self._vectors is not None
        return self._database.read(lambda c: bookkeeping.next_stage(c, vectors))

    def prepare_vectors(self) -> bool:
        """Ask the embedder, once, which model it is; whether there may be new work now."""
        if self._vectors is None or self._vectors_prepared:
            return False
        self._vectors_prepared = True
        try:
            self._vectors.prepare()
        except ModelError as error:
            self._do_without_vectors(error)
        return True

    def vectors_are_outdated(self) -> bool:
        """Whether another text model than the one of now made the vectors."""
        if self._vectors is None or self._vectors_prepared:
            return False
        try:
            return self._vectors.outdated()
        except ModelError as error:
            _log.warning("the text model cannot be asked for its name: %s", error)
            return False

    def _do_without_vectors(self, error: ModelError) -> None:
        _log.warning("text vectors are not available: %s", error)
        self._vectors = None
        self._words_only = f"{WORDS_ONLY}: {str(error).rstrip('.')}."


def _sentence(reason: str) -> str:
    """Return a reason as a row of the library shows it."""
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."
