"""The extensions in C; everything else is in pyproject.toml."""

from setuptools import Extension, setup

SOURCES = ("search/paths/native.c", "loaders/wikipedia/wikitext/native.c")

setup(
    ext_modules=[
        Extension(
            f"wayword.{source.removesuffix('.c').replace('/', '.')}",
            [source],
            extra_compile_args=["-std=c11", "-O3", "-g0"],
            py_limited_api=True,
            optional=True,  # without a C compiler the installation succeeds, and Python does the same work
        )
        for source in SOURCES
    ],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},  # one wheel for every Python from 3.11
)
