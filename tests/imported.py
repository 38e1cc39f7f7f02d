"""Imported by the process of `tests.warm` after all else, just before it is copied for the first time."""

import gc

from alphadiamond.games.diamond_chase import Position

Position.start()  # the first kernel that a process needs takes half a second more than the others
gc.collect()
gc.freeze()  # or the collector of every copy would write to all pages, which makes them its own
