"""The rows of controls around the pages, and the message in place of them."""
