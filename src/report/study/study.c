#include "report/study/study.h"

#include "report/draw/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- made and freed ---- */

static enum vl_status make_runs(struct vl_study_way *way, size_t steps, size_t seeds)
{
    way->runs = calloc(seeds, sizeof *way->runs);
    if (way->runs == NULL)
        return VL_ENOMEM;
    for (size_t s = 0; s < seeds; s++) {
        double *all = malloc(VL_STUDY_CURVES * steps * sizeof *all);
        if (all == NULL)
            return VL_ENOMEM;
        for (size_t i = 0; i < VL_STUDY_CURVES * steps; i++)
            all[i] = NAN;
        for (size_t c = 0; c < VL_STUDY_CURVES; c++)
            way->runs[s].curves[c] = all + c * steps;
        way->runs[s].evaluated = NAN;
    }
    return VL_OK;
}

enum vl_status vl_study_create(struct vl_study **study, const double *alphas, size_t count,
                               size_t steps, size_t seeds)
{
    *study = NULL;
    if (count == 0 || count > VL_STUDY_ALPHAS || steps == 0 || seeds == 0 || seeds > VL_STUDY_SEEDS)
        return VL_EINVAL;
    struct vl_study *made = calloc(1, sizeof *made);
    if (made == NULL)
        return VL_ENOMEM;
    made->steps = steps;
    made->seeds = seeds;
    made->way_count = count + 2;
    made->ways[0].balance = "none";
    made->ways[count + 1].balance = "bias";
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < count; i++) {
        made->ways[i + 1].balance = "aux";
        made->ways[i + 1].alpha = alphas[i];
    }
    for (size_t w = 0; w < made->way_count && status == VL_OK; w++)
        status = make_runs(&made->ways[w], steps, seeds);
    if (status == VL_OK)
        *study = made;
    else
        vl_study_free(made);
    return status;
}

enum vl_status vl_study_make_loads(struct vl_study *study)
{
    size_t n = study->part_count * study->layers * study->experts;
    for (size_t w = 0; w < study->way_count; w++) {
        study->ways[w].loads = malloc((n > 0 ? n : 1) * sizeof(double));
        if (study->ways[w].loads == NULL)
            return VL_ENOMEM;
        for (size_t i = 0; i < n; i++)
            study->ways[w].loads[i] = NAN;
    }
    return VL_OK;
}

void vl_study_free(struct vl_study *study)
{
    if (study == NULL)
        return;
    for (size_t w = 0; w < study->way_count; w++) {
        struct vl_study_way *way = &study->ways[w];
        for (size_t s = 0; way->runs != NULL && s < study->seeds; s++)
            free(way->runs[s].curves[0]);
        free(way->runs);
        free(way->loads);
        json_decref(way->options);
    }
    json_decref(study->run);
    free(study);
}

/* ---- measured ---- */

size_t vl_study_late_begin(const struct vl_study *study)
{
    size_t late = study->steps / 4;
    return study->steps - (late > 0 ? late : 1);
}

double vl_study_late(const struct vl_study *study, const struct vl_study_run *run,
                     enum vl_study_curve curve)
{
    size_t begin = vl_study_late_begin(study);
    return vl_plot_column(run->curves[curve] + begin, study->steps - begin, 0, 1);
}

static struct vl_study_spread spread_of(const double *values, size_t n)
{
    struct vl_study_spread spread = {.least = INFINITY, .most = -INFINITY};
    for (size_t i = 0; i < n; i++) {
        spread.mean += values[i] / (double)n;
        spread.least = fmin(spread.least, values[i]);
        spread.most = fmax(spread.most, values[i]);
    }
    return spread;
}

struct vl_study_spread vl_study_late_spread(const struct vl_study *study, size_t way,
                                            enum vl_study_curve curve)
{
    double values[VL_STUDY_SEEDS];
    for (size_t s = 0; s < study->seeds; s++)
        values[s] = vl_study_late(study, &study->ways[way].runs[s], curve);
    return spread_of(values, study->seeds);
}

struct vl_study_spread vl_study_evaluated(const struct vl_study *study, size_t way)
{
    double values[VL_STUDY_SEEDS];
    for (size_t s = 0; s < study->seeds; s++)
        values[s] = study->ways[way].runs[s].evaluated;
    return spread_of(values, study->seeds);
}

/* ---- found ---- */

static void find_ratios(struct vl_study_findings *f, const struct vl_study *study)
{
    const struct vl_study_way *none = &study->ways[0], *bias = &study->ways[study->way_count - 1];
    for (size_t s = 0; s < study->seeds; s++)
        f->ratio[s] = vl_study_late(study, &bias->runs[s], VL_STUDY_VIOLATION) /
                      vl_study_late(study, &none->runs[s], VL_STUDY_VIOLATION);
    f->ratios = spread_of(f->ratio, study->seeds);
}

static bool is_zero(const struct vl_study *study, const struct vl_study_way *way)
{
    for (size_t s = 0; s < study->seeds; s++)
        for (size_t i = 0; i < study->steps; i++)
            if (way->runs[s].curves[VL_STUDY_SIZE][i] != 0 ||
                way->runs[s].curves[VL_STUDY_COSINE][i] != 0)
                return false;
    return true;
}

void vl_study_find(struct vl_study_findings *findings, const struct vl_study *study)
{
    size_t bias = study->way_count - 1;
    memset(findings, 0, sizeof *findings);
    find_ratios(findings, study);
    findings->best = findings->largest = 1;
    for (size_t w = 2; w < bias; w++) {
        if (vl_study_evaluated(study, w).mean < vl_study_evaluated(study, findings->best).mean)
            findings->best = w;
        if (study->ways[w].alpha > study->ways[findings->largest].alpha)
            findings->largest = w;
    }
    struct vl_study_spread best = vl_study_evaluated(study, findings->best),
                           largest = vl_study_evaluated(study, findings->largest),
                           with_bias = vl_study_evaluated(study, bias);
    findings->difference = best.mean - with_bias.mean;
    findings->chance = (best.most - best.least + with_bias.most - with_bias.least) / 2;
    findings->hurt = largest.mean - best.mean;
    if (study->seeds > 1) {
        findings->verdict = fabs(findings->difference) <= findings->chance ? VL_STUDY_ALIKE
                            : findings->difference > 0                     ? VL_STUDY_BIAS_BETTER
                                                                           : VL_STUDY_AUX_BETTER;
        findings->large_hurts = findings->largest != findings->best && largest.least > best.most;
    }
    findings->bias_is_zero = is_zero(study, &study->ways[bias]);
}
