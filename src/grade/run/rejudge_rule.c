/* Who is judged again: the rule alone, which starts nothing. */
#include "grade/run/rejudge.h"

#include <string.h>

static bool is_same(const char *one, const char *other)
{
    return strcmp(one, other) == 0;
}

static bool is_wrong(const struct vl_case_result *result)
{
    return result->status == VL_CASE_FAILED || result->status == VL_CASE_CRASHED ||
           result->status == VL_CASE_HUNG ||
           (result->status == VL_CASE_SKIPPED && result->code != NULL &&
            is_same(result->code, "skipped_after_hang"));
}

static bool needs(const char *const *needed, const char *function)
{
    while (needed != NULL && *needed != NULL && !is_same(*needed, function))
        needed++;
    return needed != NULL && *needed != NULL;
}

bool vl_rejudge_is_written(const struct vl_lab_function *function)
{
    return function->file != NULL && function->points > 0;
}

bool vl_rejudge_is_wrong(const struct vl_grading *grading, const struct vl_lab_function *function)
{
    for (size_t i = 0; i < grading->verdict->case_count && vl_rejudge_is_written(function); i++) {
        const struct vl_case_result *result = &grading->verdict->cases[i];
        if (is_wrong(result) && result->replaced == NULL && result->group != VL_GROUP_THROUGHPUT &&
            is_same(result->function, function->name))
            return true;
    }
    return false;
}

bool vl_rejudge_is_partly_right(const struct vl_grading *grading,
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

bool vl_rejudge_may_change(const struct vl_case_result *result, const struct vl_case *c)
{
    for (const char *const *need = c->needs; need != NULL && *need != NULL; need++)
        if (!is_same(*need, c->function) && is_wrong(result))
            return true;
    return c->uses != NULL && is_wrong(result);
}

/* ---- cases ---- */

/* Does a function fail in a case whose failure is not explained? */
static bool fails_by_itself(const bool *explained, const struct vl_grading *grading,
                            const char *function)
{
    for (size_t i = 0; i < grading->seen_count; i++)
        if (!explained[i] && is_wrong(&grading->verdict->cases[i]) &&
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

static bool deserves(const bool *kept, const struct vl_grading *grading, size_t i,
                     const char *function)
{
    const struct vl_case *c = grading->seen[i].c;
    bool more = vl_rejudge_is_written(vl_grading_function(grading, c->function));
    if (!is_wrong(&grading->verdict->cases[i]) || is_same(c->function, function) ||
        !needs(c->needs, function))
        return false;
    for (const char *const *need = c->needs; *need != NULL; need++) {
        if (is_same(*need, function) || is_same(*need, c->function))
            continue;
        if (fails_by_itself(kept, grading, *need))
            return false;
        more |= vl_rejudge_is_written(vl_grading_function(grading, *need)) &&
                passes(kept, grading, *need);
    }
    return more;
}

size_t vl_rejudge_keep(bool *kept, const struct vl_grading *grading, const char *function)
{
    size_t count;
    bool settled;
    do {
        settled = true;
        count = 0;
        for (size_t i = 0; i < grading->seen_count; i++) {
            bool keeps = kept[i] && deserves(kept, grading, i, function);
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

const struct vl_lab_function *vl_rejudge_for_timing(const struct vl_grading *grading,
                                                    const struct vl_timing *timing)
{
    const char *wrong = NULL;
    bool more = vl_rejudge_is_written(vl_grading_function(grading, timing->function));
    for (const char *const *need = timing->needs; need != NULL && *need != NULL; need++) {
        const struct finding finding = look_at(grading->verdict, *need);
        const char *blamed = finding.right ? finding.replaced : *need;
        if (blamed != NULL && wrong != NULL && !is_same(blamed, wrong))
            return NULL;
        more |= finding.right && (finding.replaced != NULL ||
                                  vl_rejudge_is_written(vl_grading_function(grading, *need)));
        wrong = blamed != NULL ? blamed : wrong;
    }
    if (wrong == NULL || !more || is_same(wrong, timing->function))
        return NULL;
    const struct vl_lab_function *function = vl_grading_function(grading, wrong);
    return vl_rejudge_is_wrong(grading, function) ? function : NULL;
}
