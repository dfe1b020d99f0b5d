/*
 * Calls of lab 04 that move gradients into shards.
 */
#include "comm/meter.h"
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/arrays.h"
#include "runner/turns.h"

#include <stdbool.h>
#include <string.h>

/* ---- gradients ---- */

/* Does the pointer point to a unit in the memory where this stage adds gradients? */
static bool leads_inside(const struct vl_site *site, const float *pointer, size_t unit)
{
    const struct vl_zero *z = &site->zero;
    size_t n = vl_site_unit_size(site, unit);
    return z->stage == 1 ? vl_site_fits(pointer, n, z->gradients, site->plan.gradients)
                         : vl_site_fits(pointer, n, z->lent_gradients, site->plan.lent_gradients);
}

/* What this rank's backward adds to a unit in one pass. */
static void add_local(float *gradients, const struct vl_site *site, size_t pass, size_t unit)
{
    size_t row = pass * (size_t)site->zero.ranks + (size_t)site->zero.rank;
    const float *local = vl_bag_f32(site->inputs, "local") + row * site->count + site->units[unit];
    for (size_t i = 0; i < vl_site_unit_size(site, unit); i++)
        gradients[i] += local[i];
}

/* What vl_zero_gradients handed out, unit by unit. */
struct handed_out {
    int64_t *inside, *where, *other; /* other: is it not the buffer of the call before? */
    int64_t *answers;                /* one, to a call that must be refused */
    float *found, *found_first;
    const float *before; /* of the call before */
};

static bool prepare(struct handed_out *h, const struct vl_site *site, size_t two)
{
    const size_t units = site->zero.unit_count;
    *h = (struct handed_out){
        .inside = vl_unwritten_numbers(site->outputs, "inside", 1, units),
        .where = vl_unwritten_numbers(site->outputs, "where", 1, units),
        .other = vl_unwritten_numbers(site->outputs, "other_buffer", 1, units),
        .answers = vl_unwritten_numbers(site->outputs, "answers", 1, 1),
        .found = vl_unwritten_floats(site->outputs, "found", site->count),
        .found_first = vl_unwritten_floats(site->outputs, "found_first", site->count - two)};
    return h->inside && h->where && h->other && h->answers && h->found && h->found_first;
}

/* 'two': where the last two units begin. */
static void note(struct handed_out *h, const struct vl_site *site, size_t two, size_t unit,
                 const float *gradients)
{
    const size_t first = site->units[unit], bytes = vl_site_unit_size(site, unit) * sizeof(float);
    h->other[unit] = gradients != h->before;
    h->before = gradients;
    if (site->zero.stage == 1)
        h->where[unit] = gradients - site->zero.gradients;
    memcpy(h->found + first, gradients, bytes);
    if (first >= two)
        memcpy(h->found_first + (first - two), gradients, bytes);
}

/* Of the two units under way the later one arrives first. On the rank that polls first the other, whose
 * buffer has its turn, cannot have come: the ranks between have not passed it on. */
static enum vl_status land_later(struct vl_zero *z)
{
    enum vl_status status = VL_OK;
    int done = 0;
    while (status == VL_OK && !done)
        status = vl_transfer_poll(z->flight[z->unit_count - 2], &done);
    VL_NEXT(status, vl_zero_poll(z));
    return status;
}

/* Backward asks for three buffers and is ready with none of its units. */
static enum vl_status ask_for_third(int64_t *answer, struct vl_zero *z)
{
    float *gradients = NULL;
    enum vl_status status = vl_zero_gradients(z, 2, &gradients);
    VL_NEXT(status, vl_zero_gradients(z, 1, &gradients));
    if (status == VL_OK)
        *answer = vl_zero_gradients(z, 0, &gradients);
    return status;
}

static enum vl_status hand_out_all(struct vl_site *site)
{
    struct vl_zero *z = &site->zero;
    struct handed_out h;
    const size_t two = site->units[z->unit_count - 2];
    enum vl_status status = prepare(&h, site, two) ? VL_OK : VL_EINTERNAL;
    for (size_t unit = z->unit_count; status == VL_OK && unit-- > 0;) {
        float *gradients = NULL;
        status = vl_zero_gradients(z, unit, &gradients);
        if (status != VL_OK)
            return status;
        h.inside[unit] = leads_inside(site, gradients, unit);
        if (!h.inside[unit])
            return VL_OK;
        note(&h, site, two, unit, gradients);
        if (z->stage == 1)
            continue;
        add_local(gradients, site, 0, unit);
        status = vl_zero_ready(z, unit);
        if (z->stage == 3 && unit + 2 == z->unit_count)
            VL_NEXT(status, land_later(z));
    }
    VL_NEXT(status, vl_zero_finish(z));
    if (z->stage > 1 && z->ranks == 1)
        VL_NEXT(status, ask_for_third(h.answers, z));
    return status;
}

/* What backward does for one unit: ask where its gradients go, and add this rank's there. */
static enum vl_status add_unit(struct vl_site *site, size_t pass, size_t unit)
{
    struct vl_zero *z = &site->zero;
    /* Stage 1 does not need vl_zero_gradients. */
    float *gradients = z->gradients + site->units[unit];
    enum vl_status status = z->stage > 1 ? vl_zero_gradients(z, unit, &gradients) : VL_OK;
    if (status != VL_OK)
        return status;
    if (!leads_inside(site, gradients, unit))
        return VL_EINTERNAL;
    add_local(gradients, site, pass, unit);
    return VL_OK;
}

/* All passes of backward; every unit is ready as soon as nothing more is added to it. */
static enum vl_status send_all(struct vl_site *site)
{
    struct vl_zero *z = &site->zero;
    size_t passes = vl_input_size(site->inputs, "micro_batches");
    MPI_Comm turns = MPI_COMM_NULL;
    if (vl_bag_int(site->inputs, "turns"))
        MPI_Comm_dup(z->comm, &turns);
    enum vl_status status = VL_OK;
    if (z->stage == 1)
        memset(z->gradients, 0, site->count * sizeof *z->gradients);
    for (size_t pass = 0; pass < passes; pass++)
        for (size_t unit = z->unit_count; status == VL_OK && unit-- > 0;) {
            status = add_unit(site, pass, unit);
            if (status != VL_OK || (z->stage == 1 && pass + 1 < passes))
                continue;
            vl_turn_wait(turns);
            status = vl_zero_ready(z, unit);
            if (turns != MPI_COMM_NULL)
                VL_NEXT(status, vl_zero_poll(z));
            vl_turn_end(turns);
        }
    if (turns != MPI_COMM_NULL)
        MPI_Comm_free(&turns);
    return status;
}

VL_SITE_CALL(zero_gradients)
{
    if (z->unit_count > 1)
        return hand_out_all(site);
    enum vl_status status = send_all(site); /* each pass needs the buffers of the one before it */
    VL_NEXT(status, vl_zero_finish(z));
    return status;
}

VL_SITE_CALL(zero_ready)
{
    enum vl_status status = send_all(site);
    VL_NEXT(status, vl_zero_finish(z));
    return status;
}

/* The one micro-batch, from unit 'from' (excluded) down to unit 'to'. */
static enum vl_status send_units(struct vl_site *site, size_t from, size_t to)
{
    enum vl_status status = VL_OK;
    for (size_t unit = from; status == VL_OK && unit-- > to;) {
        status = add_unit(site, 0, unit);
        VL_NEXT(status, vl_zero_ready(&site->zero, unit));
    }
    return status;
}

/* The ranks poll one after another. */
static enum vl_status poll_in_turns(struct vl_zero *zero, MPI_Comm turns)
{
    vl_turn_wait(turns);
    enum vl_status status = vl_zero_poll(zero);
    vl_turn_end(turns);
    return status;
}

/* As vl_zero_prefetch leaves it: the last unit's weights are on their way. */
static enum vl_status fetch_last(struct vl_zero *z)
{
    enum { TAG = 16000 }; /* no unit has it */
    const size_t unit = z->unit_count - 1, n = z->units[unit + 1] - z->units[unit];
    z->lent[0] = z->ahead = unit + 1;
    z->turn[0] = 1;
    return vl_all_gather_start(&z->coming, z->comm, z->lent_weights, n, sizeof *z->lent_weights,
                               TAG);
}

/* The last unit has arrived before the next one is sent: the first buffer is free, the second on its way. */
static enum vl_status send_second_alone(struct vl_site *site, size_t to)
{
    enum vl_status status = send_units(site, site->zero.unit_count, to + 1);
    VL_NEXT(status, vl_zero_finish(&site->zero));
    VL_NEXT(status, send_units(site, to + 1, to));
    return status;
}

/* Polls at stages 2 and 3, when two units are on their way, one in each buffer, or one alone in the second. A
 * shard may get the sums later than by the last poll, so what is left to send tells how far the polls came. */
static enum vl_status poll_two(struct vl_site *site, MPI_Comm words)
{
    struct vl_zero *z = &site->zero;
    const size_t two = z->unit_count < 2 ? 0 : z->unit_count - 2;
    enum vl_status status = vl_bag_int(site->inputs, "alone")
                                ? send_second_alone(site, two)
                                : send_units(site, z->unit_count, two);
    if (z->stage == 3)
        VL_NEXT(status, fetch_last(z));
    const bool turns = vl_bag_int(site->inputs, "turns") != 0;
    if (turns)
        VL_NEXT(status, poll_in_turns(z, words));
    if (!turns || z->stage == 3)
        VL_NEXT(status, vl_site_poll_in_rounds(z, words));
    const uint64_t before = vl_meter_now()->total.sent_bytes;
    const size_t ahead = z->ahead;
    VL_NEXT(status, vl_zero_finish(z));
    const uint64_t late = vl_meter_now()->total.sent_bytes - before;
    VL_NEXT(status, send_units(site, two, 0));
    VL_NEXT(status, vl_zero_finish(z));
    VL_NEXT(status, vl_transfer_finish(z->coming));
    return vl_give_counts(site->outputs, status, {"late_bytes", late}, {"ahead", ahead});
}

/* Polls at stage 1: they alone get the sums done, and everybody can read these where they are. */
static enum vl_status poll_all(struct vl_site *site, MPI_Comm words)
{
    struct vl_zero *z = &site->zero;
    float *early = vl_unwritten_floats(site->outputs, "early", site->plan.moments);
    enum vl_status status = early ? send_all(site) : VL_EINTERNAL;
    VL_NEXT(status, vl_site_poll_in_rounds(z, words));
    if (status == VL_OK)
        vl_site_cut(early, z, z->gradients);
    VL_NEXT(status, vl_zero_finish(z));
    return status;
}

VL_SITE_CALL(zero_poll)
{
    MPI_Comm words;
    MPI_Comm_dup(z->comm, &words);
    enum vl_status status = z->stage == 1 ? poll_all(site, words) : poll_two(site, words);
    MPI_Comm_free(&words);
    return status;
}

VL_SITE_CALL(zero_finish)
{
    enum vl_status status = vl_zero_finish(z); /* nothing is under way yet */
    VL_NEXT(status, send_all(site));
    VL_NEXT(status, vl_zero_finish(z));
    if (z->stage != 2) /* where it is called once, it must have finished both buffers */
        VL_NEXT(status, vl_zero_finish(z));
    return status;
}
