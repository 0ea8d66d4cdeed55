"""A framed part of a page: what stands in it, and what a vision model sees there."""
