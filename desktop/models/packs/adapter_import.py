"""Importing a LoRA adapter: merged with the model it changes, then installed as any other."""

from __future__ import annotations

import secrets
import shutil
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from desktop.models.errors import PackRefused
from desktop.models.packs.copying import check_room
from desktop.models.packs.installing import Wish, install
from desktop.models.packs.lora_merge import merge_adapter
from desktop.models.packs.model_contents import (
    ADAPTER_NAME,
    CONFIG_NAME,
    check_contents,
    chosen_files,
    read_config,
)
from desktop.models.packs.model_folder import IMPORTING
from desktop.models.packs.model_identity import UNKNOWN_LICENCE, stated_licence
from desktop.models.packs.pack_events import ImportEvent, PackDone, PackProgress
from desktop.models.packs.pack_source import FolderSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desktop.models.catalogue import Catalogue
    from desktop.models.generation import Cancelled
    from desktop.models.packs.model_folder import ModelFolder
    from desktop.models.packs.pack_source import PackSource


def is_bare_adapter(source: PackSource) -> bool:
    """Whether a source is an adapter without the model it changes."""
    return ADAPTER_NAME in source.files and CONFIG_NAME not in source.files


def install_merged(
    adapter: PackSource,
    base: Path,
    folder: ModelFolder,
    catalogue: Catalogue,
    wish: Wish,
    cancelled: Cancelled,
) -> Iterator[ImportEvent]:
    """Merge an adapter into a copy of its base and install that; see `install`."""
    yield PackProgress("checking", 0, 0)
    if not isinstance(adapter, FolderSource) or not base.is_dir():
        raise PackRefused("An adapter and its base are imported from folders: unpack them first.")
    if ADAPTER_NAME not in adapter.files:
        raise PackRefused(f"There is no {ADAPTER_NAME} in it: this is no LoRA adapter.")
    with closing(FolderSource(base)) as opened:
        check_contents(adapter, adapter.files)
        names = chosen_files(opened)
        check_contents(opened, names)
        read_config(opened)
        check_room(folder.root, sum(opened.files[name] for name in names), "the merged model")
        merged = folder.root / f"{IMPORTING}{secrets.token_hex(8)}"
        wish = replace(wish, licence=_licence(adapter, opened), link=True)
        try:
            for step in merge_adapter(adapter.root, opened.root, merged):
                yield PackProgress("merging", step.done_bytes, step.total_bytes, step.tensor)
                if cancelled():
                    return
            source = FolderSource(merged, name=adapter.name)
            for event in install(source, folder, catalogue, wish, cancelled):
                if isinstance(event, PackDone):
                    event = replace(event, left_out=adapter.left_out)
                yield event
        finally:
            shutil.rmtree(merged, ignore_errors=True)


def _licence(adapter: PackSource, base: PackSource) -> str:
    """Both hold: the merged model is a work of both."""
    own, under = (stated_licence(each) or UNKNOWN_LICENCE for each in (adapter, base))
    return own if own == under else f"{own} (base: {under})"
