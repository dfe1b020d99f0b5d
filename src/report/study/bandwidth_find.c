/* A study of bandwidth: what follows from its numbers. */
#include "report/study/bandwidth.h"
#include "report/study/bandwidth_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- seconds ---- */

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double middle_of(const double *sorted, size_t n)
{
    return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double vl_bandwidth_median(const double *values, size_t n)
{
    double sorted[VL_BANDWIDTH_TURNS];
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    return middle_of(sorted, n);
}

size_t vl_bandwidth_steps(const struct vl_bandwidth *study, size_t road)
{
    return study->roads[road].runs * study->turns;
}

struct vl_bandwidth_spread vl_bandwidth_measured(const struct vl_bandwidth *study, size_t road,
                                                 enum vl_bandwidth_way way)
{
    double sorted[VL_BANDWIDTH_TURNS];
    size_t n = vl_bandwidth_steps(study, road);
    size_t half = (n + 1) / 2; /* an odd middle belongs to both halves */
    if (n == 0)
        return (struct vl_bandwidth_spread){.low = NAN, .median = NAN, .high = NAN};
    memcpy(sorted, study->roads[road].cells[way].seconds, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_size);
    return (struct vl_bandwidth_spread){.low = middle_of(sorted, half),
                                        .median = middle_of(sorted, n),
                                        .high = middle_of(sorted + n - half, half)};
}

double vl_bandwidth_seconds(const struct vl_bandwidth *study, size_t road,
                            enum vl_bandwidth_way way, enum vl_bandwidth_source source)
{
    const struct vl_bandwidth_cell *cell = &study->roads[road].cells[way];
    return source == VL_BANDWIDTH_PLANNED     ? cell->planned
           : source == VL_BANDWIDTH_SIMULATED ? cell->simulated
                                              : vl_bandwidth_measured(study, road, way).median;
}

int vl_bandwidth_has_way(const struct vl_bandwidth *study, enum vl_bandwidth_way way,
                         enum vl_bandwidth_source source)
{
    for (size_t r = 0; r < study->count; r++)
        if (isfinite(vl_bandwidth_seconds(study, r, way, source)))
            return 1;
    return 0;
}

int vl_bandwidth_has(const struct vl_bandwidth *study, enum vl_bandwidth_source source)
{
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
        if (vl_bandwidth_has_way(study, (enum vl_bandwidth_way)w, source))
            return 1;
    return 0;
}

/* ---- between the roads ---- */

double vl_bandwidth_between(const double *rates, const double *seconds, size_t count, double rate)
{
    size_t i = 0;
    if (count == 0 || !(rate >= rates[0] && rate <= rates[count - 1]))
        return NAN;
    if (count == 1)
        return seconds[0];
    while (i + 2 < count && rate > rates[i + 1])
        i++;
    double share = log(rate / rates[i]) / log(rates[i + 1] / rates[i]);
    return exp((1 - share) * log(seconds[i]) + share * log(seconds[i + 1]));
}

struct vl_bandwidth_crossover vl_bandwidth_cross(const double *rates, const double *one,
                                                 const double *other, size_t count)
{
    struct vl_bandwidth_crossover found = {.verdict = VL_BANDWIDTH_UNKNOWN};
    double before = 0; /* above 0: on the road before, 'one' was slower */
    for (size_t i = 0; i < count; i++) {
        double slower = log(one[i] / other[i]);
        if (!isfinite(slower))
            return (struct vl_bandwidth_crossover){.verdict = VL_BANDWIDTH_UNKNOWN};
        int crosses = i > 0 && (before > 0) != (slower > 0);
        found.times += (size_t)crosses;
        if (slower > 0) {
            found.verdict = VL_BANDWIDTH_NOWHERE;
        } else if (crosses) {
            double share = before / (before - slower);
            found.verdict = VL_BANDWIDTH_CROSSES;
            found.rate = rates[i - 1] * pow(rates[i] / rates[i - 1], share);
        } else if (i == 0) {
            found.verdict = VL_BANDWIDTH_EVERYWHERE;
        }
        before = slower;
    }
    if (found.verdict != VL_BANDWIDTH_CROSSES)
        found.rate = 0;
    return found;
}

/* ---- findings ---- */

enum quartile { LOW, MEDIAN, HIGH };

static double measured_at(const struct vl_bandwidth *study, size_t road, enum vl_bandwidth_way way,
                          enum quartile quartile)
{
    struct vl_bandwidth_spread spread = vl_bandwidth_measured(study, road, way);
    return quartile == LOW ? spread.low : quartile == HIGH ? spread.high : spread.median;
}

/* Data parallelism against the pipeline, as measured. */
static struct vl_bandwidth_crossover cross_quartiles(const struct vl_bandwidth *study,
                                                     enum quartile own, enum quartile pipeline)
{
    double rates[VL_BANDWIDTH_RATES], one[VL_BANDWIDTH_RATES], other[VL_BANDWIDTH_RATES];
    for (size_t r = 0; r < study->count; r++) {
        rates[r] = study->roads[r].rate;
        one[r] = measured_at(study, r, VL_BANDWIDTH_DP, own);
        other[r] = measured_at(study, r, VL_BANDWIDTH_PP, pipeline);
    }
    return vl_bandwidth_cross(rates, one, other, study->count);
}

struct vl_bandwidth_crossover vl_bandwidth_cross_pipeline(const struct vl_bandwidth *study,
                                                          enum vl_bandwidth_way way,
                                                          enum vl_bandwidth_source source)
{
    double rates[VL_BANDWIDTH_RATES], one[VL_BANDWIDTH_RATES], other[VL_BANDWIDTH_RATES];
    for (size_t r = 0; r < study->count; r++) {
        rates[r] = study->roads[r].rate;
        one[r] = vl_bandwidth_seconds(study, r, way, source);
        other[r] = vl_bandwidth_seconds(study, r, VL_BANDWIDTH_PP, source);
    }
    return vl_bandwidth_cross(rates, one, other, study->count);
}

static void find_gaps(struct vl_bandwidth_findings *findings, const struct vl_bandwidth *study,
                      size_t road, enum vl_bandwidth_way way)
{
    struct vl_bandwidth_spread measured = vl_bandwidth_measured(study, road, way);
    findings->widest = fmax(findings->widest, (measured.high - measured.low) / measured.median);
    if (way == VL_BANDWIDTH_ALONE) /* the planner was given it */
        return;
    for (int s = VL_BANDWIDTH_PLANNED; s < VL_BANDWIDTH_SOURCES; s++) {
        double seconds = vl_bandwidth_seconds(study, road, way, (enum vl_bandwidth_source)s);
        double gap = fabs(seconds / measured.median - 1);
        if (!isfinite(gap))
            continue;
        findings->gap[s].cells++;
        findings->gap[s].within_15 += gap <= 0.15;
        findings->gap[s].within_30 += gap <= 0.30;
        findings->gap[s].worst = fmax(findings->gap[s].worst, gap);
    }
}

void vl_bandwidth_find(struct vl_bandwidth_findings *findings, const struct vl_bandwidth *study)
{
    memset(findings, 0, sizeof *findings);
    for (int s = 0; s < VL_BANDWIDTH_SOURCES; s++) {
        enum vl_bandwidth_source source = (enum vl_bandwidth_source)s;
        findings->crossover[s] = vl_bandwidth_cross_pipeline(study, VL_BANDWIDTH_DP, source);
        findings->overlapped[s] =
            vl_bandwidth_cross_pipeline(study, VL_BANDWIDTH_DP_OVERLAP, source);
    }
    findings->earliest = cross_quartiles(study, LOW, HIGH);
    findings->latest = cross_quartiles(study, HIGH, LOW);
    for (size_t r = 0; r < study->count; r++)
        for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
            find_gaps(findings, study, r, (enum vl_bandwidth_way)w);
}
