/*
 * How fast one core moves what does not fit into the caches.
 *
 *   y = y + a x    x and y each as large as the last-level cache, and 64 to 512 MiB
 *
 * x is read, and y is read and written, so this moves 12 bytes per element. (An array that is only
 * written moves more than is counted: its lines are read before they are written.)
 */
#ifndef VIALATA_TRAIN_BENCH_STREAM_H
#define VIALATA_TRAIN_BENCH_STREAM_H

#include "train/bench/timing.h"
#include "vialata/status.h"
#include <stddef.h>

struct vl_stream {
    float *x, *y;
    size_t count;
    double seconds[VL_BENCH_ROUNDS];
    size_t rounds; /* since vl_stream_clear */
};

/* VL_ENOMEM. Free it whatever is returned. */
enum vl_status vl_stream_open(struct vl_stream *stream);
void vl_stream_free(struct vl_stream *stream);

void vl_stream_clear(struct vl_stream *stream);
/* One more pass over both, at most VL_BENCH_ROUNDS. */
void vl_stream_round(struct vl_stream *stream);
/* Bytes per second of the median pass. After one round at least. */
double vl_stream_rate(struct vl_stream *stream);

#endif
