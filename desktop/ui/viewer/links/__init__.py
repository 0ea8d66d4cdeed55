"""Links inside a manual: followed within it, shown and never opened out of it."""
