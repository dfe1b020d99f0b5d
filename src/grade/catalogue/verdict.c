#include "grade/catalogue/verdict.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const case_codes[] = {[VL_CASE_PASSED] = "passed",
                                         [VL_CASE_FAILED] = "failed",
                                         [VL_CASE_NOT_STARTED] = "not_started",
                                         [VL_CASE_CRASHED] = "crashed",
                                         [VL_CASE_HUNG] = "hung",
                                         [VL_CASE_SKIPPED] = "skipped",
                                         [VL_CASE_ERROR] = "error"};
static const char *const group_codes[] = {
    [VL_GROUP_NUMERICS] = "numerics",     [VL_GROUP_COMMUNICATION] = "communication",
    [VL_GROUP_MEMORY] = "memory",         [VL_GROUP_THROUGHPUT] = "throughput",
    [VL_GROUP_PREDICTION] = "prediction", [VL_GROUP_BONUS] = "bonus"};
static const char *const verdict_codes[] = {[VL_VERDICT_PASSED] = "passed",
                                            [VL_VERDICT_PARTIAL] = "partial",
                                            [VL_VERDICT_FAILED] = "failed",
                                            [VL_VERDICT_NOT_STARTED] = "not_started",
                                            [VL_VERDICT_ERROR] = "error"};

static void free_result(struct vl_case_result *result)
{
    free(result->id);
    free(result->function);
    free(result->code);
    free(result->message);
    free(result->detail);
    free(result->shown);
    free(result->replaced);
}

struct vl_case_result *vl_verdict_add(struct vl_verdict *verdict,
                                      const struct vl_case_result *result)
{
    struct vl_case_result *cases =
        realloc(verdict->cases, (verdict->case_count + 1) * sizeof *cases);
    if (cases == NULL)
        return NULL;
    verdict->cases = cases;
    struct vl_case_result *added = &cases[verdict->case_count];
    *added = *result;
    char **const texts[] = {&added->id,     &added->function, &added->code,    &added->message,
                            &added->detail, &added->shown,    &added->replaced};
    int complete = 1;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (*texts[i] != NULL)
            complete &= (*texts[i] = strdup(*texts[i])) != NULL;
    if (!complete) {
        free_result(added);
        return NULL;
    }
    verdict->case_count++;
    return added;
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median_ratio(const struct vl_verdict *verdict)
{
    double *ratios = malloc((verdict->case_count + 1) * sizeof *ratios);
    size_t n = 0;
    for (size_t i = 0; ratios != NULL && i < verdict->case_count; i++)
        if (verdict->cases[i].group == VL_GROUP_THROUGHPUT && isfinite(verdict->cases[i].measured))
            ratios[n++] = verdict->cases[i].measured;
    double median = NAN;
    if (n > 0) {
        qsort(ratios, n, sizeof *ratios, ascending);
        median = 0.5 * (ratios[(n - 1) / 2] + ratios[n / 2]);
    }
    free(ratios);
    return median;
}

/* Worked functions earn nothing, so they do not show whether somebody has begun; neither does a
 * case that was left out because something else is missing. */
static bool is_begun(const struct vl_case_result *result)
{
    return (result->max_points > 0 || result->group == VL_GROUP_BONUS) &&
           result->status != VL_CASE_NOT_STARTED && result->status != VL_CASE_SKIPPED;
}

static bool is_only_bonus(const struct vl_verdict *verdict)
{
    for (size_t i = 0; i < verdict->case_count; i++)
        if (verdict->cases[i].group != VL_GROUP_BONUS)
            return false;
    return true;
}

void vl_verdict_close(struct vl_verdict *verdict)
{
    int begun = 0, lost = 0, only_bonus = is_only_bonus(verdict);
    verdict->score = verdict->max_score = 0;
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        verdict->score += result->points;
        verdict->max_score += result->max_points;
        if (result->group == VL_GROUP_BONUS && !only_bonus)
            continue; /* nobody loses anything by leaving it out */
        begun |= is_begun(result);
        lost |= result->status != VL_CASE_PASSED && result->max_points == 0;
        lost |= result->points < result->max_points;
    }
    verdict->throughput.ratio_median = median_ratio(verdict);
    /* Shares of points are thirds and sevenths: say 100, not 99.99999999999997. */
    verdict->score = round(1e6 * verdict->score) / 1e6;
    verdict->max_score = round(1e6 * verdict->max_score) / 1e6;
    if (verdict->status == VL_VERDICT_ERROR)
        return;
    if (verdict->case_count > 0 && !lost)
        verdict->status = VL_VERDICT_PASSED;
    else if (verdict->score > 0)
        verdict->status = VL_VERDICT_PARTIAL;
    else
        verdict->status = begun ? VL_VERDICT_FAILED : VL_VERDICT_NOT_STARTED;
}

void vl_verdict_free(struct vl_verdict *verdict)
{
    for (size_t i = 0; i < verdict->case_count; i++)
        free_result(&verdict->cases[i]);
    free(verdict->cases);
    free(verdict->machine);
    free(verdict->flags);
    free(verdict->submission);
    free(verdict->submission_hash);
    free(verdict->graded_at);
    free(verdict->student);
    free(verdict->message);
    free(verdict->compiler);
    *verdict = (struct vl_verdict){0};
}

const char *vl_case_status_code(enum vl_case_status status)
{
    return case_codes[status];
}

const char *vl_case_group_code(enum vl_case_group group)
{
    return group_codes[group];
}

const char *vl_verdict_status_code(enum vl_verdict_status status)
{
    return verdict_codes[status];
}

const char *vl_isolation_code(enum vl_isolation isolation)
{
    static const char *const codes[] = {NULL, "strong", "weak", "weak"};
    return codes[isolation];
}

int vl_verdict_exit(const struct vl_verdict *verdict)
{
    if (verdict->status == VL_VERDICT_ERROR)
        return 4;
    return verdict->status == VL_VERDICT_PASSED ? 0 : 1;
}
