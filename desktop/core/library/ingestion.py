"""Taking manuals into the library, pass by pass, so that each is useful at once; why one fails."""

from __future__ import annotations

import itertools
import logging
import threading
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from desktop.core.errors import DocumentError, DocumentNotFound, PdfNeedsPassword, UnreadablePdf
from desktop.core.jobs import Cancelled
from desktop.core.library import work as bookkeeping
from desktop.core.library.documents import (
    begin_anew,
    cancel_unfinished,
    finish,
    queue_again,
    require_own,
    set_state,
    store_info,
)
from desktop.core.library.intake import ACCEPTED, Intake, documents_below, remove_partials
from desktop.core.library.parsed_pass import LayoutPass, TextPass
from desktop.core.library.places import EVERYWHERE
from desktop.core.library.sources import DEFAULTS, read_source
from desktop.core.library.values import DocumentChanged, FileRefused, IngestionEvent, PassProgress
from desktop.core.library.vector_passes import PageVectorPass, VectorPass
from desktop.core.library.work import WantedPages
from desktop.models.errors import ModelError
from desktop.sentences import ended, full, message, said, template, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.jobs import CancelToken
    from desktop.core.library.library import Library
    from desktop.core.library.places import Place
    from desktop.core.library.values import DocumentState
    from desktop.core.library.work import DocumentWork
    from desktop.core.parsing.parser import Parser
    from desktop.core.settings.sections import IngestionSettings, SourceTierSettings
    from desktop.core.store.database import Database
    from desktop.models.roles import PageEmbedder, TextEmbedder


_log = logging.getLogger(__name__)

WORDS_ONLY = template("Found by words only: {reason}")
"""The reason of a manual that has no vectors."""


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
        wanted: WantedPages,
    ) -> None:
        """Keep the parts; see `Ingestion`."""
        self._database = database
        self._library = library
        self._parser = parser
        self._when_ready = when_ready
        self._source_tiers = source_tiers
        self._text = TextPass(database, parser, settings)
        self._wanted = wanted
        self._layout = LayoutPass(database, parser, settings, at_once, wanted)
        self._vectors = None if embedder is None else VectorPass(database, embedder, settings)
        self._vectors_prepared = False
        self._words_only = (
            said(WORDS_ONLY, reason=said("the text model is not installed."))
            if embedder is None
            else ""
        )

    def advance(
        self, document_id: int, stage: str, stop: Callable[[], bool]
    ) -> Iterator[IngestionEvent]:
        """Bring one document one stage further, or record in its row why that is impossible."""
        try:
            work = self.load(document_id)
            if not work.path.exists():
                raise UnreadablePdf(
                    said("The library's copy of the file is missing. Add it again.")
                )
            yield from self._run(work, stage, stop)
            if self.next() == (document_id, stage) and not stop():
                raise UnreadablePdf(said("Reading made no progress ({stage}).", stage=stage))
        except DocumentNotFound:
            _log.info("document %s was deleted while it was taken in", document_id)
        except PdfNeedsPassword:
            given = self._library.password(document_id) is not None
            wrong = said("Wrong password.")
            reason = wrong if given else said("Protected by a password.")
            yield from self._set_state(document_id, "needs_password", reason)
        except DocumentError as error:
            _log.warning("document %s failed: %s", document_id, type(error).__name__)
            yield from self._set_state(document_id, "failed", full(message(error)))
        except OSError as error:  # deleted this moment, or the disk fails
            yield from self._set_state(
                document_id,
                "failed",
                said("The file cannot be read: {reason}.", reason=error.strerror or error),
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
                raise UnreadablePdf(said("The file has no pages."))
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
        """Return what a pass has to know about a document. Raises: DocumentNotFound."""
        return self._database.read(
            lambda c: bookkeeping.load_work(
                c, document_id, self._library.folder, self._library.password
            )
        )

    def next(self) -> tuple[int, str] | None:
        """Return the document to work on now and its stage, None if there is none."""
        vectors = self._vectors is not None
        first = self._wanted.document
        return self._database.read(lambda c: bookkeeping.next_stage(c, vectors, first))

    def prepare_vectors(self) -> bool:
        """Ask the embedder, once, which model it is; return whether there may be new work now."""
        if self._vectors is None or self._vectors_prepared:
            return False
        self._vectors_prepared = True
        try:
            self._vectors.prepare()
        except ModelError as error:
            self._do_without_vectors(error)
        return True

    def vectors_are_outdated(self) -> bool:
        """Whether the vectors were made by another text model than the present one."""
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
        self._words_only = said(WORDS_ONLY, reason=ended(message(error)))


@dataclass(frozen=True, slots=True)
class _Dropped:
    path: Path
    priority: int
    place: Place
    replaces: str = ""


class Ingestion:
    """The queue of dropped files and the job that works through it.

    Everything but `run` may be called from any thread at any time; `run` is one job at
    a time. What an event reports is stored; whatever ends the process, the next run
    goes on from there.
    """

    def __init__(
        self,
        database: Database,
        library: Library,
        parser: Parser,
        embedder: TextEmbedder | None,
        settings: IngestionSettings,
        when_ready: Callable[[], None] | None = None,
        page_embedder: Callable[[], PageEmbedder | None] = lambda: None,
        source_tiers: SourceTierSettings = DEFAULTS,
        at_once: Callable[[], int] = lambda: 1,
    ) -> None:
        """Keep the parts.

        when_ready: called on the job's thread after a manual became ready.
        page_embedder: the model for pictures of pages, if there is one at that moment.
        source_tiers: decides how far a manual is to be trusted.
        at_once: how many pages the parser may lay out at a time now.
        """
        self._database = database
        self._library = library
        self._intake = Intake(database, library.folder, settings, parser)
        self._wanted = WantedPages()
        self._stages = Stages(
            database,
            library,
            parser,
            embedder,
            settings,
            when_ready,
            source_tiers,
            at_once,
            self._wanted,
        )
        self._pictures = PageVectorPass(database, parser, page_embedder)
        self._inbox: deque[_Dropped] = deque()
        self._anew: deque[int] = deque()
        self._priorities = itertools.count(database.read(bookkeeping.highest_priority) + 1)
        self._cancelled: set[int] = set()
        self._control = threading.Lock()
        self._running = threading.Lock()
        self._recovered = False

    def enqueue(
        self, paths: Sequence[Path], place: Place = EVERYWHERE, *, replaces: str = ""
    ) -> None:
        """Add files and folders to the queue; they go before everything dropped earlier.

        place: where they belong, including those already in the library. replaces: hash
        of the manual of which a single file is a newer edition; it belongs where that
        one does.
        """
        priority = next(self._priorities)
        self._inbox.extend(_Dropped(path.absolute(), priority, place, replaces) for path in paths)

    def want(self, pages: Sequence[tuple[int, int]]) -> None:
        """Have pages, (document, page), laid out before others, the first one first.

        Pages that are laid out already do no harm. `WantedRead` follows once those of a manual
        are.
        """
        self._wanted.add(pages)

    def has_work(self) -> bool:
        """Whether `run` would find something to do."""
        if self._waiting() or self._stages.next() is not None:
            return True
        return self._stages.vectors_are_outdated() or self._pictures.has_work()

    def cancel_document(self, document_id: int) -> None:
        """Stop working on a document; what is done is kept and `retry` goes on from there.

        Raises: DocumentNotFound.
        """
        with self._control:
            if self._database.write(lambda c: cancel_unfinished(c, document_id)):
                self._cancelled.add(document_id)

    def retry(self, document_id: int) -> None:
        """Queue a failed or cancelled document again; its failed pages are tried again.

        Raises: DocumentNotFound.
        """
        with self._control:
            self._cancelled.discard(document_id)
            self._database.write(lambda c: queue_again(c, document_id))

    def read_anew(self, document_id: int) -> None:
        """Have a document read from its first page; `run` first forgets what is known of it.

        Raises: DocumentNotFound, BelongsToPack.
        """
        self._database.read(lambda c: require_own(c, document_id))
        self._anew.append(document_id)

    def unlock(self, document_id: int, password: str) -> None:
        """Give a document's password; if it was waiting for it, it is queued again.

        Raises: DocumentNotFound.
        """
        state = self._library.document(document_id).state
        self._library.remember_password(document_id, password)
        if state == "needs_password":
            self.retry(document_id)

    def run(self, cancel: CancelToken) -> Iterator[IngestionEvent]:
        """Take in everything that is queued or unfinished until nothing is left.

        Raises: DiskFull, LibraryDamaged, LibraryNotWritable: the library cannot go on.
            RuntimeError, if another run is not over.
        """
        if not self._running.acquire(blocking=False):
            raise RuntimeError("ingestion is running already")
        try:
            if not self._recovered:
                self._database.write(bookkeeping.account_for_crashes)
                remove_partials(self._library.folder.originals)
                self._recovered = True
            yield from self._work(cancel)
        except Cancelled:
            _log.info("ingestion cancelled")
        finally:
            self._running.release()

    def _work(self, cancel: CancelToken) -> Iterator[IngestionEvent]:
        while not cancel.cancelled:
            if self._inbox:
                yield from self._take(self._inbox.popleft(), cancel)
                continue
            if self._anew:
                yield from self._begin_anew(self._anew.popleft())
                continue
            wanted, stage = self._wanted.document, self._stages.next()
            if stage is None or stage[0] != wanted:
                self._wanted.give_up(wanted)  # it is read, or others need their text first
            if stage is None or stage[1] in ("vectors", "finish"):
                if self._stages.prepare_vectors():
                    continue
                if stage is None:
                    document_id = self._pictures.next_document()
                    if document_id is None:
                        self._pictures.measure(lambda: cancel.cancelled or self._waiting())
                        if self._waiting():
                            continue
                        return
                    yield from self._look_at(document_id, cancel)
                    continue
            yield from self._advance(*stage, cancel)

    def _take(self, dropped: _Dropped, cancel: CancelToken) -> Iterator[IngestionEvent]:
        if dropped.path.is_dir():
            files = documents_below(dropped.path)
            if not files:
                yield FileRefused(
                    dropped.path, together([said("There is no document in this folder."), ACCEPTED])
                )
            self._inbox.extendleft(replace(dropped, path=path) for path in reversed(files))
            return
        try:
            taking = self._intake.take(
                dropped.path, dropped.priority, cancel.check, dropped.place, dropped.replaces
            )
            for event in taking:
                if isinstance(event, DocumentChanged):  # dropped again after it was cancelled
                    self._cancelled.discard(event.document.id)
                yield event
        except Cancelled:
            self._inbox.appendleft(dropped)
            raise

    def _begin_anew(self, document_id: int) -> Iterator[IngestionEvent]:
        """No pass works on any document here, between two steps."""
        try:
            with self._control:
                self._cancelled.discard(document_id)
                self._database.write(lambda c: begin_anew(c, document_id))
            yield DocumentChanged(self._library.document(document_id))
        except DocumentNotFound:
            _log.info("document %s was deleted before it was read anew", document_id)

    def _waiting(self) -> bool:
        """Whether a person asked for something that takes priority over the current step."""
        return bool(self._inbox or self._anew)

    def _advance(
        self, document_id: int, stage: str, cancel: CancelToken
    ) -> Iterator[IngestionEvent]:
        def stop() -> bool:
            if self._wanted.document not in (None, document_id):
                return True
            return cancel.cancelled or self._waiting() or document_id in self._cancelled

        return self._stages.advance(document_id, stage, stop)

    def _look_at(self, document_id: int, cancel: CancelToken) -> Iterator[IngestionEvent]:
        """Embed the pictures of a manual's pages as long as there is nothing else to do."""

        def stop() -> bool:
            return cancel.cancelled or self._waiting() or self._stages.next() is not None

        try:
            yield from self._pictures.run(self._stages.load(document_id), stop)
            yield DocumentChanged(self._library.document(document_id))
        except DocumentNotFound:
            _log.info("document %s was deleted while its pages were looked at", document_id)
