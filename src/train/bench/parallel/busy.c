#include "train/bench/parallel/busy.h"

#include "comm/span.h"
#include "engine/check.h"
#include "engine/schedule/schedule.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const kinds[] = {"F", "B", "W"};
#define KINDS (sizeof kinds / sizeof *kinds)

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median time of this stage's tasks of a kind and chunk; 0 if there are none. */
static double median_of(const struct vl_span *spans, size_t count, double *times, const char *kind,
                        size_t chunk)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (spans[i].kind == VL_SPAN_COMPUTE && strcmp(spans[i].name, kind) == 0 &&
            (size_t)(spans[i].number / VL_SPAN_CHUNK) == chunk)
            times[n++] = spans[i].end - spans[i].begin;
    if (n == 0)
        return 0.0;
    qsort(times, n, sizeof *times, by_size);
    return n % 2 == 1 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

/* What a stage sends to the others: when it worked, how long, and its medians (chunk, kind). */
enum { BEGIN, END, BUSY, MEDIANS };

static enum vl_status look_here(double *told, size_t chunks)
{
    size_t count, lost;
    const struct vl_span *spans = vl_span_all(&count, &lost);
    double *times = malloc((count + 1) * sizeof *times);
    if (times == NULL)
        return VL_ENOMEM;
    told[BEGIN] = INFINITY;
    told[END] = -INFINITY;
    told[BUSY] = 0.0;
    for (size_t i = 0; i < count; i++) {
        int task = 0;
        for (size_t k = 0; k < KINDS; k++)
            task |= spans[i].kind == VL_SPAN_COMPUTE && strcmp(spans[i].name, kinds[k]) == 0;
        if (!task)
            continue;
        told[BEGIN] = fmin(told[BEGIN], spans[i].begin);
        told[END] = fmax(told[END], spans[i].end);
        told[BUSY] += spans[i].end - spans[i].begin;
    }
    for (size_t chunk = 0; chunk < chunks; chunk++)
        for (size_t k = 0; k < KINDS; k++)
            told[MEDIANS + chunk * KINDS + k] = median_of(spans, count, times, kinds[k], chunk);
    free(times);
    return told[END] > told[BEGIN] && lost == 0 ? VL_OK : VL_EINVAL;
}

struct told {
    const double *all;
    size_t width;
};

static double cost_of(void *context, size_t stage, const struct vl_task *task)
{
    const struct told *told = context;
    return told->all[stage * told->width + MEDIANS + task->chunk * KINDS + (size_t)task->kind];
}

static enum vl_status conclude(struct vl_busy_shares *shares, const struct vl_schedule *schedule,
                               struct told *told)
{
    double begin = INFINITY, end = -INFINITY, busy = 0.0, p = (double)schedule->stages;
    for (size_t s = 0; s < schedule->stages; s++) {
        const double *one = told->all + s * told->width;
        begin = fmin(begin, one[BEGIN]);
        end = fmax(end, one[END]);
        busy += one[BUSY];
    }
    struct vl_schedule_times times = {.makespan = 0.0};
    const struct vl_schedule_costs costs = {.of = cost_of, .context = told};
    VL_CHECK(vl_schedule_simulate(&times, schedule, &costs));
    *shares = (struct vl_busy_shares){1.0 - busy / (p * (end - begin)), times.idle_share};
    return VL_OK;
}

enum vl_status vl_busy_measure(struct vl_busy_shares *shares, const struct vl_schedule *schedule,
                               MPI_Comm stages)
{
    size_t width = MEDIANS + KINDS * schedule->chunks;
    double *mine = calloc(width * (schedule->stages + 1), sizeof *mine);
    if (mine == NULL)
        return VL_ENOMEM;
    struct told told = {mine + width, width};
    enum vl_status status = look_here(mine, schedule->chunks);
    PMPI_Allgather(mine, (int)width, MPI_DOUBLE, mine + width, (int)width, MPI_DOUBLE, stages);
    if (status == VL_OK)
        status = conclude(shares, schedule, &told);
    free(mine);
    return status;
}
