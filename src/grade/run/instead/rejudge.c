#include "grade/run/instead/rejudge.h"

#include "base/text.h"
#include "grade/run/instead/blame.h"
#include "grade/run/instead/rejudge_cases.h"
#include "grade/run/instead/undone.h"
#include "grade/run/result.h"
#include "sandbox/interrupt.h"
#include "sandbox/load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Longer on a busy machine; points hang on it, so it is enough for a slow one. What has begun may end: half of it
 * is worth nothing. */
#define ALL_SECONDS 18.0
#define LAST_START  14.0

enum vl_status vl_rejudge_say(struct vl_case_result *result, const char *name)
{
    char *sentence = vl_text_format(_("Judged with a correct %s instead of yours."), name);
    char *before = result->message;
    char *both =
        sentence != NULL && before != NULL ? vl_text_format("%s %s", before, sentence) : NULL;
    result->message = before != NULL ? both : sentence;
    if (before != NULL)
        free(sentence);
    free(before);
    free(result->replaced);
    result->replaced = strdup(name);
    return result->message != NULL && result->replaced != NULL ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_grading_substitute(const char **program, struct vl_grading *grading,
                                     const struct vl_replacement *what)
{
    struct vl_substitutes *substitutes = &grading->substitutes;
    *program = NULL;
    if (grading->build.toolchain.own == NULL ||
        (what->function != NULL && vl_build_function(&grading->build, what->function->name,
                                                     what->file) != VL_FUNCTION_PRESENT))
        return VL_OK;
    substitutes->submission.build = &grading->build;
    substitutes->submission.sandbox = &grading->sandbox;
    substitutes->submission.scratch = grading->scratch;
    substitutes->other = &grading->other;
    return vl_substitute_make(program, substitutes, what);
}

/* ---- with one suspicion ---- */

/* The result of a case that passed takes the place of the one from before. */
static enum vl_status settle(struct vl_rejudging *r, size_t i, const char *name)
{
    struct vl_case_result *old = &r->grading->verdict->cases[i], *fresh = &r->results[i];
    struct vl_seen_case *seen = &r->grading->seen[i];
    enum vl_status status = vl_rejudge_say(fresh, name);
    fresh->id = old->id;
    fresh->function = old->function;
    vl_result_clear(old);
    *old = *fresh;
    *fresh = (struct vl_case_result){0};
    if (seen->outputs != NULL)
        r->grading->kept_bytes -= vl_bag_bytes(seen->outputs);
    vl_bag_free(seen->outputs);
    seen->outputs = NULL;
    seen->passed = true;
    seen->idle = r->idle[i];
    seen->seconds = old->seconds;
    return status;
}

/* Is this a case of the composed function that pays, if one does? */
static bool is_payers(const struct vl_rejudging *r, size_t i, const struct vl_suspicion *suspicion)
{
    return suspicion->payer != NULL &&
           strcmp(r->grading->seen[i].c->function, suspicion->payer) == 0 &&
           vl_rejudge_fails(&r->grading->verdict->cases[i]);
}

/* Does all that was seen by the one that pays vanish, as far as cases on so many ranks tell? */
static bool is_explained(const struct vl_rejudging *r, const struct vl_suspicion *suspicion,
                         int ranks)
{
    for (size_t i = 0; i < r->grading->seen_count; i++)
        if (is_payers(r, i, suspicion) && r->grading->seen[i].c->ranks <= ranks && !r->kept[i])
            return false;
    return true;
}

/* Of the chosen cases, those on so many ranks have run: leave those that passed, and of the others what
 * may still count. Returns how many are left to be judged again. */
static size_t narrow(bool *chosen, const struct vl_rejudging *r,
                     const struct vl_suspicion *suspicion, int ranks)
{
    for (size_t i = 0; i < r->grading->seen_count; i++)
        if (r->grading->seen[i].c->ranks <= ranks)
            chosen[i] &= r->kept[i];
    size_t left = vl_rejudge_keep(chosen, r->grading, suspicion);
    for (size_t i = 0; i < r->grading->seen_count; i++)
        chosen[i] |= is_payers(r, i, suspicion) && r->grading->seen[i].c->ranks > ranks;
    return left;
}

/* Is it an own case of a function of the same file? That it passes explains its failure. But if more of the file
 * is in memory, its machine code could have answered: then its points stay lost. */
static bool may_be_answered(const struct vl_rejudging *r, size_t i,
                            const struct vl_replacement *what)
{
    const char *own = vl_grading_function(r->grading, r->grading->seen[i].c->function)->file;
    return own != NULL && strcmp(own, what->file) == 0 &&
           !vl_substitute_is_alone(&r->grading->substitutes, what);
}

/* Take from the chosen cases, the last ones first, what the mistake still costs (rejudge.h). */
static void keep_price(bool *chosen, const struct vl_rejudging *r,
                       const struct vl_replacement *what)
{
    double owed = vl_rejudge_owed(r->grading, what);
    for (size_t i = r->grading->seen_count; i-- > 0;) {
        const double worth = r->grading->verdict->cases[i].max_points;
        if (!chosen[i] || may_be_answered(r, i, what) || worth > owed)
            continue;
        chosen[i] = false;
        owed -= worth;
    }
}

static enum vl_status run_with(struct vl_rejudging *r, bool *chosen,
                               const struct vl_suspicion *suspicion)
{
    struct vl_grading *grading = r->grading;
    memset(r->kept, 0, grading->seen_count * sizeof *r->kept);
    enum vl_status status = vl_grading_substitute(&r->program, grading, &suspicion->what);
    bool holds = r->program != NULL;
    for (int ranks = 1; ranks <= VL_BOARD_RANKS && status == VL_OK && holds && !vl_interrupt_seen();
         ranks++) {
        status = vl_rejudge_run(r, chosen, ranks);
        holds = is_explained(r, suspicion, ranks) && narrow(chosen, r, suspicion, ranks) > 0;
    }
    holds &= status == VL_OK && !vl_interrupt_seen();
    if (suspicion->payer == NULL)
        keep_price(chosen, r, &suspicion->what);
    for (size_t i = 0; i < grading->seen_count; i++) {
        const bool counts = holds && status == VL_OK && chosen[i];
        if (counts && !may_be_answered(r, i, &suspicion->what))
            status = settle(r, i, vl_replacement_name(&suspicion->what));
        else if (counts && suspicion->what.function != NULL && suspicion->payer == NULL)
            grading->seen[i].follows = suspicion->what.function->name;
        vl_result_clear(&r->results[i]);
    }
    return status;
}

static enum vl_status try_one(struct vl_rejudging *r, const struct vl_suspicion *suspicion)
{
    const size_t count = r->grading->seen_count;
    bool *chosen = malloc((count + 1) * sizeof *chosen);
    if (chosen == NULL)
        return VL_ENOMEM;
    memset(chosen, 1, count * sizeof *chosen);
    size_t left = vl_rejudge_keep(chosen, r->grading, suspicion);
    for (size_t i = 0; i < count; i++)
        chosen[i] |= is_payers(r, i, suspicion);
    enum vl_status status = VL_OK;
    if (left > 0 && vl_clock() < r->last_start && !vl_interrupt_seen())
        status = run_with(r, chosen, suspicion);
    free(chosen);
    return status;
}

/* ---- all ---- */

/* Does it fail in a case of its own that uses nothing else that fails? Then it is looked at first. */
static bool fails_alone(const struct vl_grading *grading, const struct vl_lab_function *function)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        const char *used;
        bool alone = !grading->seen[i].passed && strcmp(c->function, function->name) == 0;
        for (size_t k = 0; alone && (used = vl_rejudge_used(c, k)) != NULL; k++)
            alone = strcmp(used, c->function) == 0 ||
                    !vl_rejudge_is_wrong(grading, vl_grading_function(grading, used));
        if (alone)
            return true;
    }
    return false;
}

/* Does another function's failure hang on this one? */
static bool costs_others(const struct vl_grading *grading, const struct vl_lab_function *function)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        const char *used;
        bool uses = false;
        for (size_t k = 0; !uses && (used = vl_rejudge_used(c, k)) != NULL; k++)
            uses = strcmp(used, function->name) == 0;
        if (uses && strcmp(c->function, function->name) != 0 &&
            vl_rejudge_fails(&grading->verdict->cases[i]))
            return true;
    }
    return false;
}

static enum vl_status find_undone(struct vl_rejudging *r)
{
    const struct vl_lab *lab = r->grading->request->lab;
    enum vl_status status = VL_OK;
    for (size_t f = 0; f < lab->function_count && status == VL_OK && vl_clock() < r->last_start &&
                       !vl_interrupt_seen();
         f++)
        if (lab->functions[f].file != NULL && costs_others(r->grading, &lab->functions[f]))
            status = vl_undone_find(r, &lab->functions[f]);
    return status;
}

static enum vl_status try_functions(struct vl_rejudging *r)
{
    const struct vl_lab *lab = r->grading->request->lab;
    enum vl_status status = VL_OK;
    for (int alone = 1; alone >= 0; alone--)
        for (size_t f = 0; f < lab->function_count && status == VL_OK; f++) {
            const struct vl_lab_function *function = &lab->functions[f];
            const struct vl_suspicion suspicion = {
                .what = {.file = function->file, .function = function}};
            if (vl_rejudge_is_wrong(r->grading, function) &&
                fails_alone(r->grading, function) == alone)
                status = try_one(r, &suspicion);
        }
    return status;
}

static enum vl_status try_files(struct vl_rejudging *r)
{
    enum vl_status status = VL_OK;
    for (const char *const *file = r->grading->request->lab->files;
         status == VL_OK && *file != NULL; file++) {
        const struct vl_suspicion suspicion = {.what = {.file = *file}};
        if (vl_rejudge_belong_together(r->grading, *file))
            status = try_one(r, &suspicion);
    }
    return status;
}

/* Try each function of the lab that may hold what this one pays for, until its cases pass. */
static enum vl_status try_payer(struct vl_rejudging *r, const struct vl_lab_function *payer)
{
    const struct vl_lab *lab = r->grading->request->lab;
    enum vl_status status = VL_OK;
    for (size_t f = 0;
         f < lab->function_count && status == VL_OK && vl_rejudge_pays_alone(r->grading, payer);
         f++) {
        const struct vl_lab_function *function = &lab->functions[f];
        const struct vl_suspicion suspicion = {
            .what = {.file = function->file, .function = function}, .payer = payer->name};
        if (vl_rejudge_may_owe(r->grading, payer, function))
            status = try_one(r, &suspicion);
    }
    return status;
}

/* What composed functions alone have seen, then what written ones have. */
static enum vl_status try_payers(struct vl_rejudging *r)
{
    const struct vl_lab *lab = r->grading->request->lab;
    enum vl_status status = VL_OK;
    for (int written = 0; written <= 1; written++)
        for (size_t p = 0; p < lab->function_count && status == VL_OK; p++)
            if ((lab->functions[p].file != NULL) == written)
                status = try_payer(r, &lab->functions[p]);
    return status;
}

enum vl_status vl_grading_rejudge(struct vl_grading *grading)
{
    const struct vl_grade_request *request = grading->request;
    const double load = vl_load_average();
    const double now = vl_clock();
    struct vl_rejudging r = {.grading = grading,
                             .last_start = fmin(now + LAST_START * load, grading->sandbox.until),
                             .until = fmin(now + ALL_SECONDS * load, grading->sandbox.until)};
    if (request->asan || request->gdb || grading->build.program == NULL)
        return VL_OK;
    r.kept = calloc(grading->seen_count + 1, sizeof *r.kept);
    r.results = calloc(grading->seen_count + 1, sizeof *r.results);
    r.idle = calloc(grading->seen_count + 1, sizeof *r.idle);
    free(grading->undone);
    grading->undone = calloc(request->lab->function_count + 1, sizeof *grading->undone);
    enum vl_status status =
        r.kept && r.results && r.idle && grading->undone ? find_undone(&r) : VL_ENOMEM;
    if (status == VL_OK)
        status = try_functions(&r);
    if (status == VL_OK)
        status = try_files(&r);
    if (status == VL_OK)
        status = try_payers(&r);
    if (status == VL_OK)
        status = vl_blame_find(&r);
    free(r.kept);
    free(r.results);
    free(r.idle);
    /* What cannot be made on this machine leaves the verdict as it was. */
    return status == VL_ENOMEM ? status : VL_OK;
}
