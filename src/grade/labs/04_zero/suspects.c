/*
 * Known wrong answers of lab 04: norm and update.
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/04_zero/zero.h"

#include <math.h>

/* ---- the norm ---- */

enum norm_mistake {
    OWN_ONLY,
    NORMS_ADDED,
    CHUNK_NORMS_ADDED,
    NO_ROOT,
    WHOLE_ARRAY,
    BY_PLACE,
    RANK_BY_RANK,
    SHARD_BY_SHARD
};

static double square(float x)
{
    return (double)x * (double)x;
}

/* Squares of what this rank holds of its shard, or takes for it. */
static double shard_squares(const struct vl_bag *inputs, const struct vl_zero_layout *l, int rank,
                            int by_place)
{
    const float *sums = vl_bag_f32(inputs, "sums");
    const float *other = vl_bag_f32(inputs, "other") + (size_t)rank * l->count;
    struct vl_oracle_units units = vl_zero_units(l);
    size_t own = vl_oracle_shard_size(&units, rank), unit;
    double squares = 0;
    for (size_t i = 0; i < (by_place ? own : l->count); i++) {
        int mine = vl_oracle_owner(&units, i, &unit) == rank;
        if (by_place)
            squares += square(mine ? sums[i] : other[i]);
        else if (mine)
            squares += square(sums[i]);
    }
    return squares;
}

static double chunk_squares(const struct vl_bag *inputs, const struct vl_zero_layout *l, int rank,
                            size_t unit)
{
    struct vl_oracle_units units = vl_zero_units(l);
    const float *chunk = vl_bag_f32(inputs, "sums") + vl_zero_first(l, unit, rank);
    double squares = 0;
    for (size_t i = 0; i < vl_oracle_piece_size(&units, unit, rank); i++)
        squares += square(chunk[i]);
    return squares;
}

/* What all ranks' parts add up to, in the order of this mistake. */
static double global(const struct vl_bag *inputs, const struct vl_zero_layout *l,
                     enum norm_mistake mistake)
{
    double sum = 0;
    for (int rank = 0; rank < l->ranks; rank++) {
        double shard = shard_squares(inputs, l, rank, mistake == BY_PLACE);
        double chunks = 0, norms = 0;
        for (size_t unit = 0; unit < l->unit_count; unit++) {
            double chunk = chunk_squares(inputs, l, rank, unit);
            norms += sqrt(chunk);
            chunks += chunk;
            if (mistake == RANK_BY_RANK)
                sum += chunk;
        }
        if (mistake == SHARD_BY_SHARD)
            sum += chunks;
        else if (mistake == CHUNK_NORMS_ADDED)
            sum += norms;
        else if (mistake != RANK_BY_RANK)
            sum += mistake == NORMS_ADDED ? sqrt(shard) : shard;
    }
    return mistake == NORMS_ADDED || mistake == CHUNK_NORMS_ADDED || mistake == NO_ROOT ? sum
                                                                                        : sqrt(sum);
}

static double whole_array(const struct vl_bag *inputs, const struct vl_zero_layout *l, int rank)
{
    const float *other = vl_bag_f32(inputs, "other") + (size_t)rank * l->count;
    struct vl_oracle_units units = vl_zero_units(l);
    double squares = shard_squares(inputs, l, rank, 0);
    size_t unit;
    for (size_t i = 0; i < l->count; i++)
        if (vl_oracle_owner(&units, i, &unit) != rank)
            squares += square(other[i]);
    return sqrt(squares);
}

static enum vl_status norm(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum norm_mistake mistake)
{
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    double all = global(inputs, &l, mistake);
    for (int rank = 0; rank < l.ranks; rank++) {
        if (mistake == OWN_ONLY)
            all = sqrt(shard_squares(inputs, &l, rank, 0));
        else if (mistake == WHOLE_ARRAY)
            all = whole_array(inputs, &l, rank);
        vl_ranked_real(&s, "norm", rank, all);
    }
    return vl_scope_end(&s);
}

int vl_zero_orders_differ(const struct vl_bag *inputs)
{
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    double right = vl_oracle_chunked_norm(&units, vl_bag_f32(inputs, "sums"));
    return global(inputs, &l, RANK_BY_RANK) != right && global(inputs, &l, SHARD_BY_SHARD) != right;
}

MISTAKE(norm, OWN_ONLY)
MISTAKE(norm, NORMS_ADDED)
MISTAKE(norm, CHUNK_NORMS_ADDED)
MISTAKE(norm, NO_ROOT)
MISTAKE(norm, WHOLE_ARRAY)
MISTAKE(norm, BY_PLACE)
MISTAKE(norm, RANK_BY_RANK)
MISTAKE(norm, SHARD_BY_SHARD)

#define NORMS N_("Norms are added up; add their squares, and take the root at the end.")
#define ORDER                                                                                      \
    N_("The number is right but for its last bits: add unit by unit, and in each unit chunk by "   \
       "chunk, one sum of squares each.")

const struct vl_suspect vl_suspects_zero_norm[] = {
    {"own_shard_only", N_("This is the norm of this rank's own shard; the norm is that of all."),
     norm_OWN_ONLY},
    {"norms_added", NORMS, norm_NORMS_ADDED},
    {"norms_added", NORMS, norm_CHUNK_NORMS_ADDED},
    {"missing_root", N_("This is the sum of squares; the norm is its root."), norm_NO_ROOT},
    {"chunks_of_others",
     N_("At stage 1 the array is whole, but only this rank's chunks hold sums; the rest must not "
        "be counted."),
     norm_WHOLE_ARRAY},
    {"place_for_first",
     N_("At stage 1 the gradients are whole: a chunk begins at 'first' there, not at 'place'."),
     norm_BY_PLACE},
    {"added_in_other_order", ORDER, norm_RANK_BY_RANK},
    {"added_in_other_order", ORDER, norm_SHARD_BY_SHARD},
    NO_MORE_SUSPECTS};

/* ---- the update ---- */

enum update_mistake {
    NOT_GATHERED,
    LAST_UNIT_NOT_GATHERED,
    DECAY_ON_ALL,
    DECAY_ON_NONE,
    DECAY_OF_FIRST,
    DECAY_OF_UNIT,
    DECAY_SWAPPED,
    NOT_SCALED,
    GRADIENT_BY_PLACE
};

static int always(const struct vl_zero_layout *l, size_t i)
{
    (void)l, (void)i;
    return 1;
}

static int never(const struct vl_zero_layout *l, size_t i)
{
    (void)l, (void)i;
    return 0;
}

static int swapped(const struct vl_zero_layout *l, size_t i)
{
    return !vl_zero_decays(l, i);
}

/* As the tensor has it in which the chunk, or the unit, begins. */
static int of_chunk(const struct vl_zero_layout *l, size_t i)
{
    struct vl_oracle_units units = vl_zero_units(l);
    size_t unit;
    int owner = vl_oracle_owner(&units, i, &unit);
    return vl_zero_decays(l, vl_zero_first(l, unit, owner));
}

static int of_unit(const struct vl_zero_layout *l, size_t i)
{
    struct vl_oracle_units units = vl_zero_units(l);
    size_t unit;
    vl_oracle_owner(&units, i, &unit);
    return vl_zero_decays(l, l->begin[unit]);
}

/* The gradients an owner takes for its own: from the whole array, but at the shard's places. */
static void by_place(double *gradients, const struct vl_bag *inputs, const struct vl_zero_layout *l)
{
    const float *sums = vl_bag_f32(inputs, "sums"), *other = vl_bag_f32(inputs, "other");
    struct vl_oracle_units units = vl_zero_units(l);
    size_t unit;
    for (int rank = 0; rank < l->ranks; rank++)
        for (size_t i = 0, place = 0; i < l->count; i++)
            if (vl_oracle_owner(&units, i, &unit) == rank) {
                int mine = vl_oracle_owner(&units, place, &unit) == rank;
                gradients[i] =
                    (double)(mine ? sums[place] : other[(size_t)rank * l->count + place]);
                place++;
            }
}

static enum vl_status update(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum update_mistake mistake)
{
    static int (*const decays[])(const struct vl_zero_layout *, size_t) = {
        [DECAY_ON_ALL] = always,   [DECAY_ON_NONE] = never,   [DECAY_OF_FIRST] = of_chunk,
        [DECAY_OF_UNIT] = of_unit, [DECAY_SWAPPED] = swapped, [GRADIENT_BY_PLACE] = NULL};
    struct vl_scope s = vl_scope_begin(wrong, inputs);
    struct vl_zero_layout l = vl_zero_layout_read(inputs);
    struct vl_oracle_units units = vl_zero_units(&l);
    double *seen = vl_scope_work(&s, "seen", l.count), *old = vl_scope_work(&s, "old", l.count);
    if (s.failed)
        return vl_scope_end(&s);
    double *w = vl_scope_in(&s, "weights"), *m = vl_scope_in(&s, "m"), *v = vl_scope_in(&s, "v");
    for (size_t i = 0; i < l.count; i++)
        old[i] = w[i];
    if (mistake == GRADIENT_BY_PLACE)
        by_place(vl_scope_in(&s, "sums"), inputs, &l);
    double scale = mistake == NOT_SCALED ? 1 : vl_scope_real(&s, "scale");
    vl_zero_adamw(w, m, v, vl_scope_in(&s, "sums"), inputs, &l, scale,
                  decays[mistake] != NULL ? decays[mistake] : vl_zero_decays);
    for (int rank = 0; rank < l.ranks; rank++) {
        for (size_t i = 0, unit; i < l.count; i++) {
            int mine = vl_oracle_owner(&units, i, &unit) == rank;
            int stays = mistake == NOT_GATHERED ||
                        (mistake == LAST_UNIT_NOT_GATHERED && unit == l.unit_count - 1);
            seen[i] = stays && !mine ? old[i] : w[i];
        }
        vl_zero_answer(&s, &l, "weights", rank, l.stage == 3, seen);
        vl_zero_answer(&s, &l, "m", rank, 1, m);
        vl_zero_answer(&s, &l, "v", rank, 1, v);
    }
    return vl_scope_end(&s);
}

MISTAKE(update, NOT_GATHERED)
MISTAKE(update, LAST_UNIT_NOT_GATHERED)
MISTAKE(update, DECAY_ON_ALL)
MISTAKE(update, DECAY_ON_NONE)
MISTAKE(update, DECAY_OF_FIRST)
MISTAKE(update, DECAY_OF_UNIT)
MISTAKE(update, DECAY_SWAPPED)
MISTAKE(update, NOT_SCALED)
MISTAKE(update, GRADIENT_BY_PLACE)

#define FIRST_TENSOR                                                                               \
    N_("One tensor's decay is used for all that follows it; a chunk may cut through tensors, and " \
       "each part decays as its own tensor does.")

const struct vl_suspect vl_suspects_zero_update[] = {
    {"weights_not_gathered",
     N_("Each rank has new weights in its own chunks only: at stages 1 and 2 all-gather every "
        "unit."),
     update_NOT_GATHERED},
    {"last_unit_not_gathered", N_("The weights of the last unit are not gathered."),
     update_LAST_UNIT_NOT_GATHERED},
    {"decay_on_all",
     N_("Weight decay is applied to every tensor; only those with 'decays' get it."),
     update_DECAY_ON_ALL},
    {"missing_decay", N_("There is no weight decay."), update_DECAY_ON_NONE},
    {"decay_of_first_tensor", FIRST_TENSOR, update_DECAY_OF_FIRST},
    {"decay_of_first_tensor", FIRST_TENSOR, update_DECAY_OF_UNIT},
    {"decay_swapped",
     N_("Weight decay is applied to the tensors without 'decays', not to the others."),
     update_DECAY_SWAPPED},
    {"scale_ignored", N_("The scale is not used."), update_NOT_SCALED},
    {"place_for_first",
     N_("At stage 1 the gradients are whole: a chunk begins at 'first' there, not at 'place'."),
     update_GRADIENT_BY_PLACE},
    NO_MORE_SUSPECTS};
