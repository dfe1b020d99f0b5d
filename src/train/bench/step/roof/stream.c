#include "train/bench/step/roof/stream.h"

#include <cblas.h>
#include <stdlib.h>
#include <unistd.h>

#define LEAST (64L << 20) /* bytes of an array */
#define MOST  (512L << 20)

/* Zero or less where the machine does not say. */
static long last_cache(void)
{
#ifdef _SC_LEVEL3_CACHE_SIZE
    return sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    return 0;
#endif
}

enum vl_status vl_stream_open(struct vl_stream *stream)
{
    long bytes = last_cache();
    bytes = bytes < LEAST ? LEAST : bytes > MOST ? MOST : bytes;
    size_t n = (size_t)bytes / sizeof(float);
    *stream = (struct vl_stream){
        .x = malloc(n * sizeof(float)), .y = malloc(n * sizeof(float)), .count = n};
    if (stream->x == NULL || stream->y == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < n; i++) { /* pages that nobody wrote would all be one */
        stream->x[i] = 1;
        stream->y[i] = 0;
    }
    return VL_OK;
}

void vl_stream_free(struct vl_stream *stream)
{
    free(stream->x);
    free(stream->y);
    *stream = (struct vl_stream){.x = NULL};
}

void vl_stream_clear(struct vl_stream *stream)
{
    stream->rounds = 0;
}

void vl_stream_round(struct vl_stream *stream)
{
    double start = vl_bench_seconds();
    cblas_saxpy((blasint)stream->count, 0.5f, stream->x, 1, stream->y, 1);
    stream->seconds[stream->rounds++] = vl_bench_seconds() - start;
}

double vl_stream_rate(struct vl_stream *stream)
{
    return 12 * (double)stream->count / vl_bench_median(stream->seconds, stream->rounds);
}
