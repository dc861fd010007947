"""Questions over the stored graph. Knows the reading side of ``graph``, never a database driver."""
