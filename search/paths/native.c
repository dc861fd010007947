/* The searches of this folder in C, over the arrays of a projection. Python stays the reference: read this file beside
 * `bidirectional.py` and `best_first.py`, which explain the steps and why they are exact. The names are the same.
 *
 * A set of nodes is a flag of the entries in a table of the nodes that a search has reached. So a search touches memory in
 * proportion to what it reaches, not to the size of the graph, and a thread needs little memory of its own.
 *
 * The rows of a node (its transitions) are sorted by class, and all rows of a class have the same weight: the rows of one class
 * are a run. A run that cannot matter is skipped as a whole. Where the weights ignore shares, the groups of the projection are
 * the classes of this file.
 *
 * Nothing in the file of a projection is trusted. Its blocks are verified before they are read, if they have not been yet, and
 * each number is checked before it is used as an index.
 */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
static inline int first_bit(uint64_t bits) { return __builtin_ctzll(bits); }
#else
#define PREFETCH(address) ((void)(address))
static inline int first_bit(uint64_t bits) {
    int bit = 0;
    for (; !(bits & 1); bits >>= 1) {
        bit++;
    }
    return bit;
}
#endif

static const double SLACK = 1e-12; /* as in bidirectional.py */
enum { STEP_LENGTH = 1 << 16, MAX_POSITION = (1 << 7) - 1 }; /* as in scoring/transitions.py */

enum { NONE = -1 };

/* A node with more rows than this is a hub, which is expanded run by run. */
enum { HUB_DEGREE = 128 };

/* A run of a hub with more rows than this is deferred until the frontier has come down to what it yields. */
enum { SHORT_RUN = 32 };

/* Between two looks at whether the user has pressed Ctrl-C: a few milliseconds. */
enum { ROWS_BETWEEN_CHECKS = 1 << 18 };

typedef enum { DONE, NO_MEMORY, DAMAGED, INTERRUPTED } Result;

#define TRY(call)                     \
    do {                              \
        Result result_ = (call);      \
        if (result_ != DONE) {        \
            return result_;           \
        }                             \
    } while (0)

/* Return an array with twice the capacity, NULL without memory. */
static void *grow(void *items, int64_t *capacity, size_t size) {
    int64_t larger = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(items, (size_t)larger * size);
    if (grown != NULL) {
        *capacity = larger;
    }
    return grown;
}

/* ---- The graph ---- */

typedef struct {
    const int64_t *offsets; /* the rows of node n are at offsets[n] to offsets[n + 1] */
    const int32_t *next;
    const int32_t *class;
    int64_t count;
} Rows;

/* What a file holds, and which of its blocks have been verified. */
typedef struct {
    const uint8_t *content;
    int64_t size;
    const uint8_t *checksums; /* 4 bytes a block, little-endian */
    uint8_t *verified;        /* 1 byte a block; threads may write the same 1 */
    int shift;                /* of a block */
} Blocks;

enum { OUT, IN };

typedef struct {
    Blocks blocks;
    Rows rows[2];
    int32_t nodes;
    int32_t classes;
    int32_t central; /* the class of TransitionKind.CENTRAL, NONE if there is none */
    const double *weights;  /* of the classes */
    const int32_t *lengths; /* of the classes */
    double threshold;
    bool is_dense;
} Graph;

static uint32_t crc_tables[8][256];

static void make_crc_tables(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) {
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
        }
        crc_tables[0][byte] = crc;
    }
    for (uint32_t byte = 0; byte < 256; byte++) {
        for (int table = 1; table < 8; table++) {
            uint32_t crc = crc_tables[table - 1][byte];
            crc_tables[table][byte] = crc >> 8 ^ crc_tables[0][crc & 255];
        }
    }
}

/* The same as zlib.crc32, eight bytes at a time. */
static uint32_t crc32_of(const uint8_t *bytes, int64_t size) {
    uint32_t crc = ~0u;
    for (; size >= 8; bytes += 8, size -= 8) {
        crc ^= (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
        crc = crc_tables[7][crc & 255] ^ crc_tables[6][crc >> 8 & 255] ^ crc_tables[5][crc >> 16 & 255] ^
              crc_tables[4][crc >> 24] ^ crc_tables[3][bytes[4]] ^ crc_tables[2][bytes[5]] ^ crc_tables[1][bytes[6]] ^
              crc_tables[0][bytes[7]];
    }
    for (; size > 0; bytes++, size--) {
        crc = crc >> 8 ^ crc_tables[0][(crc ^ *bytes) & 255];
    }
    return ~crc;
}

static Result verify_block(const Blocks *blocks, int64_t number) {
    int64_t first = number << blocks->shift, size = (int64_t)1 << blocks->shift;
    if (size > blocks->size - first) {
        size = blocks->size - first;
    }
    const uint8_t *stored = blocks->checksums + 4 * number;
    uint32_t expected =
        (uint32_t)stored[0] | (uint32_t)stored[1] << 8 | (uint32_t)stored[2] << 16 | (uint32_t)stored[3] << 24;
    if (crc32_of(blocks->content + first, size) != expected) {
        return DAMAGED;
    }
    blocks->verified[number] = 1;
    return DONE;
}

/* Verify the blocks of some bytes of the content, none if `bytes` is 0. */
static inline Result verify(const Blocks *blocks, const void *start, int64_t bytes) {
    if (bytes > 0) {
        int64_t first = (const uint8_t *)start - blocks->content;
        for (int64_t number = first >> blocks->shift; number <= (first + bytes - 1) >> blocks->shift; number++) {
            if (!blocks->verified[number]) {
                TRY(verify_block(blocks, number));
            }
        }
    }
    return DONE;
}

/* Find the rows of a node: from `begin` to `end`. */
static inline Result find_rows(const Graph *graph, int side, int32_t node, int64_t *begin, int64_t *end) {
    const Rows *rows = &graph->rows[side];
    TRY(verify(&graph->blocks, rows->offsets + node, 2 * (int64_t)sizeof(int64_t)));
    *begin = rows->offsets[node];
    *end = rows->offsets[node + 1];
    if (*begin < 0 || *begin > *end || *end > rows->count) {
        return DAMAGED;
    }
    TRY(verify(&graph->blocks, rows->next + *begin, (*end - *begin) * (int64_t)sizeof(int32_t)));
    return verify(&graph->blocks, rows->class + *begin, (*end - *begin) * (int64_t)sizeof(int32_t));
}

/* Fetch the rows of a node that will be expanded soon into the cache, if its offset has been fetched. */
static inline void prefetch_rows(const Graph *graph, int side, int32_t node) {
    const Rows *rows = &graph->rows[side];
    int64_t begin = rows->offsets[node];
    if (begin >= 0 && begin < rows->count) {
        PREFETCH(rows->next + begin);
        PREFETCH(rows->class + begin);
    }
}

static inline bool is_row_valid(const Graph *graph, const Rows *rows, int64_t row) {
    return (uint32_t)rows->next[row] < (uint32_t)graph->nodes && (uint32_t)rows->class[row] < (uint32_t)graph->classes;
}

/* The end of the run that begins at a row: galloping, since a node may have a run of a few rows and one of a million. */
static int64_t end_of_run(const Rows *rows, int64_t row, int64_t end) {
    int32_t class = rows->class[row];
    int64_t step = 1, low = row; /* low is in the run */
    while (low + step < end && rows->class[low + step] == class) {
        low += step;
        step *= 2;
    }
    int64_t high = low + step < end ? low + step : end; /* high is behind the run */
    while (low + 1 < high) {
        int64_t middle = low + (high - low) / 2;
        if (rows->class[middle] == class) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return high;
}

/* ---- The table of reached nodes ---- */

enum { TARGET = 1, EQUIVALENT = 2, UNPRUNED = 4, LISTED = 8 };

typedef struct {
    double reached[2]; /* the best known product from a source, and to an end; 0 if none is known */
    double score;      /* the label of best_first: score (0 for none), length, previous node (an entry) */
    int64_t length;
    int32_t previous;
    int32_t node;
    uint32_t flags;
    uint32_t slot;
} Entry;

typedef struct {
    Entry *entries;
    int32_t *slots; /* numbers of entries, NONE if free */
    int32_t count, capacity;
    int shift; /* 64 less the logarithm of the number of slots, of which at most half are taken */
} Table;

static inline uint32_t slot_of(const Table *table, int32_t node) {
    return (uint32_t)((uint64_t)(uint32_t)node * 0x9E3779B97F4A7C15u >> table->shift);
}

static void clear_table(Table *table) {
    for (int32_t number = 0; number < table->count; number++) {
        table->slots[table->entries[number].slot] = NONE;
    }
    table->count = 0;
}

static Result resize_table(Table *table, int32_t capacity) {
    uint64_t slots = 2 * (uint64_t)capacity;
    int32_t *new_slots = malloc(slots * sizeof(int32_t));
    Entry *entries = new_slots ? realloc(table->entries, (size_t)capacity * sizeof(Entry)) : NULL;
    if (entries == NULL) {
        free(new_slots);
        return NO_MEMORY;
    }
    memset(new_slots, 0xFF, slots * sizeof(int32_t));
    free(table->slots);
    table->entries = entries;
    table->slots = new_slots;
    table->capacity = capacity;
    for (table->shift = 64; slots > 1; slots >>= 1) {
        table->shift--;
    }
    uint32_t mask = 2 * (uint32_t)capacity - 1;
    for (int32_t number = 0; number < table->count; number++) {
        uint32_t slot = slot_of(table, entries[number].node);
        while (new_slots[slot] != NONE) {
            slot = (slot + 1) & mask;
        }
        new_slots[slot] = number;
        entries[number].slot = slot;
    }
    return DONE;
}

/* Return the number of a node's entry, NONE if it has none; `slot` is where it is or would be. */
static inline int32_t find_entry(const Table *table, int32_t node, uint32_t *slot) {
    uint32_t mask = 2 * (uint32_t)table->capacity - 1, place = slot_of(table, node);
    int32_t number;
    while ((number = table->slots[place]) != NONE && table->entries[number].node != node) {
        place = (place + 1) & mask;
    }
    *slot = place;
    return number;
}

/* Return the number of a node's entry, which is made if need be; NONE without memory. */
static int32_t add_entry(Table *table, int32_t node) {
    uint32_t slot;
    int32_t number = find_entry(table, node, &slot);
    if (number != NONE) {
        return number;
    }
    if (table->count == table->capacity) {
        if (table->capacity > INT32_MAX / 4 || resize_table(table, 2 * table->capacity) != DONE) {
            return NONE;
        }
        find_entry(table, node, &slot);
    }
    number = table->count++;
    table->slots[slot] = number;
    table->entries[number] = (Entry){.previous = NONE, .node = node, .slot = slot};
    return number;
}

/* ---- Heaps ---- */

typedef struct {
    double score;
    int64_t order; /* of equal scores the smaller comes first: length and node */
    int32_t entry;
} Item;

typedef struct {
    Item *items;
    int64_t count, capacity;
} Heap;

static inline bool comes_before(const Item *one, const Item *other) {
    return one->score > other->score || (one->score == other->score && one->order < other->order);
}

static Result push(Heap *heap, double score, int64_t order, int32_t entry) {
    if (heap->count == heap->capacity) {
        Item *items = grow(heap->items, &heap->capacity, sizeof(Item));
        if (items == NULL) {
            return NO_MEMORY;
        }
        heap->items = items;
    }
    Item item = {score, order, entry};
    int64_t index = heap->count++;
    while (index > 0) {
        int64_t above = (index - 1) / 2;
        if (!comes_before(&item, &heap->items[above])) {
            break;
        }
        heap->items[index] = heap->items[above];
        index = above;
    }
    heap->items[index] = item;
    return DONE;
}

static Item pop(Heap *heap) {
    Item *items = heap->items, best = items[0], last = items[--heap->count];
    int64_t index = 0, below;
    while ((below = 2 * index + 1) < heap->count) {
        if (below + 1 < heap->count && comes_before(&items[below + 1], &items[below])) {
            below++;
        }
        if (!comes_before(&items[below], &last)) {
            break;
        }
        items[index] = items[below];
        index = below;
    }
    items[index] = last;
    return best;
}

/* ---- Frontiers ---- */

enum { WHOLE = -1 }; /* instead of a row: all rows of the node */

/* A frontier of `meet` need not yield its items in exact order, see there: items with nearly the same score share a bucket, so
 * pushing and popping take the same time in a frontier of any size. Scores differ by less than 1/128 in a bucket; those below
 * 2^-32 share the last one. */
enum { BUCKETS_LOG = 7, OCTAVES = 32, BUCKETS = (OCTAVES << BUCKETS_LOG) + 1, WORDS = (BUCKETS + 63) / 64 };

typedef struct {
    double score;
    int64_t row;    /* of a run that was deferred, WHOLE for all rows of the node */
    int32_t entry;
    int32_t degree; /* how many rows it expands, NONE if that is not known yet */
    int32_t next;   /* in the bucket, or of those that are free */
} FrontierItem;

typedef struct {
    FrontierItem *items;
    int32_t count, used;
    int64_t capacity;
    int32_t free;
    int32_t best;              /* no bucket before it is occupied */
    double bound;              /* no score is greater, as `look_ahead` saw it */
    int64_t cost;
    int32_t heads[BUCKETS];    /* valid if occupied; the first bucket has the greatest scores */
    uint64_t occupied[WORDS];
} Frontier;

static void clear_frontier(Frontier *frontier) {
    frontier->count = frontier->used = 0;
    frontier->free = NONE;
    frontier->best = BUCKETS;
    memset(frontier->occupied, 0, sizeof frontier->occupied);
}

static const int64_t FIRST_BUCKET = (int64_t)1023 << BUCKETS_LOG; /* of 1.0, by the first bits of a double */

static inline int32_t bucket_of(double score) {
    int64_t bits;
    memcpy(&bits, &score, sizeof bits);
    int64_t bucket = FIRST_BUCKET - (bits >> (52 - BUCKETS_LOG));
    return bucket < BUCKETS ? (int32_t)bucket : BUCKETS - 1;
}

/* Find the first bucket of a frontier that is not empty, and return what no score in it exceeds. */
static inline double find_bound(Frontier *frontier) {
    int32_t word = frontier->best / 64;
    uint64_t bits = frontier->occupied[word] >> (frontier->best % 64) << (frontier->best % 64);
    while (bits == 0) {
        bits = frontier->occupied[++word];
    }
    frontier->best = 64 * word + first_bit(bits);
    if (frontier->best == 0) {
        return 1.0;
    }
    int64_t bound = (FIRST_BUCKET - frontier->best + 1) << (52 - BUCKETS_LOG);
    double score;
    memcpy(&score, &bound, sizeof score);
    return score;
}

/* Add an item with a score from 0 (not included) to 1. */
static Result add_item(Frontier *frontier, double score, int64_t row, int32_t entry, int32_t degree) {
    int32_t number = frontier->free;
    if (number != NONE) {
        frontier->free = frontier->items[number].next;
    } else {
        if (frontier->used == frontier->capacity) {
            bool is_full = frontier->capacity > INT32_MAX / 2;
            FrontierItem *items = is_full ? NULL : grow(frontier->items, &frontier->capacity, sizeof(FrontierItem));
            if (items == NULL) {
                return NO_MEMORY;
            }
            frontier->items = items;
        }
        number = frontier->used++;
    }
    int32_t bucket = bucket_of(score);
    uint64_t bit = (uint64_t)1 << bucket % 64;
    int32_t next = frontier->occupied[bucket / 64] & bit ? frontier->heads[bucket] : NONE;
    frontier->items[number] = (FrontierItem){score, row, entry, degree, next};
    frontier->heads[bucket] = number;
    frontier->occupied[bucket / 64] |= bit;
    frontier->best = bucket < frontier->best ? bucket : frontier->best;
    frontier->count++;
    return DONE;
}

/* The item that is taken next, after a call of `find_bound`. */
static inline FrontierItem *next_item(const Frontier *frontier) {
    return &frontier->items[frontier->heads[frontier->best]];
}

static inline FrontierItem take_item(Frontier *frontier) {
    int32_t bucket = frontier->best, number = frontier->heads[bucket];
    FrontierItem *item = &frontier->items[number], taken = *item;
    if (item->next == NONE) {
        frontier->occupied[bucket / 64] &= ~((uint64_t)1 << bucket % 64);
    } else {
        frontier->heads[bucket] = item->next;
    }
    item->next = frontier->free;
    frontier->free = number;
    frontier->count--;
    return taken;
}

/* ---- Lists of nodes ---- */

typedef struct {
    int32_t *values;
    int64_t count, capacity;
} List;

static Result append(List *list, int32_t value) {
    if (list->count == list->capacity) {
        int32_t *values = grow(list->values, &list->capacity, sizeof(int32_t));
        if (values == NULL) {
            return NO_MEMORY;
        }
        list->values = values;
    }
    list->values[list->count++] = value;
    return DONE;
}

/* ---- The workspace of a thread ---- */

/* The sources or the targets, preferred nodes first; then their equivalents, each with the position of its original. */
typedef struct {
    int32_t node;
    int32_t position;
    double weight;
} End;

typedef struct {
    End *ends;
    int64_t count, capacity;
    int64_t originals; /* how many come before the equivalents */
} Ends;

typedef struct {
    double product;
    int32_t entry;
} Met;

/* Two frontiers that grow towards each other: what `meet` of bidirectional.py has in local variables. */
typedef struct {
    Table table;
    Frontier frontiers[2];
    Met *met;
    int64_t met_count, met_capacity;
    double best, needed;
    double deferred[2]; /* the greatest score of a node of which a run was deferred */
} Meeting;

/* What a node keeps as a step of a path, and as its end if an equivalent of it has been expanded. */
typedef struct {
    double step, end;
} Scores;

typedef struct Workspace {
    const Graph *graph;
    Ends sources, targets;
    Meeting to_targets, to_predecessors;
    Heap frontier; /* of best_first */
    List nodes;    /* predecessors, nodes to trace, at last the path */
    List rows;     /* rows of a node that lead to entries: pairs of an entry and a class */
    Scores *scores; /* of the single-source search, for all nodes */
    List scored;
    int64_t rows_until_check;
    bool is_score_enough; /* nobody asks for the path */
    PyThreadState *thread; /* while the GIL is released */
    struct Workspace *next_free;
} Workspace;

static void free_meeting(Meeting *meeting) {
    free(meeting->table.entries);
    free(meeting->table.slots);
    free(meeting->frontiers[OUT].items);
    free(meeting->frontiers[IN].items);
    free(meeting->met);
}

static void free_workspace(Workspace *workspace) {
    free(workspace->sources.ends);
    free(workspace->targets.ends);
    free_meeting(&workspace->to_targets);
    free_meeting(&workspace->to_predecessors);
    free(workspace->frontier.items);
    free(workspace->nodes.values);
    free(workspace->rows.values);
    free(workspace->scores);
    free(workspace->scored.values);
    free(workspace);
}

static Workspace *new_workspace(const Graph *graph) {
    Workspace *workspace = calloc(1, sizeof(Workspace));
    if (workspace == NULL) {
        return NULL;
    }
    workspace->graph = graph;
    workspace->rows_until_check = ROWS_BETWEEN_CHECKS;
    if (resize_table(&workspace->to_targets.table, 1 << 8) != DONE ||
        resize_table(&workspace->to_predecessors.table, 1 << 8) != DONE) {
        free_workspace(workspace);
        return NULL;
    }
    return workspace;
}

/* Count relaxed rows, and look every few milliseconds whether the user has pressed Ctrl-C. */
static inline Result count_rows(Workspace *workspace, int64_t rows) {
    workspace->rows_until_check -= rows;
    if (workspace->rows_until_check > 0) {
        return DONE;
    }
    workspace->rows_until_check = ROWS_BETWEEN_CHECKS;
    PyEval_RestoreThread(workspace->thread);
    int failed = PyErr_CheckSignals();
    workspace->thread = PyEval_SaveThread();
    return failed ? INTERRUPTED : DONE;
}

static Result add_end(Ends *ends, int32_t node, int32_t position, double weight) {
    if (ends->count == ends->capacity) {
        End *grown = grow(ends->ends, &ends->capacity, sizeof(End));
        if (grown == NULL) {
            return NO_MEMORY;
        }
        ends->ends = grown;
    }
    ends->ends[ends->count++] = (End){node, position, weight};
    return DONE;
}

/* Append the equivalents of all ends. */
static Result add_equivalents(const Graph *graph, Ends *ends) {
    ends->originals = ends->count;
    if (graph->central == NONE) {
        return DONE;
    }
    const Rows *rows = &graph->rows[OUT];
    for (int64_t end = 0; end < ends->originals; end++) {
        int64_t begin, stop;
        TRY(find_rows(graph, OUT, ends->ends[end].node, &begin, &stop));
        for (int64_t row = begin; row < stop; row = end_of_run(rows, row, stop)) {
            if (rows->class[row] != graph->central) {
                continue;
            }
            int64_t last = end_of_run(rows, row, stop);
            for (int64_t each = row; each < last; each++) {
                if (!is_row_valid(graph, rows, each)) {
                    return DAMAGED;
                }
                TRY(add_end(ends, rows->next[each], ends->ends[end].position, ends->ends[end].weight));
            }
        }
    }
    return DONE;
}

/* ---- meet ---- */

static Result add_meeting(Meeting *meeting, int32_t entry, double product, bool keep_all) {
    if (meeting->met_count == meeting->met_capacity) {
        Met *met = grow(meeting->met, &meeting->met_capacity, sizeof(Met));
        if (met == NULL) {
            return NO_MEMORY;
        }
        meeting->met = met;
    }
    meeting->met[meeting->met_count++] = (Met){product, entry};
    if (product > meeting->best) {
        meeting->best = product;
        if (!keep_all) {
            meeting->needed = product * (1 - SLACK);
        }
    }
    return DONE;
}

/* Record a better score of a node on one side, push it, and record the meeting if the other side has reached it. */
static Result reach(Meeting *meeting, int side, int32_t number, double score, bool keep_all) {
    Entry *entry = &meeting->table.entries[number];
    entry->reached[side] = score;
    TRY(add_item(&meeting->frontiers[side], score, WHOLE, number, NONE));
    double product = score * entry->reached[1 - side];
    return product > 0.0 && product >= meeting->needed ? add_meeting(meeting, number, product, keep_all) : DONE;
}

static void start_meeting(Meeting *meeting, double floor) {
    clear_table(&meeting->table);
    clear_frontier(&meeting->frontiers[OUT]);
    clear_frontier(&meeting->frontiers[IN]);
    meeting->met_count = 0;
    meeting->best = meeting->deferred[OUT] = meeting->deferred[IN] = 0.0;
    meeting->needed = floor;
}

static Result start_at(Meeting *meeting, int side, int32_t node, double weight, bool keep_all) {
    int32_t number = add_entry(&meeting->table, node);
    if (number == NONE) {
        return NO_MEMORY;
    }
    bool is_better = weight > meeting->table.entries[number].reached[side];
    return is_better ? reach(meeting, side, number, weight, keep_all) : DONE;
}

/* Relax the rows from `row` to `end`, which lead from a node with this score; the other side's best score is `far`. */
static Result relax_rows(
    Workspace *workspace, Meeting *meeting, int side, double score, int64_t row, int64_t end, double far, bool keep_all
) {
    const Graph *graph = workspace->graph;
    const Rows *rows = &graph->rows[side];
    double bound = far > meeting->deferred[1 - side] ? far : meeting->deferred[1 - side];
    TRY(count_rows(workspace, end - row));
    for (; row < end; row++) {
        if (!is_row_valid(graph, rows, row)) {
            return DAMAGED;
        }
        double new = score * graph->weights[rows->class[row]];
        /* `bidirectional.meet` says why this prunes no path that matters. A node that the other side has popped without
         * relaxing all of its rows may be continued by more than `far`, so for it the bound is its own score. */
        if (new * bound < meeting->needed || new == 0.0) {
            continue;
        }
        uint32_t slot;
        int32_t number = find_entry(&meeting->table, rows->next[row], &slot);
        if (number != NONE) {
            const Entry *entry = &meeting->table.entries[number];
            double known = entry->reached[1 - side];
            if (new <= entry->reached[side] || new * (known > far ? known : far) < meeting->needed) {
                continue;
            }
        } else if (new * far < meeting->needed) {
            continue;
        } else if ((number = add_entry(&meeting->table, rows->next[row])) == NONE) {
            return NO_MEMORY;
        }
        PREFETCH(rows->offsets + rows->next[row]);
        TRY(reach(meeting, side, number, new, keep_all));
    }
    return DONE;
}

/* Split a hub into its runs: short ones are relaxed, and longer ones pushed with the score that they yield. */
static Result expand_hub(
    Workspace *workspace, Meeting *meeting, int side, FrontierItem item, int64_t row, int64_t end, double far, bool keep_all
) {
    const Graph *graph = workspace->graph;
    const Rows *rows = &graph->rows[side];
    double bound = far > meeting->deferred[1 - side] ? far : meeting->deferred[1 - side];
    while (row < end) {
        int64_t stop = end_of_run(rows, row, end);
        if (!is_row_valid(graph, rows, row)) {
            return DAMAGED;
        }
        double new = item.score * graph->weights[rows->class[row]];
        if (stop - row <= SHORT_RUN || new == item.score) {
            TRY(relax_rows(workspace, meeting, side, item.score, row, stop, far, keep_all));
        } else if (new * bound >= meeting->needed && new > 0.0 && item.score * far >= meeting->needed) {
            int32_t degree = stop - row < INT32_MAX ? (int32_t)(stop - row) : INT32_MAX;
            TRY(add_item(&meeting->frontiers[side], new, row, item.entry, degree));
            if (item.score > meeting->deferred[side]) {
                meeting->deferred[side] = item.score;
            }
        }
        row = stop;
    }
    return DONE;
}

static Result expand(Workspace *workspace, Meeting *meeting, int side, double far, bool keep_all) {
    const Graph *graph = workspace->graph;
    const Rows *rows = &graph->rows[side];
    FrontierItem item = take_item(&meeting->frontiers[side]);
    const Entry *entry = &meeting->table.entries[item.entry];
    double reached = entry->reached[side];
    int64_t begin, end;
    if (item.row != WHOLE) {
        if (reached * graph->weights[rows->class[item.row]] != item.score) {
            return DONE; /* the score of the hub has grown since, so its runs have been pushed again */
        }
        end = item.row + item.degree;
        return relax_rows(workspace, meeting, side, reached, item.row, end, far, keep_all);
    }
    if (reached != item.score || item.score * far < meeting->needed) {
        return DONE; /* it was popped before with a better score, or nothing that it leads to matters */
    }
    TRY(find_rows(graph, side, entry->node, &begin, &end));
    if (item.next != NONE) {
        prefetch_rows(graph, side, meeting->table.entries[meeting->frontiers[side].items[item.next].entry].node);
    }
    if (end - begin > HUB_DEGREE) {
        return expand_hub(workspace, meeting, side, item, begin, end, far, keep_all);
    }
    return relax_rows(workspace, meeting, side, reached, begin, end, far, keep_all);
}

/* Bound the scores in a frontier, and estimate the cost of its next expansion: its items, and a quarter of the rows. */
static Result look_ahead(const Graph *graph, Meeting *meeting, int side) {
    Frontier *frontier = &meeting->frontiers[side];
    frontier->bound = find_bound(frontier);
    FrontierItem *item = next_item(frontier);
    if (item->degree == NONE) {
        const Rows *rows = &graph->rows[side];
        int32_t node = meeting->table.entries[item->entry].node;
        TRY(verify(&graph->blocks, rows->offsets + node, 2 * (int64_t)sizeof(int64_t)));
        int64_t degree = rows->offsets[node + 1] - rows->offsets[node];
        item->degree = degree > HUB_DEGREE ? 0 : degree < 0 ? 0 : (int32_t)degree; /* a hub is only split into its runs */
    }
    frontier->cost = frontier->count + item->degree / 4;
    return DONE;
}

/* Return whether the score is known to be 1.0, if nobody asks which of many equal paths is the best. A product of weights is
 * exactly 1.0 only if each weight is, since rounding is monotone, so this score is what `best_first` would return. */
static bool is_settled(const Workspace *workspace) {
    return workspace->is_score_enough && workspace->to_targets.best == 1.0;
}

/* Grow two frontiers until no unseen path can reach `needed`; with `stop_at_first`, until the first meeting. Can be resumed.
 *
 * The invariant of `bidirectional.meet` holds for nodes and for deferred runs: the bound of a frontier bounds what a path has
 * kept once it has left that side. Only a row between two hubs that is deferred by both would be counted twice: then one of the
 * two hubs counts with its own score. A node may be taken before a score in its bucket that improves it: then it is taken again,
 * and until then the frontier's bound is at least that score. */
static Result meet(Workspace *workspace, Meeting *meeting, bool stop_at_first, bool keep_all) {
    Frontier *forward = &meeting->frontiers[OUT], *backward = &meeting->frontiers[IN];
    int changed = OUT;
    if (forward->count > 0 && backward->count > 0) {
        TRY(look_ahead(workspace->graph, meeting, IN));
    }
    while (forward->count > 0 && backward->count > 0 && !(stop_at_first && meeting->met_count > 0)) {
        if (meeting == &workspace->to_targets && is_settled(workspace)) {
            break;
        }
        TRY(look_ahead(workspace->graph, meeting, changed));
        double one = forward->bound * meeting->deferred[IN], other = meeting->deferred[OUT] * backward->bound;
        double between_hubs = one < other ? one : other, bound = forward->bound * backward->bound;
        if ((bound > between_hubs ? bound : between_hubs) < meeting->needed) {
            forward->count = 0; /* so that a search that is resumed ends too */
            break;
        }
        changed = forward->cost <= backward->cost ? OUT : IN;
        TRY(expand(workspace, meeting, changed, meeting->frontiers[1 - changed].bound, keep_all));
    }
    return DONE;
}

/* ---- The exact search of what remains ---- */

/* List the rows of a node, in one direction, that lead to entries of the table, in `workspace->rows`. */
static Result list_known_rows(Workspace *workspace, const Table *table, int side, int32_t node) {
    const Graph *graph = workspace->graph;
    const Rows *rows = &graph->rows[side];
    int64_t begin, end;
    TRY(find_rows(graph, side, node, &begin, &end));
    workspace->rows.count = 0;
    for (int64_t row = begin, stop; row < end; row = stop) {
        stop = end_of_run(rows, row, end);
        if (!is_row_valid(graph, rows, row)) {
            return DAMAGED;
        }
        int32_t class = rows->class[row];
        if (graph->weights[class] == 0.0) {
            continue;
        }
        if ((stop - row) / 16 <= table->count) {
            TRY(count_rows(workspace, stop - row));
            for (int64_t each = row; each < stop; each++) {
                uint32_t slot;
                int32_t number = find_entry(table, rows->next[each], &slot);
                if (number != NONE) {
                    TRY(append(&workspace->rows, number));
                    TRY(append(&workspace->rows, class));
                }
            }
            continue;
        }
        /* The entries are far fewer than the rows, which are sorted by node: look for each of them. */
        TRY(count_rows(workspace, 16 * (int64_t)table->count));
        for (int32_t number = 0; number < table->count; number++) {
            int64_t low = row, high = stop;
            while (low < high) {
                int64_t middle = low + (high - low) / 2;
                if (rows->next[middle] < table->entries[number].node) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if (low < stop && rows->next[low] == table->entries[number].node) {
                TRY(append(&workspace->rows, number));
                TRY(append(&workspace->rows, class));
            }
        }
    }
    return DONE;
}

/* Flag the nodes on the best paths from the sources to the meetings that reach `floor`, recognised by equal products. */
static Result trace_to_sources(Workspace *workspace, Meeting *meeting, double floor) {
    const Graph *graph = workspace->graph;
    Entry *entries = meeting->table.entries;
    List *waiting = &workspace->nodes;
    waiting->count = 0;
    for (int64_t index = 0; index < meeting->met_count; index++) {
        if (meeting->met[index].product >= floor) {
            TRY(append(waiting, meeting->met[index].entry));
        }
    }
    while (waiting->count > 0) {
        Entry *entry = &entries[waiting->values[--waiting->count]];
        if (entry->flags & UNPRUNED) {
            continue;
        }
        entry->flags |= UNPRUNED;
        TRY(list_known_rows(workspace, &meeting->table, IN, entry->node));
        for (int64_t index = 0; index < workspace->rows.count; index += 2) {
            int32_t number = workspace->rows.values[index];
            double weight = graph->weights[workspace->rows.values[index + 1]], reached = entries[number].reached[OUT];
            if (reached > 0.0 && reached * weight == entry->reached[OUT]) {
                TRY(append(waiting, number));
            }
        }
    }
    return DONE;
}

/* The end of the best path that best_first has found so far. */
typedef struct {
    double score;
    int64_t length; /* with the position of the target */
    int32_t target;
    int32_t last; /* what comes before the target, as in a label; NONE if the target is a source */
    double last_score;
    bool is_found;
} PathEnd;

/* The entry of a previous node. One below NONE stands for a source of which this node is an equivalent: there the path begins,
 * even if a better path leads to that source. */
static inline int32_t entry_of(int32_t previous) {
    return previous < NONE ? -2 - previous : previous;
}

static Result update_label(
    Workspace *workspace, Entry *entries, int32_t number, double score, int64_t length, int32_t previous
) {
    Entry *entry = &entries[number];
    if (score > entry->score || (score == entry->score && length < entry->length)) {
        entry->score = score;
        entry->length = length;
        entry->previous = previous;
        return push(&workspace->frontier, score, length << 32 | entry->node, number);
    }
    if (score == entry->score && length == entry->length && previous != NONE && entry->previous != NONE &&
        entries[entry_of(previous)].node < entries[entry_of(entry->previous)].node) {
        entry->previous = previous;
    }
    return DONE;
}

/* Take a path to a target unless one that is known is better: higher score, shorter, smaller target, smaller last node. */
static void update_end(const Entry *entries, PathEnd *best, PathEnd found) {
    if (best->is_found) {
        if (found.score != best->score ? found.score < best->score
            : found.length != best->length ? found.length > best->length
            : found.target != best->target ? found.target > best->target
            : found.last == NONE ? false
            : best->last == NONE ? true
            : entries[entry_of(found.last)].node >= entries[entry_of(best->last)].node) {
            return;
        }
    }
    *best = found;
    best->is_found = true;
}

static inline int64_t position_cost(int32_t position) {
    return position < MAX_POSITION ? position : MAX_POSITION;
}

/* Search as best_first does for one target set. With `bounded`, only nodes are pushed that are flagged, or whose score times
 * the known product to an end reaches `floor`; all of these are in the table. */
static Result best_first(Workspace *workspace, Meeting *meeting, bool bounded, double floor, PathEnd *best) {
    const Graph *graph = workspace->graph;
    const Rows *rows = &graph->rows[OUT];
    Table *table = &meeting->table;
    const Ends *sources = &workspace->sources, *targets = &workspace->targets;
    best->is_found = false;
    workspace->frontier.count = 0;
    for (int32_t number = 0; number < table->count; number++) {
        table->entries[number].score = 0.0;
        table->entries[number].previous = NONE;
    }
    for (int64_t index = 0; index < sources->count; index++) {
        const End *end = &sources->ends[index];
        int32_t number = add_entry(table, end->node), original = add_entry(table, sources->ends[end->position].node);
        if (number == NONE || original == NONE) {
            return NO_MEMORY;
        }
        int64_t length = position_cost(end->position);
        bool is_equivalent = index >= sources->originals;
        TRY(update_label(
            workspace, table->entries, number, end->weight, is_equivalent ? length + STEP_LENGTH : length,
            is_equivalent ? -2 - original : NONE
        ));
    }
    /* Invariant: items are popped in the order of score and length, so the label of a node is final when it is first popped,
     * and once the next item is worse than the best end, so is every path that is not known yet. */
    while (workspace->frontier.count > 0) {
        const Item *top = &workspace->frontier.items[0];
        if (best->is_found &&
            (top->score < best->score || (top->score == best->score && top->order >> 32 > best->length))) {
            break;
        }
        Item item = pop(&workspace->frontier);
        Entry *entry = &table->entries[item.entry];
        double score = item.score;
        int64_t length = item.order >> 32;
        if (entry->score != score || entry->length != length) {
            continue;
        }
        bool expands = score >= graph->threshold;
        if (entry->flags & (TARGET | EQUIVALENT)) {
            for (int64_t index = 0; index < targets->count; index++) {
                const End *end = &targets->ends[index];
                bool is_equivalent = index >= targets->originals;
                if (end->node != entry->node || (is_equivalent && !expands)) {
                    continue;
                }
                int64_t total = length + position_cost(end->position) + (is_equivalent ? STEP_LENGTH : 0);
                int32_t last = is_equivalent ? item.entry : entry->previous;
                update_end(
                    table->entries, best,
                    (PathEnd){score * end->weight, total, targets->ends[end->position].node, last, score, true}
                );
            }
        }
        if (!expands) {
            continue;
        }
        if (bounded) {
            TRY(list_known_rows(workspace, table, OUT, entry->node));
            for (int64_t index = 0; index < workspace->rows.count; index += 2) {
                int32_t number = workspace->rows.values[index];
                int32_t class = workspace->rows.values[index + 1];
                const Entry *other = &table->entries[number];
                double new = score * graph->weights[class];
                if (other->flags & (TARGET | UNPRUNED) || new * other->reached[IN] >= floor) {
                    if (new >= graph->threshold || other->flags & TARGET) {
                        TRY(update_label(workspace, table->entries, number, new, length + graph->lengths[class], item.entry));
                    }
                }
            }
            continue;
        }
        int64_t begin, end;
        TRY(find_rows(graph, OUT, entry->node, &begin, &end));
        TRY(count_rows(workspace, end - begin));
        for (int64_t row = begin; row < end; row++) {
            if (!is_row_valid(graph, rows, row)) {
                return DAMAGED;
            }
            double new = score * graph->weights[rows->class[row]];
            uint32_t slot;
            int32_t number = new > 0.0 ? find_entry(table, rows->next[row], &slot) : NONE;
            bool is_target = number != NONE && table->entries[number].flags & TARGET;
            if (new == 0.0 || (new < graph->threshold && !is_target)) {
                continue;
            }
            if (number == NONE && (number = add_entry(table, rows->next[row])) == NONE) {
                return NO_MEMORY;
            }
            int64_t longer = length + graph->lengths[rows->class[row]];
            TRY(update_label(workspace, table->entries, number, new, longer, item.entry));
        }
    }
    return DONE;
}

static Result flag_targets(Workspace *workspace, Meeting *meeting) {
    for (int64_t index = 0; index < workspace->targets.count; index++) {
        int32_t number = add_entry(&meeting->table, workspace->targets.ends[index].node);
        if (number == NONE) {
            return NO_MEMORY;
        }
        meeting->table.entries[number].flags |= index < workspace->targets.originals ? TARGET : EQUIVALENT;
    }
    return DONE;
}

/* Return the best path among those that reach `floor` and lead through a meeting. */
static Result search_through(Workspace *workspace, Meeting *meeting, double floor, PathEnd *best) {
    TRY(flag_targets(workspace, meeting));
    TRY(trace_to_sources(workspace, meeting, floor));
    return best_first(workspace, meeting, true, floor, best);
}

/* Start the forward frontier at the sources, and the backward frontier one step before the targets. */
static Result start_at_predecessors(Workspace *workspace, double floor) {
    const Graph *graph = workspace->graph;
    const Rows *rows = &graph->rows[IN];
    Meeting *meeting = &workspace->to_predecessors;
    start_meeting(meeting, floor);
    for (int64_t index = 0; index < workspace->sources.count; index++) {
        TRY(start_at(meeting, OUT, workspace->sources.ends[index].node, workspace->sources.ends[index].weight, true));
    }
    for (int64_t index = 0; index < workspace->targets.count; index++) {
        const End *target = &workspace->targets.ends[index];
        if (index >= workspace->targets.originals) {
            TRY(start_at(meeting, IN, target->node, 1.0, true));
            continue;
        }
        int64_t row, end, stop;
        TRY(find_rows(graph, IN, target->node, &row, &end));
        for (; row < end; row = stop) {
            stop = end_of_run(rows, row, end);
            if (!is_row_valid(graph, rows, row)) {
                return DAMAGED;
            }
            if (graph->weights[rows->class[row]] == 0.0) {
                continue;
            }
            TRY(count_rows(workspace, stop - row));
            for (int64_t each = row; each < stop; each++) {
                if (!is_row_valid(graph, rows, each)) {
                    return DAMAGED;
                }
                TRY(start_at(meeting, IN, rows->next[each], 1.0, true));
            }
        }
    }
    return DONE;
}

/* The score, and in `workspace->nodes` the path as entries of `meeting`, from the end to a source. */
typedef struct {
    Meeting *meeting;
    PathEnd end;
} Found;

/* Find a node that is a source and a target at no cost, the most preferred. Return whether one, or the equivalent of a source, is
 * a target at a cost. */
static bool find_shared(const Workspace *workspace, Found *found) {
    bool is_shared = false;
    const Ends *sources = &workspace->sources, *targets = &workspace->targets;
    int64_t shortest = 0;
    for (int64_t one = 0; one < sources->count; one++) {
        for (int64_t other = 0; other < targets->originals; other++) {
            const End *source = &sources->ends[one], *target = &targets->ends[other];
            if (source->node != target->node || source->weight * target->weight == 0.0) {
                continue;
            }
            if (source->weight * target->weight < 1.0) {
                is_shared = true;
                continue;
            }
            if (one >= sources->originals) {
                continue;
            }
            int64_t length = position_cost(source->position) + position_cost(target->position);
            if (!found->end.is_found || length < shortest ||
                (length == shortest && source->node < found->end.target)) {
                shortest = length;
                found->end = (PathEnd){1.0, length, source->node, NONE, 1.0, true};
            }
        }
    }
    return is_shared;
}

/* Return the best path from the sources to the targets, as `search_both_ends` does. */
static Result search_both_ends(Workspace *workspace, Found *found) {
    const Graph *graph = workspace->graph;
    double floor = graph->threshold * (1 - SLACK);
    Meeting *meeting = &workspace->to_targets, *before = &workspace->to_predecessors;
    found->meeting = meeting;
    found->end.is_found = false;
    if (workspace->sources.count == 0 || workspace->targets.count == 0) {
        return DONE;
    }
    bool is_shared = find_shared(workspace, found);
    if (found->end.is_found) {
        return DONE;
    }
    if (is_shared) { /* a path without a step may begin below the threshold, which the searches below would miss */
        start_meeting(meeting, floor);
        TRY(flag_targets(workspace, meeting));
        return best_first(workspace, meeting, false, floor, &found->end);
    }
    if (!graph->is_dense) {
        TRY(start_at_predecessors(workspace, floor));
        TRY(meet(workspace, before, true, true));
        if (before->met_count == 0) {
            return DONE;
        }
    }
    start_meeting(meeting, floor);
    for (int64_t index = 0; index < workspace->sources.count; index++) {
        TRY(start_at(meeting, OUT, workspace->sources.ends[index].node, workspace->sources.ends[index].weight, false));
    }
    for (int64_t index = 0; index < workspace->targets.count; index++) {
        TRY(start_at(meeting, IN, workspace->targets.ends[index].node, workspace->targets.ends[index].weight, false));
    }
    TRY(meet(workspace, meeting, false, false));
    if (is_settled(workspace)) {
        found->end = (PathEnd){1.0, 0, NONE, NONE, 1.0, true};
        return DONE;
    }
    if (meeting->met_count > 0) {
        floor = meeting->best * (1 - SLACK);
        TRY(search_through(workspace, meeting, floor, &found->end));
        /* If not: the meeting was below the threshold by less than the slack. */
        return found->end.is_found && found->end.score >= floor ? DONE
                                                                : best_first(workspace, meeting, false, floor, &found->end);
    }
    found->meeting = before;
    if (graph->is_dense) {
        TRY(start_at_predecessors(workspace, floor));
    }
    TRY(meet(workspace, before, false, true));
    return before->met_count > 0 ? search_through(workspace, before, floor, &found->end) : DONE;
}

/* ---- One source set, all nodes ---- */

static Result improve(Workspace *workspace, int32_t node, double *score, double new) {
    Scores *scores = &workspace->scores[node];
    if (scores->step == 0.0 && scores->end == 0.0) {
        TRY(append(&workspace->scored, node));
    }
    *score = new;
    return DONE;
}

/* Score every node from the sources, as single_source.py does. */
static Result score_all(Workspace *workspace) {
    const Graph *graph = workspace->graph;
    const Rows *rows = &graph->rows[OUT];
    Frontier *frontier = &workspace->to_targets.frontiers[OUT];
    if (workspace->scores == NULL && (workspace->scores = calloc((size_t)graph->nodes, sizeof(Scores))) == NULL) {
        return NO_MEMORY;
    }
    Scores *scores = workspace->scores;
    for (int64_t index = 0; index < workspace->scored.count; index++) {
        scores[workspace->scored.values[index]] = (Scores){0.0, 0.0};
    }
    workspace->scored.count = 0;
    clear_frontier(frontier);
    for (int64_t index = 0; index < workspace->sources.count; index++) {
        const End *end = &workspace->sources.ends[index];
        double *score = &scores[end->node].step;
        if (end->weight > *score) {
            TRY(improve(workspace, end->node, score, end->weight));
            TRY(add_item(frontier, end->weight, WHOLE, end->node, NONE));
        }
    }
    /* Invariant: every node whose score has grown since it was last taken is in the frontier. So once that is empty, no
     * transition can raise a score. Nodes are taken nearly in the order of their scores, so few are taken twice. */
    while (frontier->count > 0) {
        find_bound(frontier); /* so that its first bucket is known */
        FrontierItem item = take_item(frontier);
        if (item.score != scores[item.entry].step || item.score < graph->threshold) {
            continue;
        }
        int64_t row, end;
        TRY(find_rows(graph, OUT, item.entry, &row, &end));
        TRY(count_rows(workspace, end - row));
        for (; row < end; row++) {
            if (!is_row_valid(graph, rows, row)) {
                return DAMAGED;
            }
            int32_t other = rows->next[row];
            double new = item.score * graph->weights[rows->class[row]];
            if (rows->class[row] == graph->central && item.score > scores[other].end) {
                TRY(improve(workspace, other, &scores[other].end, item.score));
            }
            if (new > scores[other].step) {
                TRY(improve(workspace, other, &scores[other].step, new));
                if (new >= graph->threshold) {
                    TRY(add_item(frontier, new, WHOLE, other, NONE));
                }
            }
        }
    }
    return DONE;
}

/* ---- The module ---- */

typedef struct {
    PyObject_HEAD
    Graph graph;
    Py_buffer content, checksums, verified, weights, lengths;
    Workspace *free; /* workspaces that no thread is using; changed only with the GIL */
} Searcher;

static PyObject *Damaged;

static Workspace *take_workspace(Searcher *self) {
    Workspace *workspace = self->free;
    if (workspace != NULL) {
        self->free = workspace->next_free;
        return workspace;
    }
    workspace = new_workspace(&self->graph);
    if (workspace == NULL) {
        PyErr_NoMemory();
    }
    return workspace;
}

static void return_workspace(Searcher *self, Workspace *workspace) {
    workspace->next_free = self->free;
    self->free = workspace;
}

/* Set the exception of a result; NULL. */
static PyObject *raise_result(Result result) {
    switch (result) {
    case DAMAGED:
        PyErr_SetString(Damaged, "the arrays are damaged");
        break;
    case NO_MEMORY:
        PyErr_NoMemory();
        break;
    case INTERRUPTED: /* the handler of the signal has raised */
    case DONE:
        break;
    }
    return NULL;
}

/* Read a set of nodes and its weights; weights None for 1. Returns false with an exception. */
static bool read_ends(const Graph *graph, PyObject *nodes, PyObject *weights, Ends *ends) {
    ends->count = ends->originals = 0;
    if (!PyTuple_Check(nodes) || (weights != Py_None && !PyTuple_Check(weights))) {
        PyErr_SetString(PyExc_TypeError, "nodes and weights must be tuples");
        return false;
    }
    Py_ssize_t count = PyTuple_Size(nodes);
    if (count > INT32_MAX || (weights != Py_None && PyTuple_Size(weights) != count)) {
        PyErr_SetString(PyExc_ValueError, "there must be one weight for each node");
        return false;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        long node = PyLong_AsLong(PyTuple_GetItem(nodes, index));
        double weight = weights == Py_None ? 1.0 : PyFloat_AsDouble(PyTuple_GetItem(weights, index));
        if (PyErr_Occurred()) {
            return false;
        }
        if (node < 0 || node >= graph->nodes || !(weight >= 0.0 && weight <= 1.0)) {
            PyErr_SetString(PyExc_ValueError, "a node or a weight is out of range");
            return false;
        }
        if (add_end(ends, (int32_t)node, (int32_t)index, weight) != DONE) {
            PyErr_NoMemory();
            return false;
        }
    }
    return true;
}

/* Find the class of the heaviest row from one node to another, of equals the first; NONE if there is no row. */
static Result find_class(const Graph *graph, int32_t node, int32_t following, int32_t *class) {
    const Rows *rows = &graph->rows[OUT];
    int64_t row, end;
    TRY(find_rows(graph, OUT, node, &row, &end));
    *class = NONE;
    for (; row < end; row++) {
        if (rows->next[row] == following) {
            if (!is_row_valid(graph, rows, row)) {
                return DAMAGED;
            }
            if (*class == NONE || graph->weights[rows->class[row]] > graph->weights[*class]) {
                *class = rows->class[row];
            }
        }
    }
    return DONE;
}

/* Return (score, nodes, scores, classes) of a path: the class of the transition to each node, NONE for the first. */
static PyObject *make_path(Workspace *workspace, const Found *found) {
    const Entry *entries = found->meeting->table.entries;
    List *path = &workspace->nodes;
    path->count = 0;
    bool begins_with_equivalent = false;
    for (int32_t previous = found->end.last; previous != NONE && !begins_with_equivalent;) {
        int32_t number = entry_of(previous);
        if (append(path, number) != DONE) {
            return PyErr_NoMemory();
        }
        begins_with_equivalent = previous < NONE;
        previous = entries[number].previous;
    }
    Py_ssize_t size = (Py_ssize_t)path->count + 1;
    PyObject *nodes = PyTuple_New(size), *scores = PyTuple_New(size), *classes = PyTuple_New(size), *result = NULL;
    bool is_made = nodes != NULL && scores != NULL && classes != NULL;
    int32_t before = NONE, class = NONE;
    for (Py_ssize_t place = 0; is_made && place < size; place++) {
        const Entry *entry = place < size - 1 ? &entries[path->values[size - 2 - place]] : NULL; /* NULL for the target */
        int32_t node = entry != NULL ? entry->node : found->end.target;
        Result result_ = before != NONE ? find_class(workspace->graph, before, node, &class) : DONE;
        if (result_ != DONE) {
            raise_result(result_);
            is_made = false;
            break;
        }
        before = node;
        if (place == 0 && begins_with_equivalent) {
            entry = size > 2 ? &entries[path->values[size - 3]] : NULL; /* the score is that of the equivalent */
        }
        PyObject *values[] = {
            PyLong_FromLong(node), PyFloat_FromDouble(entry != NULL ? entry->score : found->end.last_score), PyLong_FromLong(class)
        };
        PyObject *tuples[] = {nodes, scores, classes};
        for (int each = 0; each < 3; each++) {
            is_made = is_made && values[each] != NULL;
            PyTuple_SetItem(tuples[each], place, values[each]); /* takes the reference */
        }
    }
    if (is_made) {
        result = Py_BuildValue("dOOO", found->end.score, nodes, scores, classes);
    }
    Py_XDECREF(nodes);
    Py_XDECREF(scores);
    Py_XDECREF(classes);
    return result;
}

static Result search(Workspace *workspace, Found *found) {
    const Graph *graph = workspace->graph;
    workspace->is_score_enough = false;
    TRY(add_equivalents(graph, &workspace->sources));
    TRY(add_equivalents(graph, &workspace->targets));
    return search_both_ends(workspace, found);
}

PyDoc_STRVAR(
    search_doc,
    "search(sources, targets, source_weights=None, target_weights=None)\n--\n\n"
    "Return score, nodes, scores and classes of the best path between two tuples of nodes, or None."
);

static PyObject *Searcher_search(Searcher *self, PyObject *arguments) {
    PyObject *sources, *targets, *source_weights = Py_None, *target_weights = Py_None, *path = NULL;
    if (!PyArg_ParseTuple(arguments, "OO|OO:search", &sources, &targets, &source_weights, &target_weights)) {
        return NULL;
    }
    Workspace *workspace = take_workspace(self);
    if (workspace == NULL) {
        return NULL;
    }
    if (read_ends(&self->graph, sources, source_weights, &workspace->sources) &&
        read_ends(&self->graph, targets, target_weights, &workspace->targets)) {
        Found found;
        workspace->thread = PyEval_SaveThread();
        Result result = search(workspace, &found);
        PyEval_RestoreThread(workspace->thread);
        if (result != DONE) {
            raise_result(result);
        } else if (found.end.is_found && found.end.score > 0.0) {
            path = make_path(workspace, &found);
        } else {
            path = Py_NewRef(Py_None);
        }
    }
    return_workspace(self, workspace);
    return path;
}

/* Many target sets: the nodes of set n, and their weights, are at starts[n] to starts[n + 1]. */
typedef struct {
    const int32_t *nodes;
    const double *weights;
    const int64_t *starts;
    int64_t node_count, set_count;
} TargetSets;

/* Read a set as the targets; false if it is not one. */
static Result read_set(Workspace *workspace, const TargetSets *sets, int64_t number, bool *is_valid) {
    Ends *targets = &workspace->targets;
    targets->count = 0;
    *is_valid = number >= 0 && number < sets->set_count && sets->starts[number] >= 0 &&
                sets->starts[number] <= sets->starts[number + 1] && sets->starts[number + 1] <= sets->node_count;
    for (int64_t index = *is_valid ? sets->starts[number] : 0, first = index; *is_valid && index < sets->starts[number + 1];
         index++) {
        int32_t node = sets->nodes[index];
        double weight = sets->weights[index];
        *is_valid = node >= 0 && node < workspace->graph->nodes && weight >= 0.0 && weight <= 1.0;
        TRY(add_end(targets, *is_valid ? node : 0, (int32_t)(index - first), weight));
    }
    return DONE;
}

/* Score one source set with some target sets: each by itself or, without `numbers`, all by one search of all nodes. */
static Result score_sets(
    Workspace *workspace, const TargetSets *sets, const int32_t *numbers, int64_t count, double *scores, bool *is_valid
) {
    workspace->is_score_enough = true;
    TRY(add_equivalents(workspace->graph, &workspace->sources));
    if (numbers == NULL) {
        TRY(score_all(workspace));
    }
    *is_valid = true;
    for (int64_t index = 0; index < count; index++) {
        TRY(read_set(workspace, sets, numbers == NULL ? index : numbers[index], is_valid));
        if (!*is_valid) {
            return DONE;
        }
        if (numbers != NULL) {
            Found found;
            TRY(add_equivalents(workspace->graph, &workspace->targets));
            TRY(search_both_ends(workspace, &found));
            scores[index] = found.end.is_found ? found.end.score : 0.0;
            continue;
        }
        double best = 0.0;
        for (int64_t place = 0; place < workspace->targets.count; place++) {
            const End *target = &workspace->targets.ends[place];
            const Scores *found = &workspace->scores[target->node];
            double score = (found->step > found->end ? found->step : found->end) * target->weight;
            best = score > best ? score : best;
        }
        scores[index] = best;
    }
    return DONE;
}

PyDoc_STRVAR(
    scores_doc,
    "scores(sources, nodes, weights, starts, numbers=None, source_weights=None)\n--\n\n"
    "Return the best score from a tuple of nodes to each of many target sets, as the bytes of doubles.\n\n"
    "The nodes and weights of set n are at starts[n] to starts[n + 1]. With `numbers` only these sets are scored, each by itself;\n"
    "otherwise one search of all nodes answers for every set."
);

static PyObject *Searcher_scores(Searcher *self, PyObject *arguments) {
    PyObject *sources, *source_weights = Py_None, *found = NULL;
    Py_buffer nodes = {0}, weights = {0}, starts = {0}, numbers = {0};
    if (!PyArg_ParseTuple(
            arguments, "Oy*y*y*|z*O:scores", &sources, &nodes, &weights, &starts, &numbers, &source_weights
        )) {
        return NULL;
    }
    int64_t node_count = nodes.len / (Py_ssize_t)sizeof(int32_t), weight_count = weights.len / (Py_ssize_t)sizeof(double);
    TargetSets sets = {
        nodes.buf, weights.buf, starts.buf, node_count < weight_count ? node_count : weight_count,
        starts.len / (Py_ssize_t)sizeof(int64_t) - 1
    };
    int64_t count = numbers.obj != NULL ? numbers.len / (Py_ssize_t)sizeof(int32_t) : sets.set_count;
    double *scores = count >= 0 ? malloc(((size_t)count + 1) * sizeof(double)) : NULL;
    Workspace *workspace = scores != NULL ? take_workspace(self) : NULL;
    if (count < 0) {
        PyErr_SetString(PyExc_ValueError, "starts are empty");
    } else if (scores == NULL) {
        PyErr_NoMemory();
    } else if (workspace != NULL) {
        bool is_valid = true;
            if (read_ends(&self->graph, sources, source_weights, &workspace->sources)) {
            workspace->thread = PyEval_SaveThread();
            Result result = score_sets(workspace, &sets, numbers.obj != NULL ? numbers.buf : NULL, count, scores, &is_valid);
            PyEval_RestoreThread(workspace->thread);
            if (result != DONE) {
                raise_result(result);
            } else if (!is_valid) {
                PyErr_SetString(PyExc_ValueError, "a target set is out of range");
            } else {
                found = PyBytes_FromStringAndSize((const char *)scores, (Py_ssize_t)count * (Py_ssize_t)sizeof(double));
            }
        }
        return_workspace(self, workspace);
    }
    free(scores);
    PyBuffer_Release(&nodes);
    PyBuffer_Release(&weights);
    PyBuffer_Release(&starts);
    if (numbers.obj != NULL) {
        PyBuffer_Release(&numbers);
    }
    return found;
}

/* Point an array into the content; false unless it lies in there. */
static bool place_array(const Graph *graph, Py_ssize_t position, int64_t count, size_t size, const void **array) {
    if (position < 0 || count < 0 || position > graph->blocks.size || position % (Py_ssize_t)size != 0 ||
        count > (graph->blocks.size - position) / (int64_t)size || (uintptr_t)graph->blocks.content % size != 0) {
        PyErr_SetString(PyExc_ValueError, "an array does not lie in the content");
        return false;
    }
    *array = graph->blocks.content + position;
    return true;
}

static bool place_rows(Graph *graph, Rows *rows, const Py_ssize_t positions[3], int64_t count) {
    rows->count = count;
    return place_array(graph, positions[0], (int64_t)graph->nodes + 1, sizeof(int64_t), (const void **)&rows->offsets) &&
           place_array(graph, positions[1], count, sizeof(int32_t), (const void **)&rows->next) &&
           place_array(graph, positions[2], count, sizeof(int32_t), (const void **)&rows->class);
}

static void Searcher_dealloc(PyObject *object) {
    Searcher *self = (Searcher *)object;
    PyTypeObject *type = Py_TYPE(object);
    while (self->free != NULL) {
        Workspace *workspace = self->free;
        self->free = workspace->next_free;
        free_workspace(workspace);
    }
    Py_buffer *buffers[] = {&self->content, &self->checksums, &self->verified, &self->weights, &self->lengths};
    for (size_t index = 0; index < sizeof buffers / sizeof *buffers; index++) {
        if (buffers[index]->obj != NULL) {
            PyBuffer_Release(buffers[index]);
        }
    }
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static int Searcher_init(Searcher *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"content", "checksums", "verified", "shift", "nodes", "out", "into",
                            "weights", "lengths", "central", "threshold", "dense", NULL};
    Graph *graph = &self->graph;
    Py_ssize_t out[3], into[3], out_count, into_count;
    int nodes, shift, central, dense;
    if (self->content.obj != NULL) {
        PyErr_SetString(PyExc_TypeError, "a Searcher cannot be changed");
        return -1;
    }
    if (!PyArg_ParseTupleAndKeywords(
            arguments, keywords, "y*y*w*ii(nnnn)(nnnn)y*y*idp:Searcher", names, &self->content, &self->checksums,
            &self->verified, &shift, &nodes, &out[0], &out[1], &out[2], &out_count, &into[0], &into[1], &into[2], &into_count,
            &self->weights, &self->lengths, &central, &graph->threshold, &dense
        )) {
        return -1;
    }
    int64_t blocks = shift < 4 || shift > 30 ? -1 : (self->content.len + ((int64_t)1 << shift) - 1) >> shift;
    int64_t classes = self->weights.len / (Py_ssize_t)sizeof(double);
    if (blocks < 0 || self->checksums.len < 4 * blocks || self->verified.len < blocks || nodes < 0 ||
        self->lengths.len / (Py_ssize_t)sizeof(int32_t) < classes || classes > INT32_MAX || central < NONE ||
        !(graph->threshold >= 0.0)) {
        PyErr_SetString(PyExc_ValueError, "an argument is out of range");
        return -1;
    }
    graph->blocks = (Blocks){self->content.buf, self->content.len, self->checksums.buf, self->verified.buf, shift};
    graph->nodes = nodes;
    graph->classes = (int32_t)classes;
    graph->central = central;
    graph->weights = self->weights.buf;
    graph->lengths = self->lengths.buf;
    graph->is_dense = dense;
    return place_rows(graph, &graph->rows[OUT], out, out_count) && place_rows(graph, &graph->rows[IN], into, into_count) ? 0
                                                                                                                         : -1;
}

static PyMethodDef searcher_methods[] = {
    {"search", (PyCFunction)(void (*)(void))Searcher_search, METH_VARARGS, search_doc},
    {"scores", (PyCFunction)(void (*)(void))Searcher_scores, METH_VARARGS, scores_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    searcher_doc,
    "Searcher(content, checksums, verified, shift, nodes, out, into, weights, lengths, central, threshold, dense)\n--\n\n"
    "Searches of a projection under one set of weights. Thread-safe.\n\n"
    "`out` and `into` are the positions of offsets, next and class in the content, and the number of rows."
);

static PyType_Slot searcher_slots[] = {
    {Py_tp_doc, (void *)searcher_doc},
    {Py_tp_init, (void *)Searcher_init},
    {Py_tp_new, (void *)PyType_GenericNew},
    {Py_tp_dealloc, (void *)Searcher_dealloc},
    {Py_tp_methods, searcher_methods},
    {0, NULL},
};

static PyType_Spec searcher_spec = {
    .name = "wayword.search.paths.native.Searcher",
    .basicsize = sizeof(Searcher),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = searcher_slots,
};

static int execute(PyObject *module) {
    make_crc_tables();
    Damaged = PyErr_NewException("wayword.search.paths.native.Damaged", NULL, NULL);
    PyObject *searcher = PyType_FromModuleAndSpec(module, &searcher_spec, NULL);
    int failed = Damaged == NULL || searcher == NULL || PyModule_AddObjectRef(module, "Damaged", Damaged) < 0 ||
                 PyModule_AddObjectRef(module, "Searcher", searcher) < 0;
    Py_XDECREF(searcher);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "native",
    .m_doc = "The searches of this folder in C.",
    .m_size = 0,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_native(void) {
    return PyModuleDef_Init(&module);
}
