/*
 * Calls of lab 03: buckets, one function at a time.
 *
 *   begin    nothing else is called
 *   ready    the runner begins and finishes
 *   poll     the runner starts and finishes, every unit a bucket
 *   finish   the runner starts
 *
 * The runner's own messages bypass the wrappers (PMPI), so they are not counted.
 */
#include "comm/meter.h"
#include "grade/labs/03_data_parallel/runner/replicas.h"
#include "runner/arrays.h"

#include <stdbool.h>
#include <string.h>

#define LATE 3 /* seconds until the others go on without rank 0: long even on a busy machine */

struct work {
    struct vl_buckets buckets;
    struct vl_transfer **flight; /* (unit_count) */
    int rank, ranks;
    size_t under_way; /* buckets that the runner has started and not finished */
};

/* Set up as vl_buckets_begin does it. */
static int prepare(struct work *work, struct vl_bag *outputs, const struct vl_bag *inputs)
{
    size_t count = vl_input_size(inputs, "count"), unit_count = vl_input_size(inputs, "unit_count");
    memset(work, 0, sizeof *work);
    MPI_Comm_rank(vl_case_comm(), &work->rank);
    MPI_Comm_size(vl_case_comm(), &work->ranks);
    work->flight = vl_lent_flight(outputs, unit_count);
    work->buckets = (struct vl_buckets){
        .comm = vl_case_comm(),
        .gradients = vl_own_row(outputs, inputs, "gradients", "own_gradients", count),
        .units = vl_bag_sizes(inputs, "units"),
        .unit_count = unit_count,
        .bucket_bytes = vl_input_size(inputs, "bucket_bytes"),
        .waiting = unit_count,
        .open_end = count,
        .flight = work->flight,
    };
    return work->buckets.gradients && work->buckets.units && work->flight;
}

static uint64_t received_messages(void)
{
    return vl_meter_now()->total.received_messages;
}

/* ---- begin ---- */

VL_CALL(buckets_begin)
{
    struct work work;
    struct vl_buckets b;
    if (!prepare(&work, outputs, inputs))
        return VL_EINTERNAL;
    memset(&b, 0x5a, sizeof b); /* whatever was there */
    const struct vl_buckets *as = &work.buckets;
    memset(work.flight, 0x5a, as->unit_count * sizeof(struct vl_transfer *));
    enum vl_status status = vl_buckets_begin(&b, as->comm, as->gradients, as->units, as->unit_count,
                                             as->bucket_bytes, work.flight);
    size_t kept = b.comm == as->comm && b.gradients == as->gradients && b.units == as->units &&
                  b.flight == work.flight;
    int64_t *flight = vl_whole_output(outputs, "flight", as->unit_count); /* 0 stands for NULL */
    for (size_t k = 0; k < as->unit_count && flight != NULL; k++)
        flight[k] = work.flight[k] != NULL;
    return vl_give_counts(outputs, status, {"open_end", b.open_end}, {"started", b.started},
                          {"waiting", b.waiting}, {"unit_count", b.unit_count},
                          {"bucket_bytes", b.bucket_bytes}, {"pointers_kept", kept});
}

/* ---- ready ---- */

/* Finish what ready left under way. */
static enum vl_status finish_all(struct work *work, enum vl_status status)
{
    for (size_t k = 0; k < work->buckets.started && k < work->buckets.unit_count; k++) {
        enum vl_status finished = vl_transfer_finish(work->flight[k]);
        work->flight[k] = NULL;
        if (status == VL_OK)
            status = finished;
    }
    return status;
}

/* What the structure held after each unit, and whether ready has waited for other ranks. */
struct progress {
    int64_t *started, *open_end; /* (unit_count) */
    size_t waited;
};

static enum vl_status next_ready(struct work *work, struct progress *p, size_t i)
{
    struct vl_buckets *b = &work->buckets;
    enum vl_status status = vl_buckets_ready(b, b->unit_count - 1 - i);
    p->started[i] = (int64_t)b->started;
    p->open_end[i] = (int64_t)b->open_end;
    return status;
}

/*
 * All ranks stop after each unit. Then nobody can receive a whole ring inside one call unless the
 * call waits for it: between two stops each step of a ring needs another rank to have gone on.
 */
static enum vl_status ready_together(struct work *work, struct progress *p)
{
    struct vl_buckets *b = &work->buckets;
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < b->unit_count && status == VL_OK; i++) {
        uint64_t before = received_messages();
        size_t buckets = b->started;
        status = next_ready(work, p, i);
        if (buckets < 2 && b->started > buckets)
            p->waited |= received_messages() - before > (uint64_t)work->ranks;
        vl_meter_collective(0, work->ranks);
        PMPI_Barrier(b->comm);
    }
    return status;
}

static enum vl_status every_ready(struct work *work, struct progress *p)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < work->buckets.unit_count && status == VL_OK; i++)
        status = next_ready(work, p, i);
    return status;
}

/* Until rank 0 is back. What it may be waiting for, the others drive on when it is late. */
static void wait_for_rank_0(const struct work *work, MPI_Request *back, double late)
{
    const struct vl_buckets *b = &work->buckets;
    int is_back = 0, done;
    while (!is_back) {
        PMPI_Test(back, &is_back, MPI_STATUS_IGNORE);
        for (size_t k = 0; !is_back && MPI_Wtime() > late && k < b->started; k++)
            vl_transfer_poll(b->flight[k], &done);
    }
}

/* Rank 0 goes first: all that comes to it while the others do nothing, it has waited for. It would wait
 * forever, so after a while they go on. */
static enum vl_status ready_alone(struct work *work, struct progress *p)
{
    enum vl_status status = VL_OK;
    MPI_Request back;
    int is_back = 0;
    if (work->rank == 0) {
        const uint64_t before = received_messages();
        status = every_ready(work, p);
        p->waited = received_messages() > before;
    }
    vl_meter_collective(0, work->ranks);
    PMPI_Ibarrier(work->buckets.comm, &back);
    const double late = MPI_Wtime() + LATE;
    while (work->rank > 0 && !is_back && MPI_Wtime() < late)
        PMPI_Test(&back, &is_back, MPI_STATUS_IGNORE);
    if (work->rank > 0)
        status = every_ready(work, p);
    wait_for_rank_0(work, &back, 0);
    return status;
}

static enum vl_status all_ready(struct work *work, struct vl_bag *outputs, bool alone)
{
    const size_t units = work->buckets.unit_count;
    struct progress p = {.started = vl_whole_output(outputs, "started", units),
                         .open_end = vl_whole_output(outputs, "open_end", units)};
    if (!p.started || !p.open_end)
        return VL_EINTERNAL;
    enum vl_status status = alone ? ready_alone(work, &p) : ready_together(work, &p);
    return vl_give_counts(outputs, status, {"waited", p.waited});
}

/* Too early, too far, and once more: none of them changes anything. */
static enum vl_status in_disorder(struct work *work, struct vl_bag *outputs)
{
    struct vl_buckets *b = &work->buckets;
    int64_t *answers = vl_whole_output(outputs, "answers", 3);
    if (!answers)
        return VL_EINTERNAL;
    answers[0] = vl_buckets_ready(b, b->unit_count - 2);
    answers[1] = vl_buckets_ready(b, b->unit_count);
    enum vl_status status = VL_OK;
    for (size_t unit = b->unit_count; unit > 0 && status == VL_OK; unit--) {
        status = vl_buckets_ready(b, unit - 1);
        if (unit == 3 && status == VL_OK)
            answers[2] = vl_buckets_ready(b, unit - 1);
    }
    return status;
}

VL_CALL(buckets_ready)
{
    struct work work;
    if (!prepare(&work, outputs, inputs))
        return VL_EINTERNAL;
    const bool alone = vl_bag_int(inputs, "alone") != 0;
    return finish_all(&work, vl_input_size(inputs, "disorder") ? in_disorder(&work, outputs)
                                                               : all_ready(&work, outputs, alone));
}

/* ---- poll and finish, of buckets that the runner starts ---- */

/* Start buckets, the last unit first, each of at least bucket_bytes. */
static enum vl_status start_all(struct work *work)
{
    struct vl_buckets *b = &work->buckets;
    enum vl_status status = VL_OK;
    for (; b->waiting > 0 && status == VL_OK; b->waiting--) {
        size_t begin = b->units[b->waiting - 1], count = b->open_end - begin;
        if (b->waiting > 1 && count * sizeof *b->gradients < b->bucket_bytes)
            continue;
        status = vl_all_reduce_start(&b->flight[b->started], b->comm, b->gradients + begin, count,
                                     (int)b->started);
        b->started++;
        work->under_way++;
        b->open_end = begin;
    }
    return status;
}

/* The first bucket is finished and freed: polls find NULL. */
static enum vl_status end_first(struct work *work)
{
    enum vl_status status = vl_transfer_finish(work->flight[0]);
    work->flight[0] = NULL;
    work->under_way--;
    return status;
}

/* All buckets but the last are done, and not freed yet: the next polls find that out. */
static enum vl_status drive_all_but_last(struct work *work)
{
    enum vl_status status = VL_OK;
    for (size_t k = 0; k + 1 < work->buckets.started; k++) {
        int done = 0;
        while (status == VL_OK && !done)
            status = vl_transfer_poll(work->flight[k], &done);
    }
    work->under_way = 1;
    return status;
}

/* What rank 0 has seen when it polls while the others do nothing. */
struct alone {
    size_t polls;    /* at most so many, each after a pause; 0: as many as it takes */
    uint64_t waited; /* 1: the first poll took more than they sent at their start */
    uint64_t driven; /* messages that came in all of them */
};

/* Messages arrive inside MPI's calls, whatever these ask for. */
static void let_messages_arrive(MPI_Comm comm)
{
    const double until = MPI_Wtime() + 0.002;
    int any;
    while (MPI_Wtime() < until)
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &any, MPI_STATUS_IGNORE);
}

static enum vl_status poll_after_pauses(struct work *work, size_t polls)
{
    enum vl_status status = VL_OK;
    for (; polls > 0 && status == VL_OK; polls--) {
        let_messages_arrive(work->buckets.comm);
        status = vl_buckets_poll(&work->buckets);
    }
    return status;
}

static enum vl_status poll_until_all_came(struct work *work, uint64_t before)
{
    const double late = MPI_Wtime() + 1;
    enum vl_status status = VL_OK;
    while (status == VL_OK && received_messages() - before < work->under_way && MPI_Wtime() < late)
        status = vl_buckets_poll(&work->buckets);
    return status;
}

static enum vl_status poll_on_rank_0(struct work *work, struct alone *seen)
{
    if (seen->polls > 0)
        let_messages_arrive(work->buckets.comm);
    const uint64_t before = received_messages();
    enum vl_status status = vl_buckets_poll(&work->buckets);
    seen->waited = received_messages() - before > work->under_way;
    if (status == VL_OK)
        status = seen->polls > 0 ? poll_after_pauses(work, seen->polls - 1)
                                 : poll_until_all_came(work, before);
    seen->driven = received_messages() - before;
    return status;
}

/*
 * Rank 0 polls alone while the others do nothing: it can receive what they sent at their start, one
 * message per bucket, and no more. A poll that waits for more would wait forever, so after a while the
 * others go on.
 */
static enum vl_status poll_alone(struct work *work, struct alone *seen)
{
    struct vl_buckets *b = &work->buckets;
    enum vl_status status = VL_OK;
    MPI_Request back;
    vl_meter_collective(0, work->ranks); /* and for the barrier to come back */
    vl_meter_collective(0, work->ranks);
    PMPI_Barrier(b->comm);
    seen->waited = seen->driven = 0;
    if (work->rank == 0)
        status = poll_on_rank_0(work, seen);
    PMPI_Ibarrier(b->comm, &back);
    wait_for_rank_0(work, &back, MPI_Wtime() + LATE);
    int said = (int)status; /* all ranks go on, or none */
    vl_meter_collective(sizeof said, work->ranks);
    PMPI_Bcast(&said, 1, MPI_INT, 0, b->comm);
    return (enum vl_status)said;
}

/* Poll until nothing has come to anybody for a while. */
static enum vl_status poll_all(struct work *work)
{
    struct vl_buckets *b = &work->buckets;
    enum { QUIET = 60 };
    for (int quiet = 0; quiet < QUIET; quiet++) {
        uint64_t before = received_messages();
        int mine[2], all[2];
        enum vl_status status = vl_buckets_poll(b);
        mine[0] = received_messages() != before;
        mine[1] = status != VL_OK;
        vl_meter_collective(sizeof mine, work->ranks);
        PMPI_Allreduce(mine, all, 2, MPI_INT, MPI_MAX, b->comm);
        if (all[1])
            return status;
        if (all[0])
            quiet = -1;
    }
    return VL_OK;
}

VL_CALL(buckets_poll)
{
    struct work work;
    uint64_t before = vl_meter_now()->total.received_bytes;
    struct alone seen = {0, VL_UNWRITTEN_COUNT, VL_UNWRITTEN_COUNT};
    const int64_t ended = vl_bag_int(inputs, "ended");
    if (!prepare(&work, outputs, inputs))
        return VL_EINTERNAL;
    enum vl_status status = start_all(&work);
    const size_t begun = work.buckets.started;
    if (ended == 1)
        VL_NEXT(status, end_first(&work));
    if (ended == 2) {
        VL_NEXT(status, drive_all_but_last(&work));
        seen.polls = work.buckets.started - 2; /* too few for who only frees one bucket in each */
    }
    VL_NEXT(status, poll_alone(&work, &seen));
    VL_NEXT(status, poll_all(&work));
    const uint64_t arrived = vl_meter_now()->total.received_bytes - before,
                   started = work.buckets.started;
    work.buckets.started = begun; /* whatever the polls made of it, all of them are finished */
    return vl_give_counts(outputs, finish_all(&work, status), {"arrived", arrived},
                          {"waited", seen.waited}, {"driven", seen.driven}, {"started", started});
}

/* One bucket for all units, the last of which never comes: nothing was started. */
static enum vl_status finish_unstarted(const struct work *work)
{
    struct vl_buckets b = work->buckets;
    b.waiting = 1;
    b.bucket_bytes = SIZE_MAX;
    return vl_buckets_finish(&b);
}

/* How many buckets are not NULL again. */
static size_t left_in_flight(const struct work *work)
{
    size_t left = 0;
    for (size_t k = 0; k < work->buckets.unit_count; k++)
        left += work->flight[k] != NULL;
    return left;
}

VL_CALL(buckets_finish)
{
    struct work work;
    const bool unready = vl_bag_int(inputs, "unready") != 0;
    if (!prepare(&work, outputs, inputs))
        return VL_EINTERNAL;
    const enum vl_status unstarted = unready ? finish_unstarted(&work) : VL_EINVAL;
    enum vl_status status = start_all(&work);
    if (vl_bag_int(inputs, "ended"))
        VL_NEXT(status, end_first(&work));
    if (status != VL_OK)
        return VL_EINTERNAL;
    if (unready) /* as if the unit that all wait for had never come */
        work.buckets.waiting = 1;
    status = vl_buckets_finish(&work.buckets);
    vl_give_counts(outputs, status, {"left_in_flight", left_in_flight(&work)});
    if (status == VL_TODO || status == VL_EMISSING)
        return finish_all(&work, status);
    return unready ? vl_first_unrefused(outputs, {"buckets->waiting = 1", status},
                                        {"buckets->waiting = 1, started = 0", unstarted})
                   : status;
}

/* ---- messages of a backward, with all four functions ---- */

static enum vl_status one_backward(struct work *work, size_t bucket_bytes)
{
    struct vl_buckets b;
    const struct vl_buckets *as = &work->buckets;
    enum vl_status status = vl_buckets_begin(&b, as->comm, as->gradients, as->units, as->unit_count,
                                             bucket_bytes, work->flight);
    for (size_t unit = as->unit_count; unit > 0 && status == VL_OK; unit--) {
        status = vl_buckets_ready(&b, unit - 1);
        VL_NEXT(status, vl_buckets_poll(&b));
    }
    VL_NEXT(status, vl_buckets_finish(&b));
    return status;
}

VL_CALL(bucket_traffic)
{
    struct work work;
    int64_t *messages = vl_whole_output(outputs, "messages", 3);
    if (!prepare(&work, outputs, inputs) || !messages)
        return VL_EINTERNAL;
    size_t all = vl_input_size(inputs, "count") * sizeof(float);
    const size_t sizes[] = {0, all / 3, all + 1};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < 3 && status == VL_OK; i++) {
        uint64_t before = vl_meter_now()->total.sent_messages;
        status = one_backward(&work, sizes[i]);
        messages[i] = (int64_t)(vl_meter_now()->total.sent_messages - before);
    }
    return status;
}
