"""Proposed domains: manuals of one product together, each with its audience and purpose.

Words of manuals are data: they appear as quoted titles, short and without control
characters, and never where an instruction of ours stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.library.audiences import Audience, audience_of, kinds_of
from desktop.core.library.product_names import Product, product_name, slug
from knowledge.domain import Domain, ManualProfile
from knowledge.quoting import plain, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
        base = slug(product) or f"manual-{together[0][0].id}"
        name, number = base, 2
        while name in proposed:
            name, number = f"{base}-{number}", number + 1
        proposed[name] = _domain(name, product, [manual for manual, _ in together])
    return tuple(proposed.values())


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
    """Describe one manual. What it is for is told only as far as it differs from the others."""
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
