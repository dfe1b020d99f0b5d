/*
 * Calls of lab 04 that move data: gradients into shards, parameters into lent buffers.
 */
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/arrays.h"

#include <stdbool.h>
#include <string.h>

static size_t size_of(const struct vl_site *site, size_t unit)
{
    return site->units[unit + 1] - site->units[unit];
}

/* Does the pointer point to n elements of this array (size)? */
static bool fits(const float *pointer, size_t n, const float *array, size_t size)
{
    return pointer != NULL && pointer >= array && pointer <= array + (size - n);
}

/* ---- gradients ---- */

/* Does the pointer point to a unit in the memory where this stage adds gradients? */
static bool leads_inside(const struct vl_site *site, const float *pointer, size_t unit)
{
    const struct vl_zero *z = &site->zero;
    size_t n = size_of(site, unit);
    return z->stage == 1 ? fits(pointer, n, z->gradients, site->plan.gradients)
                         : fits(pointer, n, z->lent_gradients, site->plan.lent_gradients);
}

/* What this rank's backward adds to a unit in one pass. */
static void add_local(float *gradients, const struct vl_site *site, size_t pass, size_t unit)
{
    size_t row = pass * (size_t)site->zero.ranks + (size_t)site->zero.rank;
    const float *local = vl_bag_f32(site->inputs, "local") + row * site->count + site->units[unit];
    for (size_t i = 0; i < size_of(site, unit); i++)
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
        size_t first = site->units[unit], bytes = size_of(site, unit) * sizeof *found;
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

/* With "turns" the ranks call one after another, each when the one before it has returned and sent
 * it a byte. No rank may wait for the others inside the call. */
enum { TURN = 20000 }; /* a tag that no collective uses */

static void wait_for_turn(const struct vl_zero *z, MPI_Comm turns)
{
    char byte;
    if (turns != MPI_COMM_NULL && z->rank > 0)
        MPI_Recv(&byte, 1, MPI_CHAR, z->rank - 1, TURN, turns, MPI_STATUS_IGNORE);
}

static void end_turn(const struct vl_zero *z, MPI_Comm turns)
{
    char byte = 0;
    if (turns != MPI_COMM_NULL && z->rank + 1 < z->ranks)
        MPI_Send(&byte, 1, MPI_CHAR, z->rank + 1, TURN, turns);
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
            wait_for_turn(z, turns);
            status = vl_zero_ready(z, unit);
            if (turns != MPI_COMM_NULL)
                VL_NEXT(status, vl_zero_poll(z));
            end_turn(z, turns);
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

/* All ranks poll in rounds: after a few of them every message has had its chance. */
enum { ROUNDS = 80 };

VL_SITE_CALL(zero_poll)
{
    float *early = vl_unwritten_floats(site->outputs, "early", site->plan.moments);
    MPI_Comm words;
    MPI_Comm_dup(z->comm, &words);
    enum vl_status status = early ? send_all(site) : VL_EINTERNAL;
    for (int round = 0; status == VL_OK && round < ROUNDS; round++) {
        status = vl_zero_poll(z);
        MPI_Barrier(words);
    }
    if (status == VL_OK)
        vl_site_cut(early, z, z->gradients);
    VL_NEXT(status, vl_zero_finish(z));
    MPI_Comm_free(&words);
    return status;
}

VL_SITE_CALL(zero_finish)
{
    enum vl_status status = vl_zero_finish(z); /* nothing is under way yet */
    VL_NEXT(status, send_all(site));
    VL_NEXT(status, vl_zero_finish(z));
    VL_NEXT(status, vl_zero_finish(z));
    return status;
}

/* ---- parameters ---- */

/* Copy the weights of a borrowed unit, if they are where they may be. */
static void look(float *borrowed, const struct vl_site *site, const float *weights, size_t unit)
{
    const struct vl_zero *z = &site->zero;
    size_t n = size_of(site, unit);
    if (z->stage == 3 ? fits(weights, n, z->lent_weights, site->plan.lent_weights)
                      : fits(weights, n, z->weights, site->plan.weights))
        memcpy(borrowed + site->units[unit], weights, n * sizeof *borrowed);
}

/* Two units at a time, both read once both are there. Then the buffers are freed by hand, because
 * only vl_zero_borrow is graded here. */
VL_SITE_CALL(zero_borrow)
{
    int64_t *third = vl_unwritten_numbers(site->outputs, "third", 1, 1),
            *at_home = vl_unwritten_numbers(site->outputs, "at_home", 1, 1);
    float *borrowed = vl_unwritten_floats(site->outputs, "borrowed", site->count);
    if (!third || !at_home || !borrowed)
        return VL_EINTERNAL;
    *at_home = 1;
    for (size_t unit = 0; unit < z->unit_count; unit += 2) {
        size_t other = (unit + 1) % z->unit_count;
        const float *one = NULL, *two = NULL, *three = NULL;
        enum vl_status status = vl_zero_borrow(z, unit, &one);
        VL_NEXT(status, vl_zero_borrow(z, other, &two));
        if (status != VL_OK)
            return status;
        look(borrowed, site, one, unit);
        look(borrowed, site, two, other);
        *at_home &= z->stage < 3 && one == z->weights + site->units[unit] &&
                    two == z->weights + site->units[other];
        if (unit == 0 && z->stage == 3)
            *third = vl_zero_borrow(z, 2, &three);
        z->lent[0] = z->lent[1] = z->turn[0] = z->turn[1] = 0;
    }
    return VL_OK;
}

/* A moving window: each unit is borrowed before the previous one is given back. */
VL_SITE_CALL(zero_give_back)
{
    int64_t *again = vl_unwritten_numbers(site->outputs, "again", 1, 1);
    float *borrowed = vl_unwritten_floats(site->outputs, "borrowed", site->count);
    const float *before = NULL, *weights = NULL;
    size_t last = z->unit_count - 1;
    enum vl_status status = again && borrowed ? vl_zero_borrow(z, 0, &before) : VL_EINTERNAL;
    for (size_t unit = 0; status == VL_OK && unit < last; unit++) {
        status = vl_zero_borrow(z, unit + 1, &weights);
        if (status != VL_OK)
            break;
        look(borrowed, site, before, unit);
        status = vl_zero_give_back(z, unit);
        before = weights;
    }
    if (status != VL_OK)
        return status;
    look(borrowed, site, before, last);
    status = vl_zero_give_back(z, last);
    *again = vl_zero_give_back(z, last);
    return status;
}
