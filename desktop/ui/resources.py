"""The window's view of the files that are shipped with the application."""

from desktop.core.paths import sample_manuals
from desktop.resources import resource as resource_path

__all__ = ["resource_path", "sample_manuals"]
