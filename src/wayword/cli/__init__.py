"""The command line: parses, calls the library and prints; nothing here computes."""
