"""The manual viewer: pages drawn by QtPdf, everything else from the library's index."""
