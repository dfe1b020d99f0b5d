#include "grade/experiment/repair.h"

#include "base/text.h"
#include "grade/build/altered.h"
#include "grade/catalogue/maker.h"
#include "grade/experiment/changes.h"
#include "grade/experiment/right.h"
#include "grade/job/case_run.h"
#include "grade/mutants/words.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "sandbox/process.h"
#include "wire/board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALL_SECONDS     10.0 /* for everything */
#define COMPILE_SECONDS 4.0
#define ALONE_SECONDS   0.2 /* for one change in one case, on one rank ... */
#define CASE_SECONDS    0.5 /* ... or on several, ... */
#define SLOWER          4.0 /* ... or so many times what it took */
#define ONE_PLACE       8   /* lines: changes so near to one another are in one place */
#define MOST_PLACES     3   /* more of them tell nothing */

/* One function and all its changes. Number 0 leaves it as it is. It runs before and after the others, and must
 * do in every case what the submission did. */
struct repair {
    struct vl_seen_case *cases;
    size_t count, first; /* that case is tried first */
    const struct vl_laboratory *laboratory;
    const char *function;
    struct vl_schema schema;
    char *program;
    bool *wrong;   /* of each change: in a case that it was tried on ... */
    size_t *right; /* ... and right in so many */
    bool differs;  /* number 0 does */
    /* One run. */
    struct vl_case_run_item *items;
    size_t *item_case;
    size_t item_count;
    double until;
    /* The inputs of the case that was looked at last. */
    const struct vl_case *known;
    struct vl_bag *inputs;
};

/* What the chooser of the runner (runner/main.c) calls. */
static const char chooser[] = "\nunsigned " VL_MUTANT_CHOSEN ";\n"
                              "void vl_variant_choose(unsigned variant);\n"
                              "void vl_variant_choose(unsigned variant)\n"
                              "{\n    " VL_MUTANT_CHOSEN " = variant;\n}\n"
                              "void vl_variant_shows_inputs(void);\n"
                              "void vl_variant_shows_inputs(void)\n{\n}\n";

/* ---- which cases ---- */

static bool is_of(const struct vl_seen_case *seen, const char *function)
{
    return strcmp(seen->c->function, function) == 0;
}

/* It failed by what it gave, and nobody knows why. */
static bool is_unexplained(const struct vl_seen_case *seen, const struct vl_case_result *result)
{
    return result->status == VL_CASE_FAILED && (seen->outputs != NULL || seen->stale) &&
           seen->cause.code == NULL && !seen->c->sealed;
}

/* Will it never be known what a change does in this case? What counts later has run. */
static bool is_lost(const struct vl_case_result *result)
{
    return result->status == VL_CASE_HUNG || result->status == VL_CASE_ERROR ||
           (result->status == VL_CASE_SKIPPED &&
            (result->code == NULL || strcmp(result->code, "counts_later") != 0));
}

/* Is this the first such case of its function, of which no failure is explained and no case is lost? */
static bool opens_function(const struct vl_seen_case *cases, size_t count,
                           const struct vl_case_result *results, size_t i)
{
    for (size_t k = 0; k < count; k++)
        if (is_of(&cases[k], cases[i].c->function) &&
            (cases[k].cause.code != NULL || is_lost(&results[k]) ||
             (k < i && is_unexplained(&cases[k], &results[k]))))
            return false;
    return is_unexplained(&cases[i], &results[i]);
}

/* Did this case of the function run, so that its inputs are there? */
static bool has_run(const struct repair *r, size_t i)
{
    const enum vl_case_status status = r->laboratory->results[i].status;
    return is_of(&r->cases[i], r->function) && r->cases[i].folder != NULL &&
           (status == VL_CASE_FAILED || status == VL_CASE_CRASHED || status == VL_CASE_PASSED);
}

/* The failed case on the fewest ranks: a change that crashes one rank alone costs no new start. */
static size_t plainest(const struct repair *r)
{
    size_t best = r->count;
    for (size_t i = 0; i < r->count; i++)
        if (has_run(r, i) && r->laboratory->results[i].status == VL_CASE_FAILED &&
            (best == r->count || r->cases[i].c->ranks < r->cases[best].c->ranks))
            best = i;
    return best;
}

/* ---- running them ---- */

static const struct vl_bag *inputs_of(struct repair *r, const struct vl_case *c)
{
    if (r->known != c) {
        vl_bag_free(r->inputs);
        r->inputs = vl_case_inputs(c, r->laboratory->origin);
        r->known = c;
    }
    return r->inputs;
}

static void finish_item(void *context, size_t number, const struct vl_case_run_report *report)
{
    struct repair *r = context;
    const struct vl_case_run_item *item = &r->items[number];
    const struct vl_case *c = r->cases[r->item_case[number]].c;
    const struct vl_bag *inputs = inputs_of(r, c);
    const bool right = report->end == VL_RUN_FINISHED && inputs != NULL &&
                       vl_is_right(c, inputs, r->laboratory, item->number);
    r->right[item->variant] += right;
    r->wrong[item->variant] |= !right;
    if (item->variant == 0)
        r->differs |= right != r->cases[r->item_case[number]].passed;
    if (report->audit != NULL)
        report->audit(report->attempt); /* the ranks wait for it */
}

static void add_item(struct repair *r, size_t i, size_t change)
{
    const struct vl_seen_case *seen = &r->cases[i];
    const size_t n = r->item_count++;
    r->items[n] = (struct vl_case_run_item){.input = seen->input,
                                            .number = (unsigned)n,
                                            .function = r->function,
                                            .synchronous = seen->c->synchronous,
                                            .variant = (unsigned)change};
    r->item_case[n] = i;
}

/* All changes that are not out, with none before and after them. */
static void add_items(struct repair *r, size_t i)
{
    const size_t before = r->item_count;
    add_item(r, i, 0);
    for (size_t change = 1; change <= r->schema.count; change++)
        if (!r->wrong[change])
            add_item(r, i, change);
    if (r->item_count == before + 1)
        r->item_count = before;
    else
        add_item(r, i, 0);
}

/* What is listed: all of it is about these ranks and lies in this folder. */
static enum vl_status run_items(struct repair *r, const char *folder, int ranks, double longest)
{
    const struct vl_case_run run = {
        .sandbox = r->laboratory->sandbox,
        .program = r->program,
        .folder = folder,
        .sources = r->laboratory->sources,
        .ranks = ranks,
        .hostile = 1,
        .seconds = fmax(ranks == 1 ? ALONE_SECONDS : CASE_SECONDS, SLOWER * longest),
        .until = r->until,
        .report = finish_item,
        .context = r};
    if (r->item_count == 0 || r->differs || vl_clock() > r->until || vl_interrupt_seen())
        return VL_OK;
    return vl_case_run(&run, r->items, r->item_count, NULL);
}

static enum vl_status run_first(struct repair *r)
{
    const struct vl_seen_case *seen = &r->cases[r->first];
    r->item_count = 0;
    add_items(r, r->first);
    enum vl_status status = run_items(r, seen->folder, seen->c->ranks, seen->seconds);
    for (size_t change = 1; change <= r->schema.count; change++)
        r->wrong[change] |= r->right[change] == 0; /* one for which there was no time is out, too */
    return status;
}

static enum vl_status run_others(struct repair *r, int ranks)
{
    const char *folder = NULL;
    double longest = 0;
    r->item_count = 0;
    for (size_t i = 0; i < r->count; i++) {
        if (!has_run(r, i) || i == r->first || r->cases[i].c->ranks != ranks)
            continue;
        add_items(r, i);
        folder = r->cases[i].folder;
        longest = fmax(longest, r->cases[i].seconds);
    }
    return run_items(r, folder, ranks, longest);
}

static enum vl_status run_all(struct repair *r)
{
    const size_t most = (r->schema.count + 2) * r->count + 1;
    r->wrong = calloc(r->schema.count + 1, sizeof *r->wrong);
    r->right = calloc(r->schema.count + 1, sizeof *r->right);
    r->items = calloc(most, sizeof *r->items);
    r->item_case = calloc(most, sizeof *r->item_case);
    enum vl_status status =
        r->wrong && r->right && r->items && r->item_case ? run_first(r) : VL_ENOMEM;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK; ranks++)
        status = run_others(r, ranks);
    return status;
}

/* ---- what they show ---- */

/* Changes that put all right, near to one another. */
struct place {
    size_t first, last; /* lines */
    size_t count;
    const struct vl_mutant *one;
};

struct places {
    struct place list[MOST_PLACES];
    size_t count;
    bool more; /* than these */
};

static bool is_at(const struct place *place, size_t line)
{
    return line + ONE_PLACE >= place->last && line <= place->first + ONE_PLACE;
}

static void add_to_places(struct places *places, const struct vl_mutant *mutant)
{
    size_t i = 0;
    while (i < places->count && !is_at(&places->list[i], mutant->line))
        i++;
    if (i == MOST_PLACES) {
        places->more = true;
        return;
    }
    struct place *place = &places->list[i];
    if (i == places->count) {
        *place = (struct place){.first = mutant->line, .last = mutant->line};
        places->count++;
    }
    place->first = mutant->line < place->first ? mutant->line : place->first;
    place->last = mutant->line > place->last ? mutant->line : place->last;
    place->one = mutant;
    place->count++;
}

static struct places places_of(const struct repair *r)
{
    struct places places = {.count = 0};
    size_t needed = 0;
    for (size_t i = 0; i < r->count; i++)
        needed += has_run(r, i);
    for (size_t change = 1; change <= r->schema.count; change++)
        if (!r->wrong[change] && r->right[change] >= needed)
            add_to_places(&places, &r->schema.list[change - 1]);
    return places;
}

/* "step.c:57", or "step.c:57-60". Fresh. */
static char *where_is(const struct place *place, const char *file)
{
    return place->first == place->last
               ? vl_text_format("%s:%zu", file, place->first)
               : vl_text_format("%s:%zu-%zu", file, place->first, place->last);
}

static char *words_of_places(const struct places *places, const char *file)
{
    if (places->count == 1 && places->list[0].count == 1)
        return vl_repair_words(places->list[0].one, file);
    char *text = where_is(&places->list[0], file);
    for (size_t i = 1; i < places->count && text != NULL; i++) {
        char *next = where_is(&places->list[i], file);
        char *both = next != NULL ? vl_text_format("%s`, `%s", text, next) : NULL;
        free(next);
        free(text);
        text = both;
    }
    char *words = text == NULL         ? NULL
                  : places->count == 1 ? vl_repair_place_words(text)
                                       : vl_repair_places_words(text);
    free(text);
    return words;
}

static enum vl_status settle(struct repair *r, const char *file)
{
    const struct places places = places_of(r);
    if (places.count == 0 || places.more || r->differs)
        return VL_OK;
    for (size_t i = 0; i < r->count; i++) {
        struct vl_seen_case *seen = &r->cases[i];
        if (!is_of(seen, r->function) || !is_unexplained(seen, &r->laboratory->results[i]))
            continue;
        seen->repair =
            (struct vl_cause){.code = "wrong_line", .message = words_of_places(&places, file)};
        if (seen->repair.message == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

/* ---- the whole ---- */

/* The program with all changes. None where the submission does not write as the course does, or where one
 * of its macros is in the way. */
static enum vl_status make_program(struct repair *r, const struct vl_source *source)
{
    const struct vl_laboratory *laboratory = r->laboratory;
    char *text = vl_altered_text(laboratory->build, source);
    enum vl_status status =
        text != NULL ? vl_changes_make(&r->schema, text, r->function, laboratory->sandbox) : VL_OK;
    free(text);
    if (status != VL_OK || r->schema.count == 0)
        return status;
    char *whole = vl_text_format("%s%s", r->schema.text, chooser);
    status = whole != NULL ? vl_altered_make(&r->program, laboratory->build, laboratory->sandbox,
                                             laboratory->scratch, source, whole,
                                             fmin(r->until, vl_clock() + COMPILE_SECONDS))
                           : VL_ENOMEM;
    free(whole);
    return status;
}

static void forget(struct repair *r)
{
    if (r->program != NULL)
        unlink(r->program);
    free(r->program);
    vl_schema_free(&r->schema);
    vl_bag_free(r->inputs);
    free(r->wrong);
    free(r->right);
    free(r->items);
    free(r->item_case);
}

static enum vl_status repair_function(struct repair *r)
{
    const struct vl_source *source = vl_altered_source(r->laboratory->build, r->function);
    if (source == NULL)
        return VL_OK;
    r->first = plainest(r);
    enum vl_status status = make_program(r, source);
    if (status == VL_OK && r->program != NULL && vl_clock() < r->until) {
        status = run_all(r);
        if (status == VL_OK)
            status = settle(r, source->name);
    }
    forget(r);
    return status;
}

enum vl_status vl_repair(struct vl_seen_case *cases, size_t count,
                         const struct vl_laboratory *laboratory)
{
    double until = vl_clock() + ALL_SECONDS * vl_load_average();
    enum vl_status status = VL_OK;
    if (laboratory->sandbox->until > 0)
        until = fmin(until, laboratory->sandbox->until);
    for (size_t i = 0; i < count && status == VL_OK && vl_clock() < until; i++) {
        struct repair r = {.cases = cases,
                           .count = count,
                           .laboratory = laboratory,
                           .function = cases[i].c->function,
                           .until = until};
        if (opens_function(cases, count, laboratory->results, i))
            status = repair_function(&r);
    }
    return status;
}
