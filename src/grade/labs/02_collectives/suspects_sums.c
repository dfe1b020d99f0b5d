/*
 * Known wrong answers of lab 02's sums: what was left out, added twice or added elsewhere.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/02_collectives/collectives.h"

/* One element: column 'column' over all ranks, in chunk 'chunk', as rank 'rank' sees it. */
struct element {
    const float *data;
    size_t n, column;
    int chunk, rank, ranks, per_node;
};

static double own(const struct element *e, int rank)
{
    return (double)e->data[(size_t)(rank % e->ranks) * e->n + e->column];
}

static double whole(const struct element *e)
{
    return vl_oracle_sum(e->data, e->n, e->column, e->ranks);
}

/* What the sum of a chunk has grown to when it passes a rank. */
static double partial(const struct element *e, int rank)
{
    int begin = (e->chunk + 1) % e->ranks, steps = (rank - begin + e->ranks) % e->ranks;
    double sum = 0;
    for (int k = 0; k <= steps; k++)
        sum += own(e, begin + k);
    return sum;
}

/* In the second half each rank adds what it has to what comes in, and passes that on. */
static double added_again(const struct element *e)
{
    double sum = whole(e);
    int passed = (e->rank - e->chunk + e->ranks) % e->ranks;
    for (int k = 1; k <= passed; k++)
        sum += partial(e, (e->chunk + k) % e->ranks);
    return sum;
}

enum sum_mistake {
    NOT_REDUCED,
    TIMES_RANKS,
    AVERAGED,
    OWN_MISSING,
    OWN_TWICE,
    NOT_ADDED,
    FROM_RANK_ZERO,
    FROM_OWNER,
    OTHER_WAY,
    NOT_GATHERED,
    LAST_SUM_MISSING,
    LAST_CHUNK_MISSING,
    ADDED_IN_GATHER,
    REMAINDER_DROPPED,
    INSIDE_ONLY,
    ACROSS_ONLY,
    NODES_TIMES
};

static double along(const struct element *e, int first, int step)
{
    float sum = (float)own(e, first);
    for (int k = 1; k < e->ranks; k++)
        sum += (float)own(e, first + k * (step + e->ranks));
    return (double)sum;
}

static double in_group(const struct element *e, int first, int step, int count)
{
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += own(e, first + k * step);
    return sum;
}

static double wrong_sum(const struct element *e, enum sum_mistake mistake)
{
    int per_node = e->per_node > 0 ? e->per_node : 1;
    switch (mistake) {
    case NOT_REDUCED:
        return own(e, e->rank);
    case TIMES_RANKS:
        return e->ranks * whole(e);
    case AVERAGED:
        return whole(e) / e->ranks;
    case OWN_MISSING:
        return whole(e) - own(e, e->chunk);
    case OWN_TWICE:
        return whole(e) + own(e, e->chunk);
    case NOT_ADDED:
        return own(e, e->chunk + 1);
    case FROM_RANK_ZERO:
        return along(e, 0, 1);
    case FROM_OWNER:
        return along(e, e->chunk, 1);
    case OTHER_WAY:
        return along(e, e->chunk + e->ranks - 1, -1);
    case NOT_GATHERED:
        return partial(e, e->rank);
    case LAST_SUM_MISSING:
        return own(e, e->chunk);
    case LAST_CHUNK_MISSING:
        return e->chunk == (e->rank + 1) % e->ranks ? partial(e, e->rank) : whole(e);
    case ADDED_IN_GATHER:
        return added_again(e);
    case REMAINDER_DROPPED:
        return e->column < e->n - e->n % (size_t)e->ranks ? whole(e) : own(e, e->rank);
    case INSIDE_ONLY:
        return in_group(e, e->rank - e->rank % per_node, 1, per_node);
    case ACROSS_ONLY:
        return in_group(e, e->rank % per_node, per_node, e->ranks / per_node);
    case NODES_TIMES:
        return whole(e) * (e->ranks / per_node);
    }
    return 0;
}

/* The same mistake in every element on every rank. */
static enum vl_status sum(struct vl_bag *wrong, const struct vl_bag *inputs,
                          enum sum_mistake mistake)
{
    struct element e = {.data = vl_bag_f32(inputs, "data"),
                        .n = vl_bag_size(inputs, "n"),
                        .ranks = vl_road_int(inputs, "ranks"),
                        .per_node = vl_road_int(inputs, "ranks_per_node")};
    for (e.rank = 0; e.rank < e.ranks; e.rank++) {
        double *out = vl_road_out(wrong, "data", e.rank, 1, e.n);
        if (out == NULL)
            return VL_ENOMEM;
        e.column = 0;
        for (e.chunk = 0; e.chunk < e.ranks; e.chunk++)
            for (size_t left = vl_oracle_chunk_count(e.n, e.chunk, e.ranks); left > 0;
                 left--, e.column++)
                out[e.column] = wrong_sum(&e, mistake);
    }
    return VL_OK;
}

MISTAKE(sum, NOT_REDUCED)
MISTAKE(sum, TIMES_RANKS)
MISTAKE(sum, AVERAGED)
MISTAKE(sum, OWN_MISSING)
MISTAKE(sum, OWN_TWICE)
MISTAKE(sum, NOT_ADDED)
MISTAKE(sum, FROM_RANK_ZERO)
MISTAKE(sum, FROM_OWNER)
MISTAKE(sum, OTHER_WAY)
MISTAKE(sum, NOT_GATHERED)
MISTAKE(sum, LAST_SUM_MISSING)
MISTAKE(sum, LAST_CHUNK_MISSING)
MISTAKE(sum, ADDED_IN_GATHER)
MISTAKE(sum, REMAINDER_DROPPED)
MISTAKE(sum, INSIDE_ONLY)
MISTAKE(sum, ACROSS_ONLY)
MISTAKE(sum, NODES_TIMES)

#define ORDER                                                                                      \
    N_("The sum is right, but its last bits are not: chunk c is to be added beginning with rank "  \
       "c + 1, then c + 2, and rank c last.")
#define ADDED N_("What arrives takes the place of what is there; in this half it is to be added.")
#define OWNERS                                                                                     \
    N_("What the owner of the chunk had itself is missing from the sum: it is the last to be "     \
       "added.")
#define TWICE N_("What the owner of the chunk had itself is in the sum twice.")
#define MEAN  N_("This is the mean over the ranks; the contract asks for the sum.")
#define TIMES N_("This is the sum times the number of ranks: something was reduced twice.")

const struct vl_suspect vl_suspects_reduce_scatter[] = {
    {"not_reduced",
     N_("Chunk r of rank r holds only what rank r had itself: was a step left out, or did another "
        "chunk end up complete there?"),
     sum_NOT_REDUCED},
    {"not_added", ADDED, sum_NOT_ADDED},
    {"own_missing", OWNERS, sum_OWN_MISSING},
    {"own_twice", TWICE, sum_OWN_TWICE},
    {"averaged", MEAN, sum_AVERAGED},
    {"times_ranks", TIMES, sum_TIMES_RANKS},
    {"other_order", ORDER, sum_FROM_RANK_ZERO},
    {"other_order", ORDER, sum_FROM_OWNER},
    {"other_order", ORDER, sum_OTHER_WAY},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_all_reduce[] = {
    {"not_reduced", N_("Every rank still holds its own data: nothing was added."), sum_NOT_REDUCED},
    {"not_gathered",
     N_("The sums are there, but only at the owners of the chunks: the second half is missing."),
     sum_NOT_GATHERED},
    {"last_sum_missing",
     N_("Each chunk holds only what its owner had: the last step of the first half is missing."),
     sum_LAST_SUM_MISSING},
    {"last_chunk_missing",
     N_("On every rank one chunk is not complete: the last step of the second half is missing."),
     sum_LAST_CHUNK_MISSING},
    {"added_in_gather",
     N_("In the second half what arrives is added; there it takes the place of what is there."),
     sum_ADDED_IN_GATHER},
    {"not_added", ADDED, sum_NOT_ADDED},
    {"own_missing", OWNERS, sum_OWN_MISSING},
    {"own_twice", TWICE, sum_OWN_TWICE},
    {"averaged", MEAN, sum_AVERAGED},
    {"times_ranks", TIMES, sum_TIMES_RANKS},
    {"remainder_dropped",
     N_("The last elements, n mod P of them, were left out: chunks may differ by one element."),
     sum_REMAINDER_DROPPED},
    {"other_order", ORDER, sum_FROM_RANK_ZERO},
    {"other_order", ORDER, sum_FROM_OWNER},
    {"other_order", ORDER, sum_OTHER_WAY},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_two_level[] = {
    {"not_reduced", N_("Every rank still holds its own data: nothing was added."), sum_NOT_REDUCED},
    {"inside_only", N_("This is the sum over one node: the all-reduce between nodes is missing."),
     sum_INSIDE_ONLY},
    {"across_only",
     N_("This is the sum over the same place in each node: what the node itself holds is missing."),
     sum_ACROSS_ONLY},
    {"times_nodes",
     N_("This is the sum times the number of nodes: what goes across was added once too often."),
     sum_NODES_TIMES},
    {"averaged", MEAN, sum_AVERAGED},
    NO_MORE_SUSPECTS};
