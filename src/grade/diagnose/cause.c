#include "grade/diagnose/cause.h"

#include "grade/catalogue/maker.h"
#include "grade/diagnose/evidence.h"
#include "grade/diagnose/variants.h"
#include "grade/job/case_run.h"
#include "grade/judge/compare.h"
#include "grade/judge/outputs.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"
#include "wire/board.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_LIMIT 1.0 /* seconds for one case of one mistake ... */
#define LEAST_OF_MANY                                                                              \
    0.3              /* ... where there are many, and the runner ends most of those that hang ... */
#define SLOWER  4.0  /* ... or so many times what the submission took */
#define AS_NEAR 1e-9 /* of what the mistake is from the truth */

const struct vl_search_kind vl_search_by_hand = {VL_EVIDENCE_NEARER, 30.0, false};
const struct vl_search_kind vl_search_by_machine = {VL_EVIDENCE_MACHINE, 10.0, true};

/* Which cases a candidate runs on now: all, the first failed one, or the others. */
enum pass { ALL, FIRST, OTHERS };

/* A mistake that may be the cause of one function's failures. */
struct candidate {
    const struct vl_mistake *mistake;
    unsigned variant;     /* in the program; 0: not usable */
    const char *function; /* whose cases it has to explain */
    struct vl_evidence evidence;
};

struct search {
    struct vl_seen_case *cases;
    size_t count;
    const struct vl_origin *origin;
    const struct vl_search_kind *kind;
    const struct vl_sandbox *sandbox;
    const char *scratch;
    struct candidate *candidates;
    size_t candidate_count;
    struct vl_variants variants;
    /* One run: the candidate and the case of each item. */
    struct vl_case_run_item *items;
    size_t *item_candidate, *item_case;
    size_t item_count;
    double until;
    enum vl_status status;
    /* Of the case that was looked at last: the next candidate often runs on the same one. */
    const struct vl_case *known;
    struct vl_bag *inputs, *expected;
};

static bool is_open(const struct vl_seen_case *seen)
{
    return !seen->passed && seen->outputs != NULL && seen->cause.code == NULL;
}

static bool fails(const struct search *search, const char *function)
{
    for (size_t i = 0; i < search->count; i++)
        if (is_open(&search->cases[i]) && strcmp(search->cases[i].c->function, function) == 0)
            return true;
    return false;
}

/* ---- who is a candidate ---- */

/* The first case of a function that is open; there is one. */
static size_t first_failure(const struct search *search, const char *function)
{
    size_t i = 0;
    while (!is_open(&search->cases[i]) || strcmp(search->cases[i].c->function, function) != 0)
        i++;
    return i;
}

/* Has this function been met before case i? */
static bool met_before(const struct search *search, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(search->cases[k].c->function, search->cases[i].c->function) == 0)
            return true;
    return false;
}

static void add_candidates(struct search *search, const struct vl_mistakes *mistakes,
                           const char *function)
{
    for (size_t m = 0; m < mistakes->count; m++) {
        const struct vl_mistake *mistake = &mistakes->list[m];
        if (mistake->witness == VL_WITNESS_OUTPUT && vl_mistake_concerns(mistake, function))
            search->candidates[search->candidate_count++] =
                (struct candidate){.mistake = mistake, .function = function};
    }
}

static enum vl_status choose_candidates(struct search *search, const struct vl_mistakes *mistakes)
{
    size_t functions = 0;
    for (size_t i = 0; i < search->count; i++)
        functions += !met_before(search, i);
    search->candidates = calloc(functions * mistakes->count + 1, sizeof *search->candidates);
    if (search->candidates == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < search->count; i++)
        if (!met_before(search, i) && fails(search, search->cases[i].c->function))
            add_candidates(search, mistakes, search->cases[i].c->function);
    return VL_OK;
}

/* Each mistake once, although it may be a candidate for several functions. */
static enum vl_status build(struct search *search, const struct vl_toolchain *toolchain)
{
    const struct vl_mistake **needed = calloc(search->candidate_count, sizeof *needed);
    size_t count = 0;
    if (needed == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < search->candidate_count; i++) {
        struct candidate *candidate = &search->candidates[i];
        size_t k = 0;
        while (k < count && needed[k] != candidate->mistake)
            k++;
        if (k == count)
            needed[count++] = candidate->mistake;
        candidate->variant = (unsigned)k + 1;
    }
    enum vl_status status =
        vl_variants_build(&search->variants, toolchain, search->sandbox, search->scratch, needed,
                          count, search->origin->student, search->until);
    for (size_t i = 0; i < search->candidate_count && status == VL_OK; i++)
        if (!search->variants.usable[search->candidates[i].variant - 1])
            search->candidates[i].evidence.refuted = true;
    free(needed);
    return status;
}

/* ---- what a candidate gives in a case ---- */

static void forget_case(struct search *search)
{
    vl_bag_free(search->inputs);
    vl_bag_free(search->expected);
    search->known = NULL;
    search->inputs = search->expected = NULL;
}

/* Make the inputs and the truth of a case once more. False without memory. */
static bool know_case(struct search *search, const struct vl_case *c)
{
    if (search->known == c)
        return true;
    forget_case(search);
    search->inputs = vl_case_inputs(c, search->origin);
    search->expected = vl_bag_create();
    bool known = search->inputs != NULL && search->expected != NULL &&
                 c->truth(search->expected, search->inputs) == VL_OK;
    search->known = known ? c : NULL;
    return known;
}

static bool is_rehearsed(const struct vl_case_run_item *item,
                         const struct vl_case_run_report *report)
{
    return item->rehearsal && report->end == VL_RUN_FINISHED;
}

static void finish_item(void *context, size_t number, const struct vl_case_run_report *report)
{
    struct search *search = context;
    struct candidate *candidate = &search->candidates[search->item_candidate[number]];
    const struct vl_seen_case *seen = &search->cases[search->item_case[number]];
    if (candidate->evidence.refuted || is_rehearsed(&search->items[number], report))
        return;
    if (!know_case(search, seen->c)) {
        search->status = VL_ENOMEM;
        return;
    }
    struct vl_bag *wrong = NULL;
    if (report->end == VL_RUN_FINISHED)
        wrong = vl_outputs_of_ours(seen->c, search->inputs, search->sandbox,
                                   search->items[number].number, seen->rank);
    vl_evidence_add(&candidate->evidence, seen->c, seen->passed ? NULL : seen->outputs, wrong,
                    search->expected, search->kind->nearer);
    vl_bag_free(wrong);
}

/* ---- running them ---- */

/* Run a candidate on a case, or on its rehearsal. */
static void add_item(struct search *search, size_t candidate, size_t i, bool rehearsal)
{
    const struct vl_seen_case *seen = &search->cases[i];
    const size_t n = search->item_count++;
    search->items[n] = (struct vl_case_run_item){.input = rehearsal ? seen->rehearsal : seen->input,
                                                 .number = (unsigned)n,
                                                 .function = seen->c->function,
                                                 .synchronous = seen->c->synchronous,
                                                 .variant = search->candidates[candidate].variant,
                                                 .rehearsal = rehearsal};
    search->item_candidate[n] = candidate;
    search->item_case[n] = i;
}

/* List the candidates not yet refuted, on the cases with this number of ranks; failed cases first,
 * because they refute most. Returns the longest time that a case took. */
static double list_items(struct search *search, int ranks, enum pass pass, const char **folder)
{
    double longest = 0;
    search->item_count = 0;
    for (int passed = 0; passed <= 1; passed++)
        for (size_t k = 0; k < search->candidate_count; k++)
            for (size_t i = 0; i < search->count; i++) {
                const struct vl_seen_case *seen = &search->cases[i];
                const struct candidate *candidate = &search->candidates[k];
                if (candidate->evidence.refuted || seen->c->ranks != ranks ||
                    seen->passed != passed || (!passed && !is_open(seen)) ||
                    strcmp(seen->c->function, candidate->function) != 0 ||
                    (pass != ALL &&
                     (i == first_failure(search, candidate->function)) != (pass == FIRST)))
                    continue;
                if (seen->rehearsal != 0 && !search->kind->many)
                    add_item(search, k, i, true);
                add_item(search, k, i, false);
                *folder = seen->folder;
                longest = fmax(longest, seen->seconds);
            }
    return longest;
}

static enum vl_status run_ranks(struct search *search, int ranks, enum pass pass)
{
    const char *folder = NULL;
    double longest = list_items(search, ranks, pass, &folder);
    const double least = search->kind->many && ranks == 1 ? LEAST_OF_MANY : LEAST_LIMIT;
    const struct vl_case_run run = {.sandbox = search->sandbox,
                                    .program = search->variants.program,
                                    .folder = folder,
                                    .sources = search->scratch,
                                    .ranks = ranks,
                                    .seconds = fmax(least, SLOWER * longest),
                                    .until = search->until,
                                    .report = finish_item,
                                    .context = search};
    if (search->item_count == 0 || vl_clock() > search->until)
        return VL_OK;
    enum vl_status status = vl_case_run(&run, search->items, search->item_count, NULL);
    return status == VL_OK ? search->status : status;
}

static enum vl_status run_pass(struct search *search, enum pass pass)
{
    enum vl_status status = VL_OK;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK && !vl_interrupt_seen(); ranks++)
        status = run_ranks(search, ranks, pass);
    return status;
}

static enum vl_status run_all(struct search *search)
{
    size_t most = 2 * search->candidate_count * search->count + 1; /* with rehearsals */
    search->items = calloc(most, sizeof *search->items);
    search->item_candidate = calloc(most, sizeof *search->item_candidate);
    search->item_case = calloc(most, sizeof *search->item_case);
    enum vl_status status =
        search->items && search->item_candidate && search->item_case ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = run_pass(search, search->kind->many ? FIRST : ALL);
    if (status == VL_OK && search->kind->many)
        status = run_pass(search, OTHERS);
    free(search->items);
    free(search->item_candidate);
    free(search->item_case);
    return status;
}

/* ---- the whole ---- */

/* Does it explain all cases of its function? */
static bool is_proved(const struct search *search, const struct candidate *candidate)
{
    size_t needed = 0;
    for (size_t i = 0; i < search->count; i++)
        needed += (search->cases[i].passed || is_open(&search->cases[i])) &&
                  strcmp(search->cases[i].c->function, candidate->function) == 0;
    return !candidate->evidence.refuted && candidate->evidence.cases == needed &&
           (!search->kind->many || vl_evidence_suffices(&candidate->evidence));
}

/* Is all zero that is compared in this case? */
static bool is_zero(struct search *search, const struct vl_seen_case *seen)
{
    if (!know_case(search, seen->c))
        return false;
    for (size_t a = 0; a < vl_bag_count(search->expected); a++) {
        const char *name = vl_bag_entry(search->expected, a)->name;
        const struct vl_tensor_entry *entry = vl_bag_find(seen->outputs, name);
        for (size_t i = 0; entry != NULL && i < entry->count; i++)
            if (vl_entry_value(entry, i) != 0)
                return false;
    }
    return true;
}

/* Is everything zero wherever this function fails? */
static bool gives_nothing(struct search *search, const char *function)
{
    for (size_t i = 0; i < search->count; i++)
        if (is_open(&search->cases[i]) && strcmp(search->cases[i].c->function, function) == 0 &&
            !is_zero(search, &search->cases[i]))
            return false;
    return true;
}

/* Is there a machine-made mistake of another kind that is as near? Then neither of them tells anything:
 * many a mistake gives zero, or leaves an array as it was. */
static bool is_doubtful(struct search *search, const struct candidate *best)
{
    if (search->kind->many && gives_nothing(search, best->function))
        return true;
    for (size_t i = 0; i < search->candidate_count && search->kind->many; i++) {
        const struct candidate *one = &search->candidates[i];
        if (is_proved(search, one) && strcmp(one->function, best->function) == 0 &&
            one->evidence.distance <= best->evidence.distance + AS_NEAR &&
            one->mistake->kind != NULL && best->mistake->kind != NULL &&
            strcmp(one->mistake->kind, best->mistake->kind) != 0)
            return true;
    }
    return false;
}

static const struct candidate *best(struct search *search, const char *function)
{
    const struct candidate *found = NULL;
    for (size_t i = 0; i < search->candidate_count; i++) {
        const struct candidate *one = &search->candidates[i];
        if (is_proved(search, one) && strcmp(one->function, function) == 0 &&
            (found == NULL || one->evidence.distance < found->evidence.distance))
            found = one;
    }
    return found != NULL && is_doubtful(search, found) ? NULL : found;
}

static enum vl_status give_cause(struct vl_seen_case *seen, const struct candidate *found)
{
    const struct vl_mistake *mistake = found->mistake;
    seen->cause.by_few = found->evidence.small > 0 && !vl_evidence_suffices(&found->evidence);
    seen->cause.sentence = mistake->sentence;
    if (mistake->message != NULL && (seen->cause.message = strdup(mistake->message)) == NULL)
        return VL_ENOMEM;
    seen->cause.code = mistake->kind != NULL ? mistake->kind : mistake->code;
    return VL_OK;
}

static enum vl_status give_causes(struct search *search)
{
    const struct candidate **found = calloc(search->count + 1, sizeof *found);
    enum vl_status status = found != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < search->count && status == VL_OK; i++)
        if (is_open(&search->cases[i]))
            found[i] = best(search, search->cases[i].c->function);
    for (size_t i = 0; i < search->count && status == VL_OK; i++)
        if (found[i] != NULL)
            status = give_cause(&search->cases[i], found[i]);
    free(found);
    return status;
}

enum vl_status vl_causes_find(struct vl_seen_case *cases, size_t count,
                              const struct vl_origin *origin, const struct vl_mistakes *mistakes,
                              const struct vl_toolchain *toolchain,
                              const struct vl_sandbox *sandbox, const char *scratch,
                              const struct vl_search_kind *kind, double until)
{
    struct search search = {.cases = cases,
                            .kind = kind,
                            .count = count,
                            .origin = origin,
                            .sandbox = sandbox,
                            .scratch = scratch,
                            .until = vl_clock() + kind->seconds * vl_load_average()};
    if (until > 0)
        search.until = fmin(search.until, until);
    enum vl_status status = choose_candidates(&search, mistakes);
    if (status == VL_OK && search.candidate_count > 0)
        status = build(&search, toolchain);
    bool runs = status == VL_OK && search.variants.program != NULL;
    if (runs)
        status = run_all(&search);
    /* A search that was cut short has proved nothing: another mistake may be nearer. */
    bool complete = runs && status == VL_OK && !vl_interrupt_seen() &&
                    (kind->many || vl_clock() <= search.until);
    if (complete)
        status = give_causes(&search);
    forget_case(&search);
    vl_variants_free(&search.variants);
    free(search.candidates);
    return status;
}
