/*
 * The linker (--wrap) routes calls of the contracts of vialata/collectives.h through here: what the
 * engine holds as a transfer of a collective is a flight. Single messages are not flights, since
 * SimGrid carries them by itself.
 */
#include "simulate/ranks/flights.h"

#include "simulate/ranks/communicators.h"
#include "vialata/collectives.h"

#include <simgrid/actor.h>
#include <stdlib.h>

#define MOST_POLLS 256  /* in a row, before time must pass */
#define PAUSE      1e-6 /* seconds */

/* The contract as the lab fulfils it, and the same call as the engine makes it. */
#define CONTRACT(name, ...)                                                                        \
    enum vl_status __real_##name(__VA_ARGS__);                                                     \
    enum vl_status __wrap_##name(__VA_ARGS__);                                                     \
    enum vl_status __wrap_##name(__VA_ARGS__)

enum kind { REDUCE_SCATTER, ALL_GATHER, ALL_REDUCE };

/* What was asked for. */
struct wish {
    enum kind kind;
    MPI_Comm comm;
    void *data;
    size_t n, element_bytes;
    int tag;
};

struct vl_flight {
    struct vl_flight *next;
    struct wish wish;
    struct vl_speaker speaker; /* of the thread that carries it */
    int launched, done;
    enum vl_status status;
};

static enum vl_status enter(struct vl_transfer **transfer, const struct wish *wish)
{
    struct vl_flight *flight = transfer != NULL ? calloc(1, sizeof *flight) : NULL;
    if (transfer == NULL)
        return VL_EINVAL;
    *transfer = (struct vl_transfer *)(void *)flight;
    if (flight == NULL)
        return VL_ENOMEM;
    struct vl_rank_state *state = vl_rank_state();
    vl_communicator_of(wish->comm); /* so that the thread will know it */
    *flight = (struct vl_flight){.next = state->flights,
                                 .wish = *wish,
                                 .speaker = {.rank = state, .flight = flight, .will_wait = 1}};
    state->flights = flight;
    return VL_OK;
}

CONTRACT(vl_reduce_scatter_start, struct vl_transfer **transfer, MPI_Comm comm, float *data,
         size_t n, int tag)
{
    const struct wish wish = {REDUCE_SCATTER, comm, data, n, sizeof *data, tag};
    return enter(transfer, &wish);
}

CONTRACT(vl_all_gather_start, struct vl_transfer **transfer, MPI_Comm comm, void *data, size_t n,
         size_t element_bytes, int tag)
{
    const struct wish wish = {ALL_GATHER, comm, data, n, element_bytes, tag};
    return enter(transfer, &wish);
}

CONTRACT(vl_all_reduce_start, struct vl_transfer **transfer, MPI_Comm comm, float *data, size_t n,
         int tag)
{
    const struct wish wish = {ALL_REDUCE, comm, data, n, sizeof *data, tag};
    return enter(transfer, &wish);
}

static enum vl_status start(struct vl_transfer **transfer, const struct wish *w)
{
    switch (w->kind) {
    case REDUCE_SCATTER:
        return __real_vl_reduce_scatter_start(transfer, w->comm, w->data, w->n, w->tag);
    case ALL_GATHER:
        return __real_vl_all_gather_start(transfer, w->comm, w->data, w->n, w->element_bytes,
                                          w->tag);
    case ALL_REDUCE:
        break;
    }
    return __real_vl_all_reduce_start(transfer, w->comm, w->data, w->n, w->tag);
}

enum vl_status __real_vl_transfer_finish(struct vl_transfer *transfer);

static enum vl_status finish(struct vl_transfer *transfer)
{
    struct vl_speaker *speaker = vl_speaker();
    speaker->will_wait++;
    enum vl_status status = __real_vl_transfer_finish(transfer);
    speaker->will_wait--;
    return status;
}

static enum vl_status carry(const struct wish *wish)
{
    struct vl_transfer *transfer = NULL;
    enum vl_status status = start(&transfer, wish);
    return status == VL_OK ? finish(transfer) : status;
}

/* ---- threads ---- */

static void fly(int argc, char **argv)
{
    struct vl_flight *flight = vl_speaker()->flight;
    sg_sem_t landed = flight->speaker.rank->landed;
    (void)argc, (void)argv;
    flight->status = carry(&flight->wish);
    flight->done = 1;
    sg_sem_release(landed); /* the rank may free the flight as soon as it runs */
}

static void launch(struct vl_flight *flight)
{
    struct vl_rank_state *state = flight->speaker.rank;
    if (flight->launched)
        return;
    flight->launched = 1;
    if (state->landed == NULL)
        state->landed = sg_sem_init(0);
    sg_actor_t thread = sg_actor_init("flight", sg_actor_get_host(sg_actor_self()));
    sg_actor_set_data(thread, &flight->speaker);
    sg_actor_start_(thread, fly, 0, NULL);
}

void vl_flights_launch(void)
{
    struct vl_rank_state *state = vl_rank_state();
    if (vl_speaker() == &state->speaker)
        for (struct vl_flight *flight = state->flights; flight != NULL; flight = flight->next)
            launch(flight);
}

bool vl_flights_waited(struct vl_wait *wait, const struct vl_rank_state *state)
{
    for (const struct vl_flight *flight = state->flights; flight != NULL; flight = flight->next)
        if (vl_message_waited(wait, &flight->speaker))
            return true;
    return false;
}

/* ---- polling and finishing ---- */

static struct vl_flight **find(struct vl_transfer *transfer)
{
    struct vl_flight **at = &vl_rank_state()->flights;
    while (*at != NULL && (void *)*at != (void *)transfer)
        at = &(*at)->next;
    return at;
}

/* For a rank that does nothing but poll: wait until a flight lands. If messages of its own are open,
 * it may be testing those as well, so wait only a moment. */
static void pass_time(const struct vl_rank_state *state)
{
    if (state->speaker.messages == NULL)
        sg_sem_acquire(state->landed);
    else
        sg_sem_acquire_timeout(state->landed, PAUSE);
}

CONTRACT(vl_transfer_poll, struct vl_transfer *transfer, int *done)
{
    struct vl_rank_state *state = vl_rank_state();
    struct vl_flight *flight = *find(transfer);
    if (flight == NULL)
        return __real_vl_transfer_poll(transfer, done);
    if (done == NULL)
        return VL_EINVAL;
    launch(flight);
    if (!flight->done && state->polled++ >= MOST_POLLS)
        pass_time(state);
    if (flight->done)
        state->polled = 0;
    *done = flight->done;
    return VL_OK;
}

CONTRACT(vl_transfer_finish, struct vl_transfer *transfer)
{
    struct vl_rank_state *state = vl_rank_state();
    struct vl_flight **at = find(transfer), *flight = *at;
    if (flight == NULL)
        return finish(transfer);
    if (!flight->launched) {
        *at = flight->next;
        flight->status = carry(&flight->wish);
    } else {
        vl_flights_launch();
        while (!flight->done)
            sg_sem_acquire(state->landed);
        *find(transfer) = flight->next;
    }
    enum vl_status status = flight->status;
    free(flight);
    return status;
}
