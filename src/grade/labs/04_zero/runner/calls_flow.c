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

VL_SITE_CALL(zero_gradients)
{
    int64_t *inside = vl_unwritten_numbers(site->outputs, "inside", 1, z->unit_count),
            *where = vl_unwritten_numbers(site->outputs, "where", 1, z->unit_count);
    float *found = vl_unwritten_floats(site->outputs, "found", site->count);
    size_t two = site->units[z->unit_count - 2]; /* where the last two units begin */
    float *found_first = vl_unwritten_floats(site->outputs, "found_first", site->count - two);
    if (!inside || !where || !found || !found_first)
        return VL_EINTERNAL;
    enum vl_status status = VL_OK;
    for (size_t unit = z->unit_count; status == VL_OK && unit-- > 0;) {
        size_t first = site->units[unit], bytes = vl_site_unit_size(site, unit) * sizeof *found;
        float *gradients = NULL;
        status = vl_zero_gradients(z, unit, &gradients);
        if (status != VL_OK)
            return status;
        inside[unit] = leads_inside(site, gradients, unit);
        if (!inside[unit])
            return VL_OK;
        if (z->stage == 1)
            where[unit] = gradients - z->gradients;
        memcpy(found + first, gradients, bytes);
        if (first >= two)
            memcpy(found_first + (first - two), gradients, bytes);
        if (z->stage > 1) {
            add_local(gradients, site, 0, unit);
            status = vl_zero_ready(z, unit);
        }
    }
    VL_NEXT(status, vl_zero_finish(z));
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

/* Polls at stages 2 and 3, when two units are on their way, one in each buffer. A shard may get the sums
 * later than by the last poll, so what is left to send tells how far the polls came. */
static enum vl_status poll_two(struct vl_site *site, MPI_Comm words)
{
    struct vl_zero *z = &site->zero;
    const size_t two = z->unit_count < 2 ? 0 : z->unit_count - 2;
    enum vl_status status = send_units(site, z->unit_count, two);
    if (vl_bag_int(site->inputs, "turns"))
        VL_NEXT(status, poll_in_turns(z, words));
    else
        VL_NEXT(status, vl_site_poll_in_rounds(z, words));
    const uint64_t before = vl_meter_now()->total.sent_bytes;
    VL_NEXT(status, vl_zero_finish(z));
    const uint64_t late = vl_meter_now()->total.sent_bytes - before;
    VL_NEXT(status, send_units(site, two, 0));
    VL_NEXT(status, vl_zero_finish(z));
    return vl_give_counts(site->outputs, status, {"late_bytes", late});
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
    if (z->stage != 2) /* where it is called once, it must have landed both rooms */
        VL_NEXT(status, vl_zero_finish(z));
    return status;
}
