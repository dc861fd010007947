"""The text of a page: its markup is masked, and its links are read as a reader would come to them."""
