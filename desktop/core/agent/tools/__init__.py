"""The tools, one file each; `create_tool` at its end makes it of `Services`."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desktop.core.agent.tool import Services, Tool


def create_tools(services: Services) -> tuple[Tool, ...]:
    """Return one tool per module here, by its name. Raises: TypeError, if two have one name."""
    found: dict[str, Tool] = {}
    for module_info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{module_info.name}")
        tool: Tool = module.create_tool(services)
        if tool.name in found:
            raise TypeError(f"two tools are called {tool.name}")
        found[tool.name] = tool
    return tuple(found.values())
