/*
 * What lab 02 is counted by: bytes and messages a rank, seconds by the alpha-beta model, and the
 * three sealed numbers.
 *
 * A ring may turn either way in its all-gather, and cut its chunks into as many messages as it
 * likes. So what counts is how many bytes a rank receives, which no freedom changes, that it sends
 * to one other only, and, where all chunks are equal, how many bytes it sends.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/02_collectives/collectives.h"

#include <stdlib.h>

#define MOST_RANKS 16

enum phases { SCATTER = 1, GATHER = 2 };

/* ---- traffic ---- */

static enum vl_status ring_traffic(struct vl_bag *expected, const struct vl_bag *inputs, int phases)
{
    uint64_t sent[MOST_RANKS] = {0}, received[MOST_RANKS] = {0};
    size_t n = vl_bag_size(inputs, "n"), bytes = vl_bag_size(inputs, "element_bytes");
    int ranks = vl_road_int(inputs, "ranks"), counted = 1;
    bytes = bytes > 0 ? bytes : sizeof(float);
    if (phases & SCATTER)
        vl_oracle_ring_reduce_scatter(sent, received, n, ranks);
    if (phases & GATHER)
        vl_oracle_ring_all_gather(sent, received, n, ranks);
    for (int rank = 0; rank < ranks; rank++) {
        counted &= vl_road_count(expected, "received_bytes", rank, received[rank] * bytes);
        counted &= vl_road_count(expected, "sent_to", rank, 1);
        if (n % (size_t)ranks == 0 || phases == SCATTER)
            counted &= vl_road_count(expected, "sent_bytes", rank, sent[rank] * bytes);
    }
    return counted ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(reduce_scatter_traffic)
{
    return ring_traffic(expected, inputs, SCATTER);
}

VL_TRUTH(all_gather_traffic)
{
    return ring_traffic(expected, inputs, GATHER);
}

VL_TRUTH(all_reduce_traffic)
{
    return ring_traffic(expected, inputs, SCATTER | GATHER);
}

static int descending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Which rank sends to which is free, so how often the ranks send is put in order. Only where P is
 * a power of two does the doubling leave no choice: elsewhere the receivers are counted. */
VL_TRUTH(broadcast_traffic)
{
    size_t bytes = vl_bag_size(inputs, "n") * vl_bag_size(inputs, "element_bytes");
    int ranks = vl_road_int(inputs, "ranks"), root = vl_road_int(inputs, "root"), counted = 1;
    for (int rank = 0; rank < ranks; rank++) {
        counted &= vl_road_count(expected, "received_messages", rank, rank != root);
        counted &= vl_road_count(expected, "received_bytes", rank, rank != root ? bytes : 0);
    }
    uint64_t sends[MOST_RANKS] = {0};
    char name[VL_RANKED_NAME];
    vl_oracle_tree(sends, ranks);
    if ((ranks & (ranks - 1)) == 0) {
        int64_t *sorted = vl_bag_add(expected, vl_ranked(name, "sends", root), VL_I64, 2,
                                     (size_t[]){1, (size_t)ranks});
        counted &= sorted != NULL;
        for (int rank = 0; sorted != NULL && rank < ranks; rank++)
            sorted[rank] = (int64_t)sends[rank];
        if (sorted != NULL)
            qsort(sorted, (size_t)ranks, sizeof *sorted, descending);
    }
    return counted ? VL_OK : VL_ENOMEM;
}

VL_TRUTH(all_to_all_traffic)
{
    size_t bytes = vl_bag_size(inputs, "element_bytes");
    int ranks = vl_road_int(inputs, "ranks"), counted = 1;
    for (int rank = 0; rank < ranks; rank++) {
        uint64_t elements = 0, messages = 0;
        for (int to = 0; to < ranks; to++) {
            size_t piece = to != rank ? vl_road_piece(inputs, rank, to) : 0;
            elements += piece;
            messages += piece > 0;
        }
        counted &= vl_road_count(expected, "sent_bytes", rank, elements * bytes);
        counted &= vl_road_count(expected, "sent_messages", rank, messages);
    }
    return counted ? VL_OK : VL_ENOMEM;
}

/* Only what comes from other nodes counts: how a node deals with its own is its own affair. */
VL_TRUTH(two_level_traffic)
{
    int ranks = vl_road_int(inputs, "ranks"), per_node = vl_road_int(inputs, "ranks_per_node");
    int nodes = ranks / per_node, counted = 1;
    size_t n = vl_bag_size(inputs, "n");
    for (int rank = 0; rank < ranks; rank++) {
        uint64_t sent[MOST_RANKS] = {0}, received[MOST_RANKS] = {0};
        size_t chunk = vl_oracle_chunk_count(n, rank % per_node, per_node);
        vl_oracle_ring_reduce_scatter(sent, received, chunk, nodes);
        vl_oracle_ring_all_gather(sent, received, chunk, nodes);
        counted &= vl_road_count(expected, "from_other_nodes", rank,
                                 received[rank / per_node] * sizeof(float));
    }
    return counted ? VL_OK : VL_ENOMEM;
}

/* ---- seconds ---- */

size_t vl_road_questions(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "ranks")->count;
}

struct vl_road_question vl_road_question(const struct vl_bag *inputs, size_t i)
{
    const int64_t *ranks = vl_bag_find(inputs, "ranks")->data;
    const int64_t *nodes = vl_bag_find(inputs, "nodes")->data;
    return (struct vl_road_question){
        .inside = {vl_bag_real(inputs, "alpha"), vl_bag_real(inputs, "beta")},
        .across = {vl_bag_real(inputs, "across_alpha"), vl_bag_real(inputs, "across_beta")},
        .ranks = (int)ranks[i],
        .nodes = (int)nodes[i],
        .bytes = vl_bag_f64(inputs, "bytes")[i],
    };
}

typedef double (*seconds_fn)(struct vl_road_question q);

static enum vl_status seconds(struct vl_bag *expected, const struct vl_bag *inputs, seconds_fn cost)
{
    if (vl_bag_real(inputs, "alpha") < 0)
        return vl_bag_set_int(expected, "status", VL_EINVAL) ? VL_OK : VL_ENOMEM;
    size_t count = vl_road_questions(inputs);
    double *out = vl_bag_add_f64(expected, "seconds", 1, count);
    for (size_t i = 0; out != NULL && i < count; i++)
        out[i] = cost(vl_road_question(inputs, i));
    return out != NULL ? VL_OK : VL_ENOMEM;
}

static double tree(struct vl_road_question q)
{
    return vl_oracle_tree_seconds(q.inside, q.ranks, q.bytes);
}

static double one_round(struct vl_road_question q)
{
    return vl_oracle_ring_seconds(q.inside, q.ranks, q.bytes, 1);
}

static double two_rounds(struct vl_road_question q)
{
    return vl_oracle_ring_seconds(q.inside, q.ranks, q.bytes, 2);
}

static double two_levels(struct vl_road_question q)
{
    return two_rounds(q) + vl_oracle_ring_seconds(q.across, q.nodes, q.bytes / q.ranks, 2);
}

VL_TRUTH(broadcast_seconds)
{
    return seconds(expected, inputs, tree);
}

VL_TRUTH(reduce_scatter_seconds)
{
    return seconds(expected, inputs, one_round);
}

VL_TRUTH(all_gather_seconds)
{
    return seconds(expected, inputs, one_round);
}

VL_TRUTH(all_reduce_seconds)
{
    return seconds(expected, inputs, two_rounds);
}

VL_TRUTH(two_level_seconds)
{
    return seconds(expected, inputs, two_levels);
}

/* ---- sealed ---- */

VL_TRUTH(sealed_bytes)
{
    uint64_t sent[MOST_RANKS] = {0}, received[MOST_RANKS] = {0};
    int ranks = vl_road_int(inputs, "ranks");
    vl_oracle_ring_reduce_scatter(sent, received, vl_bag_size(inputs, "n"), ranks);
    vl_oracle_ring_all_gather(sent, received, vl_bag_size(inputs, "n"), ranks);
    return vl_bag_set_int(expected, "ring_sent_bytes", (int64_t)(sent[0] * sizeof(float)))
               ? VL_OK
               : VL_ENOMEM;
}

VL_TRUTH(sealed_messages)
{
    uint64_t sends[MOST_RANKS] = {0};
    vl_oracle_tree(sends, vl_road_int(inputs, "tree_ranks"));
    return vl_bag_set_int(expected, "tree_root_messages", (int64_t)sends[0]) ? VL_OK : VL_ENOMEM;
}

/* Both are straight lines in the number of bytes: they cross where the difference is zero. */
VL_TRUTH(sealed_break_even)
{
    struct vl_oracle_road road = {vl_bag_real(inputs, "alpha"), vl_bag_real(inputs, "beta")};
    int ranks = vl_road_int(inputs, "ranks");
    double at[2];
    for (int i = 0; i < 2; i++)
        at[i] =
            2 * vl_oracle_tree_seconds(road, ranks, i) - vl_oracle_ring_seconds(road, ranks, i, 2);
    return vl_bag_set_real(expected, "break_even_bytes", at[0] / (at[0] - at[1])) ? VL_OK
                                                                                  : VL_ENOMEM;
}
