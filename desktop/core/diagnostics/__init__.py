"""A bundle for whoever is to help: how this installation stands, and nothing of what it knows."""

from desktop.core.diagnostics.bundle import bundle_name, write_bundle

__all__ = ["bundle_name", "write_bundle"]
