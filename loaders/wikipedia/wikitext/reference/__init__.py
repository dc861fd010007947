"""The reference parser: it applies the same rules as ``Scanner`` to the syntax tree of ``mwparserfromhell``, and is slower."""
