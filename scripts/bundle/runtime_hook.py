"""The first code of the frozen program: nothing may be imported before the offline switches."""

from desktop.process_environment import apply_offline_switches

apply_offline_switches()
