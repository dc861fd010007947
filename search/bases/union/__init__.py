"""Several bases searched as one."""
