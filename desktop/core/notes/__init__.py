"""Notes of the site: what engineers wrote down, kept beside the manuals and never among them."""
