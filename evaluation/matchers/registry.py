"""The matchers that can be named: those of wayword, and those that installed packages register under an entry point.

A package adds a matcher by an entry point of the group ``wayword.matchers`` that leads to a ``MatcherKind``. It is imported
when its matcher is asked for or listed, and an error in it concerns that matcher only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ...core.errors import WaywordError, hint
from ...core.messages import first_line
from ...core.suggestions import suggest
from ..errors import MatcherError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from . import Matcher
    from .resources import Resources
    from .wordnet_similarity import Measure

ENTRY_POINT = "wayword.matchers"

WITH_PROFILE = "wayword:"
"""What stands before a profile, so that several can be compared."""


@dataclass(frozen=True, slots=True)
class MatcherKind:
    """A matcher that can be named.

    - ``name``: what users type
    - ``description``: what it compares, in a few words
    - ``open``: returns the matcher; given its resources, such as a graph or vectors
    - ``needs``: the option that it needs: ``corpus``, ``vectors`` or ``encoder``; None if it needs none
    """

    name: str
    description: str
    open: Callable[[Resources], Matcher]
    needs: str | None = None


@dataclass(frozen=True, slots=True)
class ListedMatcher:
    """A matcher as it is listed.

    - ``name``, ``description``, ``needs``: as in ``MatcherKind``; a broken matcher has no description
    - ``package``: the package that registers it; None for wayword's own
    - ``problem``: why it cannot be used; None if it can
    """

    name: str
    description: str
    needs: str | None
    package: str | None
    problem: str | None

    def to_dict(self) -> dict[str, Any]:
        """Return a dictionary for JSON."""
        return asdict(self)


def open_matchers(names: Iterable[str], resources: Resources) -> dict[str, Matcher]:
    """Open matchers by their names.

    All names, and the options that the matchers need, are checked before any of them is opened.

    Args:
        names: Some of those that ``list_matchers`` lists.
        resources: Their resources.

    Raises:
        MatcherError: There is no such matcher, its package is broken, or it needs something that ``resources`` lacks.

    >>> from wayword.evaluation.matchers.resources import Resources
    >>> matchers = open_matchers(["equal", "r_precision"], Resources())
    >>> [matcher("applied science", "natural science") for matcher in matchers.values()]
    [0.0, 0.5]
    """
    kinds = {name: find_matcher(name) for name in names}
    for name, kind in kinds.items():
        if kind.needs is not None:
            resources.require(kind.needs, name)
    return {name: kind.open(resources) for name, kind in kinds.items()}


def find_matcher(name: str) -> MatcherKind:
    """Return the matcher of a name.

    Raises:
        MatcherError: There is no such matcher, or its package is broken.
    """
    own = own_kinds()
    if name in own:
        return own[name]
    if name.startswith(WITH_PROFILE):
        profile = name.removeprefix(WITH_PROFILE)
        return MatcherKind(name, f"substitutability with the profile {profile}", partial(_open_wayword, profile=profile))
    registered = _entry_points()
    if name not in registered:
        raise MatcherError(f"there is no matcher {name!r}", *(suggest(name, [*own, *registered]) or [hint("list_matchers")]))
    entry = registered[name]
    kind = _load(entry)

    def open_safely(resources: Resources) -> Matcher:
        try:
            return kind.open(resources)
        except WaywordError:
            raise
        except Exception as error:  # code of another package may raise anything
            raise _broken(entry, error) from error

    return replace(kind, name=name, open=open_safely)


def is_wayword(name: str) -> bool:
    """Whether a matcher is ``wayword``, with the profile of the query or another one."""
    return name == "wayword" or name.startswith(WITH_PROFILE)


def list_matchers() -> list[ListedMatcher]:
    """List all matchers, wayword's own first; those whose package is broken say why."""
    listed = [ListedMatcher(each.name, each.description, each.needs, None, None) for each in own_kinds().values()]
    for name, entry in sorted(_entry_points().items()):
        package = _package(entry)
        if name in own_kinds():
            listed.append(ListedMatcher(name, "", None, package, "wayword has a matcher of this name, which is used instead"))
            continue
        try:
            kind = _load(entry)
            listed.append(ListedMatcher(name, kind.description, kind.needs, package, None))
        except MatcherError as error:
            listed.append(ListedMatcher(name, "", None, package, str(error)))
    return listed


def _entry_points() -> Mapping[str, EntryPoint]:
    """Return the entry points of installed packages by name; of two with one name the first that is found."""
    from importlib.metadata import entry_points

    return {entry.name: entry for entry in reversed(list(entry_points(group=ENTRY_POINT)))}


def _load(entry: EntryPoint) -> MatcherKind:
    try:
        kind = entry.load()
    except (Exception, SystemExit) as error:  # importing code of another package may raise anything
        raise _broken(entry, error) from error
    if not isinstance(kind, MatcherKind):
        raise _broken(entry, TypeError(f"{entry.value} is not a MatcherKind"))
    return kind


def _broken(entry: EntryPoint, error: BaseException) -> MatcherError:
    reason = f"{type(error).__name__}: {first_line(error)}"
    return MatcherError(f"the matcher {entry.name} of the package {_package(entry)} is broken ({reason}); repair or remove it")


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.module.partition(".")[0]


@cache
def own_kinds() -> Mapping[str, MatcherKind]:
    """Return the kinds of wayword's own matchers by name."""
    kinds = [
        MatcherKind("wayword", "substitutability in the graph; wayword:PROFILE with another profile", _open_wayword),
        MatcherKind("equal", "1 if the normalised phrases are equal", _open_equal),
        MatcherKind("exact", "1 if the stems of the words are equal (1.5)", _open_exact),
    ]
    for name, description in _LEXICAL.items():
        kinds += _with_stems(name, description, partial(_open_lexical, name))
    kinds += _with_stems("nist", "shared n-grams, by their information in the corpus", _open_nist, "corpus")
    kinds += [
        MatcherKind("meteor", "aligned words: equal, of one stem, or synonyms in the store's WordNet (2.18)", _open_meteor),
        MatcherKind("path", "1 / (1 + hypernym steps) in the store's WordNet", partial(_open_similarity, "path")),
        MatcherKind("wup", "depth of the lowest shared hypernym in the store's WordNet", partial(_open_similarity, "wup")),
        MatcherKind(
            "lch", "-log(steps / twice the depth) in the store's WordNet; may pass 1", partial(_open_similarity, "lch")
        ),
        MatcherKind("vectors", "cosine of the mean word vectors", _open_vectors, "vectors"),
        MatcherKind("encoder", "cosine of the embeddings by a transformer", _open_encoder, "encoder"),
    ]
    return {kind.name: kind for kind in kinds}


_LEXICAL = {
    "r_precision": "shared words over the words of the longer phrase (2.7)",
    "modified_r_precision": "shared words, the last ones weighing most (2.8)",
    "bleu": "n-grams of the shorter phrase in the longer one (2.11)",
    "rouge1": "words of the longer phrase in the shorter one (2.12)",
    "rouge2": "pairs of words of the longer phrase in the shorter one (2.12)",
}


def _with_stems(name: str, description: str, open: Callable[..., Matcher], needs: str | None = None) -> list[MatcherKind]:
    """Return a kind that compares words, and the same on stems."""
    stemmed = MatcherKind(f"{name}_stem", f"{name} on Porter stems", partial(open, stems=True), needs)
    return [MatcherKind(name, description, open, needs), stemmed]


def _open_wayword(resources: Resources, profile: str | None = None) -> Matcher:
    from .substitutability import Substitutability

    return Substitutability(resources.graph if profile is None else resources.open_profile(profile))


def _open_equal(_resources: Resources) -> Matcher:
    from .lexical import make_equal

    return make_equal()


def _open_exact(_resources: Resources) -> Matcher:
    from .lexical import make_exact

    return make_exact()


def _open_lexical(name: str, _resources: Resources, *, stems: bool = False) -> Matcher:
    from . import lexical

    return lexical.make_lexical(getattr(lexical, name), stems=stems)


def _open_nist(resources: Resources, *, stems: bool = False) -> Matcher:
    from .nist import make_nist

    return make_nist(resources.corpus_words, stems=stems)


def _open_meteor(resources: Resources) -> Matcher:
    from .meteor import make_meteor

    return make_meteor(resources.wordnet)


def _open_similarity(measure: Measure, resources: Resources) -> Matcher:
    from .wordnet_similarity import make_wordnet_similarity

    return make_wordnet_similarity(resources.wordnet, measure)


def _open_vectors(resources: Resources) -> Matcher:
    from .cosine import make_vectors_matcher

    return make_vectors_matcher(resources.word_vectors)


def _open_encoder(resources: Resources) -> Matcher:
    from .cosine import make_encoder_matcher

    return make_encoder_matcher(resources.text_encoder)
