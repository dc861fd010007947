"""Build the arrays of the projection of a wiki."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ....core.normalisation import normalise, strip_brackets
from ...scoring.transitions import TransitionKind
from ..array_builder import (
    column_texts,
    flat_transitions,
    group_arrays,
    hierarchy_transitions,
    index_arrays,
    positions_in,
    text_arrays,
    transition_arrays,
)

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ..projector import TableReader


CATEGORY_HIERARCHY = TransitionKind.CATEGORY_SPECIALISATION, TransitionKind.CATEGORY_GENERALISATION
"""The kinds of the transitions down and up the hierarchy of categories."""


def project_wiki(source: TableReader) -> tuple[int, dict[str, np.ndarray]]:
    """Return the number of articles and categories, and the arrays."""
    import pyarrow as pa
    import pyarrow.compute as pc

    articles = source.table("Article", "id", "name", "gloss", "stem", "folded_stem")
    categories = source.table("Category", "id", "name", "members", "subcategories")
    nodes = pa.concat_tables([articles, categories], promote_options="default")
    order = pc.sort_indices(nodes["id"])
    is_category = order.to_numpy() >= articles.num_rows
    nodes = nodes.take(order)
    ids = nodes["id"].combine_chunks()
    arrays: dict[str, np.ndarray] = {"node label": is_category.astype("uint8")}
    for name in ("id", "name", "gloss"):
        arrays |= column_texts(name, nodes[name])
    members, subcategories = (_counts(nodes[name]) for name in ("members", "subcategories"))
    pieces = [
        *hierarchy_transitions(_edges(source.table("IN_CATEGORY", "from", "to"), ids), members, CATEGORY_HIERARCHY),
        *hierarchy_transitions(_edges(source.table("SUBCATEGORY_OF", "from", "to"), ids), subcategories, CATEGORY_HIERARCHY),
    ]
    central = _edges(source.table("CENTRAL_TO", "from", "to"), ids)
    pieces += [flat_transitions(central, TransitionKind.CENTRAL), flat_transitions(central[::-1], TransitionKind.CENTRAL)]
    arrays |= transition_arrays(pieces, len(ids))
    arrays |= _plain_names(source, nodes, is_category)
    arrays |= _labels(source, ids, nodes)
    return len(ids), arrays


def _counts(column: pa.ChunkedArray) -> np.ndarray:
    import numpy as np
    import pyarrow.compute as pc

    found: np.ndarray = pc.fill_null(column, 0).to_numpy().astype(np.int32)
    return found


def _edges(table: pa.Table, ids: pa.Array) -> tuple[np.ndarray, np.ndarray]:
    return positions_in(table["from"], ids), positions_in(table["to"], ids)


def _plain_names(source: TableReader, nodes: pa.Table, is_category: np.ndarray) -> dict[str, np.ndarray]:
    """Return the names by which another base may know a node: of an article title, title without brackets and redirects."""
    import numpy as np

    redirects = source.table("Redirect", "id", "name")
    targets = source.table("REDIRECTS_TO", "from", "to")
    names = redirects["name"].to_pylist()
    number = positions_in(targets["from"], redirects["id"].combine_chunks())
    node = positions_in(targets["to"], nodes["id"].combine_chunks())
    found: list[tuple[int, str]] = [(int(to), normalise(names[row])) for row, to in zip(number, node, strict=True)]
    for index, (title, category) in enumerate(zip(nodes["name"].to_pylist(), is_category, strict=True)):
        bare = strip_brackets(title)
        found += [(index, normalise(each)) for each in ([bare or title] if category else filter(None, (title, bare)))]
    pairs = sorted({pair for pair in found if pair[1]})
    offsets = np.searchsorted(np.array([index for index, _ in pairs], np.int64), np.arange(nodes.num_rows + 1))
    return {**text_arrays("plain name", [name for _, name in pairs]), "plain name nodes": offsets.astype(np.int64)}


def _labels(source: TableReader, ids: pa.Array, nodes: pa.Table) -> dict[str, np.ndarray]:
    """Return the labels by stem, their senses, and the articles whose title without brackets has the stem."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    forms = source.table("FORM", "from", "to")
    bracketed = nodes["stem"].is_valid().to_numpy().nonzero()[0]
    bracket_stems = nodes["stem"].take(pa.array(bracketed))
    distinct = pc.unique(pa.chunked_array([*forms["from"].chunks, *bracket_stems.chunks], pa.string())).to_pylist()
    ordered, arrays = index_arrays("stem", distinct)
    stems = pa.array(ordered, pa.string())
    labels = source.table("Label", "id", "name")
    stem, label = positions_in(forms["from"], stems), positions_in(forms["to"], labels["id"].combine_chunks())
    names = labels["name"].take(pa.array(label))
    rank = np.empty(len(label), np.int64)  # labels of one stem in the order of their texts
    rank[pc.sort_indices(names).to_numpy()] = np.arange(len(label))
    order = np.lexsort((rank, stem))
    arrays |= column_texts("label", names.take(pa.array(order)))
    arrays["stem labels"] = np.searchsorted(stem[order], np.arange(len(ordered) + 1)).astype(np.int64)
    arrays |= _senses(source, ids, labels["id"].combine_chunks(), label[order])
    stored = labels["id"].take(pa.array(label[order])).combine_chunks()
    stem = positions_in(bracket_stems, stems)
    order = np.argsort(stem, kind="stable")
    arrays |= group_arrays("bracketed", stem[order], bracketed[order], len(ordered))
    titles = nodes.take(pa.array(bracketed[order]))
    arrays |= _folded(source, stored, titles["folded_stem"])
    plain = [normalise(strip_brackets(each) or each) for each in titles["name"].to_pylist()]
    return {**arrays, **text_arrays("bracketed label", plain)}


def _folded(source: TableReader, label_ids: pa.Array, title_stems: pa.ChunkedArray) -> dict[str, np.ndarray]:
    """Return labels, and rows of titles with brackets, by the stem of their folded form if it is not their own stem."""
    import pyarrow as pa
    import pyarrow.compute as pc

    folds = source.table("FOLDS", "from", "to")
    distinct = pc.unique(pa.chunked_array([*folds["from"].chunks, *title_stems.drop_null().chunks], pa.string())).to_pylist()
    ordered, arrays = index_arrays("folded stem", distinct)
    stems = pa.array(ordered, pa.string())
    labels = positions_in(folds["from"], stems), positions_in(folds["to"], label_ids)
    rows = title_stems.is_valid().to_numpy().nonzero()[0]
    titles = positions_in(title_stems.drop_null(), stems), rows
    for name, (stem, found) in (("folded label", labels), ("folded bracketed", titles)):
        order = stem.argsort(kind="stable")
        arrays |= group_arrays(name, stem[order], found[order], len(ordered))
    return arrays


def _senses(source: TableReader, ids: pa.Array, label_ids: pa.Array, labels: np.ndarray) -> dict[str, np.ndarray]:
    """Return the senses of the labels in this order, most used first."""
    import numpy as np
    import pyarrow.compute as pc

    senses = source.table("SENSE", "from", "to", "uses")
    of, node = positions_in(senses["from"], label_ids), positions_in(senses["to"], ids)
    uses = pc.fill_null(senses["uses"], 0).to_numpy()
    new_index = np.full(len(label_ids), -1, np.int64)
    new_index[labels] = np.arange(len(labels))
    index = new_index[of]
    order = np.lexsort((node, -uses, index))
    order = order[index[order] >= 0]
    return {**group_arrays("sense", index[order], node[order], len(labels)), "sense uses": uses[order].astype(np.int64)}
