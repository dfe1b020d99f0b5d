#include "comm/span.h"

#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static struct {
    struct vl_span *spans;
    size_t most, count, lost;
} record;

static void (*taker)(const struct vl_span *span);
static double *since; /* of the call that this rank is in */

enum vl_status vl_span_record(size_t most)
{
    free(record.spans);
    record.spans = NULL;
    record.most = record.count = record.lost = 0;
    if (most == 0)
        return VL_OK;
    if (most > SIZE_MAX / sizeof *record.spans)
        return VL_ENOMEM;
    record.spans = calloc(most, sizeof *record.spans);
    if (record.spans == NULL)
        return VL_ENOMEM;
    record.most = most;
    return VL_OK;
}

void vl_span_hand_to(void (*take)(const struct vl_span *span), double *inside)
{
    taker = take;
    since = inside;
}

void vl_span_leave(void)
{
    if (since != NULL)
        *since = 0;
}

double vl_span_enter(void)
{
    double now = vl_span_clock();
    if (since != NULL)
        *since = now;
    return now;
}

void vl_span_clear(void)
{
    record.count = record.lost = 0;
}

const struct vl_span *vl_span_all(size_t *count, size_t *lost)
{
    *count = record.count;
    *lost = record.lost;
    return record.spans;
}

bool vl_span_recording(void)
{
    return record.spans != NULL || taker != NULL;
}

double vl_span_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void vl_span_add(const struct vl_span *span)
{
    if (taker != NULL) {
        taker(span);
        if (span->kind == VL_SPAN_WAIT)
            vl_span_leave();
    } else if (record.spans == NULL)
        return;
    else if (record.count < record.most)
        record.spans[record.count++] = *span;
    else
        record.lost++;
}

void vl_span_compute(const char *name, int64_t number, double begin)
{
    if (!vl_span_recording())
        return;
    struct vl_span span = {.kind = VL_SPAN_COMPUTE,
                           .peer = -1,
                           .begin = begin,
                           .end = vl_span_clock(),
                           .number = number,
                           .name = name};
    vl_span_add(&span);
}

void vl_span_mark(const char *name)
{
    if (!vl_span_recording())
        return;
    double now = vl_span_clock();
    struct vl_span span = {
        .kind = VL_SPAN_MARK, .peer = -1, .begin = now, .end = now, .number = -1, .name = name};
    vl_span_add(&span);
}
