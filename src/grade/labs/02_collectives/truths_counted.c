/*
 * What is counted in lab 02: bytes and messages per rank, seconds by the alpha-beta model, and the
 * three sealed numbers.
 *
 * An all-gather may go round the ring in either direction, and any ring may cut its chunks into
 * messages as it likes. But each rank must receive a fixed number of bytes, and send to one other
 * rank only. What it must send is fixed for a reduce-scatter and, if all chunks are equal, for the
 * other two.
 */
#include "grade/catalogue/maker.h"
#include "grade/labs/02_collectives/collectives.h"

#include <stdlib.h>

#define MOST_RANKS 16

enum phases { SCATTER = 1, GATHER = 2 };

/* Elements that each rank of a ring sends and receives in these phases. */
struct ring_elements {
    uint64_t sent[MOST_RANKS], received[MOST_RANKS];
};

static struct ring_elements ring_elements(size_t n, int ranks, int phases)
{
    struct ring_elements ring = {{0}, {0}};
    if (phases & SCATTER)
        vl_oracle_ring_reduce_scatter(ring.sent, ring.received, n, ranks);
    if (phases & GATHER)
        vl_oracle_ring_all_gather(ring.sent, ring.received, n, ranks);
    return ring;
}

/* ---- traffic ---- */

static void ring_traffic(struct vl_scope *s, const struct vl_collective *c, int rank, int phases)
{
    const struct ring_elements ring = ring_elements(c->n, c->ranks, phases);
    size_t bytes = c->element_bytes > 0 ? c->element_bytes : sizeof(float);
    vl_ranked_int(s, "received_bytes", rank, ring.received[rank] * bytes);
    vl_ranked_int(s, "sent_to", rank, 1);
    vl_ranked_int(s, VL_MOST_MESSAGES, rank,
                  (phases == (SCATTER | GATHER) ? 2 : 1) * ((size_t)c->ranks - 1));
    if (c->n % (size_t)c->ranks == 0 || phases == SCATTER)
        vl_ranked_int(s, "sent_bytes", rank, ring.sent[rank] * bytes);
    else
        vl_ranked_int(s, VL_MOST_SENT, rank, ring.sent[rank] * bytes);
}

#define RING_TRAFFIC(name, phases)                                                                 \
    VL_EACH_RANK(name##_traffic)                                                                   \
    {                                                                                              \
        ring_traffic(s, c, rank, phases);                                                          \
    }
RING_TRAFFIC(reduce_scatter, SCATTER)
RING_TRAFFIC(all_gather, GATHER)
RING_TRAFFIC(all_reduce, SCATTER | GATHER)

/* Any rank may send to any other, so the numbers of sends are compared in descending order, as the
 * oracle gives them. Only if P is a power of two does the doubling fix them; otherwise only what
 * each rank receives is compared. */
VL_SCOPED_TRUTH(broadcast_traffic)
{
    const struct vl_collective c = vl_collective_of(s->inputs);
    for (int rank = 0; rank < c.ranks; rank++) {
        vl_ranked_int(s, "received_messages", rank, rank != c.root);
        vl_ranked_int(s, "received_bytes", rank, rank != c.root ? c.n * c.element_bytes : 0);
    }
    if ((c.ranks & (c.ranks - 1)) != 0)
        return;
    int64_t *sends = vl_ranked_whole(s, "sends", c.root, 1, (size_t)c.ranks);
    if (sends == NULL)
        return;
    vl_oracle_tree((uint64_t *)sends, c.ranks);
    for (int rank = 0; rank < c.ranks;
         rank++) /* the root sends most, and any rank may send so much */
        vl_ranked_int(s, VL_MOST_SENT, rank, (size_t)sends[0] * c.n * c.element_bytes);
}

VL_EACH_RANK(all_to_all_traffic)
{
    size_t elements = 0, messages = 0;
    for (int to = 0; to < c->ranks; to++) {
        size_t piece = to != rank ? vl_piece_count(c, rank, to) : 0;
        elements += piece;
        messages += piece > 0;
    }
    vl_ranked_int(s, "sent_bytes", rank, elements * c->element_bytes);
    vl_ranked_int(s, "sent_messages", rank, messages);
}

/* What a rank receives from other nodes must be exact. Inside a node any method will do, so the rest only has
 * an upper bound: the traffic of two rings, one inside the node and one across the nodes. */
VL_EACH_RANK(two_level_traffic)
{
    int node = rank / c->per_node, place = rank % c->per_node, nodes = c->ranks / c->per_node;
    size_t chunk = vl_oracle_chunk_count(c->n, place, c->per_node);
    const struct ring_elements across = ring_elements(chunk, nodes, SCATTER | GATHER),
                               inside = ring_elements(c->n, c->per_node, SCATTER | GATHER);
    vl_ranked_int(s, "from_other_nodes", rank, across.received[node] * sizeof(float));
    vl_ranked_int(s, VL_MOST_BYTES, rank, (inside.sent[place] + across.sent[node]) * sizeof(float));
    vl_ranked_int(s, VL_MOST_MESSAGES, rank, 2 * (size_t)(c->per_node - 1 + nodes - 1));
}

/* ---- seconds ---- */

/* One question out of the lists of a case. */
struct question {
    struct vl_oracle_road inside, across;
    int ranks, nodes;
    double bytes;
};

static struct vl_oracle_road road_of(const struct vl_scope *s, const char *alpha, const char *beta,
                                     size_t i)
{
    return (struct vl_oracle_road){vl_scope_in(s, alpha)[i], vl_scope_in(s, beta)[i]};
}

static void answer(struct vl_scope *s, double (*cost)(struct question q))
{
    if (vl_scope_bad(s))
        return;
    struct question q;
    double *seconds = vl_scope_out(s, "seconds", 1, VL_QUESTIONS, 0);
    for (size_t i = 0; seconds != NULL && i < VL_QUESTIONS; i++) {
        q.inside = road_of(s, "alpha", "beta", i);
        q.across = road_of(s, "across_alpha", "across_beta", i);
        q.ranks = (int)vl_bag_sizes(s->inputs, "ranks")[i];
        q.nodes = (int)vl_bag_sizes(s->inputs, "nodes")[i];
        q.bytes = vl_scope_in(s, "bytes")[i];
        seconds[i] = cost(q);
    }
}

/* 'cost' is the answer to question q. */
#define SECONDS(name, cost)                                                                        \
    static double name##_cost(struct question q)                                                   \
    {                                                                                              \
        return cost;                                                                               \
    }                                                                                              \
    VL_SCOPED_TRUTH(name##_seconds)                                                                \
    {                                                                                              \
        answer(s, name##_cost);                                                                    \
    }
SECONDS(broadcast, vl_oracle_tree_seconds(q.inside, q.ranks, q.bytes))
SECONDS(reduce_scatter, vl_oracle_ring_seconds(q.inside, q.ranks, q.bytes, 1))
SECONDS(all_gather, vl_oracle_ring_seconds(q.inside, q.ranks, q.bytes, 1))
SECONDS(all_reduce, vl_oracle_ring_seconds(q.inside, q.ranks, q.bytes, 2))
SECONDS(two_level,
        all_reduce_cost(q) + vl_oracle_ring_seconds(q.across, q.nodes, q.bytes / q.ranks, 2))

/* ---- sealed ---- */

VL_SCOPED_TRUTH(sealed_bytes)
{
    size_t elements = vl_scope_size(s, "elements");
    int ranks = (int)vl_scope_size(s, "ranks");
    uint64_t sent = ring_elements(elements, ranks, SCATTER | GATHER).sent[0];
    vl_scope_give_int(s, "ring_sent_bytes", sent * sizeof(float));
}

VL_SCOPED_TRUTH(sealed_messages)
{
    size_t ranks = vl_scope_size(s, "tree_ranks");
    uint64_t *sends = calloc(ranks, sizeof *sends);
    if (sends == NULL) {
        s->failed = 1;
        return;
    }
    vl_oracle_tree(sends, (int)ranks);
    vl_scope_give_int(s, "tree_root_messages", sends[0]);
    free(sends);
}

/* Both are straight lines in the number of bytes: they cross where their difference is zero. */
VL_SCOPED_TRUTH(sealed_break_even)
{
    const struct vl_oracle_road road = {(double)vl_scope_size(s, "alpha_us") * 1e-6,
                                        (double)vl_scope_size(s, "beta_ps") * 1e-12};
    const int ranks = 4;
    double at[2];
    for (int i = 0; i < 2; i++)
        at[i] =
            2 * vl_oracle_tree_seconds(road, ranks, i) - vl_oracle_ring_seconds(road, ranks, i, 2);
    vl_scope_give_real(s, "break_even_bytes", at[0] / (at[0] - at[1]));
}
