/*
 * Calls of lab 04 where things are on their way: gradients into shards, parameters on loan.
 */
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/arrays.h"

#include <string.h>

#define CALL(name)                                                                                 \
    enum vl_status vl_call_##name(struct vl_bag *outputs, const struct vl_bag *inputs)

/* ---- gradients ---- */

static int fits(const float *pointer, const float *array, size_t count, size_t n)
{
    return pointer != NULL && pointer >= array && pointer <= array + (count - n);
}

/* Does the pointer lead to n elements of the memory this stage works in? */
static int leads_home(const struct vl_site *site, const float *pointer, size_t n)
{
    const struct vl_zero *z = &site->zero;
    return z->stage == 1 ? fits(pointer, z->gradients, site->count, n)
                         : fits(pointer, z->lent_gradients, 2 * site->largest, n);
}

/* Like one backward: where do gradients of the unit go? Add what this rank has. */
static enum vl_status add_unit(struct vl_site *site, size_t unit, const float *local)
{
    struct vl_zero *z = &site->zero;
    size_t first = site->units[unit], n = site->units[unit + 1] - first;
    float *gradients = z->gradients + first; /* stage 1 can be asked without vl_zero_gradients */
    if (z->stage > 1) {
        enum vl_status status = vl_zero_gradients(z, unit, &gradients);
        if (status != VL_OK)
            return status;
        if (!leads_home(site, gradients, n))
            return VL_EINTERNAL;
    }
    for (size_t i = 0; i < n; i++)
        gradients[i] += local[first + i];
    return VL_OK;
}

static const float *local_row(const struct vl_site *site, const struct vl_bag *inputs, size_t pass)
{
    size_t row = pass * (size_t)site->zero.ranks + (size_t)site->zero.rank;
    return vl_bag_f32(inputs, "local") + row * site->count;
}

static size_t pass_count(const struct vl_site *site, const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "local")->count / site->count / (size_t)site->zero.ranks;
}

CALL(zero_gradients)
{
    struct vl_site site;
    if (!vl_site_open(&site, outputs, inputs))
        return VL_EINTERNAL;
    struct vl_zero *z = &site.zero;
    int64_t *inside = vl_unwritten_numbers(outputs, "inside", 1, z->unit_count),
            *where = vl_unwritten_numbers(outputs, "where", 1, z->unit_count);
    float *found = vl_unwritten_floats(outputs, "found", site.count);
    size_t two = site.units[z->unit_count - 2]; /* where the two last units begin */
    float *found_first = vl_unwritten_floats(outputs, "found_first", site.count - two);
    if (!inside || !where || !found || !found_first)
        return VL_EINTERNAL;
    enum vl_status status = VL_OK;
    for (size_t unit = z->unit_count; status == VL_OK && unit-- > 0;) {
        size_t first = site.units[unit], n = site.units[unit + 1] - first;
        float *gradients = NULL;
        status = vl_zero_gradients(z, unit, &gradients);
        if (status != VL_OK)
            return status;
        inside[unit] = leads_home(&site, gradients, n);
        if (!inside[unit])
            return VL_OK;
        where[unit] = gradients - z->gradients;
        memcpy(found + first, gradients, n * sizeof *found);
        if (first >= two)
            memcpy(found_first + (first - two), gradients, n * sizeof *found);
        for (size_t i = 0; z->stage > 1 && i < n; i++)
            gradients[i] += local_row(&site, inputs, 0)[first + i];
        if (z->stage > 1)
            status = vl_zero_ready(z, unit);
    }
    return status == VL_OK ? vl_zero_finish(z) : status;
}

/* 'turns': rank after rank, by a word passed on behind the call. Nobody may wait for the others
 * inside it. */
enum { WORD = 20000 }; /* a tag that is none of the collectives' */

static void pass_on(const struct vl_site *site, MPI_Comm words, int receive)
{
    char word = 0;
    const struct vl_zero *z = &site->zero;
    if (words == MPI_COMM_NULL)
        return;
    if (receive && z->rank > 0)
        MPI_Recv(&word, 1, MPI_CHAR, z->rank - 1, WORD, words, MPI_STATUS_IGNORE);
    if (!receive && z->rank + 1 < z->ranks)
        MPI_Send(&word, 1, MPI_CHAR, z->rank + 1, WORD, words);
}

static enum vl_status send_all(struct vl_site *site, const struct vl_bag *inputs, MPI_Comm words)
{
    struct vl_zero *z = &site->zero;
    size_t passes = pass_count(site, inputs);
    enum vl_status status = VL_OK;
    if (z->stage == 1)
        memset(z->gradients, 0, site->count * sizeof *z->gradients);
    for (size_t pass = 0; pass < passes; pass++)
        for (size_t unit = z->unit_count; status == VL_OK && unit-- > 0;) {
            status = add_unit(site, unit, local_row(site, inputs, pass));
            if (status != VL_OK || (z->stage == 1 && pass + 1 < passes))
                continue;
            pass_on(site, words, 1);
            status = vl_zero_ready(z, unit);
            if (status == VL_OK && words != MPI_COMM_NULL)
                status = vl_zero_poll(z);
            pass_on(site, words, 0);
        }
    return status;
}

CALL(zero_ready)
{
    struct vl_site site;
    if (!vl_site_open(&site, outputs, inputs))
        return VL_EINTERNAL;
    MPI_Comm words = MPI_COMM_NULL;
    if (vl_bag_int(inputs, "turns"))
        MPI_Comm_dup(site.zero.comm, &words);
    enum vl_status status = send_all(&site, inputs, words);
    if (status == VL_OK)
        status = vl_zero_finish(&site.zero);
    if (words != MPI_COMM_NULL)
        MPI_Comm_free(&words);
    return status;
}

/* Polls in rounds, all ranks together: after a few of them every message has had its chance. */
enum { ROUNDS = 80 };

CALL(zero_poll)
{
    struct vl_site site;
    if (!vl_site_open(&site, outputs, inputs))
        return VL_EINTERNAL;
    float *early = vl_unwritten_floats(outputs, "early", site.shard);
    MPI_Comm words;
    MPI_Comm_dup(site.zero.comm, &words);
    enum vl_status status = early ? send_all(&site, inputs, MPI_COMM_NULL) : VL_EINTERNAL;
    for (int round = 0; status == VL_OK && round < ROUNDS; round++) {
        status = vl_zero_poll(&site.zero);
        MPI_Barrier(words);
    }
    for (size_t i = 0, k = 0; status == VL_OK && i < site.count; i++)
        if (vl_site_owns(&site, i))
            early[k++] = site.zero.gradients[i];
    if (status == VL_OK)
        status = vl_zero_finish(&site.zero);
    MPI_Comm_free(&words);
    return status;
}

CALL(zero_finish)
{
    struct vl_site site;
    if (!vl_site_open(&site, outputs, inputs))
        return VL_EINTERNAL;
    enum vl_status status = vl_zero_finish(&site.zero); /* nothing is under way yet */
    if (status == VL_OK)
        status = send_all(&site, inputs, MPI_COMM_NULL);
    if (status == VL_OK)
        status = vl_zero_finish(&site.zero);
    return status == VL_OK ? vl_zero_finish(&site.zero) : status;
}

/* ---- parameters ---- */

/* Where a borrowed unit stands, if it stands where it may. */
static int is_lent(const struct vl_site *site, const float *weights, size_t unit)
{
    const struct vl_zero *z = &site->zero;
    size_t n = site->units[unit + 1] - site->units[unit];
    return z->stage == 3 ? fits(weights, z->lent_weights, 2 * site->largest, n)
                         : fits(weights, z->weights, site->count, n);
}

static void look(float *borrowed, const struct vl_site *site, const float *weights, size_t unit)
{
    size_t first = site->units[unit], n = site->units[unit + 1] - first;
    if (is_lent(site, weights, unit))
        memcpy(borrowed + first, weights, n * sizeof *borrowed);
}

/* Two units at a time, both read once both are there. In between the rooms are made free by hand:
 * this asks for vl_zero_borrow alone. */
CALL(zero_borrow)
{
    struct vl_site site;
    int64_t *third = vl_unwritten_numbers(outputs, "third", 1, 1),
            *at_home = vl_unwritten_numbers(outputs, "at_home", 1, 1);
    if (!vl_site_open(&site, outputs, inputs) || !third || !at_home)
        return VL_EINTERNAL;
    float *borrowed = vl_unwritten_floats(outputs, "borrowed", site.count);
    struct vl_zero *z = &site.zero;
    *at_home = 1;
    for (size_t unit = 0; borrowed != NULL && unit < z->unit_count; unit += 2) {
        size_t other = (unit + 1) % z->unit_count;
        const float *one = NULL, *two = NULL, *three = NULL;
        enum vl_status status = vl_zero_borrow(z, unit, &one);
        if (status == VL_OK)
            status = vl_zero_borrow(z, other, &two);
        if (status != VL_OK)
            return status;
        look(borrowed, &site, one, unit);
        look(borrowed, &site, two, other);
        *at_home &= one == z->weights + site.units[unit] && two == z->weights + site.units[other];
        if (unit == 0 && z->stage == 3)
            *third = vl_zero_borrow(z, 2, &three);
        z->lent[0] = z->lent[1] = z->turn[0] = z->turn[1] = 0;
    }
    return borrowed ? VL_OK : VL_EINTERNAL;
}

/* The window moves on: unit by unit the next is borrowed before the one before is given back. */
CALL(zero_give_back)
{
    struct vl_site site;
    int64_t *again = vl_unwritten_numbers(outputs, "again", 1, 1);
    if (!vl_site_open(&site, outputs, inputs) || !again)
        return VL_EINTERNAL;
    float *borrowed = vl_unwritten_floats(outputs, "borrowed", site.count);
    struct vl_zero *z = &site.zero;
    const float *before = NULL, *weights = NULL;
    enum vl_status status = borrowed ? vl_zero_borrow(z, 0, &before) : VL_EINTERNAL;
    for (size_t unit = 1; status == VL_OK && unit < z->unit_count; unit++) {
        status = vl_zero_borrow(z, unit, &weights);
        if (status != VL_OK)
            break;
        look(borrowed, &site, before, unit - 1);
        status = vl_zero_give_back(z, unit - 1);
        before = weights;
    }
    if (status != VL_OK)
        return status;
    look(borrowed, &site, before, z->unit_count - 1);
    status = vl_zero_give_back(z, z->unit_count - 1);
    *again = vl_zero_give_back(z, z->unit_count - 1);
    return status;
}
