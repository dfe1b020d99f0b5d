#include "train/bench/roads/bench_roads.h"

#include "comm/span.h"
#include "engine/check.h"
#include "vialata/collectives.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST      ((size_t)64 << 20)
#define SMALL_BYTES  8
#define MIDDLE_BYTES ((size_t)1 << 20)
#define LARGE_BYTES  ((size_t)8 << 20)
#define MANY         200 /* how many small exchanges one turn has */

/* Other processes on the machine can only lengthen a turn. */
static double shortest(const double *times, int n)
{
    double least = times[0];
    for (int i = 1; i < n; i++)
        if (times[i] < least)
            least = times[i];
    return least;
}

enum vl_status vl_road_turn(double *seconds, MPI_Comm comm, enum vl_status (*work)(void *context),
                            void *context)
{
    PMPI_Barrier(comm);
    double begin = vl_span_clock();
    VL_CHECK(work(context));
    double mine = vl_span_clock() - begin;
    PMPI_Allreduce(&mine, seconds, 1, MPI_DOUBLE, MPI_MAX, comm);
    return VL_OK;
}

enum vl_status vl_road_time(double *seconds, MPI_Comm comm, int turns,
                            enum vl_status (*work)(void *context), void *context)
{
    double times[VL_ROAD_TURNS];
    if (turns < 1 || turns > VL_ROAD_TURNS)
        return VL_EINVAL;
    VL_CHECK(vl_road_turn(&times[0], comm, work, context));
    for (int i = 0; i < turns; i++)
        VL_CHECK(vl_road_turn(&times[i], comm, work, context));
    *seconds = shortest(times, turns);
    return VL_OK;
}

struct data {
    MPI_Comm comm;
    int rank, ranks;
    float *data, *other;
    size_t bytes;
    int times; /* how many exchanges in a turn */
};

/* Everybody sends to the next rank and receives from the one before: a step of a ring. */
static enum vl_status exchange(void *context)
{
    struct data *d = context;
    int next = (d->rank + 1) % d->ranks, before = (d->rank + d->ranks - 1) % d->ranks;
    for (int i = 0; i < d->times; i++)
        PMPI_Sendrecv(d->data, (int)d->bytes, MPI_BYTE, next, 0, d->other, (int)d->bytes, MPI_BYTE,
                      before, 0, d->comm, MPI_STATUS_IGNORE);
    return VL_OK;
}

static enum vl_status ring(void *context)
{
    struct data *d = context;
    return vl_all_reduce(d->comm, d->data, d->bytes / sizeof(float));
}

static enum vl_status library(void *context)
{
    struct data *d = context;
    PMPI_Allreduce(MPI_IN_PLACE, d->data, (int)(d->bytes / sizeof(float)), MPI_FLOAT, MPI_SUM,
                   d->comm);
    return VL_OK;
}

static enum vl_status open_data(struct data *d, MPI_Comm comm)
{
    *d = (struct data){.comm = comm, .times = 1};
    MPI_Comm_rank(comm, &d->rank);
    MPI_Comm_size(comm, &d->ranks);
    d->data = malloc(LARGEST);
    d->other = malloc(LARGEST);
    if (d->data == NULL || d->other == NULL)
        return VL_ENOMEM;
    /* Written once, so that every page is mapped; sums of zeros stay zero. */
    memset(d->data, 0, LARGEST);
    memset(d->other, 0, LARGEST);
    return VL_OK;
}

static void close_data(struct data *d)
{
    free(d->data);
    free(d->other);
}

static enum vl_status time_exchange(double *seconds, struct data *d, size_t bytes, int times)
{
    d->bytes = bytes;
    d->times = times;
    VL_CHECK(vl_road_time(seconds, d->comm, 15, exchange, d));
    *seconds /= times;
    return VL_OK;
}

static enum vl_status measure_road(struct vl_road *road, struct data *d)
{
    double middle, large;
    VL_CHECK(time_exchange(&road->alpha, d, SMALL_BYTES, MANY));
    VL_CHECK(time_exchange(&middle, d, MIDDLE_BYTES, 1));
    VL_CHECK(time_exchange(&large, d, LARGE_BYTES, 1));
    double slope = (large - middle) / (double)(LARGE_BYTES - MIDDLE_BYTES);
    /* On a busy machine the slope may come out negative: then take the mean. */
    road->beta = slope > 0 ? slope : large / (double)LARGE_BYTES;
    return VL_OK;
}

enum vl_status vl_road_measure(struct vl_road *road, MPI_Comm comm)
{
    struct data d;
    enum vl_status status = open_data(&d, comm);
    if (status == VL_OK)
        status = measure_road(road, &d);
    close_data(&d);
    return status;
}

/* The two take turns, so that a busy moment slows both. */
static enum vl_status measure_row(struct vl_road_row *row, struct data *d)
{
    double rings[VL_ROAD_TURNS], libraries[VL_ROAD_TURNS];
    int turns = row->bytes > (size_t)16 << 20 ? 11 : 21;
    d->bytes = row->bytes;
    d->times = 1;
    VL_CHECK(ring(d));
    VL_CHECK(library(d));
    for (int i = 0; i < turns; i++) {
        VL_CHECK(vl_road_turn(&rings[i], d->comm, ring, d));
        VL_CHECK(vl_road_turn(&libraries[i], d->comm, library, d));
    }
    row->ring = shortest(rings, turns);
    row->library = shortest(libraries, turns);
    return VL_OK;
}

static enum vl_status measure_all(struct vl_roads *roads, struct data *d)
{
    VL_CHECK(measure_road(&roads->road, d));
    for (int i = 0; i < VL_ROAD_SIZES; i++) {
        struct vl_road_row *row = &roads->row[i];
        row->bytes = (size_t)1 << (20 + i);
        VL_CHECK(measure_row(row, d));
        VL_CHECK(
            vl_all_reduce_seconds(&row->predicted, &roads->road, d->ranks, (double)row->bytes));
    }
    return VL_OK;
}

enum vl_status vl_bench_roads(struct vl_roads *roads, MPI_Comm comm)
{
    struct data d;
    *roads = (struct vl_roads){0};
    MPI_Comm_size(comm, &roads->ranks);
    if (roads->ranks < 2)
        return VL_EINVAL;
    enum vl_status status = open_data(&d, comm);
    if (status == VL_OK)
        status = measure_all(roads, &d);
    close_data(&d);
    return status;
}
