#include "grade/mutants/schema.h"

#include "grade/mutants/relatives.h"

#include <stdlib.h>
#include <string.h>

#define LIST_MOST  4000 /* mutants: what has more has no schema */
#define BEGUN_MOST 12   /* variables of the blocks around a loop */

/* A variable whose declaration gives it a value: its tokens, name and value. */
struct begun {
    size_t name, last;
    int depth; /* of its block */
};

/* A function being written. */
struct writer {
    FILE *out;
    const char *file;
    const struct vl_tokens *tokens;
    struct vl_scope scope;
    int loops; /* around here, without a switch in between */
    struct begun begun[BEGUN_MOST];
    size_t begun_count;
    int depth;    /* of the block */
    bool repeats; /* what comes next is the body of a loop */
    struct vl_schema *schema;
    enum vl_status status;
};

typedef void mutate_fn(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                       const struct vl_scope *scope, size_t first, size_t last);

static void put(struct writer *w, size_t first, size_t last)
{
    vl_tokens_put(w->out, w->tokens, first, last);
}

static bool is(const struct writer *w, size_t i, const char *word)
{
    return vl_token_is(w->tokens, i, word);
}

/* ---- the mutants of one place ---- */

/* Remember a mutant of a statement; its number, or 0 without memory. */
static size_t list(struct writer *w, const struct vl_mutation *m, size_t first, size_t last)
{
    struct vl_schema *schema = w->schema;
    if (schema->count == LIST_MOST) {
        w->status = VL_EFORMAT;
        return 0;
    }
    struct vl_mutant *more = realloc(schema->list, (schema->count + 1) * sizeof *more);
    struct vl_mutant mutant = vl_mutant_of(w->tokens, &w->scope, w->file, m, first, last);
    if (more != NULL)
        schema->list = more;
    if (more == NULL || mutant.names == NULL || mutant.piece == NULL) {
        w->status = VL_ENOMEM;
        vl_mutant_free(&mutant);
        return 0;
    }
    schema->list[schema->count++] = mutant;
    return schema->count;
}

/* One in which statements change places. */
static size_t list_order(struct writer *w, size_t first, size_t last)
{
    return list(w, &(struct vl_mutation){.kind = VL_MUTATION_ORDER}, first, last);
}

static void put_mutated(struct writer *w, const struct vl_mutation *m, size_t first, size_t last)
{
    put(w, first, m->first);
    fprintf(w->out, "%s ", m->text);
    put(w, m->last, last);
}

static bool mutate(struct vl_mutations *mutations, struct writer *w, mutate_fn *how, size_t first,
                   size_t last)
{
    *mutations = (struct vl_mutations){0};
    how(mutations, w->tokens, &w->scope, first, last);
    if (mutations->failed)
        w->status = VL_ENOMEM;
    return !mutations->failed;
}

/* An expression, first to last, of the statement that is all of 'from' to 'to'. */
static void put_expression(struct writer *w, mutate_fn *how, size_t first, size_t last, size_t from,
                           size_t to)
{
    struct vl_mutations mutations;
    fputs("( ", w->out);
    if (mutate(&mutations, w, how, first, last))
        for (size_t i = 0; i < mutations.count && w->status == VL_OK; i++) {
            fprintf(w->out, VL_MUTANT_CHOSEN " == %zuu ? ( ",
                    list(w, &mutations.list[i], from, to));
            put_mutated(w, &mutations.list[i], first, last);
            fputs(") : ", w->out);
        }
    fputs("( ", w->out);
    put(w, first, last);
    fputs(") ) ", w->out);
    vl_mutations_free(&mutations);
}

/* An expression that is a statement, without its semicolon. */
static void put_statement(struct writer *w, size_t first, size_t last)
{
    struct vl_mutations mutations;
    fputs("{ ", w->out);
    if (mutate(&mutations, w, vl_mutate_statement, first, last))
        for (size_t i = 0; i < mutations.count && w->status == VL_OK; i++) {
            fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) ",
                    list(w, &mutations.list[i], first, last));
            put_mutated(w, &mutations.list[i], first, last);
            fputs("; else ", w->out);
        }
    put(w, first, last);
    fputs("; }\n", w->out);
    vl_mutations_free(&mutations);
}

/* ---- statements ---- */

static size_t end_of(const struct writer *w, size_t i, const char *mark, const char * or)
{
    while (i < w->tokens->count && !is(w, i, mark) && !is(w, i, or))
        i = w->tokens->list[i].partner > i ? w->tokens->list[i].partner + 1 : i + 1;
    return i;
}

/* What a variable begins with: an expression, or several in braces. */
static void put_value(struct writer *w, size_t first, size_t last, size_t from, size_t to)
{
    if (!is(w, first, "{")) {
        put_expression(w, vl_mutate_expression, first, last, from, to);
        return;
    }
    fputs("{ ", w->out);
    size_t close = w->tokens->list[first].partner;
    for (size_t i = first + 1, end; i < close; i = end + 1) {
        end = end_of(w, i, ",", "}");
        end = end < close ? end : close;
        size_t value = end_of(w, i, "=", ",") + 1;
        value = value < end ? value : i;
        put(w, i, value);
        if (value < end)
            put_value(w, value, end, i, end);
        fputs(", ", w->out);
    }
    fputs("} ", w->out);
}

/* A declaration; returns its semicolon's place. */
static size_t put_declaration(struct writer *w, size_t first)
{
    size_t declarator = vl_scope_declarators(w->tokens, first), type_end = declarator;
    size_t last = end_of(w, first, ";", ";");
    bool fixed = is(w, first, "static");
    put(w, first, type_end);
    for (;;) {
        size_t after = vl_scope_add(&w->scope, w->tokens, first, type_end, declarator);
        size_t value = end_of(w, after, "=", ","), end = end_of(w, after, ",", ";");
        value = value < end ? value : end;
        put(w, declarator, value);
        if (value < end && fixed) {
            put(w, value, end);
        } else if (value < end) {
            fputs("= ", w->out);
            put_value(w, value + 1, end, first, last);
        }
        if (end >= last)
            return last;
        fputs(", ", w->out);
        declarator = end + 1;
    }
}

/* The brackets after 'for', which open at i. */
static void put_for(struct writer *w, size_t i)
{
    size_t close = w->tokens->list[i].partner, at = i + 1;
    size_t condition = end_of(w, at, ";", ";") + 1, step = end_of(w, condition, ";", ";") + 1;
    fputs("( ", w->out);
    if (vl_scope_is_declaration(w->tokens, at))
        put_declaration(w, at);
    else
        put(w, at, condition - 1);
    fputs("; ", w->out);
    if (step - 1 > condition)
        put_expression(w, vl_mutate_expression, condition, step - 1, i, close);
    fputs("; ", w->out);
    put(w, step, close);
    fputs(") ", w->out);
}

static size_t put_one(struct writer *w, size_t i);

/* Is this an expression that is a statement? */
static bool is_expression(const struct writer *w, size_t i)
{
    static const char *const words[] = {"if",   "while", "for",      "switch", "else",    "do",
                                        "case", "break", "continue", "goto",   "default", "return",
                                        "{",    "}",     ";",        NULL};
    return i < w->tokens->count && !vl_token_is_any(w->tokens, i, words) &&
           !vl_scope_is_declaration(w->tokens, i);
}

/* A jump out of a turn of a loop, or out of the loop: the other one, or none. */
static void put_jump(struct writer *w, size_t i, size_t end)
{
    const struct vl_mutation left_out = {.kind = VL_MUTATION_STEP, .first = i, .last = end};
    const struct vl_mutation other = {.kind = VL_MUTATION_JUMP, .first = i, .last = end};
    fprintf(w->out, "{ if ( " VL_MUTANT_CHOSEN " == %zuu ) ; ", list(w, &left_out, i, end));
    if (w->loops > 0)
        fprintf(w->out, "else if ( " VL_MUTANT_CHOSEN " == %zuu ) %s ; ", list(w, &other, i, end),
                is(w, i, "break") ? "continue" : "break");
    fputs("else ", w->out);
    put(w, i, end);
    fputs("; }\n", w->out);
}

/* Two expressions, one after the other, or the other way round. Returns the token after the first; the
 * second is written when its turn comes, and *had is the mutant that has had it already. */
static size_t put_exchanged(struct writer *w, size_t first, size_t second, size_t end, size_t *had)
{
    size_t mutant = list_order(w, first, end);
    fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) { ", mutant);
    put(w, second, end);
    fputs("; }\n", w->out);
    *had = mutant;
    return put_one(w, first);
}

/* A variable that begins with a value, and may get another one later. Its name, its value and where that ends. */
static bool begins_plainly(const struct writer *w, size_t i, size_t *name, size_t *value,
                           size_t *last)
{
    *name = vl_scope_declarators(w->tokens, i);
    *value = end_of(w, i, "=", ";") + 1;
    *last = end_of(w, i, ",", ";");
    bool plain = vl_token_is_name(w->tokens, *name) && *value == *name + 2 && is(w, *last, ";") &&
                 !is(w, *value, "{");
    for (size_t k = i; k < *name; k++)
        plain = plain && !is(w, k, "const") && !is(w, k, "static");
    return plain;
}

static void note_begun(struct writer *w, size_t i)
{
    struct begun begun = {.depth = w->depth};
    size_t value;
    if (w->begun_count < BEGUN_MOST && begins_plainly(w, i, &begun.name, &value, &begun.last))
        w->begun[w->begun_count++] = begun;
}

/* At the beginning of a loop's body: variables that began before the loop begin anew in every turn. */
static void put_begun_anew(struct writer *w)
{
    for (size_t k = 0; k < w->begun_count; k++) {
        const struct begun *begun = &w->begun[k];
        const struct vl_mutation anew = {
            .kind = VL_MUTATION_ORDER, .first = begun->name, .last = begun->last};
        if (begun->depth != w->depth)
            continue;
        fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) { ",
                list(w, &anew, begun->name, begun->last));
        put(w, begun->name, begun->last);
        fputs("; }\n", w->out);
    }
}

/* A value read before something else changes it: the first variable of a declaration, with what it
 * begins with. */
struct early {
    size_t name, first, last;
    int left; /* statements after which reading it is tried */
};

static struct early early_of(const struct writer *w, size_t i)
{
    struct early early = {.left = 3};
    bool plain = begins_plainly(w, i, &early.name, &early.first, &early.last), reads = false;
    for (size_t k = early.first; k < early.last && plain; k++)
        reads |= is(w, k, "[") || is(w, k, "->");
    return plain && reads ? early : (struct early){.left = 0};
}

static void put_late(struct writer *w, struct early *early)
{
    if (early->left-- <= 0)
        return;
    size_t mutant = list_order(w, early->name, early->last);
    fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) { ", mutant);
    put(w, early->name, early->last);
    fputs("; }\n", w->out);
}

/* The statement at i of a block that ends before 'close'; returns the token after it. */
static size_t put_in_block(struct writer *w, size_t i, size_t close, size_t *had)
{
    size_t second = end_of(w, i, ";", ";") + 1, before = *had;
    bool exchanged = is_expression(w, i) && second < close && is_expression(w, second);
    *had = 0;
    if (before > 0)
        fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " != %zuu ) {\n", before);
    if (exchanged)
        i = put_exchanged(w, i, second, end_of(w, second, ";", ";"), had);
    else
        i = put_one(w, i);
    if (before > 0)
        fputs(" }\n", w->out);
    return i;
}

static size_t put_block(struct writer *w, size_t i)
{
    size_t close = w->tokens->list[i].partner, seen = w->scope.count, had = 0;
    const size_t begun = w->begun_count;
    struct early early = {.left = 0};
    fputs("{\n", w->out);
    if (w->repeats)
        put_begun_anew(w);
    w->repeats = false;
    w->depth++;
    for (i++; i < close && w->status == VL_OK;) {
        struct early next =
            vl_scope_is_declaration(w->tokens, i) ? early_of(w, i) : (struct early){.left = 0};
        if (vl_scope_is_declaration(w->tokens, i))
            note_begun(w, i);
        i = put_in_block(w, i, close, &had);
        if (next.left > 0)
            early = next;
        else if (!is(w, i, "else") &&
                 !is(w, i, "while")) /* these belong to what was written last */
            put_late(w, &early);
    }
    fputs(" }\n", w->out); /* in the first column a function ends (c_function.h) */
    w->scope.count = seen;
    w->begun_count = begun;
    w->depth--;
    return close + 1;
}

/* if, while, for or switch, with what it governs. */
static size_t put_governed(struct writer *w, size_t i)
{
    size_t open = i + 1, close = w->tokens->list[open].partner, seen = w->scope.count;
    const int loops = w->loops;
    w->loops = is(w, i, "switch") ? 0 : loops + !is(w, i, "if");
    put(w, i, open);
    if (is(w, i, "for")) {
        put_for(w, open);
    } else if (is(w, i, "switch")) {
        put(w, open, close + 1);
    } else {
        fputs("( ", w->out);
        put_expression(w, vl_mutate_condition, open + 1, close, open, close);
        fputs(") ", w->out);
    }
    w->repeats = is(w, open - 1, "for") || is(w, open - 1, "while");
    i = put_one(w, close + 1);
    w->repeats = false;
    w->scope.count = seen;
    w->loops = loops;
    return i;
}

/* One statement; returns the token after it. */
static size_t put_one(struct writer *w, size_t i)
{
    static const char *const governing[] = {"if", "while", "for", "switch", NULL};
    static const char *const jumps[] = {"break", "continue", NULL};
    static const char *const bare[] = {"goto", "typedef", NULL};
    static const char *const labels[] = {"case", "default", NULL};
    size_t end = end_of(w, i, ";", ";");
    if (is(w, i, "{"))
        return put_block(w, i);
    if (vl_token_is_any(w->tokens, i, governing) && is(w, i + 1, "("))
        return put_governed(w, i);
    if (vl_token_is_any(w->tokens, i, labels)) {
        size_t colon = end_of(w, i, ":", ";");
        put(w, i, colon + 1);
        return colon + 1;
    }
    if (is(w, i, "else") || is(w, i, "do")) {
        const int loops = w->loops;
        w->loops += is(w, i, "do");
        put(w, i, i + 1);
        i = put_one(w, i + 1);
        w->loops = loops;
        return i;
    }
    if (is(w, i, "return") && end > i + 1) {
        put(w, i, i + 1);
        put_expression(w, vl_mutate_expression, i + 1, end, i, end);
    } else if (vl_token_is_any(w->tokens, i, jumps)) {
        put_jump(w, i, end);
        return end + 1;
    } else if (end == i || is(w, i, "return") || vl_token_is_any(w->tokens, i, bare)) {
        put(w, i, end);
    } else if (vl_scope_is_declaration(w->tokens, i)) {
        put_declaration(w, i);
    } else {
        put_statement(w, i, end);
        return end + 1;
    }
    fputs(";\n", w->out);
    return end + 1;
}

/* ---- functions ---- */

/* Of what stands between "#if" and "#else" nobody here knows whether it is compiled. */
static bool has_directive(const struct vl_c_function *f)
{
    for (const char *line = f->start; line != NULL && line < f->end; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (*line == '#' && strncmp(line, "#pragma", strlen("#pragma")) != 0)
            return true;
    }
    return false;
}

static void put_function(struct writer *w, const struct vl_c_function *f)
{
    struct vl_tokens tokens = {0};
    w->tokens = &tokens;
    w->scope = (struct vl_scope){0};
    w->loops = w->depth = 0;
    w->begun_count = 0;
    w->repeats = false;
    enum vl_status status =
        has_directive(f) ? VL_EFORMAT : vl_tokens_read(&tokens, f->start, f->end);
    size_t open = 0;
    while (status == VL_OK && open < tokens.count && tokens.list[open].at != f->name)
        open++;
    if (status == VL_OK && is(w, ++open, "(") && is(w, tokens.list[open].partner + 1, "{")) {
        size_t close = tokens.list[open].partner;
        vl_scope_add_parameters(&w->scope, &tokens, open + 1, close);
        fprintf(w->out, "%.*s\n{\n", (int)(tokens.list[close].at + 1 - f->start), f->start);
        put_block(w, close + 1);
        fputs("}\n", w->out);
    } else {
        w->status = status == VL_OK ? VL_EFORMAT : status;
    }
    w->tokens = NULL;
    vl_tokens_free(&tokens);
}

enum vl_status vl_schema_make(struct vl_schema *schema, const char *file, const char *function)
{
    struct vl_relatives relatives = vl_relatives_of(file, function);
    struct vl_c_function f;
    size_t bytes;
    *schema = (struct vl_schema){0};
    if (relatives.count == 0)
        return VL_OK;
    struct writer w = {
        .out = open_memstream(&schema->text, &bytes), .file = file, .schema = schema};
    if (w.out == NULL)
        return VL_ENOMEM;
    fputs(VL_SCHEMA_HEAD, w.out);
    const char *at = file;
    for (const char *next = file; vl_c_function_next(&f, next) && w.status == VL_OK; next = f.end) {
        if (!vl_relatives_have(&relatives, &f))
            continue;
        fprintf(w.out, "%.*s\n", (int)(f.start - at), at);
        put_function(&w, &f);
        at = f.end;
    }
    fputs(at, w.out);
    return fclose(w.out) == 0 ? w.status : VL_ENOMEM;
}

char *vl_schema_with(const struct vl_schema *schema, unsigned mutant)
{
    char *text;
    /* Like a system header's: of the others, compilers would warn. */
    if (asprintf(&text, "# 1 \"mutant\" 3\nenum { " VL_MUTANT_CHOSEN " = %u };\n%s", mutant,
                 schema->text + strlen(VL_SCHEMA_HEAD)) < 0)
        return NULL;
    return text;
}

void vl_schema_free(struct vl_schema *schema)
{
    for (size_t i = 0; i < schema->count; i++)
        vl_mutant_free(&schema->list[i]);
    free(schema->list);
    free(schema->text);
    *schema = (struct vl_schema){0};
}
