"""The words of pages: selecting and copying them."""
