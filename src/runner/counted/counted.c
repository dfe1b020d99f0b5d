#include "runner/counted/counted.h"

#include <string.h>
#include <time.h>

#define TRIES 2000

struct vl_counts vl_counted;
int vl_counted_on;

static int64_t began;
static int64_t clocked;      /* how many intervals were measured in this turn */
static int64_t clock_inside; /* of such an interval of nothing, in 1/1024 ns */
static int64_t clock_whole;  /* that the turn becomes longer by it, in 1/1024 ns */

int64_t vl_counted_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void vl_counted_add(int64_t *sum, int64_t since)
{
    *sum += vl_counted_clock() - since - (clock_inside >> 10);
    clocked++;
}

/* The least of several tries: other programs only add to it. */
static void measure_clock(void)
{
    for (int try = 0; try < 5; try++) {
        int64_t inside = 0, start = vl_counted_clock();
        for (int i = 0; i < TRIES; i++) {
            int64_t one = vl_counted_clock();
            inside += vl_counted_clock() - one;
        }
        int64_t whole = vl_counted_clock() - start;
        whole = (whole << 10) / TRIES;
        inside = (inside << 10) / TRIES;
        clock_whole = try == 0 || whole < clock_whole ? whole : clock_whole;
        clock_inside = try == 0 || inside < clock_inside ? inside : clock_inside;
    }
}

void vl_counts_begin(void)
{
    if (clock_whole == 0)
        measure_clock();
    memset(&vl_counted, 0, sizeof vl_counted);
    vl_counted_forget_transfers();
    clocked = 0;
    began = vl_counted_clock();
    vl_counted_on = 1;
}

static void not_negative(int64_t *value)
{
    *value = *value > 0 ? *value : 0;
}

void vl_counts_end(struct vl_counts *counts)
{
    vl_counted_on = 0;
    vl_counted.turn_ns = vl_counted_clock() - began - (clocked * clock_whole >> 10);
    *counts = vl_counted;
    not_negative(&counts->turn_ns);
    not_negative(&counts->product_ns);
    not_negative(&counts->vector_ns);
    not_negative(&counts->allocation_ns);
    not_negative(&counts->copy_ns);
    not_negative(&counts->sleep_ns);
    not_negative(&counts->mpi_ns);
    vl_counted_estimate_math(counts);
}
