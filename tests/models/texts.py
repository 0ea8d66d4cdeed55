"""The texts whose vectors are in text/published_minilm.npy and text/taught_minilm.npy.

The vectors were made once with torch 2.13 and transformers 5.23 (BertModel on the published
weights, one text at a time, mean over all tokens, unit length); the taught ones with the two
factors of the adapter beside each matrix, as `scripts/text_model` runs it.
"""

REFERENCE_TEXTS = [
    "How do I wire the backup battery?",
    "Connect the standby battery to terminals B+ and B-.",
    "S-130",
    "",
    "Die Heizung nach der Wartung wieder einschalten: Menü 41.",
    "The relay contact J1C is rated 24 V, 5 A. " * 60,
]
