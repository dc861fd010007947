"""The ledger of runs: what was asked, of which store, with which seed and versions, and what came of it.

``tables`` declares it, ``migrations`` bring an older one up to date, ``book`` opens it, ``recording`` writes one run, and
``records`` is what is read from it. It lies in an SQLite file of the user's, or at any address of SQLAlchemy's.
"""
