"""The domains: one module each with a `DOMAIN`, and TOML files of the library.

Adding a domain is adding a file to this package, or to the library's `domains` folder.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

from knowledge.domain import Domain

if TYPE_CHECKING:
    from collections.abc import Sequence


def built_in_domains() -> tuple[Domain, ...]:
    """Return the domain of every module of this package, by module name.

    Raises: TypeError, if a module has no domain or two have the same name.
    """
    found: dict[str, Domain] = {}
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        domain = getattr(module, "DOMAIN", None)
        if not isinstance(domain, Domain) or domain.name in found:
            raise TypeError(f"{module.__name__} has no DOMAIN of its own")
        found[domain.name] = domain
    return tuple(found.values())


def merged_domains(own: Sequence[Domain]) -> tuple[Domain, ...]:
    """Return a library's own domains with the built-in ones whose name they do not take.

    A person's domains come first, proposals of Groundwork last: of two domains that cover
    the same manual, the first describes it.
    """
    names = {domain.name for domain in own}
    built_in = [domain for domain in built_in_domains() if domain.name not in names]
    written = [domain for domain in own if not domain.proposed]
    return (*written, *built_in, *(domain for domain in own if domain.proposed))
