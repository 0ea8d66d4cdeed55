"""Groundwork: ask equipment manuals offline, get answers that cite a highlighted page.

Importing this package sets the process-wide switches that keep libraries off the
network, and checks that they do; it must therefore be the first import of every entry
point.
"""

from desktop.process_environment import (
    apply_offline_switches,
    collect_garbage_less_often,
    multiply_on_one_thread,
)
from desktop.tripwire import watch

__version__ = "0.1.0"

apply_offline_switches()
multiply_on_one_thread()
collect_garbage_less_often()
watch()
