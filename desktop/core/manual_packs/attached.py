"""The packs of a library: attached, updated and detached, one manual after the other.

The rows of a pack's shards go into the library's own file, so one index and one ranking serve
everything. Each manual is one transaction; whatever ends the work, the same call goes on.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desktop.core.errors import LibraryError, ManualPackRefused
from desktop.core.library.domains import DomainProposals
from desktop.core.library.intake import copy_to_partial, put_in_place, require_space
from desktop.core.library.parsed_pass import terms_of
from desktop.core.manual_packs.manifest import OpenedPack, ShardEntry, fault_of, open_pack
from desktop.core.manual_packs.shard import opened_shard, put_manual, take_out_manual
from desktop.sentences import message, said, template, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import apsw

    from desktop.core.jobs import CancelToken
    from desktop.core.library.library import Library
    from desktop.core.signing import TrustedKeys
    from desktop.core.store.database import Database
    from desktop.sentences import Sentence

_SPARE_BYTES: Final = 256 << 20


@dataclass(frozen=True, slots=True)
class AttachedPack:
    """A pack as the library has it.

    created_at, expires_at: ISO, "" for never. signed_by: name and fingerprint of the
    key. chosen: the patterns of `--only`. wanted: manuals that those patterns select.
    manuals, pages, bytes: of what is present; bytes are those of the PDF files.
    """

    id: str
    name: str
    release: int
    created_at: str
    expires_at: str
    signed_by: str
    folder: Path
    in_place: bool
    chosen: tuple[str, ...]
    wanted: int
    manuals: int
    pages: int
    bytes: int

    def expired(self, now: datetime | None = None) -> bool:
        """Whether it is past its date: still read, with a remark."""
        moment = now or datetime.now(UTC)
        return bool(self.expires_at) and moment > datetime.fromisoformat(self.expires_at)

    def remark(self, now: datetime | None = None) -> Sentence:
        """Return what people should know and do about it, "" if nothing."""
        remarks = []
        if self.expired(now):
            remarks.append(
                said(
                    "The pack expired on {day}: its manuals may be out of date. Ask for a newer"
                    " release.",
                    day=self.expires_at[:10],
                )
            )
        if self.manuals < self.wanted:
            remarks.append(
                said(
                    "{count} of its {n} manuals are missing: attach or update it again.",
                    count=self.wanted - self.manuals,
                    n=self.wanted,
                )
            )
        return together(remarks)


@dataclass(frozen=True, slots=True)
class PackProgress:
    """Progress: manuals done of so many, and the one being worked on now, "" at the end."""

    done: int
    total: int
    title: str


@dataclass(frozen=True, slots=True)
class ManualRefused:
    """A manual of a pack was left out, and why; the others go on."""

    title: str
    reason: str


@dataclass(frozen=True, slots=True)
class PackDone:
    """The end: how many manuals were taken or renewed, unchanged, already there, and removed."""

    name: str
    release: int
    taken: int
    unchanged: int
    own: int
    removed: int
    refused: int

    @property
    def sentence(self) -> Sentence:
        """For people."""
        counts = (
            (self.taken, template("{n} added.")),
            (self.unchanged, template("{n} unchanged.")),
            (self.own, template("{n} were already there, as your own or another pack's.")),
            (self.removed, template("{n} removed.")),
            (self.refused, template("{n} refused.")),
        )
        parts = [said(text, n=count) for count, text in counts if count]
        head = said("{name}, release {release}:", name=self.name, release=self.release)
        return together([head, *(parts or [said("There was nothing to do.")])])


PackEvent = PackProgress | ManualRefused | PackDone


class ManualPacks:
    """The packs of one library, whose keys are trusted; any thread, one job at a time."""

    def __init__(self, database: Database, library: Library, trusted: TrustedKeys) -> None:
        self._database = database
        self._library = library
        self.trusted = trusted
        self._work = library.folder.root / ".attaching"

    def all(self) -> list[AttachedPack]:
        """Return the packs by name."""
        return self._database.read(_attached)

    def named(self, name: str) -> AttachedPack:
        """Return the one pack of a name or an id. Raises: ManualPackRefused."""
        wanted = name.casefold()
        found = [each for each in self.all() if wanted in (each.name.casefold(), each.id)]
        if len(found) == 1:
            return found[0]
        if found:
            raise ManualPackRefused(
                "Several packs are called {name}. Give the id instead.", name=name
            )
        raise ManualPackRefused("No pack is called {name}.", name=name)

    def attach(
        self,
        folder: Path,
        cancel: CancelToken,
        *,
        chosen: Sequence[str] = (),
        in_place: bool = False,
    ) -> Iterator[PackEvent]:
        """Attach a pack, or bring an attached one to the release and selection given.

        chosen: patterns of `ShardEntry.fits`; manuals of the pack that fit none are
            taken out.
        in_place: the PDF files stay where they are, and links to them are made.

        Raises: ManualPackRefused; DiskFull, LibraryError; OSError; Cancelled.
        """
        pack = open_pack(folder.absolute(), self.trusted)
        known = next((each for each in self.all() if each.id == pack.manifest.id), None)
        if known is not None:
            self._check_release(pack, known)
        wanted = [entry for entry in pack.manifest.shards if entry.fits(chosen)]
        if not wanted:
            raise ManualPackRefused("No manual in the pack matches what was asked for.")
        row = _row(pack, tuple(chosen), in_place, len(wanted))
        there = self._database.read(lambda c: _shards_there(c, pack.manifest.id))
        missing = [each for each in wanted if there.get(each.manual) != each.sha256]
        self._check_space(missing, in_place)
        self._database.write(lambda c: _put_row(c, row))
        shutil.rmtree(self._work, ignore_errors=True)  # of a run that was killed
        try:
            yield from self._sync(pack, wanted, missing, cancel, in_place)
        finally:
            shutil.rmtree(self._work, ignore_errors=True)

    def update(
        self, name: str, cancel: CancelToken, folder: Path | None = None
    ) -> Iterator[PackEvent]:
        """Bring a pack to the release that is in its folder now, with the selection made before.

        folder: where it is today, if not where it was attached from.

        Raises: as `attach`.
        """
        pack = self.named(name)
        if folder is not None and open_pack(folder.absolute(), self.trusted).manifest.id != pack.id:
            raise ManualPackRefused(
                "{folder} holds a different pack, not {name}.", folder=folder, name=pack.name
            )
        yield from self.attach(
            folder or pack.folder, cancel, chosen=pack.chosen, in_place=pack.in_place
        )

    def detach(self, name: str, cancel: CancelToken) -> Iterator[PackEvent]:
        """Take a pack and its manuals out of the library; what people said of them is kept.

        A manual that another attached pack has too stays, as a manual of that one.

        Raises: ManualPackRefused; LibraryError; Cancelled.
        """
        pack = self.named(name)
        manuals = self._database.read(lambda c: _manuals_of(c, pack.id))
        for number, (manual, title) in enumerate(manuals):
            cancel.check()
            yield PackProgress(number, len(manuals), title)
            self._take_out(pack.id, manual)
        self._database.write(lambda c: c.execute("DELETE FROM packs WHERE id = ?", (pack.id,)))
        DomainProposals(self._library, self._library.folder.domains).update()
        yield PackProgress(len(manuals), len(manuals), "")
        yield PackDone(pack.name, pack.release, 0, 0, 0, len(manuals), 0)

    def _sync(
        self,
        pack: OpenedPack,
        wanted: list[ShardEntry],
        missing: list[ShardEntry],
        cancel: CancelToken,
        in_place: bool,
    ) -> Iterator[PackEvent]:
        """Take in what is missing, then take out what is wanted no longer."""
        hashes = {entry.manual for entry in wanted}
        manuals = self._database.read(lambda c: _manuals_of(c, pack.manifest.id))
        gone = [(manual, title) for manual, title in manuals if manual not in hashes]
        total = len(missing) + len(gone)
        own = refused = 0
        for number, entry in enumerate(missing):
            cancel.check()
            yield PackProgress(number, total, entry.shown)
            try:
                own += not self._take(pack, entry, cancel, in_place)
            except ManualPackRefused as error:
                refused += 1
                yield ManualRefused(entry.shown, message(error))
        for number, (manual, title) in enumerate(gone, len(missing)):
            cancel.check()
            yield PackProgress(number, total, title)
            self._take_out(pack.manifest.id, manual)
        if total:
            DomainProposals(self._library, self._library.folder.domains).update()
        yield PackProgress(total, total, "")
        yield PackDone(
            pack.manifest.name,
            pack.manifest.release,
            taken=len(missing) - own - refused,
            unchanged=len(wanted) - len(missing),
            own=own,
            removed=len(gone),
            refused=refused,
        )

    def _take(
        self, pack: OpenedPack, entry: ShardEntry, cancel: CancelToken, in_place: bool
    ) -> bool:
        """Take one manual in; False if it is somebody else's already. Raises: ManualPackRefused."""
        id_ = pack.manifest.id
        if self._database.write(lambda c: _belongs_to_others(c, id_, entry)):
            return False
        shard = _copied(pack.folder.shard(entry.key), entry.sha256, self._work, cancel.check)
        try:
            with opened_shard(shard, entry.manual) as source:
                terms = terms_of(source, 1)  # a shard holds one manual
                cancel.check()
                place = self._put_original(pack, entry, cancel, in_place)

                def put(connection: apsw.Connection) -> bool:
                    if _belongs_to_others(connection, id_, entry):
                        return False
                    place()
                    put_manual(connection, source, terms, id_)
                    _note(connection, id_, entry)
                    return True

                return self._database.write(put)
        finally:
            shard.unlink(missing_ok=True)

    def _put_original(
        self, pack: OpenedPack, entry: ShardEntry, cancel: CancelToken, in_place: bool
    ) -> Callable[[], object]:
        """Prepare the library's copy of a PDF, or a link to it; return what puts it in place."""
        source = pack.folder.manual(entry.manual)
        target = self._library.folder.original(entry.manual)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            return lambda: None
        if in_place:
            if fault := fault_of(source, entry.manual, cancel.check):
                raise ManualPackRefused("PDF: {fault}", fault=fault)
            return lambda: _link(target, source)
        partial = _copied(source, entry.manual, self._work, cancel.check)
        return lambda: put_in_place(partial, target)

    def _take_out(self, pack: str, manual: str) -> None:
        """Remove a manual of a pack, unless another pack has it, too."""

        def take_out(connection: apsw.Connection) -> bool:
            found: Any = connection.execute(
                "SELECT id FROM documents WHERE sha256 = ? AND pack = ?", (manual, pack)
            ).get
            other: Any = connection.execute(
                "SELECT pack FROM pack_manuals WHERE sha256 = ? AND pack <> ? ORDER BY pack",
                (manual, pack),
            ).get
            if found is not None and other is None:
                take_out_manual(connection, found)
            elif found is not None:
                connection.execute("UPDATE documents SET pack = ? WHERE id = ?", (other, found))
            connection.execute(
                "DELETE FROM pack_manuals WHERE pack = ? AND sha256 = ?", (pack, manual)
            )
            return found is not None and other is None

        if self._database.write(take_out):
            self._database.write(lambda c: self._library.remove_original(c, manual))

    def _check_release(self, pack: OpenedPack, known: AttachedPack) -> None:
        """Refuse to go back: an old release may hold manuals that were withdrawn."""
        offered = pack.manifest
        if offered.release < known.release:
            raise ManualPackRefused(
                "Release {offered} of the pack {name} is older than release {release}, which "
                "is attached. Ask for the newest one; to go back on purpose, detach it first.",
                offered=offered.release,
                name=offered.name,
                release=known.release,
            )
        digest = self._database.read(
            lambda c: c.execute("SELECT manifest FROM packs WHERE id = ?", (known.id,)).get
        )
        if offered.release == known.release and digest != pack.digest:
            raise ManualPackRefused(
                "Release {n} of the pack {name} is attached with different contents. Ask "
                "whoever makes it for one with a new number.",
                n=offered.release,
                name=offered.name,
            )

    def _check_space(self, missing: Sequence[ShardEntry], in_place: bool) -> None:
        copied = 0 if in_place else sum(entry.manual_bytes for entry in missing)
        rows = sum(entry.bytes for entry in missing)
        require_space(self._library.folder.root, copied + rows, _SPARE_BYTES)


def _copied(source: Path, sha256: str, folder: Path, check: Callable[[], None]) -> Path:
    """Copy a file of a pack, which must have this hash, into the library, temporarily named.

    Raises: ManualPackRefused; DiskFull, LibraryNotWritable; what `check` raises.
    """
    try:
        partial, found = copy_to_partial(source, folder, check)
    except FileNotFoundError as error:
        raise ManualPackRefused(
            "{file} is missing. Copy the pack again.", file=source.name
        ) from error
    except LibraryError:
        raise
    except OSError as error:
        raise ManualPackRefused(
            "{file} cannot be read: {reason}.",
            file=source.name,
            reason=error.strerror or error,
        ) from error
    if found != sha256:
        partial.unlink(missing_ok=True)
        raise ManualPackRefused(
            "{file} is damaged or has been changed. Copy the pack again.", file=source.name
        )
    return partial


def _link(target: Path, source: Path) -> None:
    target.unlink(missing_ok=True)  # a link whose file is gone
    target.symlink_to(source)


def _belongs_to_others(connection: apsw.Connection, pack: str, entry: ShardEntry) -> bool:
    """Whether a manual is a person's own or another pack's, and then noted as this one's too."""
    owner: Any = connection.execute(
        "SELECT pack FROM documents WHERE sha256 = ?", (entry.manual,)
    ).get
    if owner is None or owner == pack:
        return False
    _note(connection, pack, entry)
    return True


def _note(connection: apsw.Connection, pack: str, entry: ShardEntry) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO pack_manuals(pack, sha256, shard, title) VALUES(?, ?, ?, ?)",
        (pack, entry.manual, entry.sha256, entry.title),
    )


def _row(
    pack: OpenedPack, chosen: tuple[str, ...], in_place: bool, wanted: int
) -> apsw.SQLiteValues:
    offered = pack.manifest
    return (
        offered.id,
        offered.name,
        offered.release,
        pack.digest,
        offered.created_at.isoformat(),
        offered.expires_at.isoformat() if offered.expires_at else "",
        f"{pack.signer.name} ({pack.signer.fingerprint})",
        str(pack.folder.root),
        in_place,
        json.dumps(chosen, ensure_ascii=False),
        wanted,
    )


def _put_row(connection: apsw.Connection, row: apsw.SQLiteValues) -> None:
    names = (
        "name, release, manifest, created_at, expires_at, signed_by, folder, in_place, chosen,"
        " wanted"
    )
    sets = ", ".join(f"{name} = excluded.{name}" for name in names.split(", "))
    connection.execute(
        f"INSERT INTO packs(id, {names}) VALUES({', '.join('?' * len(row))})"
        f" ON CONFLICT(id) DO UPDATE SET {sets}",
        row,
    )


def _shards_there(connection: apsw.Connection, pack: str) -> dict[str, str]:
    """Return the SHA-256 of manuals that are in the library -> that of the shard they came from."""
    rows: Any = connection.execute(
        "SELECT m.sha256, m.shard FROM pack_manuals AS m JOIN documents AS d"
        " ON d.sha256 = m.sha256 WHERE m.pack = ?",
        (pack,),
    ).fetchall()
    return dict(rows)


def _manuals_of(connection: apsw.Connection, pack: str) -> list[tuple[str, str]]:
    """Return hash and title of manuals noted as a pack's."""
    rows: Any = connection.execute(
        "SELECT m.sha256, m.title FROM pack_manuals AS m LEFT JOIN documents AS d"
        " ON d.sha256 = m.sha256 WHERE m.pack = ? ORDER BY d.id",
        (pack,),
    ).fetchall()
    return [(str(manual), str(title)) for manual, title in rows]


def _attached(connection: apsw.Connection) -> list[AttachedPack]:
    rows: Any = connection.execute(
        "SELECT p.id, p.name, p.release, p.created_at, p.expires_at, p.signed_by, p.folder,"
        " p.in_place, p.chosen, p.wanted, count(d.id), coalesce(sum(d.page_count), 0),"
        " coalesce(sum(d.bytes), 0) FROM packs AS p LEFT JOIN pack_manuals AS m ON m.pack = p.id"
        " LEFT JOIN documents AS d ON d.sha256 = m.sha256 GROUP BY p.id ORDER BY p.name, p.id"
    ).fetchall()
    return [_pack(row) for row in rows]


def _pack(row: Any) -> AttachedPack:
    """Make a pack of a row of `_attached`, whose columns are in the order of its fields."""
    id_, name, release, created_at, expires_at, signed_by, folder, in_place, chosen = row[:9]
    wanted, manuals, pages, size = row[9:]
    return AttachedPack(
        *(id_, name, release, created_at, expires_at, signed_by, Path(folder), bool(in_place)),
        tuple(json.loads(chosen)),
        *(wanted, manuals, pages, size),
    )
