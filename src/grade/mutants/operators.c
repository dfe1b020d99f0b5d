#include "grade/mutants/operators.h"

#include "grade/mutants/changed_names.h"
#include "grade/mutants/clauses.h"
#include "grade/mutants/site.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNTED 100 /* a float literal below it may count something: so one more or less is tried */

static const char *const sums[] = {"+", "-", NULL};
static const char *const products[] = {"*", "/", "%", NULL};
/* What ends a term, whatever is in it. */
static const char *const borders[] = {"<", ">", "<=", ">=", "==", "!=", "&&", "||", "?",
                                      ":", ",", ";",  "=",  "+=", "-=", "*=", "/=", "(",
                                      "[", "{", ")",  "]",  "}",  "|",  "<<", ">>", NULL};

/* ---- operators ---- */

static void exchange_operator(const struct vl_site *site, size_t i)
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
        if (vl_site_is(site, i, pairs[k].mark) && vl_site_is_binary(site, i) == pairs[k].binary)
            vl_site_add(site, pairs[k].kind, i, i + 1, "%s", pairs[k].other);
}

/* ---- terms and factors ---- */

/* Where the operand after the operator at i ends: a factor, or a term with its factors. */
static size_t end_of_operand(const struct vl_site *site, size_t i, bool factor)
{
    size_t k = i + 1;
    while (k < site->last) {
        bool opens = vl_site_partner(site, k) > k;
        if (opens)
            k = vl_site_partner(site, k) + 1;
        else if (vl_site_is_any(site, k, borders) ||
                 (vl_site_is_any(site, k, sums) && vl_site_is_binary(site, k)) ||
                 (factor && vl_site_is_any(site, k, products) && vl_site_is_binary(site, k)))
            break;
        else
            k++;
    }
    return k;
}

/* Where the operand before the operator at i begins. */
static size_t start_of_operand(const struct vl_site *site, size_t i, bool factor)
{
    size_t k = i;
    while (k > site->first) {
        bool closes = vl_site_partner(site, k - 1) > 0 && vl_site_partner(site, k - 1) < k - 1;
        if (closes)
            k = vl_site_partner(site, k - 1);
        else if (vl_site_is_any(site, k - 1, borders) ||
                 (vl_site_is_any(site, k - 1, sums) && vl_site_is_binary(site, k - 1)) ||
                 (factor && vl_site_is_any(site, k - 1, products) &&
                  vl_site_is_binary(site, k - 1)))
            break;
        else
            k--;
    }
    return k;
}

static void drop_operand(const struct vl_site *site, size_t i)
{
    bool factor = vl_site_is_any(site, i, products);
    if (!vl_site_is_binary(site, i) || !(factor || vl_site_is_any(site, i, sums)))
        return;
    vl_site_add(site, VL_MUTATION_TERM, i, end_of_operand(site, i, factor), "%s", "");
    if (vl_site_is(site, i, "+") || vl_site_is(site, i, "*"))
        vl_site_add(site, VL_MUTATION_TERM, start_of_operand(site, i, factor), i + 1, "%s", "");
    else if (vl_site_is(site, i, "-"))
        vl_site_add(site, VL_MUTATION_TERM, start_of_operand(site, i, factor), i, "%s", "");
}

/* A function of one argument is forgotten: sqrt(x) becomes x. */
static void drop_call(const struct vl_site *site, size_t i)
{
    static const char *const functions[] = {"sqrt", "sqrtf", "exp",   "expf", "log", "logf",
                                            "fabs", "fabsf", "floor", "ceil", NULL};
    if (vl_site_is_any(site, i, functions) && vl_site_is(site, i + 1, "("))
        vl_site_add(site, VL_MUTATION_TERM, i, i + 1, "%s", "");
}

/* A cast keeps a product from overflowing, or a sum from being rounded. */
static void drop_cast(const struct vl_site *site, size_t i)
{
    static const char *const wide[] = {"double", "size_t", "int64_t", "uint64_t", NULL};
    if (vl_site_is(site, i, "(") && vl_site_is_any(site, i + 1, wide) &&
        vl_site_is(site, i + 2, ")") && (i == site->first || !vl_site_is(site, i - 1, "sizeof")))
        vl_site_add(site, VL_MUTATION_NARROW, i, i + 3, "%s", "");
}

/* ---- numbers and variables ---- */

static void change_number(const struct vl_site *site, size_t i)
{
    const struct vl_token *token = &site->tokens->list[i];
    if (token->kind != VL_TOKEN_NUMBER || (token->length > 1 && token->at[1] == 'x'))
        return;
    char text[32], *rest;
    snprintf(text, sizeof text, "%.*s", (int)token->length, token->at);
    double value = strtod(text, &rest);
    if (strpbrk(text, ".eE") != NULL) {
        vl_site_add(site, VL_MUTATION_NUMBER, i, i + 1, value == 0 ? "1.0" : "(2 * %s)", text);
        if (value != 0)
            vl_site_add(site, VL_MUTATION_NUMBER, i, i + 1, "(%s / 2)", text);
        if (value == floor(value) && value > 0 && value < COUNTED) {
            vl_site_add(site, VL_MUTATION_NUMBER, i, i + 1, "(%s + 1)", text);
            vl_site_add(site, VL_MUTATION_NUMBER, i, i + 1, "(%s - 1)", text);
        }
        return;
    }
    vl_site_add(site, VL_MUTATION_NUMBER, i, i + 1, "%.0f%s", value + 1, rest);
    if (value > 0)
        vl_site_add(site, VL_MUTATION_NUMBER, i, i + 1, "%.0f%s", value - 1, rest);
    if (value > 2)
        vl_site_add(site, VL_MUTATION_NUMBER, i, i + 1, "%.0f%s", 2 * value, rest);
}

/* ---- arguments ---- */

static void transpose(const struct vl_site *site, size_t i)
{
    if (vl_site_is(site, i, "CblasTrans"))
        vl_site_add(site, VL_MUTATION_TRANSPOSED, i, i + 1, "CblasNoTrans");
    else if (vl_site_is(site, i, "CblasNoTrans"))
        vl_site_add(site, VL_MUTATION_TRANSPOSED, i, i + 1, "CblasTrans");
}

/* f(a, b) becomes f(b, a), where both are variables of one type. */
static void exchange_arguments(const struct vl_site *site, size_t i)
{
    if (!vl_site_is(site, i, ",") || !vl_token_is_name(site->tokens, i - 1))
        return;
    const struct vl_variable *left = vl_scope_find(site->scope, site->tokens, i - 1);
    const struct vl_variable *right = vl_scope_find(site->scope, site->tokens, i + 1);
    bool alone = i >= site->first + 2 &&
                 (vl_site_is(site, i - 2, ",") || vl_site_is(site, i - 2, "(")) &&
                 (vl_site_is(site, i + 2, ",") || vl_site_is(site, i + 2, ")"));
    if (left == NULL || right == NULL || !alone || left == right ||
        strcmp(left->type, right->type) != 0)
        return;
    const struct vl_token *a = &site->tokens->list[i - 1], *b = &site->tokens->list[i + 1];
    vl_site_add(site, VL_MUTATION_ARGUMENTS, i - 1, i + 2, "%.*s, %.*s", (int)b->length, b->at,
                (int)a->length, a->at);
}

/* ---- the whole ---- */

void vl_mutate_expression(struct vl_mutations *mutations, const struct vl_tokens *tokens,
                          const struct vl_scope *scope, size_t first, size_t last)
{
    static void (*const all[])(const struct vl_site *, size_t) = {
        exchange_operator, drop_operand,    drop_call, drop_cast,
        change_number,     vl_change_names, transpose, exchange_arguments};
    const struct vl_site site = {mutations, tokens, scope, first, last};
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
    const struct vl_site site = {mutations, tokens, scope, first, last};
    bool guards = false; /* against a missing argument: nobody's bug is there */
    for (size_t i = first; i < last; i++)
        guards |= vl_token_is(tokens, i, "NULL");
    if (guards)
        return;
    vl_mutate_expression(mutations, tokens, scope, first, last);
    vl_site_add(&site, VL_MUTATION_CONDITION, first, last, "0");
    vl_site_add(&site, VL_MUTATION_CONDITION, first, last, "1");
}

/* Is the left side of the assignment at i a number that one can add to? */
static bool is_number(const struct vl_site *site, size_t i)
{
    size_t root = vl_site_is(site, site->first, "*") ? site->first + 1 : site->first;
    const struct vl_variable *variable = vl_scope_find(site->scope, site->tokens, root);
    bool element = root > site->first || vl_site_is(site, root + 1, "[");
    size_t after = vl_site_is(site, root + 1, "[") ? vl_site_partner(site, root + 1) + 1 : root + 1;
    return variable != NULL && after == i && vl_variable_is_number(variable, element);
}

/* status = f(x): the first failure stays, whether or not f is still called. */
static void keep_failure(const struct vl_site *site)
{
    const size_t name = site->first;
    const struct vl_variable *status = vl_scope_find(site->scope, site->tokens, name);
    const struct vl_token *token = &site->tokens->list[name];
    const int length = (int)token->length;
    char *value = NULL;
    size_t bytes;
    if (status == NULL || strcmp(status->type, "enum vl_status ") != 0 ||
        !vl_site_is(site, name + 1, "="))
        return;
    vl_site_add(site, VL_MUTATION_CONDITION, name + 1, name + 2, "= %.*s != VL_OK ? %.*s :", length,
                token->at, length, token->at);
    FILE *out = open_memstream(&value, &bytes);
    if (out != NULL) {
        vl_tokens_put(out, site->tokens, name + 2, site->last);
        fclose(out);
        vl_site_add(site, VL_MUTATION_CONDITION, name + 2, site->last,
                    "({ enum vl_status vl_now = %s; %.*s != VL_OK ? %.*s : vl_now; })", value,
                    length, token->at, length, token->at);
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
    const struct vl_site site = {mutations, tokens, scope, first, last};
    vl_mutate_expression(mutations, tokens, scope, first, last);
    for (size_t i = first; i < last; i++) {
        if (tokens->list[i].partner > i)
            i = tokens->list[i].partner;
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            if (vl_token_is(tokens, i, pairs[k].mark) && is_number(&site, i))
                vl_site_add(&site, pairs[k].kind, i, i + 1, "%s", pairs[k].other);
    }
    keep_failure(&site);
    vl_site_add(&site, VL_MUTATION_STEP, first, last, "%s", "");
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
