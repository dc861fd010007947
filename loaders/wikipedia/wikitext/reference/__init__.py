"""The reference parser: the rules for links applied to the syntax tree of ``mwparserfromhell``, slower than ``Scanner``."""
