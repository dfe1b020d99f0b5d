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

#include <string.h>

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

/*
 * All ranks stop after each unit. Then nobody can receive a whole ring inside one call unless the
 * call waits for it: between two stops each step of a ring needs another rank to have gone on.
 */
static enum vl_status all_ready(struct work *work, struct vl_bag *outputs)
{
    struct vl_buckets *b = &work->buckets;
    int64_t *started = vl_whole_output(outputs, "started", b->unit_count);
    int64_t *open_end = vl_whole_output(outputs, "open_end", b->unit_count);
    enum vl_status status = started && open_end ? VL_OK : VL_EINTERNAL;
    size_t waited = 0;
    for (size_t i = 0; i < b->unit_count && status == VL_OK; i++) {
        uint64_t before = received_messages();
        size_t buckets = b->started;
        status = vl_buckets_ready(b, b->unit_count - 1 - i);
        if (buckets < 2 && b->started > buckets)
            waited |= received_messages() - before > (uint64_t)work->ranks;
        vl_meter_collective(0, work->ranks);
        PMPI_Barrier(b->comm);
        started[i] = (int64_t)b->started;
        open_end[i] = (int64_t)b->open_end;
    }
    return vl_give_counts(outputs, status, {"waited", waited});
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
    return finish_all(&work, vl_input_size(inputs, "disorder") ? in_disorder(&work, outputs)
                                                               : all_ready(&work, outputs));
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

/* What rank 0 has seen when it polls while the others do nothing. */
struct alone {
    uint64_t waited; /* 1: the first poll took more than they sent at their start */
    uint64_t driven; /* messages that came, in as many polls as it takes */
};

static enum vl_status poll_until_all_came(struct work *work, struct alone *seen)
{
    const uint64_t before = received_messages();
    const double late = MPI_Wtime() + 1;
    enum vl_status status = vl_buckets_poll(&work->buckets);
    seen->waited = received_messages() - before > work->under_way;
    while (status == VL_OK && received_messages() - before < work->under_way && MPI_Wtime() < late)
        status = vl_buckets_poll(&work->buckets);
    seen->driven = received_messages() - before;
    return status;
}

/*
 * Rank 0 polls alone while the others do nothing: it can receive what they sent at their start, one
 * message per bucket, and no more. A poll that waits for more would wait forever, so after three
 * seconds, which is long even on a busy machine, the others go on.
 */
static enum vl_status poll_alone(struct work *work, struct alone *seen)
{
    struct vl_buckets *b = &work->buckets;
    enum vl_status status = VL_OK;
    MPI_Request back;
    int is_back = 0, done;
    vl_meter_collective(0, work->ranks); /* and for the barrier to come back */
    vl_meter_collective(0, work->ranks);
    PMPI_Barrier(b->comm);
    *seen = (struct alone){0, 0};
    if (work->rank == 0)
        status = poll_until_all_came(work, seen);
    PMPI_Ibarrier(b->comm, &back);
    const double late = MPI_Wtime() + 3;
    while (!is_back) {
        PMPI_Test(&back, &is_back, MPI_STATUS_IGNORE);
        for (size_t k = 0; !is_back && MPI_Wtime() > late && k < b->started; k++)
            vl_transfer_poll(b->flight[k], &done);
    }
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
    struct alone seen = {VL_UNWRITTEN_COUNT, VL_UNWRITTEN_COUNT};
    if (!prepare(&work, outputs, inputs))
        return VL_EINTERNAL;
    enum vl_status status = start_all(&work);
    if (vl_bag_int(inputs, "ended")) {
        VL_NEXT(status, vl_transfer_finish(work.flight[0]));
        work.flight[0] = NULL;
        work.under_way--;
    }
    VL_NEXT(status, poll_alone(&work, &seen));
    VL_NEXT(status, poll_all(&work));
    uint64_t arrived = vl_meter_now()->total.received_bytes - before;
    return vl_give_counts(outputs, finish_all(&work, status), {"arrived", arrived},
                          {"waited", seen.waited}, {"driven", seen.driven});
}

VL_CALL(buckets_finish)
{
    struct work work;
    if (!prepare(&work, outputs, inputs) || start_all(&work) != VL_OK)
        return VL_EINTERNAL;
    if (vl_bag_int(inputs, "unready")) /* as if the unit that all wait for had never come */
        work.buckets.waiting = 1;
    enum vl_status status = vl_buckets_finish(&work.buckets);
    return status == VL_TODO || status == VL_EMISSING ? finish_all(&work, status) : status;
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
