"""What stands beside the pages: thumbnails, outline, bookmarks."""
