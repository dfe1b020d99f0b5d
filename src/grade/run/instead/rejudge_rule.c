/* Who is judged again: the rule alone, which starts nothing. */
#include "grade/run/instead/rejudge.h"

#include <string.h>

static bool is_same(const char *one, const char *other)
{
    return strcmp(one, other) == 0;
}

bool vl_rejudge_fails(const struct vl_case_result *result)
{
    return result->status == VL_CASE_FAILED || result->status == VL_CASE_CRASHED ||
           result->status == VL_CASE_HUNG ||
           (result->status == VL_CASE_SKIPPED && result->code != NULL &&
            is_same(result->code, "skipped_after_hang"));
}

const char *vl_rejudge_used(const struct vl_case *c, size_t k)
{
    const char *const *lists[] = {c->needs, c->uses};
    for (size_t i = 0; i < 2; i++)
        for (const char *const *one = lists[i]; one != NULL && *one != NULL; one++)
            if (k-- == 0)
                return *one;
    return NULL;
}

bool vl_rejudge_is_written(const struct vl_lab_function *function)
{
    return function->file != NULL && function->points > 0;
}

bool vl_rejudge_is_undone(const struct vl_grading *grading, const struct vl_lab_function *function)
{
    return grading->undone != NULL && grading->undone[function - grading->request->lab->functions];
}

bool vl_rejudge_is_wrong(const struct vl_grading *grading, const struct vl_lab_function *function)
{
    if (!vl_rejudge_is_written(function) || vl_rejudge_is_undone(grading, function))
        return false;
    for (size_t i = 0; i < grading->verdict->case_count; i++) {
        const struct vl_case_result *result = &grading->verdict->cases[i];
        if (vl_rejudge_fails(result) && result->replaced == NULL &&
            result->group != VL_GROUP_THROUGHPUT && is_same(result->function, function->name))
            return true;
    }
    return false;
}

double vl_rejudge_owed(const struct vl_grading *grading, const struct vl_replacement *what)
{
    const struct vl_lab *lab = grading->request->lab;
    double owed = 0;
    for (size_t f = 0; f < lab->function_count; f++) {
        const struct vl_lab_function *function = &lab->functions[f];
        if (!vl_replacement_has(what, function) || !vl_rejudge_is_wrong(grading, function))
            continue;
        owed += function->points;
        for (size_t i = 0; i < grading->verdict->case_count; i++) {
            const struct vl_case_result *result = &grading->verdict->cases[i];
            if (result->group != VL_GROUP_THROUGHPUT && result->status != VL_CASE_PASSED &&
                is_same(result->function, function->name))
                owed -= result->max_points;
        }
    }
    return owed;
}

/* Does it pass in a case of its own, and in the others come back with something? */
static bool is_partly_right(const struct vl_grading *grading,
                            const struct vl_lab_function *function)
{
    bool passes = false;
    for (size_t i = 0; i < grading->verdict->case_count; i++) {
        const struct vl_case_result *result = &grading->verdict->cases[i];
        if (result->group == VL_GROUP_THROUGHPUT || !is_same(result->function, function->name))
            continue;
        if (result->status != VL_CASE_PASSED && result->status != VL_CASE_FAILED)
            return false;
        passes |= result->status == VL_CASE_PASSED;
    }
    return passes;
}

bool vl_rejudge_may_be_right(const struct vl_grading *grading, const struct vl_replacement *what)
{
    const struct vl_lab *lab = grading->request->lab;
    for (size_t i = 0; i < lab->function_count; i++)
        if (vl_replacement_has(what, &lab->functions[i]) &&
            vl_rejudge_is_wrong(grading, &lab->functions[i]) &&
            !is_partly_right(grading, &lab->functions[i]))
            return false;
    return true;
}

bool vl_rejudge_may_change(const struct vl_case_result *result, const struct vl_case *c)
{
    bool uses = false;
    const char *one;
    for (size_t k = 0; (one = vl_rejudge_used(c, k)) != NULL; k++)
        uses |= !is_same(one, c->function);
    return uses && vl_rejudge_fails(result);
}

/* ---- cases ---- */

/* Does a function fail in a case whose failure is not explained? */
static bool fails_by_itself(const bool *explained, const struct vl_grading *grading,
                            const char *function)
{
    for (size_t i = 0; i < grading->seen_count; i++)
        if (!explained[i] && vl_rejudge_fails(&grading->verdict->cases[i]) &&
            is_same(grading->seen[i].c->function, function))
            return true;
    return false;
}

static bool passes(const bool *explained, const struct vl_grading *grading, const char *function)
{
    bool right = false;
    for (size_t i = 0; i < grading->seen_count; i++)
        if (is_same(grading->seen[i].c->function, function))
            right |= explained[i] || grading->verdict->cases[i].status == VL_CASE_PASSED;
    return right && !fails_by_itself(explained, grading, function);
}

/* Does it use one that is replaced and wrong or, where a composed function pays, any? */
static bool is_suspected(const struct vl_grading *grading, const struct vl_case *c,
                         const struct vl_suspicion *suspicion)
{
    const char *used;
    for (size_t k = 0; (used = vl_rejudge_used(c, k)) != NULL; k++) {
        const struct vl_lab_function *function = vl_grading_function(grading, used);
        if (vl_replacement_has(&suspicion->what, function) &&
            (suspicion->payer != NULL || vl_rejudge_is_wrong(grading, function)))
            return true;
    }
    return false;
}

/* Does this case stay lost? The payer's own do and, if that is a composed function, all written ones'. */
static bool is_paid(const struct vl_grading *grading, const struct vl_case *c,
                    const struct vl_suspicion *suspicion)
{
    const char *payer = suspicion->payer;
    if (payer == NULL || is_same(payer, c->function))
        return payer != NULL;
    return vl_grading_function(grading, payer)->file == NULL &&
           vl_grading_function(grading, c->function)->file != NULL;
}

static bool deserves(const bool *kept, const struct vl_grading *grading, size_t i,
                     const struct vl_suspicion *suspicion)
{
    const struct vl_case *c = grading->seen[i].c;
    const struct vl_replacement *what = &suspicion->what;
    const struct vl_lab_function *own = vl_grading_function(grading, c->function);
    const char *used, *payer = suspicion->payer;
    if (!vl_rejudge_fails(&grading->verdict->cases[i]) || vl_replacement_has(what, own) ||
        is_paid(grading, c, suspicion) || !is_suspected(grading, c, suspicion))
        return false;
    bool more = vl_rejudge_is_written(own);
    for (size_t k = 0; (used = vl_rejudge_used(c, k)) != NULL; k++) {
        const struct vl_lab_function *function = vl_grading_function(grading, used);
        if (is_same(used, c->function) || vl_replacement_has(what, function) ||
            (payer != NULL && is_same(used, payer)))
            continue;
        if (fails_by_itself(kept, grading, used))
            return false;
        more |= vl_rejudge_is_written(function) && passes(kept, grading, used);
    }
    return more || (what->function == NULL && payer == NULL && vl_rejudge_fit(grading, what->file));
}

size_t vl_rejudge_keep(bool *kept, const struct vl_grading *grading,
                       const struct vl_suspicion *suspicion)
{
    size_t count;
    bool settled;
    do {
        settled = true;
        count = 0;
        for (size_t i = 0; i < grading->seen_count; i++) {
            bool keeps = kept[i] && deserves(kept, grading, i, suspicion);
            settled &= keeps == kept[i];
            kept[i] = keeps;
            count += keeps;
        }
    } while (!settled);
    return count;
}

/* ---- timings ---- */

/* A need's cases, as far as a timing asks. */
struct finding {
    bool right;           /* all passed */
    const char *replaced; /* with this function of the reference, if with one; else NULL */
};

static struct finding look_at(const struct vl_verdict *verdict, const char *need)
{
    struct finding finding = {.right = true};
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        if (result->group == VL_GROUP_THROUGHPUT || !is_same(result->function, need))
            continue;
        finding.right &= result->status == VL_CASE_PASSED;
        if (result->replaced != NULL)
            finding.replaced = result->replaced;
    }
    return finding;
}

/* Of a function; the name of a file stays what it is. */
static const char *file_of(const struct vl_grading *grading, const char *name)
{
    const struct vl_lab_function *function = vl_grading_function(grading, name);
    return function->file != NULL ? function->file : name;
}

static bool is_about_more(const struct vl_grading *grading, const struct vl_timing *timing,
                          const struct vl_replacement *what)
{
    bool more = vl_rejudge_is_written(vl_grading_function(grading, timing->function));
    for (const char *const *need = timing->needs; need != NULL && *need != NULL; need++) {
        const struct vl_lab_function *function = vl_grading_function(grading, *need);
        const struct finding finding = look_at(grading->verdict, *need);
        more |= finding.right && !vl_replacement_has(what, function) &&
                (finding.replaced != NULL || vl_rejudge_is_written(function));
    }
    return more;
}

bool vl_rejudge_for_timing(struct vl_replacement *what, const struct vl_grading *grading,
                           const struct vl_timing *timing)
{
    const char *wrong = NULL;
    bool one = true;
    for (const char *const *need = timing->needs; need != NULL && *need != NULL; need++) {
        const struct finding finding = look_at(grading->verdict, *need);
        const char *blamed = finding.right ? finding.replaced : *need;
        if (blamed == NULL)
            continue;
        one &= wrong == NULL || is_same(blamed, wrong);
        if (!one && !is_same(file_of(grading, blamed), file_of(grading, wrong)))
            return false;
        wrong = blamed;
    }
    if (wrong == NULL)
        return false;
    const struct vl_lab_function *function = vl_grading_function(grading, wrong);
    const bool single = one && function->file != NULL;
    *what = (struct vl_replacement){.file = file_of(grading, wrong),
                                    .function = single ? function : NULL};
    if (single ? !vl_rejudge_is_wrong(grading, function)
               : !vl_rejudge_belong_together(grading, what->file))
        return false;
    return !vl_replacement_has(what, vl_grading_function(grading, timing->function)) &&
           is_about_more(grading, timing, what);
}
