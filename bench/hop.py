"""HOP: all articles of synthetic wikis as one functional graph, and the time per article of each strategy."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wayword.evaluation.hop.concreteness import Ratings
from wayword.evaluation.hop.fuzzy_index import SIMILARITY
from wayword.evaluation.hop.results import summarise
from wayword.graph import open_store
from wayword.search.bases.array_builder import text_arrays
from wayword.search.bases.array_file import Arrays, write_arrays
from wayword.search.bases.selection import open_view
from wayword.search.traversal.contextual_similarity import ContextualSimilarity, Opening, find_anchors, read_opening
from wayword.search.traversal.functional_graph import build_functional_graph, find_successors
from wayword.search.traversal.link_graph import FORMAT, LinkGraph, open_link_graph
from wayword.search.traversal.noun_similarity import NounSimilarity
from wayword.search.traversal.strategies import NearestLink, NthLink
from wayword.search.traversal.title_similarity import TitleSimilarity, noun_text_similarity, title_words
from wayword.search.traversal.walk import WalkRules

from .measure import count_repeats, megabytes, percentile, python, repository_path, run, short, spread
from .report import goal, table
from .setting import ARCHIVE, GLOVE, MINILM, section
from .wikis import SCHOOLS

if TYPE_CHECKING:
    from wayword.embeddings.encoders.transformer import Encoder
    from wayword.graph.store import Store

    from .setting import Setting

SIZES, QUICK = (10_000, 100_000, 1_000_000), (1_000, 2_000, 4_000)
LINKS = 20
ALL, VECTORS, MEMORY, WORDNET, NEAR, CONTEXT = 10.0, 0.1, 500_000_000, 5.0, 2.0, 3.0
"""The goals: seconds, milliseconds per article, bytes, milliseconds per article, milliseconds, and times a plain loop."""

TARGET = "Philosophy"
RATINGS = "human/Concreteness_ratings_Brysbaert_et_al_BRM.txt"

BY_VECTORS = """
import json, random, sys, time
import numpy as np
from wayword.embeddings.vector_files import open_vectors
from wayword.embeddings.word_vectors import WordVectors
from wayword.search.traversal.title_similarity import TitleSimilarity, vector_text_similarity
from wayword.search.traversal.strategies import NearestLink
from bench.hop import own_memory, synthetic_link_graph

vectors = open_vectors(sys.argv[1])
words = [str(word) for word in vectors._words[:50_000]]
rng, size = random.Random(1), int(sys.argv[2])
titles = ["philosophy", *sorted({" ".join(rng.choices(words, k=rng.choice([1, 1, 2, 3]))) for _ in range(size)})]
graph = synthetic_link_graph(len(titles), titles)
strategy = NearestLink("vectors", TitleSimilarity(graph, vector_text_similarity(vectors, "philosophy")))
links = graph.first_links(np.arange(graph.size), 20, keep_parentheses=False)
start = time.perf_counter()
strategy.pick(links, links >= 0, np.arange(graph.size), 0)
print(json.dumps([graph.size, time.perf_counter() - start, own_memory()]))
"""


def measure(setting: Setting) -> str:
    """Measure HOP."""
    return section(setting, all_articles, vectors, wordnet, unknown_words, contextual)


def synthetic_link_graph(size: int, titles: Sequence[str] | None = None) -> LinkGraph:
    """Return a wiki with 20 links per article, in which some articles are linked far more often than others."""
    rng = np.random.default_rng(size)
    titles = titles or [f"{number:07}" for number in range(size)]
    destination = (rng.random(size * LINKS) ** 3 * size).astype(np.int32)
    about = {"format": FORMAT, "base": "w~links", "kind": "link graph", "wiki": "w", "revisions": []}
    arrays = {
        **text_arrays("title", titles),
        **text_arrays("anchor", []),
        "link offsets": np.arange(0, size * LINKS + 1, LINKS, dtype=np.int64),
        "destination": destination,
        "in parentheses": np.zeros(0, np.uint8),
    }
    content = BytesIO()
    write_arrays(content, {**about, "articles": size, "stored links": LINKS}, arrays)
    return LinkGraph(Arrays(content.getbuffer()))


def own_memory() -> int:
    """Return the resident memory of this process in bytes."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(("Rss:",)))


def all_articles(setting: Setting) -> tuple[list[list[str]], str]:
    """Measure walking from all articles."""
    rows, greatest = [], 0.0
    for size in QUICK if setting.quick else SIZES:
        setting.note(f"all {size:,} articles")
        graph, times = synthetic_link_graph(size), []
        for _ in range(setting.few(3)):
            start = time.perf_counter()
            starters = np.arange(1, size)
            functional = build_functional_graph(find_successors(graph, NthLink("first", 0), starters, 0, WalkRules()), 0)
            summary = summarise(functional.traversals(starters, 100), strategy="first", target="0", base="w")
            times.append(time.perf_counter() - start)
        seconds = spread(times)
        greatest = seconds.median
        rows.append([f"{size:,}", seconds, f"{1e6 * seconds.median / size:.2f}", f"{summary.reached:,}", f"{summary.cycle:,}"])
    head = ["articles", "seconds", "microseconds per article", "reached", "cycle"]
    reached = goal(f"all {rows[-1][0]} articles, `first`", f"{short(greatest)} s", f"under {ALL:.0f} s", greatest < ALL)
    text = (
        "From every article of a synthetic wiki to one target by the first link: building the functional graph, finding where "
    )
    text += f"each article leads, and the summary. {count_repeats(setting.few(3))}: median (lowest..highest)."
    return [reached], f"{table(head, rows)}\n\n{text}"


def vectors(setting: Setting) -> tuple[list[list[str]], str]:
    """Measure the strategy ``vectors``."""
    file = setting.package_file(*GLOVE)
    times, memory, size = [], 0, 0
    environment = {"PYTHONPATH": repository_path(), "XDG_CACHE_HOME": str(setting.folder / "cache")}
    for _ in range(setting.few(3)):
        setting.note("links by word vectors")
        text = run(
            python(BY_VECTORS, file, str(2_000 if setting.quick else 20_000)), environment=environment, watch=False
        ).output
        size, seconds, used = json.loads(text.strip().splitlines()[-1])
        times.append(1e3 * seconds / size)
        memory = max(memory, used)
    each = spread(times)
    rows = [
        goal("`vectors`, per article with 20 links", f"{short(each.median)} ms", f"under {VECTORS} ms", each.median < VECTORS),
        goal("`vectors`, memory", megabytes(memory), f"under {megabytes(MEMORY)}", memory < MEMORY),
    ]
    text = (
        f"`vectors`: {each} ms per article, for {size:,} articles with 20 links each. Titles have one to three of 50,000 "
        "words. The 400,000 vectors have 50 dimensions (GloVe 6B) and are mapped into memory. Memory is that of the whole "
        "process, including the mapped rows that it has read."
    )
    return rows, text


def _load_schools(setting: Setting) -> Path:
    """Load Schools Wikipedia with its openings, and WordNet, into one store."""
    store = setting.folder / "hop" / "graph"
    if not store.exists():
        setting.note("loading WordNet and schoolswiki into an embedded store")
        run(setting.wayword(store, "load", "wordnet", setting.file(ARCHIVE)), watch=False)
        run(setting.wayword(store, "load", "wikipedia", setting.file(SCHOOLS), "--openings", "3000"), watch=False)
    return store


def wordnet(setting: Setting) -> tuple[list[list[str]], str]:
    """Measure the strategy ``wordnet``."""
    path, peer = _load_schools(setting), setting.nltk
    rng = random.Random(3)
    with open_store(path) as store:
        graph, lexicon = open_link_graph(store, ["schoolswiki"]), open_view(store, "wordnet")
        articles = rng.sample(range(graph.size), 20 if setting.quick else 300)
        ours, theirs = [], []
        target_senses = peer.synsets(TARGET.lower(), pos="n")
        for number, article in enumerate(articles):
            links = graph.first_links(np.array([article]), LINKS, keep_parentheses=False)[0]
            links = links[links >= 0]
            asking = TitleSimilarity(graph, noun_text_similarity(NounSimilarity(lexicon, TARGET)))  # type: ignore[arg-type] # a WordNet
            start = time.perf_counter()
            asking.score(links)
            ours.append(1e3 * (time.perf_counter() - start))
            if number < 30:
                start = time.perf_counter()
                for link in links.tolist():
                    for word in title_words(graph.title(int(graph.destinations[link]))):
                        for sense in peer.synsets(word, pos="n"):
                            max((sense.path_similarity(each) or 0.0) for each in target_senses)
                theirs.append(1e3 * (time.perf_counter() - start))
    mine, nltk = percentile(ours, 0.5), percentile(theirs, 0.5)
    row = goal("`wordnet`, per article, median", f"{short(mine)} ms", f"under {WORDNET:.0f} ms", mine < WORDNET)
    late = percentile(ours, 0.99)
    text = (
        f"`wordnet` on Schools Wikipedia, per article with empty caches: {short(mine)} ms (median), {short(late)} ms (p99). "
        f"NLTK's `path_similarity` over the same candidates takes {short(nltk)} ms (median), {short(nltk / mine)} times as "
        "long."
    )
    return [row], text


def unknown_words(setting: Setting) -> tuple[list[list[str]], str]:
    """Measure finding ratings of unknown words."""
    from rapidfuzz import process
    from rapidfuzz.distance import Levenshtein

    ratings = Ratings.read(setting.file(RATINGS))
    words, rng = list(ratings._ratings), random.Random(5)
    unknown: list[str] = []
    while len(unknown) < (50 if setting.quick else 2_000):
        letters = list(rng.choice(words))
        for _ in range(rng.choice([1, 1, 2])):
            letters.insert(rng.randrange(len(letters) + 1), rng.choice("aeinrst"))
        if "".join(letters) not in ratings._ratings:
            unknown.append("".join(letters))
    index = ratings._index
    ours, theirs, found = [], [], []
    for word in unknown:
        start = time.perf_counter()
        found.append(index.nearest(word))
        ours.append(1e3 * (time.perf_counter() - start))
    same = 0
    for word, near in zip(unknown, found, strict=True):
        start = time.perf_counter()
        best = process.extractOne(word, words, scorer=Levenshtein.normalized_similarity, score_cutoff=SIMILARITY - 1e-9)
        theirs.append(1e3 * (time.perf_counter() - start))
        same += near == (best and best[0])
    late = percentile(ours, 0.99)
    row = goal("rating an unknown word, p99", f"{short(late)} ms", f"under {NEAR:.0f} ms", late < NEAR)
    text = (
        f"Finding the rated word most similar to an unknown one, among {len(ratings):,}: {short(percentile(ours, 0.5))} ms "
        f"(median), {short(late)} ms (p99) with the index, and {short(percentile(theirs, 0.5))} ms (median) by comparing with "
        f"all (rapidfuzz). {same:,} of {len(unknown):,} answers are the same."
    )
    return [row], text


def contextual(setting: Setting) -> tuple[list[list[str]], str]:
    """Measure the strategy ``contextual``."""
    model = setting.package_file(*MINILM)
    from wayword.embeddings.encoders.cache import VectorCache
    from wayword.embeddings.encoders.transformer import Encoder

    encoder = Encoder.open(str(model))
    with open_store(_load_schools(setting)) as store:
        graph = open_link_graph(store, ["schoolswiki"])
        articles = np.array(sorted(random.Random(7).sample(range(graph.size), 8 if setting.quick else 200)))
        links = np.concatenate([np.arange(graph.offsets[each], graph.offsets[each + 1]) for each in articles.tolist()])
        openings = [_read_opening(store, graph, article) for article in articles.tolist()]
        ours, theirs, again = [], [], []
        for number in range(setting.few(3)):
            setting.note(f"encoding openings, repeat {number + 1}")
            cache = VectorCache(setting.folder / f"vectors-{number}.sqlite")
            asking = ContextualSimilarity(store, graph, encoder, cache, TARGET)
            ours.append(len(articles) / _time(lambda: asking.score(links)))  # noqa: B023 - called at once
            fresh = ContextualSimilarity(store, graph, encoder, cache, TARGET)
            again.append(len(articles) / _time(lambda: fresh.score(links)))  # noqa: B023
            theirs.append(len(articles) / _time(lambda: _encode_plainly(encoder, openings)))
        starters = 10 if setting.quick else 150
        rate, uncached = _walk_experiment(setting, store, graph, encoder, starters)
    mine, plain = spread(ours), spread(theirs)
    ratio = mine.median / plain.median
    what, required = "`contextual`, relative to one article at a time", f"at least {CONTEXT:.0f} times"
    row = goal(what, f"{short(ratio)} times", required, ratio >= CONTEXT)
    text = (
        f"`contextual` on Schools Wikipedia, {len(articles)} articles, all-MiniLM-L6-v2 on {encoder.device}: {mine} articles "
        f"per second, and {spread(again)} if they are cached. One article at a time with the same model: {plain}, so this "
        f"takes {short(ratio)} times as long. In an experiment, many traversals visit the same articles, and each is read only "
        f"once: traversals from {starters} starters visit {short(rate)} articles per second, {short(rate / uncached)} times as "
        f"many as if each article were read at every visit ({short(uncached)})."
    )
    return [row], text


def _walk_experiment(setting: Setting, store: Store, graph: LinkGraph, encoder: Encoder, many: int) -> tuple[float, float]:
    """Return the articles visited per second in an experiment, and the rate if each is read at every visit."""
    from wayword.embeddings.encoders.cache import VectorCache

    setting.note(f"an experiment from {many} starters")
    target, rules = graph.find(TARGET), WalkRules()
    assert target is not None
    starters = np.array(sorted(random.Random(11).sample([each for each in range(graph.size) if each != target], many)))
    cache = VectorCache(setting.folder / "vectors-experiment.sqlite")
    start = time.perf_counter()
    strategy = NearestLink("contextual", ContextualSimilarity(store, graph, encoder, cache, TARGET))
    following = find_successors(graph, strategy, starters, target, rules)
    ended = list(build_functional_graph(following, target).traversals(starters, rules.limit))
    seconds = time.perf_counter() - start
    visited = {each.starter: _visited_articles(following, each.starter, each.hops, target) for each in ended}
    setting.note("the same, reading each article at every visit")
    some = [article for starter in starters[: max(2, many // 6)].tolist() for article in visited[starter]]
    openings = [_read_opening(store, graph, article) for article in some]
    plain = _time(lambda: _encode_plainly(encoder, openings))
    return sum(map(len, visited.values())) / seconds, len(some) / plain


def _visited_articles(following: np.ndarray, article: int, hops: int, target: int) -> list[int]:
    """Return the articles at which a link was chosen."""
    articles = []
    for _ in range(max(hops, 1)):
        if article in (target, -1):
            break
        articles.append(article)
        article = int(following[article])
    return articles


def _read_opening(store: Store, graph: LinkGraph, article: int) -> tuple[str, list[tuple[int, int]]]:
    key = graph.id(article)
    opening: Opening = read_opening(str(store.nodes([key])[key].get("opening") or ""))
    anchors = [graph.anchor(link) for link in range(int(graph.offsets[article]), int(graph.offsets[article + 1]))]
    return opening.text, [span for span in find_anchors(opening, anchors) if span is not None]


def _encode_plainly(encoder: Encoder, openings: Sequence[tuple[str, list[tuple[int, int]]]]) -> None:
    """Encode one text after the other, long ones in windows, as in the documentation of transformers."""
    import torch

    for text, spans in openings:
        tokens = encoder._tokenizer(
            text,
            truncation=True,
            max_length=512,
            stride=128,
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
            padding=True,
            return_tensors="pt",
        )
        offsets = tokens.pop("offset_mapping").numpy()
        tokens.pop("overflow_to_sample_mapping")
        with torch.inference_mode():
            states = encoder._model(**tokens).last_hidden_state.numpy()
        for begin, end in spans:
            inside = (offsets[:, :, 0] < end) & (offsets[:, :, 1] > begin)
            states[inside].mean(axis=0)


def _time(do: Callable[[], object]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start
