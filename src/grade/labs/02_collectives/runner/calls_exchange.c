/*
 * Lab 02's exchange: alone, or where other messages are under way and other ranks do something else.
 */
#include "grade/labs/02_collectives/runner/here.h"

#include "comm/meter.h"
#include "runner/turns.h"
#include "vialata/collectives.h"

#include <stdlib.h>

/* A message of the runner that is none of the exchange's, and lies there before it begins. */
struct stray {
    int to, from, tag;
};

/* One comes from the peer, but has another tag; one has this tag, but comes from another rank. */
struct strays {
    struct vl_here here;
    struct stray stray[2];
    float *numbers;
};

static struct strays strays_of(const struct vl_here *here, int peer)
{
    const int other = here->rank ^ 1;
    return (struct strays){.here = *here,
                           .stray = {{peer, peer, 0}, {other, other, here->tag}},
                           .numbers = malloc((here->n + 1) * sizeof(float))};
}

/* Each rank sends both, and goes on when both have come to it, so that it finds them first. They are
 * short enough to leave without a receive. */
static void strays_send(const struct strays *s)
{
    const int n = (int)s->here.n;
    for (int i = 0; i < n; i++)
        s->numbers[i] = 1000.0f + (float)s->here.rank; /* no number of the exchange is so large */
    for (int k = 0; k < 2; k++) {
        vl_meter_collective(s->here.n * sizeof(float), 2);
        PMPI_Send(s->numbers, n, MPI_FLOAT, s->stray[k].to, s->stray[k].tag, s->here.comm);
    }
    for (int k = 0; k < 2; k++)
        PMPI_Probe(s->stray[k].from, s->stray[k].tag, s->here.comm, MPI_STATUS_IGNORE);
}

/* Take them, unless the exchange did. */
static void strays_take(const struct strays *s)
{
    for (int k = 0; k < 2; k++) {
        int there = 0;
        PMPI_Iprobe(s->stray[k].from, s->stray[k].tag, s->here.comm, &there, MPI_STATUS_IGNORE);
        if (there)
            PMPI_Recv(s->numbers, (int)s->here.n, MPI_FLOAT, s->stray[k].from, s->stray[k].tag,
                      s->here.comm, MPI_STATUS_IGNORE);
    }
    free(s->numbers);
}

/* Of ranks 2k and 2k+1, who belong to different pairs, the second begins when the first is back. */
static enum vl_status exchange_in_turn(const struct vl_here *here, float *received,
                                       const float *sent, int peer)
{
    MPI_Comm turns;
    PMPI_Comm_split(here->comm, here->rank / 2, here->rank, &turns);
    struct strays strays = strays_of(here, peer);
    if (strays.numbers == NULL)
        return VL_EINTERNAL;
    strays_send(&strays);
    vl_turn_wait(turns);
    enum vl_status status = vl_exchange(here->comm, received, sent, here->n, peer, here->tag);
    vl_turn_end(turns);
    strays_take(&strays);
    PMPI_Comm_free(&turns);
    return status;
}

VL_CALL(exchange)
{
    struct vl_here here = vl_here(inputs);
    size_t floats = vl_row_floats(inputs, "sent");
    float *received = vl_unwritten_floats(outputs, "received", floats);
    const float *sent = vl_bag_f32(inputs, "sent") + (size_t)here.rank * floats;
    int peer = here.ranks > 1 ? here.rank ^ (int)vl_bag_int(inputs, "apart") : here.rank;
    if (received == NULL)
        return VL_EINTERNAL;
    if (vl_bag_int(inputs, "turns"))
        return exchange_in_turn(&here, received, sent, peer);
    return vl_exchange(here.comm, received, sent, here.n, peer, here.tag);
}
