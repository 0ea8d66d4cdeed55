"""The domains of a library: proposed from its manuals, corrected and accepted by a person."""

from __future__ import annotations

import hashlib
import logging
import re
import threading
import tomllib
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Literal

from pydantic import TypeAdapter

from desktop.core.errors import DocumentNotFound
from desktop.core.library.editions import Product, product_name, slug
from desktop.resources import resource
from desktop.sentences import said
from knowledge.atlas import Coverage
from knowledge.cues import meets, words_of
from knowledge.domain import Domain, ManualProfile
from knowledge.domain_shelf import SUFFIX, domain_paths, domain_toml, read_domain, write_domain_file
from knowledge.domains import built_in_domains, merged_domains
from knowledge.errors import DomainFileError
from knowledge.formatter import plain, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from desktop.core.library.library import Library
    from desktop.core.library.values import DocumentRecord
    from knowledge.atlas import Covered
    from knowledge.domain import Manual, NamedManual

_TITLE_WEIGHT = 4.0
_TITLE_PAGE_WEIGHT = 3.0
_OPENING_WEIGHT = 2.0
_HEADING_WEIGHT = 1.0
_MOST_HEADINGS = 4
# One heading alone says nothing: every manual has a word about installation.
_LEAST = 2.0
_TITLE_PAGE = 300
# More of a manual's words than this are not looked at.
_LONGEST_OPENING = 4_000


@dataclass(frozen=True, slots=True)
class Audience:
    """A kind of reader, how a manual for them looks, and which questions are theirs.

    named: as a profile names them. tasks: what they ask about, in a sentence on
    strategy. in_title, in_headings: words that give such a manual away. in_opening:
    phrases on its first pages that do, word for word.
    """

    named: str
    purpose: str
    tasks: str
    in_title: tuple[str, ...]
    in_opening: tuple[str, ...]
    in_headings: tuple[str, ...]
    use_for: tuple[str, ...]
    cues: tuple[str, ...]


@cache
def audiences() -> tuple[Audience, ...]:
    """Return the kinds of readers, from `resources/audiences.toml`."""
    listed = tomllib.loads(resource("audiences.toml").read_text("utf-8"))["audience"]
    return TypeAdapter(tuple[Audience, ...]).validate_python(listed)


def audience_of(title: str, headings: Sequence[str], opening: str) -> Audience | None:
    """Return for whom a manual was written, None if nothing tells.

    title: with the file name, if that tells more. headings: titles of its chapters.
    opening: the text of its first pages, the title page first.
    """
    in_title = words_of(title)
    in_headings = [words_of(heading) for heading in headings]
    said = " ".join(opening[:_LONGEST_OPENING].casefold().split())
    title_page = said[:_TITLE_PAGE]

    def speaks_for(audience: Audience) -> float:
        met = sum(any(meets(cue, h) for cue in audience.in_headings) for h in in_headings)
        return (
            _TITLE_WEIGHT * any(meets(cue, in_title) for cue in audience.in_title)
            + _TITLE_PAGE_WEIGHT * any(_stands(word, title_page) for word in audience.in_title)
            + _OPENING_WEIGHT * any(_stands(phrase, said) for phrase in audience.in_opening)
            + _HEADING_WEIGHT * min(met, _MOST_HEADINGS)
        )

    best = max(audiences(), key=speaks_for)
    return best if speaks_for(best) >= _LEAST else None


def kinds_of(title: str) -> frozenset[str]:
    """Return the words of a title that say what kind of manual it is, as cues."""
    words = words_of(title)
    return frozenset(cue for a in audiences() for cue in a.in_title if meets(cue, words))


def _stands(phrase: str, text: str) -> bool:
    """Whether a phrase occurs in running text as it is, or in the plural."""
    return re.search(rf"\b{re.escape(phrase.casefold())}s?\b", text) is not None


_MOST_CHAPTERS = 10
_LONGEST_CHAPTER = 60
_MOST_TOGETHER = 50


@dataclass(frozen=True, slots=True)
class ManualFacts:
    """What a proposal looks at.

    name: file name. chapters: titles of its outline, or its first headings. opening: text
    of its first pages.
    """

    id: int
    name: str
    title: str
    chapters: tuple[str, ...] = ()
    opening: str = ""


ReadManual = tuple[ManualFacts, Audience | None]
"""A manual and for whom it seems to be written."""


def propose_domains(manuals: Sequence[ManualFacts]) -> tuple[Domain, ...]:
    """Return one proposed domain a product, in the order of their first manuals.

    The same manuals give the same domains; names of domains are distinct.
    """
    proposed: dict[str, Domain] = {}
    for together in _by_product(manuals):
        product = _best_name([product for _, product in together])
        name = _free(slug(product) or f"manual-{together[0][0].id}", proposed.__contains__)
        proposed[name] = _domain(name, product, [manual for manual, _ in together])
    return tuple(proposed.values())


def _free(name: str, is_taken: Callable[[str], bool]) -> str:
    """Return a name, with a number after it if it is taken."""
    numbered = (f"{name}-{number}" for number in count(2))
    return name if not is_taken(name) else next(each for each in numbered if not is_taken(each))


def _by_product(manuals: Sequence[ManualFacts]) -> list[list[tuple[ManualFacts, Product]]]:
    groups: list[list[tuple[ManualFacts, Product]]] = []
    for manual in manuals:
        product = Product.named(product_name(manual.title or manual.name.rsplit(".", 1)[0]))
        for group in groups:
            if len(group) < _MOST_TOGETHER and any(product.same_as(other) for _, other in group):
                group.append((manual, product))
                break
        else:
            groups.append([(manual, product)])
    return groups


def _best_name(products: Sequence[Product]) -> str:
    """Return the shortest product name, one in capitals only if there is no other."""
    names = [product.name for product in products]
    return plain(min(names, key=lambda name: (name.isupper(), len(name))))


def _domain(name: str, product: str, manuals: Sequence[ManualFacts]) -> Domain:
    read = [(m, audience_of(_called(m), m.chapters, m.opening)) for m in manuals]
    several = len(manuals) > 1
    return Domain(
        name=name,
        title=product,
        description=f"You are a technical assistant for the product titled {quoted(product)}.",
        manuals=tuple(_profile(each, read) for each in read),
        search_strategy=tuple(_strategy(read)) if several else (),
        important="These manuals are about the same product; each tells another side of it."
        if several
        else "",
        proposed=True,
    )


def _profile(own: ReadManual, together: Sequence[ReadManual]) -> ManualProfile:
    """Describe one manual. Its purpose is given only as far as it differs from the others."""
    manual, audience = own
    others = [other for other in together if other is not own]
    alone = audience is not None and bool(others) and all(a is not audience for _, a in others)
    kinds = kinds_of(_called(manual)).difference(*(kinds_of(_called(m)) for m, _ in others))
    about = [audience.purpose] if audience is not None and alone else []
    if chapters := _chapters(manual):
        about.append(f"Chapters: {', '.join(chapters)}")
    return ManualProfile(
        title=plain(manual.title) or plain(manual.name),
        patterns=(_literal(manual.name),),
        audience=audience.named if audience is not None else "",
        purpose=". ".join(about),
        use_for=audience.use_for if audience is not None and alone else (),
        cues=_distinct((*(audience.cues if audience is not None and alone else ()), *sorted(kinds)))
        if others
        else (),
    )


def _called(manual: ManualFacts) -> str:
    """Return title and file name: either may tell what kind of manual it is."""
    return f"{manual.title} {manual.name}"


def _chapters(manual: ManualFacts) -> list[str]:
    """Return the quoted titles of chapters that tell something."""
    own_title = plain(manual.title)
    telling = [c for c in dict.fromkeys(map(plain, manual.chapters)) if c != own_title]
    telling = [c for c in telling if any(map(str.isalpha, c)) and "://" not in c]
    return [quoted(chapter, _LONGEST_CHAPTER) for chapter in telling[:_MOST_CHAPTERS]]


def _distinct(cues: Sequence[str]) -> tuple[str, ...]:
    return tuple({cue.casefold(): cue for cue in reversed(cues)}.values())[::-1]


def _strategy(read: Sequence[ReadManual]) -> Iterator[str]:
    for manual, audience in read:
        if audience is not None and sum(other is audience for _, other in read) == 1:
            yield f"{audience.tasks} questions → search {quoted(manual.title)} first"
    yield "If the first manual does not answer → search the others"


def _literal(name: str) -> str:
    """Return a pattern that only this file name matches, if it fits into a profile."""
    longest = 200
    pattern = "".join(f"[{c}]" if c in "*?[" else c for c in name)
    return pattern if len(pattern) <= longest else f"{pattern[:longest].rsplit('[', 1)[0]}*"


_log = logging.getLogger(__name__)

_NOTE = "# Proposed by Groundwork from the manuals. Once edited, this file is yours. "
_OPENING_PAGES = 3
_MOST_CHAPTERS_KEPT = 12


class DomainProposals:
    """Writes a file for every product that no domain describes; may be used from any thread."""

    def __init__(self, library: Library, folder: Path) -> None:
        """folder: where the library keeps its domains; made when there is something to write."""
        self._library = library
        self._folder = folder
        self._guard = threading.Lock()

    def update(self) -> None:
        """Bring the proposals up to date with the manuals that are ready.

        Raises nothing: without proposals the agent still knows the titles.
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
        """Write a proposal unless a person's file is already there; return the file."""

        def taken(name: str) -> bool:
            file = self._folder / f"{name}{SUFFIX}"
            return file.exists() and not is_untouched(file)

        path = self._folder / f"{_free(domain.name, taken)}{SUFFIX}"
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
            tuple(chapters[:_MOST_CHAPTERS_KEPT]),
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
    mark = re.match(re.escape(_NOTE) + r"\[([0-9a-f]{16})\]\n", text)
    if mark is None:
        return False
    own = text[mark.end() :]
    return mark.group(1) == _checksum(own) and own.startswith(f'name = "{path.stem}"\n')


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


Origin = Literal["proposed", "own", "built_in"]


@dataclass(frozen=True, slots=True)
class KnownDomain:
    """A domain with where it comes from.

    origin: proposed by Groundwork and not looked at, a person's, or a part of
    Groundwork. path: its file, None for a built-in one. covered: the manuals of the
    library that fall to it to describe. replaces_built_in: without this file a built-in
    one would be in force.
    """

    domain: Domain
    origin: Origin
    path: Path | None
    covered: tuple[Covered, ...] = ()
    replaces_built_in: bool = False


@dataclass(frozen=True, slots=True)
class BrokenDomain:
    """A file that cannot be used. reason: a sentence about what to repair."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class KnownDomains:
    """All known domains: those that cover manuals first, then by title.

    manuals: all of the library. undescribed: those that no domain covers.
    """

    domains: tuple[KnownDomain, ...] = ()
    broken: tuple[BrokenDomain, ...] = ()
    manuals: tuple[NamedManual, ...] = ()
    undescribed: tuple[NamedManual, ...] = ()

    @property
    def to_check(self) -> tuple[KnownDomain, ...]:
        """The proposals that take several manuals for those of one product.

        What is said of a product after its only manual is nothing to decide.
        """
        proposed = (each for each in self.domains if each.origin == "proposed")
        return tuple(each for each in proposed if len(each.covered) > 1)


class DomainDesk:
    """Reads and writes the files of a library's domains; blocking, on any thread."""

    def __init__(self, folder: Path, documents: Callable[[], Sequence[Manual]]) -> None:
        """folder: where the library keeps its domains. documents: names its manuals."""
        self._folder = folder
        self._documents = documents

    def look(self) -> KnownDomains:
        """Read every file again."""
        own: dict[str, tuple[Domain, Path]] = {}
        broken = []
        for path in domain_paths(self._folder):
            try:
                domain = read_domain(path)
            except DomainFileError as error:
                broken.append(BrokenDomain(path, error.reason))
                continue
            if domain.name in own:
                reason = said("another file already describes {name}.", name=domain.name)
                broken.append(BrokenDomain(path, reason))
            else:
                own[domain.name] = (domain, path)
        coverage = Coverage.of(
            merged_domains([domain for domain, _ in own.values()]), self._documents()
        )
        return KnownDomains(
            _sorted(_known(own, coverage)),
            tuple(broken),
            tuple(each.manual for each in coverage.all),
            tuple(each.manual for each in coverage.all if each.domain is None),
        )

    def save(self, domain: Domain, path: Path | None) -> Path:
        """Write a domain as a person left it; it is theirs from now on. Return its file.

        path: the file it was read from, None for a new one or one of Groundwork.

        Raises: OSError.
        """
        file = path or self._folder / f"{domain.name}{SUFFIX}"
        return write_domain_file(file, domain_toml(domain.model_copy(update={"proposed": False})))

    def delete(self, path: Path) -> str:
        """Remove a domain's file and return what it said, for `restore`. Raises: OSError."""
        text = path.read_text("utf-8")
        path.unlink()
        return text

    def restore(self, path: Path, text: str) -> None:
        """Bring back a file as it was, unless another one took its place. Raises: OSError."""
        if not path.exists():
            write_domain_file(path, text)

    def free_name(self, title: str) -> str:
        """Return a name for a new domain that no other one has."""
        taken = {domain.name for domain in built_in_domains()}
        taken |= {path.stem.casefold() for path in domain_paths(self._folder)}
        return _free(slug(title) or "product", taken.__contains__)


def _known(own: dict[str, tuple[Domain, Path]], coverage: Coverage) -> Iterator[KnownDomain]:
    built_in = {domain.name: domain for domain in built_in_domains()}
    for domain, path in own.values():
        origin: Origin = "proposed" if domain.proposed and is_untouched(path) else "own"
        covered = tuple(coverage.of_domain(domain))
        yield KnownDomain(domain, origin, path, covered, domain.name in built_in)
    for name, domain in built_in.items():
        if name not in own:
            yield KnownDomain(domain, "built_in", None, tuple(coverage.of_domain(domain)))


def _sorted(domains: Iterator[KnownDomain]) -> tuple[KnownDomain, ...]:
    def order(known: KnownDomain) -> tuple[bool, bool, str]:
        return not known.covered, known.origin != "proposed", known.domain.title.casefold()

    return tuple(sorted(domains, key=order))
