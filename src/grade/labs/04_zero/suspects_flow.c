/*
 * Known wrong answers of lab 04: gradients on their way into shards, parameters on loan.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/04_zero/zero.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums ---- */

enum sums_mistake {
    NOT_REDUCED,
    NOT_ADDED,
    ADDED_TWICE,
    LAST_PASS_ONLY,
    NEIGHBOURS_CHUNK,
    FIRST_CHUNK,
    DIVIDED
};

/* What rank 'rank' finds at place i of a unit after its reduce-scatter: the sum in its own chunk,
 * and elsewhere what had been added when the chunk came by. */
static float held(const struct vl_oracle_units *units, const float *rows, size_t stride, int rank,
                  size_t i)
{
    size_t unit, ranks = (size_t)units->ranks;
    size_t owner = (size_t)vl_oracle_owner(units, i, &unit);
    size_t steps = ((size_t)rank + ranks - owner - 1) % ranks;
    float sum = rows[(owner + 1) % ranks * stride + i];
    for (size_t step = 1; step <= steps; step++)
        sum += rows[(owner + 1 + step) % ranks * stride + i];
    return sum;
}

/* Where this mistake reads, instead of at i. */
static size_t source(const struct vl_zero_layout *l, size_t unit, int rank, size_t i,
                     enum sums_mistake mistake)
{
    size_t within = i - vl_zero_first(l, unit, rank);
    size_t from = i;
    if (mistake == FIRST_CHUNK)
        from = l->begin[unit] + within;
    if (mistake == NEIGHBOURS_CHUNK)
        from = vl_zero_first(l, unit, (rank + 1) % l->ranks) + within;
    return from;
}

static float brought(const struct vl_zero_layout *l, const float *rows, int rank, size_t i,
                     enum sums_mistake mistake)
{
    struct vl_oracle_units units = vl_zero_units(l);
    size_t unit;
    vl_oracle_owner(&units, i, &unit);
    size_t within = i - vl_zero_first(l, unit, rank);
    switch (mistake) {
    case NOT_REDUCED:
        return rows[(size_t)rank * l->count + i];
    case NOT_ADDED:
        return 0;
    case ADDED_TWICE:
        return 2 * held(&units, rows, l->count, rank, i);
    case DIVIDED:
        return held(&units, rows, l->count, rank, i) / (float)l->ranks;
    case NEIGHBOURS_CHUNK: /* which may be shorter: the rest gets nothing */
        if (within >= vl_oracle_piece_size(&units, unit, (rank + 1) % l->ranks))
            return 0;
        break;
    case LAST_PASS_ONLY:
    case FIRST_CHUNK:
        break;
    }
    return held(&units, rows, l->count, rank, source(l, unit, rank, i, mistake));
}

static enum vl_status sums(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum sums_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    const float *before = vl_bag_f32(inputs, "gradients");
    double *whole = vl_scope_work(&s, "whole", l.count);
    size_t reductions = vl_zero_reductions(inputs, &l), unit;
    for (int rank = 0; !s.failed && rank < l.ranks; rank++) {
        float *sum = calloc(l.count, sizeof *sum);
        s.failed |= sum == NULL;
        for (size_t i = 0; sum != NULL && l.stage > 1 && i < l.count; i++)
            sum[i] = before[i];
        for (size_t pass = 0; sum != NULL && pass < reductions; pass++) {
            float *rows = vl_zero_pass_rows(inputs, &l, pass);
            s.failed |= rows == NULL;
            for (size_t i = 0; rows != NULL && i < l.count; i++) {
                if (vl_oracle_owner(&units, i, &unit) != rank)
                    continue;
                float now = brought(&l, rows, rank, i, mistake);
                sum[i] = mistake == LAST_PASS_ONLY ? now : sum[i] + now;
            }
            free(rows);
        }
        for (size_t i = 0; sum != NULL && i < l.count; i++)
            whole[i] = vl_oracle_owner(&units, i, &unit) == rank ? (double)sum[i] : (double)NAN;
        vl_zero_answer(&s, &l, "gradients", rank, l.stage > 1, whole);
        free(sum);
    }
    return vl_scope_end(&s);
}

MISTAKE(sums, NOT_REDUCED)
MISTAKE(sums, NOT_ADDED)
MISTAKE(sums, ADDED_TWICE)
MISTAKE(sums, LAST_PASS_ONLY)
MISTAKE(sums, NEIGHBOURS_CHUNK)
MISTAKE(sums, FIRST_CHUNK)
MISTAKE(sums, DIVIDED)

const struct vl_suspect vl_suspects_zero_sums[] = {
    {"not_reduced", N_("This is what this rank added itself; it must be summed over all ranks."),
     sums_NOT_REDUCED},
    {"not_added", N_("What the reduce-scatter brought is not added to the shard."), sums_NOT_ADDED},
    {"added_twice", N_("What the reduce-scatter brought is added to the shard twice."),
     sums_ADDED_TWICE},
    {"overwritten",
     N_("What stood in the shard is lost: what comes back from a micro-batch is added to it."),
     sums_LAST_PASS_ONLY},
    {"chunk_of_neighbour", N_("The next rank's chunk is taken; rank r owns the sum of chunk r."),
     sums_NEIGHBOURS_CHUNK},
    {"first_chunk",
     N_("The first chunk of the room is taken; this rank's chunk begins further on."),
     sums_FIRST_CHUNK},
    {"averaged",
     N_("The sum is divided by the number of ranks; losses carry the scale of the whole batch "
        "already."),
     sums_DIVIDED},
    NO_MORE_SUSPECTS};

/* ---- polls, rooms ---- */

static enum vl_status stands_still(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    for (int rank = 0; !s.failed && rank < l.ranks; rank++)
        vl_zero_answer(&s, &l, "early", rank, 1, vl_scope_in(&s, "local") + (size_t)rank * l.count);
    return vl_scope_end(&s);
}

const struct vl_suspect vl_suspects_zero_early[] = {
    {"stands_still",
     N_("Polls drive nothing on: after many of them the chunk holds only what this rank had "
        "itself."),
     stands_still},
    NO_MORE_SUSPECTS};

/* Stages 2 and 3: the first two rooms still hold what they held; at stage 1 all is cleared. */
static enum vl_status not_zeroed(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    size_t first = l.begin[l.unit_count - 2];
    for (int rank = 0; !s.failed && rank < l.ranks; rank++) {
        double *room = vl_ranked_out(&s, "found_first", rank, 1, l.count - first);
        for (size_t i = 0; room != NULL && l.stage > 1 && first + i < l.count; i++)
            room[i] = (double)VL_ZERO_ROOM;
    }
    return vl_scope_end(&s);
}

const struct vl_suspect vl_suspects_zero_room[] = {
    {"room_not_zeroed",
     N_("The room still holds what lay in it before: backward adds, so begin "
        "with zeros."),
     not_zeroed},
    NO_MORE_SUSPECTS};

enum borrow_mistake { SHARD_FROM_START, ONE_ROOM_FOR_ALL };

static enum vl_status borrow(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum borrow_mistake mistake)
{
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    double *seen = vl_scope_work(&s, "seen", l.count), *shard = vl_scope_work(&s, "shard", l.count);
    if (s.failed)
        return vl_scope_end(&s);
    const double *w = vl_scope_in(&s, "weights");
    size_t unit;
    for (int rank = 0; rank < l.ranks; rank++) {
        memcpy(seen, w, l.count * sizeof *seen);
        for (int owner = 0; mistake == SHARD_FROM_START && owner < l.ranks; owner++) {
            for (size_t i = 0, k = 0; i < l.count; i++)
                if (vl_oracle_owner(&units, i, &unit) == owner)
                    shard[k++] = w[i];
            for (size_t i = 0; i < l.count; i++)
                if (vl_oracle_owner(&units, i, &unit) == owner)
                    seen[i] = shard[i - vl_zero_first(&l, unit, owner)];
        }
        for (size_t u = 0; mistake == ONE_ROOM_FOR_ALL && u < l.unit_count; u += 2) {
            size_t next = (u + 1) % l.unit_count; /* lent in pairs: the second is all there is */
            for (size_t i = 0; l.begin[u] + i < l.begin[u + 1]; i++)
                if (l.begin[next] + i < l.begin[next + 1])
                    seen[l.begin[u] + i] = w[l.begin[next] + i];
            memcpy(seen + l.begin[next], w + l.begin[next],
                   (l.begin[next + 1] - l.begin[next]) * sizeof *seen);
        }
        vl_zero_answer(&s, &l, "borrowed", rank, 0, seen);
    }
    return vl_scope_end(&s);
}

/* Own chunks, and around them what lay in the rooms before. */
static enum vl_status own_chunk_only(struct vl_bag *wrong, const struct vl_bag *inputs,
                                     const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    double *room = vl_scope_work(&s, "room", 2 * vl_oracle_largest_unit(&units));
    double *seen = vl_scope_work(&s, "seen", l.count);
    if (s.failed)
        return vl_scope_end(&s);
    const double *w = vl_scope_in(&s, "weights");
    for (int rank = 0; rank < l.ranks; rank++) {
        size_t unit, largest = vl_oracle_largest_unit(&units);
        for (size_t i = 0; i < 2 * largest; i++)
            room[i] = (double)VL_ZERO_ROOM;
        for (size_t u = 0; u < l.unit_count + l.unit_count % 2; u++) {
            double *here = room + u % 2 * largest;
            size_t lent = u % l.unit_count;
            for (size_t i = l.begin[lent]; i < l.begin[lent + 1]; i++) {
                if (vl_oracle_owner(&units, i, &unit) == rank)
                    here[i - l.begin[lent]] = w[i];
                seen[i] = here[i - l.begin[lent]];
            }
        }
        vl_zero_answer(&s, &l, "borrowed", rank, 0, seen);
    }
    return vl_scope_end(&s);
}

MISTAKE(borrow, SHARD_FROM_START)
MISTAKE(borrow, ONE_ROOM_FOR_ALL)

static enum vl_status third_lent(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 const struct vl_bag *expected)
{
    (void)expected;
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    for (int rank = 0; l.stage == 3 && rank < l.ranks; rank++)
        vl_ranked_int(&s, "third", rank, VL_OK);
    return vl_scope_end(&s);
}

const struct vl_suspect vl_suspects_zero_borrow[] = {
    {"third_lent",
     N_("A third unit was lent while both rooms were taken: answer VL_EINVAL, before anything is "
        "sent."),
     third_lent},
    {"not_gathered", N_("Only this rank's chunk is in the room; the others' must be gathered."),
     own_chunk_only},
    {"shard_from_start",
     N_("Every unit is filled from the beginning of the shard; the unit's chunk lies at 'place'."),
     borrow_SHARD_FROM_START},
    {"one_room",
     N_("Two units were lent at once, and the second was put where the first stood: use the other "
        "room."),
     borrow_ONE_ROOM_FOR_ALL},
    NO_MORE_SUSPECTS};
