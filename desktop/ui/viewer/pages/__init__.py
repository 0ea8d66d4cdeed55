"""The pages as one sees and moves them."""
