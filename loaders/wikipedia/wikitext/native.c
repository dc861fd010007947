/* The fast parser in C, over the UTF-8 bytes of many pages at once. Python stays the reference: read this file beside `masking.py`,
 * `tables.py`, `parentheses.py`, `page_state.py` and `scanner.py`, which explain the rules. The names are the same.
 *
 * Positions are in bytes. Everything that the rules name is ASCII or a whole character, so every part begins and ends between two
 * characters. What needs the language of the wiki, such as whether a line is a hatnote, is a question to Python, unless it can be
 * answered from a table of words. A page that cannot be read here is given up, and Python reads it.
 *
 * No text is trusted: a byte is read only after its position was compared with the size of the text, and every loop moves forward,
 * so that the time is linear.
 */

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { NONE = -1 };

enum { COMMENT = 1, INLINE = 2, VERBATIM = 3, BLOCK = '\n' }; /* fillers, as in masking.py */

/* As in regions.py. */
enum { HIDDEN = 1, CAPTION = 2, BOX = 4, HATNOTE = 8, APPENDIX = 16, PARENTHESES = 32, BRACKETED = 64 };

/* Elements of one kind, templates and tables, and labels and parentheses that can be open at once: as in Python. */
enum { MAX_OPEN = 10000, MAX_OPEN_IN_PAGE = 1000 };

enum { MAX_PAGE = 1 << 24 };      /* bytes of a page; a longer one is given up */
enum { MAX_BOXES = 64 };          /* open at once; a page with more is given up, because each tag searches them */
enum { MAX_TRAIL = 200 };         /* bytes in which Python searches a trail; a page with one half as long is given up */
enum { MAX_TITLE = 255 };         /* bytes, as in titles.py */
enum { MAX_ELEMENTS = 32 };
enum { CODE_POINTS = 0x110000 };
enum { BYTES_BETWEEN_CHECKS = 1 << 21 }; /* between two looks at whether the user has pressed Ctrl-C: some milliseconds */

typedef enum { DONE, NO_MEMORY, TOO_LONG, FAILED, GIVEN_UP } Result; /* FAILED: Python has raised an exception */

#define TRY(call)                \
    do {                         \
        Result result_ = (call); \
        if (result_ != DONE) {   \
            return result_;      \
        }                        \
    } while (0)

/* ---- Arrays that grow ---- */

#define ARRAY(type)               \
    struct {                      \
        type *items;              \
        int64_t count, capacity;  \
    }

/* Return the items with room for at least `needed`, or NULL without memory; the items are then unchanged. */
static void *grow(void *items, int64_t *capacity, int64_t needed, size_t size) {
    int64_t larger = *capacity < 64 ? 64 : 2 * *capacity;
    if (larger < needed) {
        larger = needed;
    }
    void *grown = realloc(items, (size_t)larger * size);
    if (grown != NULL) {
        *capacity = larger;
    }
    return grown;
}

/* Make room for `more` items. */
#define RESERVE(array, more)                                                                                             \
    do {                                                                                                                 \
        if ((array)->capacity - (array)->count < (more)) {                                                               \
            void *grown_ = grow((array)->items, &(array)->capacity, (array)->count + (more), sizeof *(array)->items);    \
            if (grown_ == NULL) {                                                                                        \
                return NO_MEMORY;                                                                                        \
            }                                                                                                            \
            (array)->items = grown_;                                                                                     \
        }                                                                                                                \
    } while (0)

#define APPEND(array, ...)                              \
    do {                                                \
        RESERVE(array, 1);                              \
        (array)->items[(array)->count++] = __VA_ARGS__; \
    } while (0)

typedef ARRAY(uint8_t) Bytes;

/* Let AddressSanitizer find accesses behind the bytes in use, where there is room for more. */
static void guard_unused(const Bytes *bytes, int64_t used) {
    ASAN_UNPOISON_MEMORY_REGION(bytes->items, (size_t)used);
    ASAN_POISON_MEMORY_REGION(bytes->items + used, (size_t)(bytes->capacity - used));
}

typedef struct {
    int32_t begin, end;
} Interval;

typedef ARRAY(Interval) Intervals;

/* A column of strings as Arrow has it: the text number n is at offsets[n] to offsets[n + 1]. */
typedef struct {
    ARRAY(int32_t) offsets;
    Bytes data;
} Strings;

/* ---- Text ---- */

typedef struct {
    const uint8_t *bytes;
    int32_t size;
} Text;

/* The byte at a position, 0 behind the end. */
static inline uint8_t at(Text text, int32_t position) {
    return position < text.size ? text.bytes[position] : 0;
}

static inline bool is_letter(uint8_t byte) {
    return (uint8_t)((byte | 32) - 'a') < 26;
}

static inline bool is_digit(uint8_t byte) {
    return (uint8_t)(byte - '0') < 10;
}

static inline uint8_t to_lower(uint8_t byte) {
    return (uint8_t)(byte - 'A') < 26 ? byte + 32 : byte;
}

/* White space in ASCII as Python's str.split has it. */
static inline bool is_space(uint8_t byte) {
    return byte == ' ' || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31);
}

/* The length in bytes of the white space character (`\s`) at a position; 0 if another character is there. */
static int32_t space_length(Text text, int32_t position) {
    uint8_t byte = at(text, position);
    if (byte < 0x80) {
        return is_space(byte) && position < text.size;
    }
    uint8_t second = at(text, position + 1), third = at(text, position + 2);
    switch (byte) {
    case 0xC2:
        return second == 0x85 || second == 0xA0 ? 2 : 0;
    case 0xE1:
        return second == 0x9A && third == 0x80 ? 3 : 0;
    case 0xE2:
        return (second == 0x80 && (third <= 0x8A || third == 0xA8 || third == 0xA9 || third == 0xAF)) ||
                       (second == 0x81 && third == 0x9F)
                   ? 3
                   : 0;
    case 0xE3:
        return second == 0x80 && third == 0x80 ? 3 : 0;
    default:
        return 0;
    }
}

/* The position of a byte between two positions, `end` if it is not there. */
static inline int32_t find_byte(Text text, uint8_t byte, int32_t begin, int32_t end) {
    const uint8_t *found = begin < end ? memchr(text.bytes + begin, byte, (size_t)(end - begin)) : NULL;
    return found == NULL ? end : (int32_t)(found - text.bytes);
}

/* The nearest of some marks from a position on; `next` has the place of each, which is searched in advance. */
static inline int32_t find_nearest(Text text, const char *marks, int32_t count, int32_t position, int32_t *next) {
    int32_t nearest = text.size;
    for (int32_t number = 0; number < count; number++) {
        if (next[number] < position) {
            next[number] = find_byte(text, (uint8_t)marks[number], position, text.size);
        }
        if (next[number] < nearest) {
            nearest = next[number];
        }
    }
    return nearest;
}

/* Whether a byte occurs twice in a row between two positions. */
static bool has_pair(Text text, uint8_t byte, int32_t begin, int32_t end) {
    /* No pair begins before `position`. */
    for (int32_t position = begin; (position = find_byte(text, byte, position, end - 1)) < end - 1; position += 2) {
        if (text.bytes[position + 1] == byte) {
            return true;
        }
    }
    return false;
}

static int32_t find_name_end(Text text, int32_t position) {
    while (is_letter(at(text, position)) || is_digit(at(text, position))) {
        position++;
    }
    return position;
}

/* The position after the ">" of a tag, given that after its name; NONE if it is not a tag. */
static int32_t find_tag_end(Text text, int32_t position) {
    while (position < text.size && text.bytes[position] != '<') {
        if (text.bytes[position++] == '>') {
            return position;
        }
    }
    return NONE;
}

static inline bool starts_comment(Text text, int32_t position) {
    return at(text, position) == '<' && at(text, position + 1) == '!' && at(text, position + 2) == '-' &&
           at(text, position + 3) == '-';
}

static bool matches(Text text, int32_t position, const char *word, int32_t size) {
    return text.size - position >= size && memcmp(text.bytes + position, word, (size_t)size) == 0;
}

/* The parenthesis at a position, as a character or as a reference to one: '(' or ')', 0 if there is none; `after` follows it. */
static uint8_t read_parenthesis(Text text, int32_t position, int32_t *after) {
    uint8_t byte = text.bytes[position];
    *after = position + 1;
    if (byte == '(' || byte == ')') {
        return byte;
    }
    if (byte == 0xEF && at(text, position + 1) == 0xBC && (at(text, position + 2) | 1) == 0x89) {
        *after = position + 3;
        return at(text, position + 2) == 0x88 ? '(' : ')';
    }
    if (byte != '&') {
        return 0;
    }
    if (at(text, ++position) != '#') {
        *after = position + 5;
        return matches(text, position, "lpar;", 5) ? '(' : matches(text, position, "rpar;", 5) ? ')' : 0;
    }
    bool is_hexadecimal = (at(text, ++position) | 32) == 'x';
    position += is_hexadecimal;
    /* `number` is that of the digits so far, which are few unless they are zeros. */
    int32_t number = 0;
    for (; number < 1 << 20; position++) {
        uint8_t digit = to_lower(at(text, position));
        if (is_digit(digit)) {
            number = number * (is_hexadecimal ? 16 : 10) + digit - '0';
        } else if (is_hexadecimal && digit >= 'a' && digit <= 'f') {
            number = number * 16 + digit - 'a' + 10;
        } else {
            break;
        }
    }
    *after = position + 1;
    if (at(text, position) != ';') {
        return 0;
    }
    return number == 40 || number == 65288 ? '(' : number == 41 || number == 65289 ? ')' : 0;
}

/* ---- Words ---- */

/* What a word can be: an element of masking.py (with links, matched as a pair, and its filler), a tag that ends a block,
 * a scheme of URLs; a heading of an appendix, a template that marks a page, a name of the namespace of files. */
enum {
    ELEMENT = 1 << 0,
    LINKED = 1 << 1,
    PARSED = 1 << 2,
    FILLED_AS_BLOCK = 1 << 3,
    FILLED_VERBATIM = 1 << 4,
    BLOCK_TAG = 1 << 5,
    SCHEME = 1 << 6,
    FREE_SCHEME = 1 << 7,
    APPENDIX_HEADING = 1 << 8,
    DISAMBIGUATION_TEMPLATE = 1 << 9,
    HIDDEN_TEMPLATE = 1 << 10,
    FILE_NAMESPACE = 1 << 11,
};

enum { MAX_WORD = 64 }; /* bytes; no word that is searched is longer */

typedef struct {
    uint8_t bytes[MAX_WORD];
    int32_t size; /* 0 if the slot is free */
    uint32_t flags;
    int32_t element; /* the number of the element */
} Word;

typedef struct {
    Word *slots; /* at most half of them are taken */
    uint32_t mask;
    int32_t elements;
} Words;

static const Word no_word;

/* The slot of a word in lower case: its own or a free one. */
static Word *find_slot(const Words *words, const uint8_t *bytes, int32_t size) {
    uint32_t hash = (uint32_t)size;
    for (int32_t number = 0; number < size; number++) {
        hash = (hash ^ bytes[number]) * 0x01000193u;
    }
    uint32_t place = hash ^ hash >> 15;
    for (;; place++) {
        Word *slot = &words->slots[place & words->mask];
        if (slot->size == 0 || (slot->size == size && memcmp(slot->bytes, bytes, (size_t)size) == 0)) {
            return slot;
        }
    }
}

/* What a part of a text is as a word in either case. */
static const Word *find_word(const Words *words, Text text, int32_t begin, int32_t end) {
    uint8_t lower[MAX_WORD];
    if (end <= begin || end - begin > MAX_WORD) {
        return &no_word;
    }
    for (int32_t position = begin; position < end; position++) {
        lower[position - begin] = to_lower(text.bytes[position]);
    }
    return find_slot(words, lower, end - begin);
}

/* What a part of a text is as a name, folded as `fold_name` does; false if it is not ASCII. */
static bool find_name(const Words *words, Text text, int32_t begin, int32_t end, uint32_t *flags) {
    uint8_t folded[MAX_WORD];
    int32_t size = 0;
    bool is_blank = false, is_long = false;
    *flags = 0;
    for (int32_t position = begin; position < end; position++) {
        uint8_t byte = text.bytes[position];
        if (byte >= 0x80) {
            return false;
        }
        if (byte == '_' || is_space(byte)) {
            is_blank = size > 0;
            continue;
        }
        if (size + is_blank >= MAX_WORD) {
            is_long = true;
            continue;
        }
        if (is_blank) {
            folded[size++] = ' ';
            is_blank = false;
        }
        folded[size++] = to_lower(byte);
    }
    if (size > 0 && !is_long) {
        *flags = find_slot(words, folded, size)->flags;
    }
    return true;
}

/* ---- The workspace of a call ---- */

/* What marks a page: a template, or perhaps a switch, which begins with two underscores. */
enum { IS_DISAMBIGUATION = 1, IS_HIDDEN_CATEGORY = 2, MAY_HAVE_SWITCHES = 4 };

/* What Python answers; the order of the functions that `scan` receives. */
typedef enum { ASK_HEADING, ASK_HATNOTE, ASK_TEMPLATE, ASK_FILE, ASK_LABEL, ASK_TRAIL, ASK_BOX, QUESTIONS } Question;

/* What does not change from page to page. */
typedef struct {
    Words words;
    uint8_t *trail;        /* a bit for each code point: whether it belongs to a trail, */
    bool trail_needs_match; /* or may only begin one */
} Rules;

typedef struct {
    int32_t begin, end;
    uint8_t filler;
    bool links; /* whether it can contain links */
} Span;

typedef struct {
    int32_t begin, size;
} Run;

/* The elements of one name: where each begins and ends (NONE: nowhere), in order, from the first that was searched. */
typedef struct {
    bool is_known;
    Intervals ends;
    int64_t next;
} Elements;

typedef enum { LINE, WITHIN, HTML } TableKind;

typedef struct {
    int32_t begin;
    TableKind kind;
    int32_t line;      /* the end of the line that it begins on */
    int64_t of_kind;   /* the open table of the same kind around it, NONE if there is none */
} OpenTable;

typedef struct {
    int32_t begin, end;
    bool within;
} Table;

typedef struct {
    int32_t position;
    int32_t links;
    int32_t outer; /* a number of an open parenthesis, NONE if there is none */
    int32_t depth;
} OpenParenthesis;

typedef struct {
    int32_t open;
    int64_t pairs, floor;
    Interval border;
    int32_t tag;
} State;

typedef struct {
    int32_t position, end; /* of "[[target|" */
    bool shows_file;
    int32_t links;
    State parentheses;
} Label;

typedef struct {
    int32_t name, name_end; /* of its tag */
    int32_t depth;          /* tags of this name that are open in it */
    int32_t links;
} OpenBox;

typedef struct {
    const Rules *rules;
    PyObject *questions;
    PyThreadState *thread; /* while the GIL is released */
    int64_t unchecked;     /* bytes since the last look for Ctrl-C */

    /* The columns of links. */
    ARRAY(int64_t) pages;
    ARRAY(int16_t) regions;
    Strings targets, labels, trails;
    Bytes has_label; /* a bit for each link */

    /* The page. */
    int64_t page;
    Bytes copy, bodies, part;
    Text source, body;
    int marks;

    /* Masking. */
    ARRAY(Span) spans;
    ARRAY(Run) braces;
    int64_t braces_floor; /* the open runs before this are forgotten */
    Elements elements[MAX_ELEMENTS];
    ARRAY(int64_t) opened;
    ARRAY(OpenTable) open_tables;
    int64_t last_of_kind[3], first_within; /* numbers of open tables, NONE if there is none */
    ARRAY(Table) tables;
    Intervals hidden_parts;
    int32_t unclosed;

    /* PageState. */
    int64_t next_hidden;
    int32_t hidden, line, latest, hatnote, valid_until;
    int16_t region;
    int32_t level;
    ARRAY(Label) label_stack;
    int64_t labels_floor;
    ARRAY(OpenBox) boxes;
    Intervals caption_ranges, box_ranges;

    /* Parentheses. */
    ARRAY(OpenParenthesis) opened_parentheses;
    Intervals ranges;
    int32_t open;
    int64_t floor;
    int32_t tag, search_from;
    Interval border, next_border;
} Workspace;

static void free_workspace(Workspace *work) {
    void *arrays[] = {
        work->pages.items, work->regions.items, work->targets.offsets.items, work->targets.data.items,
        work->labels.offsets.items, work->labels.data.items, work->trails.offsets.items, work->trails.data.items,
        work->has_label.items, work->copy.items, work->bodies.items, work->part.items, work->spans.items, work->braces.items,
        work->opened.items, work->open_tables.items, work->tables.items, work->hidden_parts.items, work->label_stack.items,
        work->boxes.items, work->caption_ranges.items, work->box_ranges.items, work->opened_parentheses.items,
        work->ranges.items,
    };
    for (size_t number = 0; number < sizeof arrays / sizeof *arrays; number++) {
        free(arrays[number]);
    }
    for (int32_t number = 0; number < MAX_ELEMENTS; number++) {
        free(work->elements[number].ends.items);
    }
    free(work);
}

/* Ask Python about a part of a text. */
static Result ask(Workspace *work, Question question, Text text, int32_t begin, int32_t end, long *answer) {
    PyEval_RestoreThread(work->thread);
    PyObject *function = PyTuple_GetItem(work->questions, question); /* borrowed */
    PyObject *found = NULL;
    if (function != NULL) {
        found = PyObject_CallFunction(function, "s#", (const char *)text.bytes + begin, (Py_ssize_t)(end - begin));
    }
    *answer = found == NULL ? -1 : PyLong_AsLong(found);
    Py_XDECREF(found);
    bool failed = PyErr_Occurred() != NULL;
    work->thread = PyEval_SaveThread();
    return failed ? FAILED : DONE;
}

/* Look every few milliseconds whether the user has pressed Ctrl-C. */
static Result count_bytes(Workspace *work, int64_t bytes) {
    work->unchecked += bytes;
    if (work->unchecked < BYTES_BETWEEN_CHECKS) {
        return DONE;
    }
    work->unchecked = 0;
    PyEval_RestoreThread(work->thread);
    int failed = PyErr_CheckSignals();
    work->thread = PyEval_SaveThread();
    return failed ? FAILED : DONE;
}

/* ---- Masking (masking.py) ---- */

/* Find the end of each element of a name by its begin: a closing tag belongs to the last open one. */
static Result find_element_ends(Workspace *work, Text source, const Word *name, int32_t start) {
    Elements *elements = &work->elements[name->element];
    elements->is_known = true;
    elements->ends.count = elements->next = work->opened.count = 0;
    int64_t floor = 0; /* the elements open before this are forgotten, as there would be too many */
    /* `opened` are the numbers in `ends` of the elements that are open at `position`. */
    for (int32_t position = start; (position = find_byte(source, '<', position, source.size)) < source.size;) {
        int32_t first = position + 1 + (at(source, position + 1) == '/');
        int32_t last = first + name->size, after = NONE;
        if (find_word(&work->rules->words, source, first, last < source.size ? last : source.size) == name &&
            (at(source, last) == '/' || at(source, last) == '>' || space_length(source, last))) {
            after = find_tag_end(source, last);
        }
        if (after == NONE) {
            position++;
            continue;
        }
        if (first == position + 1) {
            if (source.bytes[after - 2] != '/') {
                APPEND(&work->opened, elements->ends.count);
                floor += work->opened.count - floor > MAX_OPEN;
                APPEND(&elements->ends, (Interval){position, NONE});
            }
        } else if (work->opened.count > floor) {
            elements->ends.items[work->opened.items[--work->opened.count]].end = after;
        }
        position = after;
    }
    return DONE;
}

/* Return the end of the comment or of the element without nesting that begins before a position; NONE if it has none. */
static int32_t find_simple_end(Text source, const Word *name, const Words *words, int32_t position) {
    /* No end begins before `position`. */
    if (name == NULL) {
        for (; (position = find_byte(source, '-', position, source.size)) < source.size; position++) {
            if (at(source, position + 1) == '-' && at(source, position + 2) == '>') {
                return position + 3;
            }
        }
        return NONE;
    }
    for (; (position = find_byte(source, '<', position, source.size)) < source.size; position++) {
        int32_t first = position + 2, last = first + name->size;
        if (at(source, position + 1) == '/' && last < source.size && find_word(words, source, first, last) == name) {
            int32_t blank;
            while ((blank = space_length(source, last)) > 0) {
                last += blank;
            }
            if (at(source, last) == '>') {
                return last + 1;
            }
        }
    }
    return NONE;
}

/* Append the span of the comment or element at a position; `after` is where the search goes on. */
static Result read_element(Workspace *work, Text source, bool linkless, int32_t position, bool *is_comment_open, int32_t *after) {
    const Words *words = &work->rules->words;
    if (starts_comment(source, position)) {
        *after = position + 4;
        int32_t end = *is_comment_open ? NONE : find_simple_end(source, NULL, words, *after);
        if (end == NONE) {
            *is_comment_open = true; /* no comment ends after this one, so no other needs a search */
            return DONE;
        }
        *after = end;
        APPEND(&work->spans, (Span){position, end, COMMENT, false});
        return DONE;
    }
    *after = position + 1;
    int32_t name_end = find_name_end(source, position + 1);
    const Word *name = find_word(words, source, position + 1, name_end);
    if (!(name->flags & ELEMENT) || (linkless && name->flags & LINKED) ||
        !(at(source, name_end) == '/' || at(source, name_end) == '>' || space_length(source, name_end))) {
        return DONE;
    }
    int32_t tag_end = find_tag_end(source, name_end), end = NONE;
    if (tag_end == NONE) {
        return DONE;
    }
    *after = tag_end;
    if (source.bytes[tag_end - 2] == '/') {
        APPEND(&work->spans, (Span){position, tag_end, INLINE, false});
        return DONE;
    }
    Elements *elements = &work->elements[name->element];
    if (name->flags & PARSED) {
        if (!elements->is_known) {
            TRY(find_element_ends(work, source, name, position));
        }
        /* The elements before `next` begin before this position. */
        while (elements->next < elements->ends.count && elements->ends.items[elements->next].begin < position) {
            elements->next++;
        }
        if (elements->next < elements->ends.count && elements->ends.items[elements->next].begin == position) {
            end = elements->ends.items[elements->next].end;
        }
    } else if (!elements->is_known) {
        end = find_simple_end(source, name, words, tag_end);
        elements->is_known = end == NONE; /* no closing tag after this position */
    }
    if (end == NONE) {
        return DONE;
    }
    *after = end;
    uint8_t filler = name->flags & FILLED_AS_BLOCK ? BLOCK : name->flags & FILLED_VERBATIM ? VERBATIM : INLINE;
    APPEND(&work->spans, (Span){position, end, filler, (name->flags & LINKED) != 0});
    return DONE;
}

/* Note a template: it may mark the page. */
static Result add_template(Workspace *work, Text source, int32_t begin, int32_t end) {
    uint32_t flags;
    if (!find_name(&work->rules->words, source, begin, end, &flags)) {
        long answer;
        TRY(ask(work, ASK_TEMPLATE, source, begin, end, &answer));
        flags = (uint32_t)answer;
    }
    work->marks |= (flags & DISAMBIGUATION_TEMPLATE ? IS_DISAMBIGUATION : 0) | (flags & HIDDEN_TEMPLATE ? IS_HIDDEN_CATEGORY : 0);
    return DONE;
}

/* The end of a template without others in it, which begins with exactly two braces here; NONE if it is another. */
static int32_t find_simple_template_end(Text source, int32_t position, int32_t *name_end) {
    int32_t end = position + 2;
    while (end < source.size && memchr("{}|<>[]\n:#", source.bytes[end], 10) == NULL) {
        end++;
    }
    *name_end = end;
    if (end == position + 2) {
        return NONE;
    }
    if (at(source, end) == '|') {
        do {
            end++;
        } while (end < source.size && source.bytes[end] != '{' && source.bytes[end] != '}' && source.bytes[end] != '<');
    }
    return at(source, end) == '}' && at(source, end + 1) == '}' ? end + 2 : NONE;
}

/* Whether the name of a template or parser function begins here; a template is noted. */
static Result read_template_name(Workspace *work, Text source, int32_t position, bool *is_template) {
    int32_t blank;
    while ((blank = space_length(source, position)) > 0) {
        position += blank;
    }
    int32_t begin = position;
    bool is_function = false;
    while (position < source.size && memchr("|{}[]<>\n", source.bytes[position], 8) == NULL) {
        is_function |= source.bytes[position] == ':' || source.bytes[position] == '#';
        position++;
    }
    int32_t end = position;
    while ((blank = space_length(source, position)) > 0) {
        position += blank;
    }
    uint8_t mark = at(source, position);
    bool is_comment = starts_comment(source, position);
    if (end == begin) {
        *is_template = mark == '{' || is_comment;
        return DONE;
    }
    *is_template = is_function;
    if (is_function || mark == '[' || mark == ']' || mark == '>' || (mark == '<' && !is_comment)) {
        return DONE;
    }
    /* The name takes all blanks but line breaks, so that blanks after it begin with a line break. */
    if (position > end && mark != '|' && mark != '}' && mark != '{' && !is_comment) {
        return DONE;
    }
    *is_template = true;
    return add_template(work, source, begin, end);
}

/* Match a run of closing braces with the open runs, innermost first: three make an argument, two a template. */
static Result close_braces(Workspace *work, Text source, int32_t start, int32_t after) {
    int32_t remaining = after - start;
    /* Each round ends an open run or uses up the closing one, or takes two or more braces from both. */
    while (remaining >= 2 && work->braces.count > work->braces_floor) {
        Run run = work->braces.items[--work->braces.count];
        int32_t matched = run.size < remaining ? run.size : remaining;
        remaining -= matched;
        run.size -= matched;
        if (run.size >= 2) {
            work->braces.items[work->braces.count++] = run;
        }
        int32_t begin = run.begin + run.size;
        bool is_template = matched == 3;
        if (!is_template) {
            TRY(read_template_name(work, source, begin + matched, &is_template));
        }
        if (is_template) {
            while (work->spans.count > 0 && work->spans.items[work->spans.count - 1].begin >= begin) {
                work->spans.count--;
            }
            APPEND(&work->spans, (Span){begin, after - remaining, INLINE, true});
        }
    }
    return DONE;
}

/* Find what to mask, in order and without overlaps; only what contains no links if `linkless`. */
static Result find_spans(Workspace *work, Text source, bool linkless) {
    work->spans.count = work->braces.count = work->braces_floor = 0;
    for (int32_t number = 0; number < MAX_ELEMENTS; number++) {
        work->elements[number].is_known = false;
    }
    bool is_comment_open = false;
    int32_t position = 0, name_end, next[] = {NONE, NONE, NONE};
    /* All that begins before `position` is found; `braces` are the runs of opening braces that are still open. */
    for (;;) {
        int32_t marks = linkless ? 1 : work->braces.count == work->braces_floor ? 2 : 3;
        position = find_nearest(source, "<{}", marks, position, next);
        if (position >= source.size) {
            return DONE;
        }
        uint8_t byte = source.bytes[position];
        int32_t after = position + 1;
        if (byte == '<') {
            TRY(read_element(work, source, linkless, position, &is_comment_open, &after));
        } else if (at(source, position + 1) == byte) {
            int32_t simple = NONE;
            if (byte == '{' && at(source, position + 2) != '{') {
                simple = find_simple_template_end(source, position, &name_end);
            }
            if (simple != NONE) {
                after = simple;
                APPEND(&work->spans, (Span){position, after, INLINE, true});
                TRY(add_template(work, source, position + 2, name_end));
            } else {
                while (at(source, after) == byte) {
                    after++;
                }
                if (byte == '{') {
                    APPEND(&work->braces, (Run){position, after - position});
                    work->braces_floor += work->braces.count - work->braces_floor > MAX_OPEN;
                } else {
                    TRY(close_braces(work, source, position, after));
                }
            }
        }
        TRY(count_bytes(work, after - position));
        position = after;
    }
}

static void fill_span(Text source, uint8_t *body, int32_t begin, int32_t end, uint8_t filler) {
    memset(body + begin, filler, (size_t)(end - begin));
    if (filler == BLOCK) { /* so that the text after it does not look like the start of a line */
        body[end - 1] = INLINE;
    } else if (filler == VERBATIM) { /* text without markup keeps its parentheses */
        Text text = {source.bytes, end};
        for (int32_t position = begin, after; position < end; position = after) {
            uint8_t parenthesis = read_parenthesis(text, position, &after);
            if (parenthesis == 0) {
                after = position + 1;
            } else if (source.bytes[position] == 0xEF) {
                memcpy(body + position, source.bytes + position, 3);
            } else {
                body[position] = parenthesis;
            }
        }
    }
}

static void fill_spans(const Workspace *work, Text source, uint8_t *body) {
    for (int64_t number = 0; number < work->spans.count; number++) {
        Span span = work->spans.items[number];
        fill_span(source, body, span.begin, span.end, span.filler);
    }
}

/* ---- Tables (tables.py) ---- */

/* Whether only blanks, and colons if `indented`, come before a position on its line. The text begins with a line break. */
static bool begins_line(Text text, int32_t position, bool indented) {
    uint8_t byte;
    do {
        byte = text.bytes[--position];
    } while (position > 0 && (byte == ' ' || byte == '\t' || byte == COMMENT || (indented && byte == ':')));
    return byte == '\n';
}

/* The position after the tag of a table at a position, NONE if there is none. */
static int32_t read_table_tag(Text text, int32_t position, bool *is_closing) {
    static const char name[] = "table";
    *is_closing = at(text, position + 1) == '/';
    position += 1 + *is_closing;
    for (int32_t number = 0; number < 5; number++, position++) {
        if (to_lower(at(text, position)) != name[number]) {
            return NONE;
        }
    }
    if (at(text, position) != '/' && at(text, position) != '>' && !space_length(text, position)) {
        return NONE;
    }
    return find_tag_end(text, position);
}

static Result open_table(Workspace *work, int32_t position, TableKind kind, int32_t line) {
    int64_t number = work->open_tables.count;
    APPEND(&work->open_tables, (OpenTable){position, kind, line, work->last_of_kind[kind]});
    work->last_of_kind[kind] = number;
    if (kind == WITHIN && work->first_within == NONE) {
        work->first_within = number;
    }
    return DONE;
}

/* Return the number of the open table that a closing mark ends, NONE if it ends none. */
static int64_t find_closed_table(const Workspace *work, Text text, int32_t position) {
    if (text.bytes[position] == '<') {
        return work->last_of_kind[HTML];
    }
    if (begins_line(text, position, false)) {
        return work->last_of_kind[LINE] != NONE ? work->last_of_kind[LINE] : work->first_within;
    }
    const OpenTable *last = &work->open_tables.items[work->open_tables.count - 1];
    return last->kind == WITHIN && position < last->line ? work->open_tables.count - 1 : NONE;
}

/* Close an open table and those open inside it. */
static Result close_table(Workspace *work, int64_t number, int32_t end) {
    OpenTable table = work->open_tables.items[number];
    while (work->open_tables.count > number) {
        const OpenTable *inner = &work->open_tables.items[--work->open_tables.count];
        work->last_of_kind[inner->kind] = inner->of_kind;
    }
    if (work->first_within >= number) {
        work->first_within = NONE;
    }
    while (work->tables.count > 0 && work->tables.items[work->tables.count - 1].begin >= table.begin) {
        work->tables.count--;
    }
    APPEND(&work->tables, (Table){table.begin, end, table.kind == WITHIN});
    return DONE;
}

/* Find the outermost tables, and where one begins that is never closed (else the size of the text). */
static Result find_tables(Workspace *work, Text text) {
    work->tables.count = work->open_tables.count = 0;
    work->last_of_kind[LINE] = work->last_of_kind[WITHIN] = work->last_of_kind[HTML] = work->first_within = NONE;
    int64_t excess = 0;
    int32_t position = 0, line = 0, next[] = {NONE, NONE, NONE};
    /* All marks before `position` are read; `tables` are closed and not inside each other. */
    for (;;) {
        position = find_nearest(text, "<{|", work->open_tables.count > 0 ? 3 : 2, position, next);
        if (position >= text.size) {
            break;
        }
        uint8_t byte = text.bytes[position];
        int32_t after = NONE;
        bool is_closing = byte == '|';
        if (byte == '<') {
            after = read_table_tag(text, position, &is_closing);
        } else if (at(text, position + 1) == (byte == '{' ? '|' : '}')) {
            after = position + 2;
        }
        if (after == NONE) {
            position++;
            continue;
        }
        if (line < position) {
            line = find_byte(text, '\n', position, text.size);
        }
        if (!is_closing) {
            if (work->open_tables.count < MAX_OPEN) {
                TRY(open_table(work, position, byte == '<' ? HTML : begins_line(text, position, true) ? LINE : WITHIN, line));
            } else {
                excess++;
            }
        } else if (excess > 0) {
            excess--;
        } else if (work->open_tables.count > 0) {
            int64_t number = find_closed_table(work, text, position);
            if (number != NONE) {
                TRY(close_table(work, number, after));
            }
        }
        TRY(count_bytes(work, after - position));
        position = after;
    }
    work->unclosed = text.size;
    for (int64_t number = work->open_tables.count; number-- > 0;) {
        if (work->open_tables.items[number].kind != WITHIN) {
            work->unclosed = work->open_tables.items[number].begin;
        }
    }
    return DONE;
}

/* Find the masked parts that contain links, outermost only, in order: of spans and tables, which are each in order. */
static Result find_hidden_parts(Workspace *work) {
    work->hidden_parts.count = 0;
    int64_t span = 0, table = 0;
    int32_t last = 0;
    while (span < work->spans.count || table < work->tables.count) {
        Interval part;
        if (table == work->tables.count ||
            (span < work->spans.count && work->spans.items[span].begin < work->tables.items[table].begin)) {
            Span next = work->spans.items[span++];
            if (!next.links || !has_pair(work->source, '[', next.begin, next.end)) {
                continue;
            }
            part = (Interval){next.begin, next.end};
        } else {
            part = (Interval){work->tables.items[table].begin, work->tables.items[table].end};
            table++;
        }
        if (part.begin >= last) {
            APPEND(&work->hidden_parts, part);
            last = part.end;
        }
    }
    return DONE;
}

/* ---- Parentheses (parentheses.py) ---- */

/* The end of the border that begins with the line break at a position, NONE if that is none. */
static int32_t find_border_end(Text text, int32_t position) {
    do {
        position++;
    } while (at(text, position) == COMMENT);
    int32_t last = NONE;
    for (int32_t blank = position; at(text, blank) == ' ' || at(text, blank) == '\t' || at(text, blank) == '\n'; blank++) {
        if (text.bytes[blank] == '\n') {
            last = blank;
        }
    }
    if (last != NONE) {
        return last;
    }
    uint8_t byte = at(text, position);
    int32_t end = find_byte(text, '\n', position, text.size);
    if (byte == '*' || byte == '#' || byte == ':' || byte == ';' || matches(text, position, "----", 4)) {
        return end;
    }
    if (byte == '=') {
        for (last = end - 1; text.bytes[last] == ' ' || text.bytes[last] == '\t' || text.bytes[last] == COMMENT; last--) {
        }
        return last > position && text.bytes[last] == '=' ? end : NONE;
    }
    return NONE;
}

/* Find the last border that begins before a position. */
static void advance(Workspace *work, int32_t position) {
    /* `border` is the last before `search_from`, `next_border` the first after it if that was found already. */
    while (work->search_from < position) {
        Text body = work->body;
        for (int32_t from = work->search_from; work->next_border.begin == NONE; from++) {
            from = find_byte(body, '\n', from, body.size);
            if (from == body.size) {
                work->search_from = body.size;
                return;
            }
            int32_t end = find_border_end(body, from);
            if (end != NONE) {
                work->next_border = (Interval){from, end};
            }
        }
        if (work->next_border.begin >= position) {
            return;
        }
        work->border = work->next_border;
        work->next_border.begin = NONE;
        work->search_from = work->border.end;
    }
}

static int32_t links_of(const Workspace *work) {
    return (int32_t)work->pages.count;
}

static Result open_parenthesis(Workspace *work, int32_t position) {
    int32_t outer = work->open;
    if (outer != NONE && work->opened_parentheses.items[outer].depth >= MAX_OPEN_IN_PAGE) {
        outer = NONE;
    }
    int32_t depth = outer == NONE ? 1 : work->opened_parentheses.items[outer].depth + 1;
    work->open = (int32_t)work->opened_parentheses.count;
    APPEND(&work->opened_parentheses, (OpenParenthesis){position, links_of(work), outer, depth});
    return DONE;
}

static bool is_separated(Workspace *work, int32_t begin, int32_t end) {
    if (work->tag > begin) {
        return true;
    }
    advance(work, end);
    return (work->border.end <= end ? work->border.end : work->border.begin) > begin;
}

static Result close_parenthesis(Workspace *work, int32_t position) {
    if (work->open == NONE) {
        return DONE;
    }
    OpenParenthesis last = work->opened_parentheses.items[work->open];
    work->open = last.outer;
    if (links_of(work) > last.links && !is_separated(work, last.position, position)) {
        while (work->ranges.count > work->floor && work->ranges.items[work->ranges.count - 1].begin >= last.links) {
            work->ranges.count--;
        }
        APPEND(&work->ranges, (Interval){last.links, links_of(work)});
    }
    return DONE;
}

static State save(Workspace *work, int32_t position) {
    advance(work, position);
    State state = {work->open, work->ranges.count, work->floor, work->border, work->tag};
    work->floor = work->ranges.count;
    return state;
}

static void restore(Workspace *work, const State *state, int32_t position) {
    work->open = state->open;
    work->ranges.count = state->pairs;
    work->floor = state->floor;
    work->border = state->border;
    work->tag = state->tag;
    if (work->search_from < position) {
        work->search_from = position;
    }
    if (work->next_border.begin < position) {
        work->next_border.begin = NONE;
    }
}

/* ---- Links ---- */

static Result append_string(Strings *strings, const uint8_t *bytes, int32_t size) {
    if (strings->data.count > INT32_MAX - size) {
        return TOO_LONG;
    }
    RESERVE(&strings->data, size);
    RESERVE(&strings->offsets, 1);
    if (size > 0) {
        memcpy(strings->data.items + strings->data.count, bytes, (size_t)size);
    }
    strings->data.count += size;
    strings->offsets.items[strings->offsets.count++] = (int32_t)strings->data.count;
    return DONE;
}

/* The end of the trail that begins at a position. */
static Result find_trail_end(Workspace *work, Text text, int32_t position, int32_t *end) {
    const Rules *rules = work->rules;
    *end = position;
    while (position < text.size) {
        uint32_t code = text.bytes[position];
        int32_t size = code < 0x80 ? 1 : code < 0xE0 ? 2 : code < 0xF0 ? 3 : 4;
        if (size > text.size - position) {
            return DONE;
        }
        if (size > 1) {
            code &= 0x7Fu >> size;
            for (int32_t number = 1; number < size; number++) {
                code = code << 6 | (text.bytes[position + number] & 0x3Fu);
            }
        }
        if (code >= CODE_POINTS || !(rules->trail[code >> 3] >> (code & 7) & 1)) {
            return DONE;
        }
        if (rules->trail_needs_match) {
            int32_t limit = text.size;
            if (limit - position > MAX_TRAIL) { /* it ends between two characters */
                for (limit = position + MAX_TRAIL; (text.bytes[limit] & 0xC0) == 0x80; limit--) {
                }
            }
            long answer;
            TRY(ask(work, ASK_TRAIL, text, position, limit, &answer));
            if (answer < 0 || answer > limit - position || (limit < text.size && answer > MAX_TRAIL / 2)) {
                return GIVEN_UP;
            }
            *end = position + (int32_t)answer;
            return DONE;
        }
        *end = position += size;
    }
    return DONE;
}

/* A link in a text: its label begins at NONE if it has none. */
typedef struct {
    int32_t target, target_end, label, label_end;
} Parts;

/* Add a link; verbatim fillers in its label are replaced by the source (`restore_verbatim`). */
static Result add_link(Workspace *work, Text text, Text source, Parts parts, int32_t trail, int32_t trail_end) {
    int32_t label = parts.label, size = parts.label_end - label;
    if (label != NONE && size > 0 && text.bytes[label + size - 1] == ']' &&
        find_byte(text, '[', label, label + size) == label + size) {
        size--; /* of "]]]" the first bracket belongs to the label if one was opened there */
        trail_end = trail;
    }
    int64_t number = work->pages.count;
    if (number >= INT32_MAX) {
        return TOO_LONG;
    }
    RESERVE(&work->regions, 1);
    if (number / 8 == work->has_label.count) {
        APPEND(&work->has_label, 0);
    }
    uint8_t bit = (uint8_t)(1u << number % 8), *bits = &work->has_label.items[number / 8];
    *bits = label == NONE ? *bits & (uint8_t)~bit : *bits | bit;
    TRY(append_string(&work->targets, text.bytes + parts.target, parts.target_end - parts.target));
    TRY(append_string(&work->trails, text.bytes + trail, trail_end - trail));
    if (label == NONE) {
        TRY(append_string(&work->labels, text.bytes, 0));
    } else {
        TRY(append_string(&work->labels, text.bytes + label, size));
        uint8_t *copy = work->labels.data.items + work->labels.data.count - size;
        for (int32_t offset = 0; offset < size; offset++) {
            if (copy[offset] == VERBATIM) {
                copy[offset] = source.bytes[label + offset];
            }
        }
    }
    work->regions.items[work->regions.count++] = work->region;
    APPEND(&work->pages, work->page);
    return DONE;
}

typedef enum { NO_LINK, LINK, IN_BRACKETS, LABEL_START } LinkKind;

static const bool ends_target[256] = {
    ['['] = true, [']'] = true, ['{'] = true, ['}'] = true, ['|'] = true,
    ['<'] = true, ['>'] = true, ['\n'] = true, [INLINE] = true, [VERBATIM] = true,
};

static int32_t find_target_end(Text text, int32_t position) {
    while (position < text.size && !ends_target[text.bytes[position]]) {
        position++;
    }
    return position;
}

static inline bool closes_link(Text text, int32_t position) {
    return at(text, position) == ']' && at(text, position + 1) == ']';
}

/* Read the "[[" at a position: a link, the start of a label that contains another link, or neither. */
static LinkKind read_link(Text text, int32_t position, Parts *parts) {
    int32_t target_end = find_target_end(text, position + 2), label = target_end + 1;
    *parts = (Parts){position + 2, target_end, NONE, target_end};
    if (closes_link(text, target_end)) {
        return LINK;
    }
    if (at(text, target_end) == '|') {
        /* No "[[" and no "]]" that ends the label begins before `end`. */
        for (int32_t end = label; end < text.size; end++) {
            uint8_t byte = text.bytes[end], next = at(text, end + 1);
            if (byte == '[' && next == '[') {
                break;
            }
            if (byte == ']' && next == ']' && (at(text, end + 2) != ']' || at(text, end + 3) == ']')) {
                parts->label = label;
                parts->label_end = end;
                return LINK;
            }
        }
        return LABEL_START;
    }
    if (target_end > position + 2 || at(text, target_end) != '[') {
        return NO_LINK;
    }
    target_end = find_target_end(text, position + 3);
    *parts = (Parts){position + 3, target_end, NONE, target_end};
    if (at(text, target_end) == '|') {
        parts->label = parts->label_end = target_end + 1;
        while (parts->label_end < text.size && text.bytes[parts->label_end] != '[' && text.bytes[parts->label_end] != ']') {
            parts->label_end++;
        }
    }
    return closes_link(text, parts->label_end) && at(text, parts->label_end + 2) == ']' ? IN_BRACKETS : NO_LINK;
}

/* Add the links of a masked part. */
static Result read_hidden(Workspace *work, Interval part) {
    Text source = {work->source.bytes + part.begin, part.end - part.begin}, text = source;
    work->region = HIDDEN;
    if (find_byte(source, '<', 0, source.size) < source.size) { /* `mask_linkless` */
        work->part.count = 0;
        RESERVE(&work->part, source.size);
        guard_unused(&work->part, source.size);
        memcpy(work->part.items, source.bytes, (size_t)source.size);
        TRY(find_spans(work, source, true));
        fill_spans(work, source, work->part.items);
        text.bytes = work->part.items;
    }
    /* The links before `position` are added. */
    for (int32_t position = 0; (position = find_byte(text, '[', position, text.size)) < text.size;) {
        if (at(text, position + 1) != '[') {
            position++;
            continue;
        }
        Parts parts;
        LinkKind kind = read_link(text, position, &parts);
        position += 2;
        if (kind == LINK) {
            int32_t trail = parts.label_end + 2;
            TRY(find_trail_end(work, text, trail, &position));
            TRY(add_link(work, text, source, parts, trail, position));
        }
    }
    return DONE;
}

/* ---- The state of a page (page_state.py) ---- */

static void find_next_hidden(Workspace *work) {
    work->hidden =
        work->next_hidden < work->hidden_parts.count ? work->hidden_parts.items[work->next_hidden].begin : INT32_MAX;
}

/* Whether a line may be a heading or a hatnote (LINE_START of headings.py). */
static bool is_line_start(Text text, int32_t position) {
    if (at(text, position) == '=') {
        return true;
    }
    for (;;) {
        uint8_t byte = at(text, position);
        if (byte == ' ' || byte == '\t' || byte == COMMENT || byte == INLINE || byte == VERBATIM) {
            position++;
        } else if (byte == '<') {
            int32_t end = position + 1;
            while (end < text.size && text.bytes[end] != '<' && text.bytes[end] != '>' && text.bytes[end] != '\n') {
                end++;
            }
            if (at(text, end) != '>') {
                return false;
            }
            position = end + 1;
        } else {
            break;
        }
    }
    if (at(text, position) == ':') {
        return true;
    }
    int32_t quotes = 0;
    while (quotes < 5 && at(text, position + quotes) == '\'') {
        quotes++;
    }
    return quotes == 2 || quotes == 5;
}

static const bool may_start_line[256] = {
    ['='] = true, [':'] = true, ['\''] = true, ['<'] = true, [' '] = true,
    ['\t'] = true, [COMMENT] = true, [INLINE] = true, [VERBATIM] = true,
};

/* Advance to the next line that may be a heading or a hatnote, after a position. */
static void find_next_line(Workspace *work, int32_t position) {
    Text body = work->body;
    while ((position = find_byte(body, '\n', position, body.size)) < body.size) {
        while (at(body, position) == '\n') { /* a table is filled with line breaks */
            position++;
        }
        if (may_start_line[at(body, position)] && is_line_start(body, position)) {
            work->line = position;
            return;
        }
    }
    work->line = INT32_MAX;
}

/* Begin a section if a line is a heading (`parse_heading`). */
static Result read_heading(Workspace *work, int32_t begin, int32_t end) {
    Text body = work->body;
    long level = 0;
    bool is_appendix = false, is_plain = true;
    int32_t last = end, first = begin;
    while (body.bytes[last - 1] == ' ' || body.bytes[last - 1] == '\t' || body.bytes[last - 1] == COMMENT) {
        last--; /* not below `begin`, where there is a "=" */
    }
    if (body.bytes[last - 1] != '=') {
        return DONE;
    }
    while (first < last && body.bytes[first] == '=') {
        first++;
    }
    if (first == last) {
        level = (first - begin - 1) / 2;
    } else {
        int32_t trailing = last;
        while (body.bytes[trailing - 1] == '=') {
            trailing--;
        }
        level = first - begin < last - trailing ? first - begin : last - trailing;
    }
    level = level < 6 ? level : 6;
    if (level == 0) {
        return DONE;
    }
    /* The text of most headings is itself, see `visible_text`. */
    for (int32_t position = begin + (int32_t)level; position < last - level && is_plain; position++) {
        uint8_t byte = body.bytes[position];
        is_plain = byte >= ' ' && byte < 0x7F && byte != '[' && byte != '<' && byte != '&' && byte != '\'' && byte != '/';
    }
    uint32_t flags;
    if (is_plain && find_name(&work->rules->words, body, begin + (int32_t)level, last - (int32_t)level, &flags)) {
        is_appendix = flags & APPENDIX_HEADING;
    } else {
        long answer;
        TRY(ask(work, ASK_HEADING, body, begin, end, &answer));
        is_appendix = answer > 0;
    }
    if (work->level == 0 || level <= work->level) {
        work->level = is_appendix ? (int32_t)level : 0;
    }
    return DONE;
}

/* Add the links of the masked parts before a position. */
static Result read_hidden_parts(Workspace *work, int32_t position) {
    while (work->hidden < position) {
        Interval part = work->hidden_parts.items[work->next_hidden++];
        find_next_hidden(work);
        TRY(read_hidden(work, part));
    }
    return DONE;
}

/* Handle what comes before a link: headings, masked parts, and the beginning of its line, which may be a hatnote. */
static Result enter(Workspace *work, int32_t position) {
    int32_t hatnote = position < work->hatnote ? work->hatnote : 0;
    /* The lines before `line` are read. */
    while (work->line <= position) {
        int32_t begin = work->line, end = find_byte(work->body, '\n', begin, work->body.size);
        if (work->body.bytes[begin] == '=') {
            TRY(read_heading(work, begin, end));
        } else if (position < end) {
            long answer;
            TRY(ask(work, ASK_HATNOTE, work->body, begin, end, &answer));
            hatnote = answer ? end : hatnote;
        }
        find_next_line(work, begin);
    }
    TRY(read_hidden_parts(work, position));
    work->hatnote = hatnote;
    bool is_before_table = position < work->unclosed;
    work->region = (int16_t)((work->level ? APPENDIX : 0) | (hatnote ? HATNOTE : 0) | (is_before_table ? 0 : BOX));
    work->valid_until = work->hidden < work->line ? work->hidden : work->line;
    if (hatnote && hatnote < work->valid_until) {
        work->valid_until = hatnote;
    }
    if (is_before_table && work->unclosed < work->valid_until) {
        work->valid_until = work->unclosed;
    }
    return DONE;
}

static Result enter_link(Workspace *work, int32_t position) {
    work->latest = position;
    return position >= work->valid_until ? enter(work, position) : DONE;
}

/* Whether a target names a file to be shown. What is not certain is a question. */
static Result shows_file(Workspace *work, int32_t begin, int32_t end, bool *is_file) {
    Text body = work->body;
    int32_t colon = find_byte(body, ':', begin, end);
    *is_file = false;
    if (colon == end && find_byte(body, '%', begin, end) == end && find_byte(body, '&', begin, end) == end) {
        return DONE;
    }
    uint32_t flags;
    bool is_certain = find_name(&work->rules->words, body, begin, colon, &flags) && flags & FILE_NAMESPACE, is_ascii = true;
    bool has_name = false;
    for (int32_t position = begin; position < end && is_certain; position++) {
        uint8_t byte = body.bytes[position], before = position > begin ? body.bytes[position - 1] : 0;
        bool is_blank = byte == ' ' || byte == '_';
        /* Nothing that is decoded, normalised or illegal in a title; no space outside ASCII, no direction mark. */
        is_certain = byte >= ' ' && byte < 0xEF && byte != 0x7F && byte != 0xC2 && !(byte >= 0xE1 && byte <= 0xE3) &&
                     byte != '#' && byte != '%' && byte != '&' && byte != '~' && (byte != ':' || position == colon) &&
                     !(byte == '.' && (before == '.' || before == '/' || before == ':' || before == ' ' || before == '_'));
        is_ascii &= byte < 0x80;
        has_name |= position > colon && !is_blank;
    }
    /* Composed characters can take three times as many bytes. */
    if (is_certain && has_name && end - colon < (is_ascii ? MAX_TITLE : MAX_TITLE / 3)) {
        *is_file = true;
        return DONE;
    }
    long answer;
    TRY(ask(work, ASK_FILE, body, begin, end, &answer));
    *is_file = answer > 0;
    return DONE;
}

/* Add a link of the text. */
static Result add_visible_link(Workspace *work, int32_t position, Parts parts, int32_t trail, int32_t trail_end) {
    Text body = work->body;
    TRY(enter_link(work, position));
    if (parts.label_end > parts.label && parts.label != NONE &&
        find_byte(body, '\n', parts.label, parts.label_end) < parts.label_end) {
        long answer;
        TRY(ask(work, ASK_LABEL, body, parts.target, parts.label_end, &answer));
        if (answer) { /* it is a link, so that the lines of its label separate nothing */
            State state = save(work, parts.label);
            restore(work, &state, parts.label_end);
        }
    }
    return add_link(work, body, work->source, parts, trail, trail_end);
}

/* Handle the "[[" at a position. */
static Result open_brackets(Workspace *work, int32_t position, int32_t *after) {
    Parts parts;
    LinkKind kind = read_link(work->body, position, &parts);
    int32_t trail = parts.label_end + 2;
    *after = position + 2;
    if (kind == LINK) {
        TRY(find_trail_end(work, work->body, trail, after));
        return add_visible_link(work, position, parts, trail, *after);
    }
    if (kind == IN_BRACKETS) {
        *after = trail;
        TRY(add_visible_link(work, position, parts, trail, trail));
        work->regions.items[work->regions.count - 1] |= BRACKETED;
    } else if (kind == LABEL_START) {
        bool is_file;
        *after = parts.target_end + 1;
        TRY(shows_file(work, parts.target, parts.target_end, &is_file));
        APPEND(&work->label_stack, (Label){position, *after, is_file, links_of(work), save(work, position)});
        work->labels_floor += work->label_stack.count - work->labels_floor > MAX_OPEN_IN_PAGE;
    }
    return DONE;
}

/* End a label at the "]]" at a position; add its link if it is not a file and contains no other link. */
static Result close_label(Workspace *work, int32_t position) {
    if (work->label_stack.count == work->labels_floor) {
        return DONE;
    }
    Label label = work->label_stack.items[--work->label_stack.count];
    if (work->latest > label.position && !label.shows_file) {
        work->floor = label.parentheses.floor;
        return DONE;
    }
    restore(work, &label.parentheses, position + 2);
    if (label.shows_file) {
        if (links_of(work) > label.links) {
            APPEND(&work->caption_ranges, (Interval){label.links, links_of(work)});
        }
        work->latest = label.position;
        return DONE;
    }
    int32_t trail_end;
    TRY(find_trail_end(work, work->body, position + 2, &trail_end));
    Parts parts = {label.position + 2, label.end - 1, label.end, position};
    return add_visible_link(work, label.position, parts, position + 2, trail_end);
}

/* ---- Tags and URLs ---- */

/* Whether a tag with attributes between two positions opens a box: a question if it may have a class or an id. */
static Result opens_box(Workspace *work, int32_t begin, int32_t end, bool *is_box) {
    const uint8_t *bytes = work->body.bytes;
    bool has_name = false;
    *is_box = false;
    if (end - begin < 3 || bytes[end - 1] == '/' || find_byte(work->body, '=', begin, end) == end) {
        return DONE;
    }
    for (int32_t position = begin + 1; position < end && !has_name; position++) {
        uint8_t last = to_lower(bytes[position]), before = to_lower(bytes[position - 1]);
        has_name = (last == 'd' && before == 'i') || (last == 's' && before == 's');
    }
    if (has_name) {
        long answer;
        TRY(ask(work, ASK_BOX, work->body, begin, end, &answer));
        *is_box = answer > 0;
    }
    return DONE;
}

/* Return the number of the last open box whose tag has this name, NONE if there is none. */
static int64_t find_box(const Workspace *work, int32_t name, int32_t name_end) {
    const uint8_t *bytes = work->body.bytes;
    int64_t number = work->boxes.count;
    while (number-- > 0) {
        OpenBox box = work->boxes.items[number];
        int32_t size = name_end - name, equal = 0;
        while (box.name_end - box.name == size && equal < size &&
               to_lower(bytes[box.name + equal]) == to_lower(bytes[name + equal])) {
            equal++;
        }
        if (equal == size) {
            return number;
        }
    }
    return NONE;
}

/* Handle the tag at a position, if it is one: it may end a block, and open or close a box. */
static Result read_tag(Workspace *work, int32_t position, int32_t *after) {
    Text body = work->body;
    bool is_closing = at(body, position + 1) == '/';
    int32_t name = position + 1 + is_closing, name_end = find_name_end(body, name), end = NONE;
    if (is_letter(at(body, name))) {
        end = find_tag_end(body, name_end);
    }
    if (end == NONE) {
        *after = position + 1;
        return DONE;
    }
    *after = end;
    if (find_word(&work->rules->words, body, name, name_end)->flags & BLOCK_TAG) {
        work->tag = position;
    }
    int64_t last = find_box(work, name, name_end);
    if (is_closing) {
        if (last != NONE && --work->boxes.items[last].depth == 0) {
            OpenBox box = work->boxes.items[last];
            OpenBox *place = work->boxes.items + last;
            memmove(place, place + 1, (size_t)(--work->boxes.count - last) * sizeof(OpenBox));
            if (links_of(work) > box.links) {
                APPEND(&work->box_ranges, (Interval){box.links, links_of(work)});
            }
        }
        return DONE;
    }
    bool is_box;
    TRY(opens_box(work, name_end, end - 1, &is_box));
    if (is_box) {
        if (work->boxes.count >= MAX_BOXES) {
            return GIVEN_UP;
        }
        APPEND(&work->boxes, (OpenBox){name, name_end, 1, links_of(work)});
    } else if (last != NONE && body.bytes[end - 2] != '/') {
        work->boxes.items[last].depth++;
    }
    return DONE;
}

static int32_t find_url_end(Text text, int32_t position) {
    while (position < text.size) {
        uint8_t byte = text.bytes[position];
        if (byte == '[' || byte == ']' || byte == '<' || byte == '>' || byte == '"' || space_length(text, position)) {
            break;
        }
        position++;
    }
    return position;
}

/* The position after the URL that begins with the bracket at a position, else after the bracket. */
static int32_t skip_bracketed_url(const Words *words, Text text, int32_t position) {
    int32_t first = position + 1;
    if (at(text, first) == '/' && at(text, first + 1) == '/') {
        return find_url_end(text, first + 2);
    }
    int32_t end = find_name_end(text, first);
    return at(text, end) == ':' && find_word(words, text, first, end)->flags & SCHEME ? find_url_end(text, end + 1) : first;
}

/* Handle the URL without brackets that contains the colon at a position. */
static Result skip_free_url(Workspace *work, int32_t position, int32_t *after) {
    Text body = work->body;
    *after = position + 1;
    if (at(body, position + 1) != '/' || at(body, position + 2) != '/') {
        return DONE;
    }
    bool is_scheme = false;
    for (int32_t begin = position - 1; begin >= 0 && !is_scheme && position - begin <= MAX_WORD; begin--) {
        if (!is_letter(body.bytes[begin])) {
            break;
        }
        is_scheme = find_word(&work->rules->words, body, begin, position)->flags & FREE_SCHEME;
    }
    if (!is_scheme) {
        return DONE;
    }
    int32_t begin = position + 3, end = find_url_end(body, begin), tail = end;
    *after = end;
    if (find_byte(body, '(', begin, end) < end) {
        return DONE;
    }
    while (tail > begin && memchr(",;.:!?)", body.bytes[tail - 1], 7) != NULL) {
        tail--;
    }
    for (; tail < end; tail++) { /* a ")" at its end does not belong to it */
        if (body.bytes[tail] == ')') {
            TRY(close_parenthesis(work, tail));
        }
    }
    return DONE;
}

/* ---- Pages (scanner.py) ---- */

static const bool may_start_token[256] = {
    ['['] = true, [']'] = true, ['('] = true, [')'] = true, [':'] = true, ['<'] = true, ['&'] = true, [0xEF] = true,
};

/* Handle every token of the masked text. */
static Result read_tokens(Workspace *work) {
    Text body = work->body;
    int32_t position = 0;
    /* The tokens before `position` are handled. */
    for (;;) {
        while (position < body.size && !may_start_token[body.bytes[position]]) {
            position++;
        }
        if (position >= body.size) {
            return DONE;
        }
        uint8_t byte = body.bytes[position];
        int32_t after = position + 1;
        if (byte == '[') {
            if (at(body, after) == '[') {
                TRY(open_brackets(work, position, &after));
            } else {
                after = skip_bracketed_url(&work->rules->words, body, position);
            }
        } else if (byte == ']') {
            if (at(body, after) == ']') {
                TRY(close_label(work, position));
                after++;
            }
        } else if (byte == '<') {
            TRY(read_tag(work, position, &after));
        } else if (byte == ':') {
            TRY(skip_free_url(work, position, &after));
        } else {
            uint8_t parenthesis = read_parenthesis(body, position, &after);
            if (parenthesis == '(') {
                TRY(open_parenthesis(work, position));
            } else if (parenthesis == ')') {
                TRY(close_parenthesis(work, position));
            } else {
                after = position + 1;
            }
        }
        TRY(count_bytes(work, after - position));
        position = after;
    }
}

/* Mark the links in ranges, which are in the order of their ends; each link is visited at most once. */
static void mark(Workspace *work, const Intervals *ranges, int16_t flag) {
    int32_t lowest = links_of(work);
    for (int64_t number = ranges->count; number-- > 0;) {
        Interval range = ranges->items[number];
        for (int32_t link = range.begin; link < (range.end < lowest ? range.end : lowest); link++) {
            work->regions.items[link] |= flag;
        }
        lowest = range.begin < lowest ? range.begin : lowest;
    }
}

/* Read a page, whose text is in `source`; the body is a copy of it that is masked here. */
static Result read_page(Workspace *work, uint8_t *body) {
    work->marks = 0;
    TRY(find_spans(work, work->source, false));
    fill_spans(work, work->source, body);
    TRY(find_tables(work, work->body));
    for (int64_t number = 0; number < work->tables.count; number++) {
        Table table = work->tables.items[number];
        fill_span(work->source, body, table.begin, table.end, table.within ? INLINE : BLOCK);
    }
    if (has_pair(work->body, '_', 0, work->body.size)) {
        work->marks |= MAY_HAVE_SWITCHES;
    }
    if (!has_pair(work->source, '[', 0, work->source.size)) {
        return DONE;
    }
    TRY(find_hidden_parts(work));
    work->next_hidden = work->labels_floor = work->floor = 0;
    work->latest = work->hatnote = work->valid_until = work->level = work->search_from = 0;
    work->region = 0;
    work->label_stack.count = work->boxes.count = work->caption_ranges.count = work->box_ranges.count = 0;
    work->opened_parentheses.count = work->ranges.count = 0;
    work->open = work->tag = NONE;
    work->border = work->next_border = (Interval){NONE, NONE};
    find_next_hidden(work);
    find_next_line(work, 0);
    TRY(read_tokens(work));
    TRY(read_hidden_parts(work, INT32_MAX));
    mark(work, &work->ranges, PARENTHESES);
    mark(work, &work->caption_ranges, CAPTION);
    mark(work, &work->box_ranges, BOX);
    return DONE;
}

/* Read a page; what it has written is taken back if it is given up. */
static Result read_or_give_up(Workspace *work, const char *text, Py_ssize_t size) {
    if (size >= MAX_PAGE) {
        return GIVEN_UP;
    }
    work->copy.count = 0;
    RESERVE(&work->copy, size + 1);
    RESERVE(&work->bodies, size + 1);
    guard_unused(&work->copy, size + 1);
    guard_unused(&work->bodies, work->bodies.count + size + 1);
    uint8_t *copy = work->copy.items, *body = work->bodies.items + work->bodies.count;
    copy[0] = '\n';
    memcpy(copy + 1, text, (size_t)size);
    memcpy(body, copy, (size_t)size + 1);
    work->source = (Text){copy, (int32_t)size + 1};
    work->body = (Text){body, (int32_t)size + 1};
    int64_t links = work->pages.count;
    Result result = read_page(work, body);
    if (result == GIVEN_UP) {
        Strings *columns[] = {&work->targets, &work->labels, &work->trails};
        for (size_t number = 0; number < 3; number++) {
            columns[number]->offsets.count = links + 1;
            columns[number]->data.count = columns[number]->offsets.items[links];
        }
        work->pages.count = work->regions.count = links;
        work->has_label.count = (links + 7) / 8;
    } else {
        work->bodies.count += size + 1;
    }
    return result;
}

/* ---- The type ---- */

typedef struct {
    PyObject_HEAD
    Rules rules;
} Scanner;

/* A page of a call: its text in UTF-8 (NULL if it has none), then the end of its masked text and what marks it. */
typedef struct {
    const char *text;
    Py_ssize_t size;
    int64_t end;
    int marks;
    bool is_given_up;
} Page;

static Result read_pages(Workspace *work, Page *pages, Py_ssize_t count) {
    Strings *columns[] = {&work->targets, &work->labels, &work->trails};
    for (size_t number = 0; number < 3; number++) {
        APPEND(&columns[number]->offsets, 0);
    }
    int64_t total = 0;
    for (Py_ssize_t number = 0; number < count; number++) {
        total += pages[number].size < MAX_PAGE ? pages[number].size + 1 : 0;
    }
    RESERVE(&work->bodies, total);
    for (Py_ssize_t number = 0; number < count; number++) {
        Page *page = &pages[number];
        Result result = GIVEN_UP;
        work->page = number;
        if (page->text != NULL) {
            TRY(count_bytes(work, page->size));
            result = read_or_give_up(work, page->text, page->size);
        }
        if (result != DONE && result != GIVEN_UP) {
            return result;
        }
        page->is_given_up = result == GIVEN_UP;
        page->marks = work->marks;
        page->end = work->bodies.count;
    }
    return DONE;
}

static PyObject *make_bytes(const void *items, int64_t bytes) {
    return PyBytes_FromStringAndSize(bytes > 0 ? items : "", (Py_ssize_t)bytes);
}

/* The facts of each page: its marks and its masked text, None if it was given up. */
static PyObject *make_facts(const Workspace *work, const Page *pages, Py_ssize_t count) {
    PyObject *facts = PyList_New(count);
    int64_t begin = 0;
    for (Py_ssize_t number = 0; facts != NULL && number < count; number++) {
        const Page *page = &pages[number];
        const char *masked = (const char *)work->bodies.items + begin;
        PyObject *row = page->is_given_up ? Py_NewRef(Py_None)
                                          : Py_BuildValue("is#", page->marks, masked, (Py_ssize_t)(page->end - begin));
        if (row == NULL || PyErr_CheckSignals() < 0) {
            Py_XDECREF(row);
            Py_CLEAR(facts);
            break;
        }
        PyList_SetItem(facts, number, row); /* takes the reference */
        begin = page->end;
    }
    return facts;
}

static PyObject *make_columns(const Workspace *work) {
    int64_t links = work->pages.count;
    const Strings *strings[] = {&work->targets, &work->labels, &work->trails};
    PyObject *columns[9] = {
        make_bytes(work->pages.items, links * (int64_t)sizeof(int64_t)),
        make_bytes(work->regions.items, links * (int64_t)sizeof(int16_t)),
        make_bytes(work->has_label.items, work->has_label.count),
    };
    for (size_t number = 0; number < 3; number++) {
        columns[3 + 2 * number] = make_bytes(strings[number]->offsets.items, (links + 1) * (int64_t)sizeof(int32_t));
        columns[4 + 2 * number] = make_bytes(strings[number]->data.items, strings[number]->data.count);
    }
    PyObject *all = PyTuple_New(9);
    bool is_complete = all != NULL;
    for (Py_ssize_t number = 0; number < 9; number++) {
        is_complete &= columns[number] != NULL;
        if (all == NULL) {
            Py_XDECREF(columns[number]);
        } else if (columns[number] != NULL) {
            PyTuple_SetItem(all, number, columns[number]); /* takes the reference */
        }
    }
    if (!is_complete) {
        Py_CLEAR(all);
    }
    return all;
}

static void raise_result(Result result) {
    if (result == NO_MEMORY) {
        PyErr_NoMemory();
    } else if (result == TOO_LONG) {
        PyErr_SetString(PyExc_OverflowError, "the links of these pages take more than 2 GiB; scan fewer pages at a time");
    } /* FAILED: Python has raised an exception already */
}

PyDoc_STRVAR(
    scan_doc,
    "scan(texts, questions)\n--\n\n"
    "Read pages; return the facts of each and the columns of their links.\n\n"
    "`questions` are functions that answer what depends on the language, in the order of the enumeration in this module.\n"
    "The facts of a page are its marks (1: disambiguation, 2: hidden category, 4: it may have switches) and its masked text;\n"
    "None if it was given up.\n"
    "The columns are buffers: pages (int64), regions (int16), a bit for each link that has a label, and the offsets (int32)\n"
    "and the bytes of targets, labels and trails."
);

static PyObject *Scanner_scan(Scanner *self, PyObject *arguments) {
    PyObject *given, *questions, *texts = NULL, *facts = NULL, *columns = NULL, *found = NULL;
    if (!PyArg_ParseTuple(arguments, "OO!:scan", &given, &PyTuple_Type, &questions)) {
        return NULL;
    }
    if (PyTuple_Size(questions) != QUESTIONS || self->rules.trail == NULL) {
        PyErr_SetString(PyExc_ValueError, "the questions do not fit this scanner");
        return NULL;
    }
    Page *pages = NULL;
    Workspace *work = calloc(1, sizeof(Workspace));
    texts = PySequence_Tuple(given); /* keeps the texts while the GIL is released */
    Py_ssize_t count = texts == NULL ? 0 : PyTuple_Size(texts);
    pages = calloc((size_t)count + 1, sizeof(Page));
    if (texts == NULL || work == NULL || pages == NULL) {
        if (texts != NULL) {
            PyErr_NoMemory();
        }
        goto end;
    }
    for (Py_ssize_t number = 0; number < count; number++) {
        pages[number].text = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(texts, number), &pages[number].size);
        if (pages[number].text == NULL) { /* given up: half of a surrogate pair */
            if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
                goto end;
            }
            PyErr_Clear();
        }
        if (PyErr_CheckSignals() < 0) {
            goto end;
        }
    }
    work->rules = &self->rules;
    work->questions = questions;
    work->thread = PyEval_SaveThread();
    Result result = read_pages(work, pages, count);
    PyEval_RestoreThread(work->thread);
    if (result != DONE) {
        raise_result(result);
        goto end;
    }
    facts = make_facts(work, pages, count);
    columns = facts == NULL ? NULL : make_columns(work);
    if (columns != NULL) {
        found = PyTuple_Pack(2, facts, columns);
    }
end:
    if (work != NULL) {
        free_workspace(work);
    }
    free(pages);
    Py_XDECREF(texts);
    Py_XDECREF(facts);
    Py_XDECREF(columns);
    return found;
}

/* Fill the table of words from a dictionary of folded words and flags. Words that are too long or not ASCII are left out, because
 * a name that is not ASCII is a question. */
static bool read_words(Words *words, PyObject *given) {
    Py_ssize_t position = 0, slots = 64;
    PyObject *key, *value;
    while (slots < 2 * PyDict_Size(given)) {
        slots *= 2;
    }
    words->slots = calloc((size_t)slots, sizeof(Word));
    if (words->slots == NULL) {
        PyErr_NoMemory();
        return false;
    }
    words->mask = (uint32_t)slots - 1;
    while (PyDict_Next(given, &position, &key, &value)) {
        Py_ssize_t size;
        const char *bytes = PyUnicode_AsUTF8AndSize(key, &size);
        unsigned long flags = PyLong_AsUnsignedLong(value);
        if (bytes == NULL || PyErr_Occurred()) {
            return false;
        }
        if (size > MAX_WORD || size == 0) {
            continue;
        }
        Word *slot = find_slot(words, (const uint8_t *)bytes, (int32_t)size);
        slot->size = (int32_t)size;
        slot->flags = (uint32_t)flags;
        memcpy(slot->bytes, bytes, (size_t)size);
        if (flags & ELEMENT) {
            slot->element = words->elements++;
            if (words->elements > MAX_ELEMENTS) {
                PyErr_SetString(PyExc_ValueError, "too many elements");
                return false;
            }
        }
    }
    return true;
}

static int Scanner_init(Scanner *self, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"words", "trail", "trail_needs_match", NULL};
    PyObject *words;
    const char *trail;
    Py_ssize_t size;
    int needs_match;
    if (self->rules.trail != NULL || self->rules.words.slots != NULL) {
        PyErr_SetString(PyExc_TypeError, "a Scanner cannot be changed");
        return -1;
    }
    if (!PyArg_ParseTupleAndKeywords(
            arguments, keywords, "O!y#p:Scanner", names, &PyDict_Type, &words, &trail, &size, &needs_match
        )) {
        return -1;
    }
    if (size != CODE_POINTS / 8) {
        PyErr_SetString(PyExc_ValueError, "the trail needs a bit for each code point");
        return -1;
    }
    if (!read_words(&self->rules.words, words)) {
        return -1;
    }
    uint8_t *copy = malloc((size_t)size);
    if (copy == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(copy, trail, (size_t)size);
    self->rules.trail_needs_match = needs_match;
    self->rules.trail = copy;
    return 0;
}

static void Scanner_dealloc(PyObject *object) {
    Scanner *self = (Scanner *)object;
    PyTypeObject *type = Py_TYPE(object);
    free(self->rules.words.slots);
    free(self->rules.trail);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyMethodDef scanner_methods[] = {
    {"scan", (PyCFunction)(void (*)(void))Scanner_scan, METH_VARARGS, scan_doc},
    {NULL, NULL, 0, NULL},
};

PyDoc_STRVAR(
    scanner_doc,
    "Scanner(words, trail, trail_needs_match)\n--\n\n"
    "Scans the pages of one wiki. Thread-safe.\n\n"
    "`words` maps folded words to the flags of this module. `trail` has a bit for each code point: whether it belongs to a\n"
    "trail, or with `trail_needs_match` whether it may begin one."
);

static PyType_Slot scanner_slots[] = {
    {Py_tp_doc, (void *)scanner_doc},
    {Py_tp_init, (void *)Scanner_init},
    {Py_tp_new, (void *)PyType_GenericNew},
    {Py_tp_dealloc, (void *)Scanner_dealloc},
    {Py_tp_methods, scanner_methods},
    {0, NULL},
};

static PyType_Spec scanner_spec = {
    .name = "wayword.loaders.wikipedia.wikitext.native.Scanner",
    .basicsize = sizeof(Scanner),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = scanner_slots,
};

static int execute(PyObject *module) {
    static const struct {
        const char *name;
        long value;
    } flags[] = {
        {"ELEMENT", ELEMENT},
        {"LINKED", LINKED},
        {"PARSED", PARSED},
        {"FILLED_AS_BLOCK", FILLED_AS_BLOCK},
        {"FILLED_VERBATIM", FILLED_VERBATIM},
        {"BLOCK_TAG", BLOCK_TAG},
        {"SCHEME", SCHEME},
        {"FREE_SCHEME", FREE_SCHEME},
        {"APPENDIX_HEADING", APPENDIX_HEADING},
        {"DISAMBIGUATION_TEMPLATE", DISAMBIGUATION_TEMPLATE},
        {"HIDDEN_TEMPLATE", HIDDEN_TEMPLATE},
        {"FILE_NAMESPACE", FILE_NAMESPACE},
        {"IS_DISAMBIGUATION", IS_DISAMBIGUATION},
        {"IS_HIDDEN_CATEGORY", IS_HIDDEN_CATEGORY},
        {"MAY_HAVE_SWITCHES", MAY_HAVE_SWITCHES},
    };
    for (size_t number = 0; number < sizeof flags / sizeof *flags; number++) {
        if (PyModule_AddIntConstant(module, flags[number].name, flags[number].value) < 0) {
            return -1;
        }
    }
    PyObject *scanner = PyType_FromModuleAndSpec(module, &scanner_spec, NULL);
    int failed = scanner == NULL || PyModule_AddObjectRef(module, "Scanner", scanner) < 0;
    Py_XDECREF(scanner);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot module_slots[] = {{Py_mod_exec, (void *)execute}, {0, NULL}};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "native",
    .m_doc = "The scanner of this folder in C.",
    .m_size = 0,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit_native(void) {
    return PyModuleDef_Init(&module);
}
