#include "grade/mutants/operators.h"

#include "grade/mutants/clauses.h"
#include "grade/mutants/members.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED 100 /* a float literal below it may count something: so one more or less is tried */
#define OTHERS  5   /* other variables of the same type that are tried in one's place */
#define SIZES   3   /* variables that are tried in the place of a member */

/* An expression, and where its mutations go. */
struct site {
    struct vl_mutations *mutations;
    const struct vl_tokens *tokens;
    const struct vl_scope *scope;
    size_t first, last;
};

static const char *const assignments[] = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", NULL};
static const char *const sums[] = {"+", "-", NULL};
static const char *const products[] = {"*", "/", "%", NULL};
/* What ends a term, whatever is in it. */
static const char *const borders[] = {"<", ">", "<=", ">=", "==", "!=", "&&", "||", "?",
                                      ":", ",", ";",  "=",  "+=", "-=", "*=", "/=", "(",
                                      "[", "{", ")",  "]",  "}",  "|",  "<<", ">>", NULL};

static void add(const struct site *site, enum vl_mutation_kind kind, size_t first, size_t last,
                const char *format, ...) __attribute__((format(printf, 5, 6)));

static void add(const struct site *site, enum vl_mutation_kind kind, size_t first, size_t last,
                const char *format, ...)
{
    char *text = NULL;
    va_list values;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        text = NULL;
    va_end(values);
    vl_mutations_add(site->mutations, kind, first, last, text);
    free(text);
}

static bool is(const struct site *site, size_t i, const char *word)
{
    return i >= site->first && i < site->last && vl_token_is(site->tokens, i, word);
}

static bool is_any(const struct site *site, size_t i, const char *const *words)
{
    return i >= site->first && i < site->last && vl_token_is_any(site->tokens, i, words);
}

static size_t partner(const struct site *site, size_t i)
{
    return site->tokens->list[i].partner;
}

static bool is_binary(const struct site *site, size_t i)
{
    return i > site->first && vl_scope_has_operand(site->tokens, i);
}

/* ---- operators ---- */

static void exchange_operator(const struct site *site, size_t i)
{
    static const struct {
        const char *mark, *other;
        enum vl_mutation_kind kind;
        bool binary;
    } pairs[] = {
        {"+", "-", VL_MUTATION_SIGN, true},        {"-", "+", VL_MUTATION_SIGN, true},
        {"-", "", VL_MUTATION_SIGN, false},        {"*", "/", VL_MUTATION_INVERSE, true},
        {"/", "*", VL_MUTATION_INVERSE, true},     {"<", "<=", VL_MUTATION_BOUND, true},
        {"<=", "<", VL_MUTATION_BOUND, true},      {">", ">=", VL_MUTATION_BOUND, true},
        {">=", ">", VL_MUTATION_BOUND, true},      {"<", ">", VL_MUTATION_CONDITION, true},
        {">", "<", VL_MUTATION_CONDITION, true},   {"==", "!=", VL_MUTATION_CONDITION, true},
        {"!=", "==", VL_MUTATION_CONDITION, true}, {"&&", "||", VL_MUTATION_CONDITION, true},
        {"||", "&&", VL_MUTATION_CONDITION, true}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (is(site, i, pairs[k].mark) && is_binary(site, i) == pairs[k].binary)
            add(site, pairs[k].kind, i, i + 1, "%s", pairs[k].other);
}

/* ---- terms and factors ---- */

/* Where the operand after the operator at i ends: a factor, or a term with its factors. */
static size_t end_of_operand(const struct site *site, size_t i, bool factor)
{
    size_t k = i + 1;
    while (k < site->last) {
        bool opens = partner(site, k) > k;
        if (opens)
            k = partner(site, k) + 1;
        else if (is_any(site, k, borders) || (is_any(site, k, sums) && is_binary(site, k)) ||
                 (factor && is_any(site, k, products) && is_binary(site, k)))
            break;
        else
            k++;
    }
    return k;
}

/* Where the operand before the operator at i begins. */
static size_t start_of_operand(const struct site *site, size_t i, bool factor)
{
    size_t k = i;
    while (k > site->first) {
        bool closes = partner(site, k - 1) > 0 && partner(site, k - 1) < k - 1;
        if (closes)
            k = partner(site, k - 1);
        else if (is_any(site, k - 1, borders) ||
                 (is_any(site, k - 1, sums) && is_binary(site, k - 1)) ||
                 (factor && is_any(site, k - 1, products) && is_binary(site, k - 1)))
            break;
        else
            k--;
    }
    return k;
}

static void drop_operand(const struct site *site, size_t i)
{
    bool factor = is_any(site, i, products);
    if (!is_binary(site, i) || !(factor || is_any(site, i, sums)))
        return;
    add(site, VL_MUTATION_TERM, i, end_of_operand(site, i, factor), "%s", "");
    if (is(site, i, "+") || is(site, i, "*"))
        add(site, VL_MUTATION_TERM, start_of_operand(site, i, factor), i + 1, "%s", "");
    else if (is(site, i, "-"))
        add(site, VL_MUTATION_TERM, start_of_operand(site, i, factor), i, "%s", "");
}

/* A function of one argument is forgotten: sqrt(x) becomes x. */
static void drop_call(const struct site *site, size_t i)
{
    static const char *const functions[] = {"sqrt", "sqrtf", "exp",   "expf", "log", "logf",
                                            "fabs", "fabsf", "floor", "ceil", NULL};
    if (is_any(site, i, functions) && is(site, i + 1, "("))
        add(site, VL_MUTATION_TERM, i, i + 1, "%s", "");
}

/* A cast keeps a product from overflowing, or a sum from being rounded. */
static void drop_cast(const struct site *site, size_t i)
{
    static const char *const wide[] = {"double", "size_t", "int64_t", "uint64_t", NULL};
    if (is(site, i, "(") && is_any(site, i + 1, wide) && is(site, i + 2, ")") &&
        (i == site->first || !is(site, i - 1, "sizeof")))
        add(site, VL_MUTATION_NARROW, i, i + 3, "%s", "");
}

/* ---- numbers and variables ---- */

static void change_number(const struct site *site, size_t i)
{
    const struct vl_token *token = &site->tokens->list[i];
    if (token->kind != VL_TOKEN_NUMBER || (token->length > 1 && token->at[1] == 'x'))
        return;
    char text[32], *rest;
    snprintf(text, sizeof text, "%.*s", (int)token->length, token->at);
    double value = strtod(text, &rest);
    if (strpbrk(text, ".eE") != NULL) {
        add(site, VL_MUTATION_NUMBER, i, i + 1, value == 0 ? "1.0" : "(2 * %s)", text);
        if (value != 0)
            add(site, VL_MUTATION_NUMBER, i, i + 1, "(%s / 2)", text);
        if (value == floor(value) && value > 0 && value < COUNTED) {
            add(site, VL_MUTATION_NUMBER, i, i + 1, "(%s + 1)", text);
            add(site, VL_MUTATION_NUMBER, i, i + 1, "(%s - 1)", text);
        }
        return;
    }
    add(site, VL_MUTATION_NUMBER, i, i + 1, "%.0f%s", value + 1, rest);
    if (value > 0)
        add(site, VL_MUTATION_NUMBER, i, i + 1, "%.0f%s", value - 1, rest);
    if (value > 2)
        add(site, VL_MUTATION_NUMBER, i, i + 1, "%.0f%s", 2 * value, rest);
}

/* Is what begins at token i and ends before 'end' written to, or is its address taken? Then nothing else may
 * take its place. */
static bool is_written(const struct site *site, size_t i, size_t end)
{
    static const char *const steps[] = {"++", "--", "&", NULL};
    return is_any(site, end, assignments) || is_any(site, end, steps) ||
           (i > site->first && is_any(site, i - 1, steps) &&
            !(is(site, i - 1, "&") && is_binary(site, i - 1)));
}

/* May the expression use the variable? Not where a newer one has its name, or while it is declared: then it has no
 * value yet. */
static bool is_usable(const struct site *site, const struct vl_variable *variable)
{
    return vl_scope_find(site->scope, site->tokens, variable->token) == variable &&
           variable->token + 2 != site->first;
}

static void change_variable(const struct site *site, size_t i)
{
    const struct vl_variable *here = vl_scope_find(site->scope, site->tokens, i);
    if (here == NULL || is_written(site, i, i + 1))
        return;
    size_t tried = 0;
    for (size_t k = site->scope->count; k > 0 && tried < OTHERS; k--) {
        const struct vl_variable *other = &site->scope->list[k - 1];
        const struct vl_token *name = &site->tokens->list[other->token];
        if (strcmp(other->type, here->type) != 0 || vl_tokens_same(site->tokens, other->token, i) ||
            !is_usable(site, other))
            continue;
        add(site, VL_MUTATION_VARIABLE, i, i + 1, "%.*s", (int)name->length, name->at);
        tried++;
    }
}

/* A whole number that may be taken for a member: not what counts a loop. */
static bool is_size(const struct site *site, const struct vl_variable *variable)
{
    size_t i = variable->token;
    while (i > 0 && vl_token_is_name(site->tokens, i - 1))
        i--;
    return vl_variable_is_integer(variable) && !(i > 1 && vl_token_is(site->tokens, i - 1, "(") &&
                                                 vl_token_is(site->tokens, i - 2, "for"));
}

/* The member that a variable is taken for: the one next to where it is declared, which it often comes from;
 * where it is nothing else, the one next to token i. */
static bool member_for(const struct site *site, const struct vl_variable *variable, size_t i,
                       size_t *first, size_t *last)
{
    static const char *const ends[] = {",", ";", NULL};
    const size_t value = variable->token + 2;
    if (!vl_member_near(first, last, site->tokens, site->scope, variable->token))
        return false;
    return !(*first == value && vl_token_is_any(site->tokens, *last, ends)) ||
           vl_member_near(first, last, site->tokens, site->scope, i);
}

/* A local variable becomes a member: in its own type, so that it can be an index even if the member is a
 * fraction. */
static void change_to_member(const struct site *site, size_t i)
{
    const struct vl_variable *here = vl_scope_find(site->scope, site->tokens, i);
    size_t first, last;
    if (here == NULL || here->parameter || !is_size(site, here) || is_written(site, i, i + 1) ||
        !member_for(site, here, i, &first, &last))
        return;
    const struct vl_token *from = &site->tokens->list[first], *to = &site->tokens->list[last - 1];
    add(site, VL_MUTATION_VARIABLE, i, i + 1, "(%s)%.*s", here->type,
        (int)(to->at + to->length - from->at), from->at);
}

/* A member becomes a variable that holds a whole number. */
static void change_member(const struct site *site, size_t i)
{
    const size_t end = vl_member_end(site->tokens, site->scope, i);
    if (end == 0 || end > site->last || is_written(site, i, end) ||
        !vl_member_is_number(site->tokens, site->scope, i, end))
        return;
    size_t tried = 0;
    for (size_t k = site->scope->count; k > 0 && tried < SIZES; k--) {
        const struct vl_variable *other = &site->scope->list[k - 1];
        const struct vl_token *name = &site->tokens->list[other->token];
        if (!is_size(site, other) || !is_usable(site, other))
            continue;
        add(site, VL_MUTATION_VARIABLE, i, end, "%.*s", (int)name->length, name->at);
        tried++;
    }
}

/* One member becomes another one of the same structure, both numbers. */
static void exchange_member(const struct site *site, size_t i)
{
    const size_t end = vl_member_end(site->tokens, site->scope, i), length = end - i;
    if (end == 0 || end > site->last || is_written(site, i, end) ||
        !vl_member_is_number(site->tokens, site->scope, i, end))
        return;
    size_t tried = 0;
    for (size_t k = 0; k < site->tokens->count && tried < SIZES; k++) {
        bool sibling = vl_member_end(site->tokens, site->scope, k) == k + length &&
                       !vl_tokens_same(site->tokens, k + length - 1, end - 1);
        for (size_t part = 0; sibling && part + 1 < length; part++)
            sibling = vl_tokens_same(site->tokens, k + part, i + part);
        for (size_t before = 0; sibling && before < k; before++) /* it may be named several times */
            sibling = !(vl_member_end(site->tokens, site->scope, before) == before + length &&
                        vl_tokens_same(site->tokens, before, k) &&
                        vl_tokens_same(site->tokens, before + length - 1, k + length - 1));
        if (!sibling || !vl_member_is_number(site->tokens, site->scope, k, k + length))
            continue;
        const struct vl_token *name = &site->tokens->list[k + length - 1];
        add(site, VL_MUTATION_VARIABLE, end - 1, end, "%.*s", (int)name->length, name->at);
        tried++;
    }
}

/* The bracket that token i is in, within the expression; 'first' if in none. */
static size_t bracket_of(const struct site *site, size_t i)
{
    while (i > site->first) {
        i--;
        if (partner(site, i) > i)
            return i;
        if (partner(site, i) > 0)
            i = partner(site, i);
    }
    return site->first;
}

/* An index, or an argument that is a whole number, one more and one less. */
static void shift_index(const struct site *site, size_t i)
{
    const struct vl_variable *here = vl_scope_find(site->scope, site->tokens, i);
    size_t bracket = bracket_of(site, i);
    bool argument = is(site, bracket, "(") && bracket > site->first &&
                    vl_token_is_name(site->tokens, bracket - 1);
    if (here == NULL || !vl_variable_is_integer(here) || is_written(site, i, i + 1) ||
        !(is(site, bracket, "[") || argument))
        return;
    const struct vl_token *name = &site->tokens->list[i];
    add(site, VL_MUTATION_INDEX, i, i + 1, "(%.*s + 1)", (int)name->length, name->at);
    add(site, VL_MUTATION_INDEX, i, i + 1, "(%.*s - 1)", (int)name->length, name->at);
}

/* ---- arguments ---- */

static void transpose(const struct site *site, size_t i)
{
    if (is(site, i, "CblasTrans"))
        add(site, VL_MUTATION_TRANSPOSED, i, i + 1, "CblasNoTrans");
    else if (is(site, i, "CblasNoTrans"))
        add(site, VL_MUTATION_TRANSPOSED, i, i + 1, "CblasTrans");
}

/* f(a, b) becomes f(b, a), where both are variables of one type. */
static void exchange_arguments(const struct site *site, size_t i)
{
    if (!is(site, i, ",") || !vl_token_is_name(site->tokens, i - 1))
        return;
    const struct vl_variable *left = vl_scope_find(site->scope, site->tokens, i - 1);
    const struct vl_variable *right = vl_scope_find(site->scope, site->tokens, i + 1);
    bool alone = i >= site->first + 2 && (is(site, i - 2, ",") || is(site, i - 2, "(")) &&
                 (is(site, i + 2, ",") || is(site, i + 2, ")"));
    if (left == NULL || right == NULL || !alone || left == right ||
        strcmp(left->type, right->type) != 0)
        return;
    const struct vl_token *a = &site->tokens->list[i - 1], *b = &site->tokens->list[i + 1];
    add(site, VL_MUTATION_ARGUMENTS, i - 1, i + 2, "%.*s, %.*s", (int)b->length, b->at,
        (int)a->length, a->at);
}

/* ---- the whole ---- */

void vl_mutate_expression(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                          const struct vl_scope *scope, size_t first, size_t last)
{
    static void (*const all[])(const struct site *, size_t) = {
        exchange_operator, drop_operand,    drop_call,        drop_cast,
        change_number,     change_variable, change_to_member, change_member,
        exchange_member,   shift_index,     transpose,        exchange_arguments};
    const struct site site = {mutations, tokens, scope, first, last};
    for (size_t i = first; i < last; i++) {
        if (vl_scope_is_cast(tokens, i)) {
            drop_cast(&site, i);
            i = tokens->list[i].partner;
            continue;
        }
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            all[k](&site, i);
    }
    vl_mutate_clauses(mutations, tokens, first, last);
}

void vl_mutate_condition(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                         const struct vl_scope *scope, size_t first, size_t last)
{
    const struct site site = {mutations, tokens, scope, first, last};
    bool guards = false; /* against a missing argument: nobody's bug is there */
    for (size_t i = first; i < last; i++)
        guards |= vl_token_is(tokens, i, "NULL");
    if (guards)
        return;
    vl_mutate_expression(mutations, tokens, scope, first, last);
    add(&site, VL_MUTATION_CONDITION, first, last, "0");
    add(&site, VL_MUTATION_CONDITION, first, last, "1");
}

/* Is the left side of the assignment at i a number that one can add to? */
static bool is_number(const struct site *site, size_t i)
{
    size_t root = is(site, site->first, "*") ? site->first + 1 : site->first;
    const struct vl_variable *variable = vl_scope_find(site->scope, site->tokens, root);
    bool element = root > site->first || is(site, root + 1, "[");
    size_t after = is(site, root + 1, "[") ? partner(site, root + 1) + 1 : root + 1;
    return variable != NULL && after == i && vl_variable_is_number(variable, element);
}

/* status = f(x): the first failure stays, whether or not f is still called. */
static void keep_failure(const struct site *site)
{
    const size_t name = site->first;
    const struct vl_variable *status = vl_scope_find(site->scope, site->tokens, name);
    const struct vl_token *token = &site->tokens->list[name];
    const int length = (int)token->length;
    char *value = NULL;
    size_t bytes;
    if (status == NULL || strcmp(status->type, "enum vl_status ") != 0 || !is(site, name + 1, "="))
        return;
    add(site, VL_MUTATION_CONDITION, name + 1, name + 2, "= %.*s != VL_OK ? %.*s :", length,
        token->at, length, token->at);
    FILE *out = open_memstream(&value, &bytes);
    if (out != NULL) {
        vl_tokens_put(out, site->tokens, name + 2, site->last);
        fclose(out);
        add(site, VL_MUTATION_CONDITION, name + 2, site->last,
            "({ enum vl_status vl_now = %s; %.*s != VL_OK ? %.*s : vl_now; })", value, length,
            token->at, length, token->at);
    }
    free(value);
}

void vl_mutate_statement(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                         const struct vl_scope *scope, size_t first, size_t last)
{
    static const struct {
        const char *mark, *other;
        enum vl_mutation_kind kind;
    } pairs[] = {{"+=", "=", VL_MUTATION_WRITTEN},  {"+=", "-=", VL_MUTATION_SIGN},
                 {"-=", "+=", VL_MUTATION_SIGN},    {"=", "+=", VL_MUTATION_WRITTEN},
                 {"*=", "/=", VL_MUTATION_INVERSE}, {"/=", "*=", VL_MUTATION_INVERSE},
                 {"*=", "=", VL_MUTATION_WRITTEN}};
    const struct site site = {mutations, tokens, scope, first, last};
    vl_mutate_expression(mutations, tokens, scope, first, last);
    for (size_t i = first; i < last; i++) {
        if (tokens->list[i].partner > i)
            i = tokens->list[i].partner;
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            if (vl_token_is(tokens, i, pairs[k].mark) && is_number(&site, i))
                add(&site, pairs[k].kind, i, i + 1, "%s", pairs[k].other);
    }
    keep_failure(&site);
    add(&site, VL_MUTATION_STEP, first, last, "%s", "");
}

void vl_mutations_add(struct vl_mutations *mutations, enum vl_mutation_kind kind, size_t first,
                      size_t last, const char *text)
{
    struct vl_mutation *more = realloc(mutations->list, (mutations->count + 1) * sizeof *more);
    char *copy = text != NULL ? strdup(text) : NULL;
    if (more != NULL)
        mutations->list = more;
    if (more == NULL || copy == NULL) {
        mutations->failed = true;
        free(copy);
        return;
    }
    mutations->list[mutations->count++] = (struct vl_mutation){kind, first, last, copy};
}

void vl_mutations_free(struct vl_mutations *mutations)
{
    for (size_t i = 0; i < mutations->count; i++)
        free(mutations->list[i].text);
    free(mutations->list);
    *mutations = (struct vl_mutations){0};
}
