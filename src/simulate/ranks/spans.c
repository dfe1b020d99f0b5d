/* The spans of comm/span.h, for ranks that share one process: each records its own. */
#include "comm/span.h"

#include "simulate/ranks/state.h"

#include <stdlib.h>
#include <time.h>

enum vl_status vl_span_record(size_t most)
{
    struct vl_rank_state *state = vl_rank_state();
    free(state->spans);
    state->spans = NULL;
    state->span_most = state->span_count = state->span_lost = 0;
    if (most == 0)
        return VL_OK;
    state->spans = calloc(most, sizeof *state->spans);
    if (state->spans == NULL)
        return VL_ENOMEM;
    state->span_most = most;
    return VL_OK;
}

void vl_span_clear(void)
{
    struct vl_rank_state *state = vl_rank_state();
    state->span_count = state->span_lost = 0;
}

const struct vl_span *vl_span_all(size_t *count, size_t *lost)
{
    const struct vl_rank_state *state = vl_rank_state();
    *count = state->span_count;
    *lost = state->span_lost;
    return state->spans;
}

bool vl_span_recording(void)
{
    return vl_rank_state()->spans != NULL;
}

double vl_span_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now); /* the simulated one */
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void vl_span_add(const struct vl_span *span)
{
    struct vl_rank_state *state = vl_rank_state();
    if (state->spans == NULL)
        return;
    if (state->span_count < state->span_most)
        state->spans[state->span_count++] = *span;
    else
        state->span_lost++;
}

void vl_span_compute(const char *name, int64_t number, double begin)
{
    vl_span_add(&(struct vl_span){.kind = VL_SPAN_COMPUTE,
                                  .peer = -1,
                                  .begin = begin,
                                  .end = vl_span_clock(),
                                  .number = number,
                                  .name = name});
}

void vl_span_mark(const char *name)
{
    double now = vl_span_clock();
    vl_span_add(&(struct vl_span){
        .kind = VL_SPAN_MARK, .peer = -1, .begin = now, .end = now, .number = -1, .name = name});
}
