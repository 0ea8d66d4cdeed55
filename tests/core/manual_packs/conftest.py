"""A company that builds packs with a scripted parser, and a laptop that attaches them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from desktop.core.jobs import CancelToken
from desktop.core.library.ingestion import Ingestion
from desktop.core.library.library import Library
from desktop.core.manual_packs.attached import ManualPacks, PackDone
from desktop.core.manual_packs.building import PackTools, build_pack
from desktop.core.manual_packs.manifest import PackFolder, read_manifest
from desktop.core.settings.sections import Settings
from desktop.core.signing import TrustedKeys, make_key, read_private_key, sign
from desktop.core.store.database import Database
from desktop.core.store.postings import pages_and_units
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.parser import FakeParser, write_manual

if TYPE_CHECKING:
    from pathlib import Path

PUMP = ["Close the valve.", "Torque of the pump is 25 Nm.", "Drain the pump."]
MIXER = ["Start the mixer.", "The mixer has a gearbox."]


@dataclass
class Company:
    """Manuals, a pack, and the key that signs it."""

    root: Path
    parser: FakeParser = field(default_factory=FakeParser)
    embedder: FakeEmbedder | None = field(default_factory=FakeEmbedder)

    def __post_init__(self):
        self.manuals = self.root / "manuals"
        self.pack = PackFolder(self.root / "pack")
        self.key = self.root / "company.key"
        make_key(self.key)

    @property
    def tools(self):
        return PackTools(self.parser, self.embedder, None, Settings())

    def write(self, name, pages, **options):
        return write_manual(self.manuals / name, pages, **options)

    def manifest(self, pack=None):
        manifest = read_manifest(pack or self.pack)
        assert manifest is not None
        return manifest

    def build(self, *, pack=None, **options):
        options = {"name": "Plant", "expires_at": None, **options}
        sources = options.pop("sources", [self.manuals])
        cancel = options.pop("cancel", CancelToken())
        return list(build_pack(sources, pack or self.pack, self.tools, cancel, **options))

    def sign(self, pack=None):
        pack = pack or self.pack
        data = pack.manifest.read_bytes()
        pack.signature.write_bytes(sign(data, read_private_key(self.key)))
        return self.manifest(pack)

    def release(self, **options):
        """Build and sign; return the manifest."""
        self.build(**options)
        return self.sign(options.get("pack"))


@dataclass
class Laptop:
    """A library that trusts the company."""

    folder: Path
    database: Database
    trusted: TrustedKeys
    embedder: FakeEmbedder | None = field(default_factory=FakeEmbedder)

    def __post_init__(self):
        self.library = Library(self.database, self.folder)
        self.parser = FakeParser()
        self.ingestion = Ingestion(
            self.database, self.library, self.parser, self.embedder, Settings().ingestion
        )
        self.packs = ManualPacks(self.database, self.library, self.trusted)

    def attach(self, pack, **options):
        """Attach; return the last event, and the others."""
        *events, done = self.packs.attach(pack.root, CancelToken(), **options)
        assert isinstance(done, PackDone)
        return done, events

    def ingest(self, *paths):
        self.ingestion.enqueue(paths)
        return list(self.ingestion.run(CancelToken()))

    def titles(self):
        return sorted(each.title for each in self.library.documents())

    def manual(self, title):
        return next(each for each in self.library.documents() if each.title == title)

    def rows(self, sql, *values):
        return self.database.read(lambda c: c.execute(sql, values).fetchall())

    def found(self, term):
        """Titles of the manuals that have a page with this term."""
        manuals = self.database.read(lambda c: pages_and_units(c, term)[0]).documents
        rows = self.rows("SELECT id, title FROM documents ORDER BY title")
        return [title for id_, title in rows if id_ in manuals]

    def problems(self):
        return self.database.check(deep=True)


@pytest.fixture
def company(tmp_path):
    company = Company(tmp_path / "company")
    company.write("pump.pdf", PUMP, title="Pump", outline=[(1, "Safety", 0)])
    company.write("hall 2/mixer.pdf", MIXER, title="Mixer")
    return company


@pytest.fixture
def laptop(tmp_path, company):
    trusted = TrustedKeys(tmp_path / "trusted")
    trusted.add(company.key.with_suffix(".pub"))
    with Database.open(tmp_path / "library") as database:
        yield Laptop(tmp_path / "library", database, trusted)
