"""A part of a page, marked with a frame: explained, copied, saved."""
