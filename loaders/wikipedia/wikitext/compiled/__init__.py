"""The fast parser compiled by numba, over the UTF-8 bytes of many pages at once.

Its modules mirror the plain ones (``masking``, ``tables``, ``parentheses``, ``scanner``), which explain the rules. A page with
rare markup is *given up* and left to the plain ``Scanner``. Both scanners yield the same links for every page; tests compare
them on generated and on real pages.

Bytes are compared as numbers, because numba has no byte literals: 10 is a line break, 40 ``(``, 41 ``)``, 58 ``:``, 60 ``<``,
61 ``=``, 62 ``>``, 91 ``[``, 93 ``]``, 123 ``{``, 124 ``|``, 125 ``}``.
"""
