"""Draws the two sample manuals of a fictional booster pump station and their questions.

Run as `python -m resources.samples.draw` from the repository root. Needs pymupdf, numpy and
pymupdf-fonts (FiraGO, SIL Open Font License). The output is the same bytes at every run.
"""
