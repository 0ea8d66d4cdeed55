"""The texts whose published vectors are in minilm_reference.npy.

The vectors were made once with torch 2.13 and transformers 5.23 (BertModel on the same
weights, one text at a time, mean over all tokens, unit length).
"""

REFERENCE_TEXTS = [
    "How do I wire the backup battery?",
    "Connect the standby battery to terminals B+ and B-.",
    "S-130",
    "",
    "Die Heizung nach der Wartung wieder einschalten: Menü 41.",
    "The relay contact J1C is rated 24 V, 5 A. " * 60,
]
