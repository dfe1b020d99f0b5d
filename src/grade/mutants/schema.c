#include "grade/mutants/schema.h"

#include "grade/mutants/beginnings.h"
#include "grade/mutants/relatives.h"
#include "grade/mutants/schema_writer.h"

#include <stdlib.h>
#include <string.h>

/* ---- statements ---- */

/* What a variable begins with: an expression, or several in braces. */
static void put_value(struct vl_writer *w, size_t first, size_t last, size_t from, size_t to)
{
    if (!vl_writer_is(w, first, "{")) {
        vl_writer_expression(w, vl_mutate_expression, first, last, from, to);
        return;
    }
    fputs("{ ", w->out);
    size_t close = w->tokens->list[first].partner;
    for (size_t i = first + 1, end; i < close; i = end + 1) {
        end = vl_writer_end_of(w, i, ",", "}");
        end = end < close ? end : close;
        size_t value = vl_writer_end_of(w, i, "=", ",") + 1;
        value = value < end ? value : i;
        vl_writer_put(w, i, value);
        if (value < end)
            put_value(w, value, end, i, end);
        fputs(", ", w->out);
    }
    fputs("} ", w->out);
}

/* A declaration; returns its semicolon's place. */
static size_t put_declaration(struct vl_writer *w, size_t first)
{
    size_t declarator = vl_scope_declarators(w->tokens, first), type_end = declarator;
    size_t last = vl_writer_end_of(w, first, ";", ";");
    bool fixed = vl_writer_is(w, first, "static");
    vl_writer_put(w, first, type_end);
    for (;;) {
        size_t after = vl_scope_add(&w->scope, w->tokens, first, type_end, declarator);
        size_t value = vl_writer_end_of(w, after, "=", ","),
               end = vl_writer_end_of(w, after, ",", ";");
        value = value < end ? value : end;
        vl_writer_put(w, declarator, value);
        if (value < end && fixed) {
            vl_writer_put(w, value, end);
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
static void put_for(struct vl_writer *w, size_t i)
{
    size_t close = w->tokens->list[i].partner, at = i + 1;
    size_t condition = vl_writer_end_of(w, at, ";", ";") + 1,
           step = vl_writer_end_of(w, condition, ";", ";") + 1;
    fputs("( ", w->out);
    if (vl_scope_is_declaration(w->tokens, at))
        put_declaration(w, at);
    else
        vl_writer_put(w, at, condition - 1);
    fputs("; ", w->out);
    if (step - 1 > condition)
        vl_writer_expression(w, vl_mutate_expression, condition, step - 1, i, close);
    fputs("; ", w->out);
    vl_writer_put(w, step, close);
    fputs(") ", w->out);
}

static size_t put_one(struct vl_writer *w, size_t i);

/* Is this an expression that is a statement? */
static bool is_expression(const struct vl_writer *w, size_t i)
{
    static const char *const words[] = {"if",   "while", "for",      "switch", "else",    "do",
                                        "case", "break", "continue", "goto",   "default", "return",
                                        "{",    "}",     ";",        NULL};
    return i < w->tokens->count && !vl_token_is_any(w->tokens, i, words) &&
           !vl_scope_is_declaration(w->tokens, i);
}

/* A jump out of a turn of a loop, or out of the loop: the other one, or none. */
static void put_jump(struct vl_writer *w, size_t i, size_t end)
{
    const struct vl_mutation left_out = {.kind = VL_MUTATION_STEP, .first = i, .last = end};
    const struct vl_mutation other = {.kind = VL_MUTATION_JUMP, .first = i, .last = end};
    fprintf(w->out, "{ if ( " VL_MUTANT_CHOSEN " == %zuu ) ; ",
            vl_writer_list(w, &left_out, i, end));
    if (w->loops > 0)
        fprintf(w->out, "else if ( " VL_MUTANT_CHOSEN " == %zuu ) %s ; ",
                vl_writer_list(w, &other, i, end),
                vl_writer_is(w, i, "break") ? "continue" : "break");
    fputs("else ", w->out);
    vl_writer_put(w, i, end);
    fputs("; }\n", w->out);
}

/* Two expressions, one after the other, or the other way round. Returns the token after the first; the
 * second is written when its turn comes, and *had is the mutant that has had it already. */
static size_t put_exchanged(struct vl_writer *w, size_t first, size_t second, size_t end,
                            size_t *had)
{
    size_t mutant = vl_writer_list_order(w, first, end);
    fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " == %zuu ) { ", mutant);
    vl_writer_put(w, second, end);
    fputs("; }\n", w->out);
    *had = mutant;
    return put_one(w, first);
}

/* The statement at i of a block that ends before 'close'; returns the token after it. */
static size_t put_in_block(struct vl_writer *w, size_t i, size_t close, size_t *had)
{
    size_t second = vl_writer_end_of(w, i, ";", ";") + 1, before = *had;
    bool exchanged = is_expression(w, i) && second < close && is_expression(w, second);
    *had = 0;
    if (before > 0)
        fprintf(w->out, "if ( " VL_MUTANT_CHOSEN " != %zuu ) {\n", before);
    if (exchanged)
        i = put_exchanged(w, i, second, vl_writer_end_of(w, second, ";", ";"), had);
    else
        i = put_one(w, i);
    if (before > 0)
        fputs(" }\n", w->out);
    return i;
}

static size_t put_block(struct vl_writer *w, size_t i)
{
    size_t close = w->tokens->list[i].partner, seen = w->scope.count, had = 0;
    const size_t begun = w->begun_count;
    struct vl_early early = {.left = 0};
    fputs("{\n", w->out);
    if (w->repeats)
        vl_beginnings_anew(w);
    w->repeats = false;
    w->depth++;
    for (i++; i < close && w->status == VL_OK;) {
        struct vl_early next = vl_scope_is_declaration(w->tokens, i) ? vl_early_of(w, i)
                                                                     : (struct vl_early){.left = 0};
        if (vl_scope_is_declaration(w->tokens, i))
            vl_beginning_note(w, i);
        i = put_in_block(w, i, close, &had);
        if (next.left > 0)
            early = next;
        else if (!vl_writer_is(w, i, "else") &&
                 !vl_writer_is(w, i, "while")) /* these belong to what was written last */
            vl_early_put(w, &early);
    }
    fputs(" }\n", w->out); /* in the first column a function ends (c_function.h) */
    w->scope.count = seen;
    w->begun_count = begun;
    w->depth--;
    return close + 1;
}

/* if, while, for or switch, with what it governs. */
static size_t put_governed(struct vl_writer *w, size_t i)
{
    size_t open = i + 1, close = w->tokens->list[open].partner, seen = w->scope.count;
    const int loops = w->loops;
    w->loops = vl_writer_is(w, i, "switch") ? 0 : loops + !vl_writer_is(w, i, "if");
    vl_writer_put(w, i, open);
    if (vl_writer_is(w, i, "for")) {
        put_for(w, open);
    } else if (vl_writer_is(w, i, "switch")) {
        vl_writer_put(w, open, close + 1);
    } else {
        fputs("( ", w->out);
        vl_writer_expression(w, vl_mutate_condition, open + 1, close, open, close);
        fputs(") ", w->out);
    }
    w->repeats = vl_writer_is(w, open - 1, "for") || vl_writer_is(w, open - 1, "while");
    i = put_one(w, close + 1);
    w->repeats = false;
    w->scope.count = seen;
    w->loops = loops;
    return i;
}

/* One statement; returns the token after it. */
static size_t put_one(struct vl_writer *w, size_t i)
{
    static const char *const governing[] = {"if", "while", "for", "switch", NULL};
    static const char *const jumps[] = {"break", "continue", NULL};
    static const char *const bare[] = {"goto", "typedef", NULL};
    static const char *const labels[] = {"case", "default", NULL};
    size_t end = vl_writer_end_of(w, i, ";", ";");
    if (vl_writer_is(w, i, "{"))
        return put_block(w, i);
    if (vl_token_is_any(w->tokens, i, governing) && vl_writer_is(w, i + 1, "("))
        return put_governed(w, i);
    if (vl_token_is_any(w->tokens, i, labels)) {
        size_t colon = vl_writer_end_of(w, i, ":", ";");
        vl_writer_put(w, i, colon + 1);
        return colon + 1;
    }
    if (vl_writer_is(w, i, "else") || vl_writer_is(w, i, "do")) {
        const int loops = w->loops;
        w->loops += vl_writer_is(w, i, "do");
        vl_writer_put(w, i, i + 1);
        i = put_one(w, i + 1);
        w->loops = loops;
        return i;
    }
    if (vl_writer_is(w, i, "return") && end > i + 1) {
        vl_writer_put(w, i, i + 1);
        vl_writer_expression(w, vl_mutate_expression, i + 1, end, i, end);
    } else if (vl_token_is_any(w->tokens, i, jumps)) {
        put_jump(w, i, end);
        return end + 1;
    } else if (end == i || vl_writer_is(w, i, "return") || vl_token_is_any(w->tokens, i, bare)) {
        vl_writer_put(w, i, end);
    } else if (vl_scope_is_declaration(w->tokens, i)) {
        put_declaration(w, i);
    } else {
        vl_writer_statement(w, i, end);
        return end + 1;
    }
    fputs(";\n", w->out);
    return end + 1;
}

/* ---- functions ---- */

/* Nothing here knows whether the lines between "#if" and "#else" are compiled. */
static bool has_directive(const struct vl_c_function *f)
{
    for (const char *line = f->start; line != NULL && line < f->end; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (*line == '#' && strncmp(line, "#pragma", strlen("#pragma")) != 0)
            return true;
    }
    return false;
}

static void put_function(struct vl_writer *w, const struct vl_c_function *f)
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
    if (status == VL_OK && vl_writer_is(w, ++open, "(") &&
        vl_writer_is(w, tokens.list[open].partner + 1, "{")) {
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
    struct vl_writer w = {
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
