/*
 * Calls of lab 04 that lend parameters: borrowed, given back, and fetched ahead of time.
 */
#include "comm/meter.h"
#include "grade/labs/04_zero/runner/zero_site.h"
#include "runner/arrays.h"
#include "runner/turns.h"

#include <string.h>

/* Copy the weights of a borrowed unit, if they are where they may be. */
static void look(float *borrowed, const struct vl_site *site, const float *weights, size_t unit)
{
    const struct vl_zero *z = &site->zero;
    size_t n = vl_site_unit_size(site, unit);
    if (z->stage == 3 ? vl_site_fits(weights, n, z->lent_weights, site->plan.lent_weights)
                      : vl_site_fits(weights, n, z->weights, site->plan.weights))
        memcpy(borrowed + site->units[unit], weights, n * sizeof *borrowed);
}

/* Other weights, as after an update: what was lent before is stale. */
static void turn_weights(const struct vl_site *site)
{
    for (size_t i = 0; i < site->plan.weights; i++)
        site->zero.weights[i] = -site->zero.weights[i];
}

/* Two units at a time, both read once both are there; 'first' comes first. Then the buffers are freed by
 * hand, because only vl_zero_borrow is graded here. */
static enum vl_status borrow_all(float *borrowed, int64_t *third, int64_t *at_home,
                                 struct vl_site *site, size_t first)
{
    struct vl_zero *z = &site->zero;
    for (size_t step = 0; step < z->unit_count; step += 2) {
        size_t unit = (first + step) % z->unit_count, other = (unit + 1) % z->unit_count;
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

/* The unit that was lent last is the first to be free again, by hand as well: the next one gets its
 * buffer, although the other has its turn. */
static enum vl_status borrow_after_last(float *borrowed, struct vl_site *site)
{
    struct vl_zero *z = &site->zero;
    const float *one = NULL, *two = NULL, *three = NULL;
    enum vl_status status = vl_zero_borrow(z, 0, &one);
    VL_NEXT(status, vl_zero_borrow(z, 1, &two));
    z->lent[z->lent[0] == 2 ? 0 : 1] = 0;
    VL_NEXT(status, vl_zero_borrow(z, 2, &three));
    if (status != VL_OK)
        return status;
    look(borrowed, site, one, 0);
    look(borrowed, site, three, 2);
    return VL_OK;
}

VL_SITE_CALL(zero_borrow)
{
    int64_t *third = vl_unwritten_numbers(site->outputs, "third", 1, 1),
            *at_home = vl_unwritten_numbers(site->outputs, "at_home", 1, 1);
    float *borrowed = vl_unwritten_floats(site->outputs, "borrowed", site->count),
          *later = vl_unwritten_floats(site->outputs, "borrowed_later", site->count);
    if (!third || !at_home || !borrowed || !later)
        return VL_EINTERNAL;
    *at_home = 1;
    enum vl_status status = borrow_all(borrowed, third, at_home, site, 0);
    turn_weights(site);
    /* The units that were lent last come first: they are stale like all others. */
    VL_NEXT(status, borrow_all(later, third, at_home, site, (z->unit_count - 1) / 2 * 2));
    if (z->stage == 3 && z->ranks == 1) /* on one rank nobody waits for what comes of it */
        VL_NEXT(status, borrow_after_last(later, site));
    return status;
}

/* What is not lent cannot be given back: a third unit while two are lent, and one that is only being
 * fetched. Both times the others stay lent. */
static enum vl_status give_back_others(int64_t *answers, struct vl_zero *z)
{
    const float *weights = NULL;
    enum vl_status status = vl_zero_borrow(z, 0, &weights);
    VL_NEXT(status, vl_zero_borrow(z, 1, &weights));
    if (status != VL_OK || (answers[0] = vl_zero_give_back(z, 2)) != VL_EINVAL)
        return status;
    status = vl_zero_give_back(z, 1);
    VL_NEXT(status, vl_zero_prefetch(z, 1));
    if (status != VL_OK || (answers[1] = vl_zero_give_back(z, 1)) != VL_EINVAL)
        return status;
    status = vl_zero_borrow(z, 1, &weights);
    VL_NEXT(status, vl_zero_give_back(z, 0));
    VL_NEXT(status, vl_zero_give_back(z, 1));
    return status;
}

/* A moving window: each unit is borrowed before the previous one is given back. */
VL_SITE_CALL(zero_give_back)
{
    int64_t *again = vl_unwritten_numbers(site->outputs, "again", 1, 1),
            *answers = vl_filled_numbers(site->outputs, "answers", 1, 2, VL_EINVAL);
    float *borrowed = vl_unwritten_floats(site->outputs, "borrowed", site->count);
    const float *before = NULL, *weights = NULL;
    size_t last = z->unit_count - 1;
    if (!again || !answers || !borrowed)
        return VL_EINTERNAL;
    enum vl_status status = vl_zero_borrow(z, 0, &before);
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
    if (z->stage == 3 && z->ranks == 1) /* on one rank nobody waits for what comes of it */
        VL_NEXT(status, give_back_others(answers, z));
    return status;
}

/* ---- ahead of time ---- */

/* One unit is in use, and another is fetched meanwhile. */
struct window {
    struct vl_site *site;
    MPI_Comm turns, polls; /* MPI_COMM_NULL: no turns, no polls */
    size_t unit;
    const float *weights;
    int64_t *refused;
    uint64_t early, late; /* bytes sent before a unit was borrowed, and while it was */
};

static uint64_t sent(void)
{
    return vl_meter_now()->total.sent_bytes;
}

/* At stage 3 both buffers are taken, and later one unit is still ahead: no third one may come. */
static void try_third(struct window *w, size_t next, size_t which)
{
    struct vl_zero *z = &w->site->zero;
    size_t third = next + 1 < z->unit_count ? next + 1 : 0;
    if (z->stage == 3 && w->refused[which] < 0)
        w->refused[which] = vl_zero_prefetch(z, third);
}

/* Fetch the next unit while the current one is in use, and then use that. */
static enum vl_status move(struct window *w, size_t next, float *seen)
{
    struct vl_zero *z = &w->site->zero;
    vl_turn_wait(w->turns);
    uint64_t before = sent();
    enum vl_status status = vl_zero_prefetch(z, next);
    w->early += sent() - before;
    vl_turn_end(w->turns);
    if (status == VL_OK)
        try_third(w, next, 0);
    before = sent();
    if (w->polls != MPI_COMM_NULL)
        VL_NEXT(status, vl_site_poll_in_rounds(z, w->polls));
    w->early += sent() - before;
    look(seen, w->site, w->weights, w->unit);
    VL_NEXT(status, vl_zero_give_back(z, w->unit));
    if (status == VL_OK)
        try_third(w, next, 1);
    before = sent();
    VL_NEXT(status, vl_zero_borrow(z, next, &w->weights));
    w->late += sent() - before;
    w->unit = next;
    return status;
}

/* Up, as in forward: all ranks poll until every message has had its chance, so that borrow has
 * nothing left to send. Then down with other weights, as in a later backward: nobody polls, so
 * borrow has to wait. */
static enum vl_status move_up_and_down(struct window *w, float *up, float *down)
{
    struct vl_zero *z = &w->site->zero;
    size_t last = z->unit_count - 1;
    enum vl_status status = vl_zero_borrow(z, 0, &w->weights);
    w->early = w->late = 0;
    while (status == VL_OK && w->unit < last)
        status = move(w, w->unit + 1, up);
    if (status != VL_OK)
        return status;
    look(up, w->site, w->weights, last);
    vl_give_counts(w->site->outputs, status, {"early_bytes", w->early}, {"late_bytes", w->late});
    w->polls = MPI_COMM_NULL;
    status = vl_zero_give_back(z, last);
    turn_weights(w->site);
    VL_NEXT(status, vl_zero_borrow(z, last, &w->weights));
    while (status == VL_OK && w->unit > 0)
        status = move(w, w->unit - 1, down);
    if (status == VL_OK)
        look(down, w->site, w->weights, 0);
    VL_NEXT(status, vl_zero_give_back(z, 0));
    return status;
}

/* Two units are in use, so a third one finds no buffer, and is not ahead. Nor does it while one of them is only
 * being fetched. */
static enum vl_status take_third(int64_t *answers, struct vl_site *site)
{
    struct vl_zero *z = &site->zero;
    const float *weights = NULL;
    enum vl_status status = vl_zero_borrow(z, 0, &weights);
    VL_NEXT(status, vl_zero_borrow(z, 1, &weights));
    if (status == VL_OK)
        answers[0] = vl_zero_prefetch(z, 2);
    const size_t ahead = z->ahead;
    z->ahead = 0; /* whether or not it was: what follows is another question */
    VL_NEXT(status, vl_zero_give_back(z, 1));
    VL_NEXT(status, vl_zero_prefetch(z, 1));
    if (status == VL_OK)
        answers[1] = vl_zero_borrow(z, 2, &weights);
    VL_NEXT(status, vl_zero_borrow(z, 1, &weights)); /* whatever is on its way has to arrive */
    return vl_give_counts(site->outputs, status, {"ahead", ahead});
}

VL_SITE_CALL(zero_prefetch)
{
    struct window w = {.site = site,
                       .turns = MPI_COMM_NULL,
                       .refused = vl_unwritten_numbers(site->outputs, "refused", 1, 2)};
    float *up = vl_unwritten_floats(site->outputs, "up", site->count),
          *down = vl_unwritten_floats(site->outputs, "down", site->count);
    int64_t *answers = vl_unwritten_numbers(site->outputs, "answers", 1, 2);
    if (!up || !down || !w.refused || !answers)
        return VL_EINTERNAL;
    w.refused[0] = w.refused[1] = -1;
    MPI_Comm_dup(z->comm, &w.polls);
    if (vl_bag_int(site->inputs, "turns"))
        MPI_Comm_dup(z->comm, &w.turns);
    MPI_Comm polls = w.polls;
    enum vl_status status = move_up_and_down(&w, up, down);
    if (z->stage == 3 && z->ranks == 1) /* on one rank nobody waits for what comes of it */
        VL_NEXT(status, take_third(answers, site));
    MPI_Comm_free(&polls);
    if (w.turns != MPI_COMM_NULL)
        MPI_Comm_free(&w.turns);
    return status;
}
