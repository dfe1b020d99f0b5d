/*
 * Known wrong answers of what lab 02 counts: too many bytes, another tree, another road.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/02_collectives/collectives.h"

/* ---- traffic ---- */

enum traffic_mistake {
    WHOLE_EACH_STEP,
    ALL_TO_EACH,
    FLAT,
    CHAIN,
    OWN_SENT,
    EMPTY_SENT,
    WHOLE_ACROSS,
    WITH_MPI
};

/* Everything instead of a chunk, in every step or to every rank. */
static enum vl_status ring(struct vl_bag *wrong, const struct vl_bag *inputs, int rounds,
                           enum traffic_mistake mistake)
{
    size_t bytes = vl_bag_size(inputs, "element_bytes"), n = vl_bag_size(inputs, "n");
    int ranks = vl_road_int(inputs, "ranks"), added = 1;
    size_t steps = (size_t)(ranks - 1) * (size_t)(mistake == WHOLE_EACH_STEP ? rounds : 1);
    bytes = bytes > 0 ? bytes : sizeof(float);
    for (int rank = 0; rank < ranks; rank++) {
        added &= vl_road_count(wrong, "received_bytes", rank, steps * n * bytes);
        added &=
            vl_road_count(wrong, "sent_to", rank, mistake == ALL_TO_EACH ? (uint64_t)ranks - 1 : 1);
    }
    return added ? VL_OK : VL_ENOMEM;
}

static enum vl_status one_round(struct vl_bag *wrong, const struct vl_bag *inputs,
                                enum traffic_mistake mistake)
{
    return ring(wrong, inputs, 1, mistake);
}

static enum vl_status two_rounds(struct vl_bag *wrong, const struct vl_bag *inputs,
                                 enum traffic_mistake mistake)
{
    return ring(wrong, inputs, 2, mistake);
}

/* Chunks, but sent directly to all ranks: the bytes are right, the road is not. */
static enum vl_status directly(struct vl_bag *wrong, const struct vl_bag *inputs,
                               enum traffic_mistake mistake)
{
    int ranks = vl_road_int(inputs, "ranks"), added = 1;
    uint64_t others = mistake == WITH_MPI ? 0 : (uint64_t)ranks - 1;
    for (int rank = 0; rank < ranks; rank++)
        added &= vl_road_count(wrong, "sent_to", rank, others);
    return added ? VL_OK : VL_ENOMEM;
}

MISTAKE(one_round, WHOLE_EACH_STEP)
MISTAKE(one_round, ALL_TO_EACH)
MISTAKE(two_rounds, WHOLE_EACH_STEP)
MISTAKE(two_rounds, ALL_TO_EACH)
MISTAKE(directly, FLAT)
MISTAKE(directly, WITH_MPI)

#define WHOLE                                                                                      \
    N_("All n elements travel in each step of the ring; one chunk, n / P of them, is enough.")
#define EVERYBODY N_("Every rank sends all its data to every other; chunks on a ring are enough.")
#define NO_RING   N_("The chunks go straight to all ranks; on a ring a rank sends to its neighbour.")
#define NOTHING                                                                                    \
    N_("No messages between two ranks were seen: this lab is about building them into a "          \
       "collective.")

#define RING_SUSPECTS(rounds)                                                                      \
    {                                                                                              \
        {"whole_each_step", WHOLE, rounds##_WHOLE_EACH_STEP},                                      \
            {"all_to_each", EVERYBODY, rounds##_ALL_TO_EACH}, {"no_ring", NO_RING, directly_FLAT}, \
            {"no_messages", NOTHING, directly_WITH_MPI}, NO_MORE_SUSPECTS                          \
    }

const struct vl_suspect vl_suspects_reduce_scatter_traffic[] = RING_SUSPECTS(one_round);
const struct vl_suspect vl_suspects_all_gather_traffic[] = RING_SUSPECTS(one_round);
const struct vl_suspect vl_suspects_all_reduce_traffic[] = RING_SUSPECTS(two_rounds);

/* How often the ranks send, busiest first. */
static enum vl_status tree(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum traffic_mistake mistake)
{
    char name[VL_RANKED_NAME];
    int ranks = vl_road_int(inputs, "ranks"), root = vl_road_int(inputs, "root");
    if ((ranks & (ranks - 1)) != 0)
        return VL_OK;
    int64_t *sends =
        vl_bag_add(wrong, vl_ranked(name, "sends", root), VL_I64, 2, (size_t[]){1, (size_t)ranks});
    for (int rank = 0; sends != NULL && rank < ranks; rank++) {
        sends[rank] = rank + 1 < ranks;
        if (mistake == FLAT)
            sends[rank] = rank == 0 ? ranks - 1 : 0;
    }
    return sends != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status nothing_seen(struct vl_bag *wrong, const struct vl_bag *inputs,
                                   enum traffic_mistake mistake)
{
    int ranks = vl_road_int(inputs, "ranks"), added = 1;
    (void)mistake;
    for (int rank = 0; rank < ranks; rank++)
        added &= vl_road_count(wrong, "received_messages", rank, 0);
    return added ? VL_OK : VL_ENOMEM;
}

MISTAKE(tree, FLAT)
MISTAKE(tree, CHAIN)
MISTAKE(nothing_seen, WITH_MPI)

const struct vl_suspect vl_suspects_broadcast_traffic[] = {
    {"flat_tree", N_("The root sends to everybody; who has the data is to pass it on as well."),
     tree_FLAT},
    {"chain", N_("Every rank passes the data on once; in a tree the holders double each round."),
     tree_CHAIN},
    {"no_messages", NOTHING, nothing_seen_WITH_MPI},
    NO_MORE_SUSPECTS};

static enum vl_status pairs(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum traffic_mistake mistake)
{
    size_t bytes = vl_bag_size(inputs, "element_bytes");
    int ranks = vl_road_int(inputs, "ranks"), added = 1;
    for (int rank = 0; rank < ranks; rank++) {
        uint64_t elements = 0, messages = 0;
        for (int to = 0; to < ranks; to++) {
            size_t piece = vl_road_piece(inputs, rank, to);
            if (to == rank && mistake != OWN_SENT)
                continue;
            elements += piece;
            messages += piece > 0 || mistake == EMPTY_SENT;
        }
        added &= vl_road_count(wrong, "sent_bytes", rank, elements * bytes);
        added &= vl_road_count(wrong, "sent_messages", rank, messages);
    }
    return added ? VL_OK : VL_ENOMEM;
}

MISTAKE(pairs, OWN_SENT)
MISTAKE(pairs, EMPTY_SENT)

const struct vl_suspect vl_suspects_all_to_all_traffic[] = {
    {"own_piece_sent", N_("A rank sends its own piece to itself; a copy does it."), pairs_OWN_SENT},
    {"empty_pieces_sent", N_("Empty pieces are sent as messages; nothing need go there."),
     pairs_EMPTY_SENT},
    NO_MORE_SUSPECTS};

static enum vl_status across(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum traffic_mistake mistake)
{
    int ranks = vl_road_int(inputs, "ranks"), per_node = vl_road_int(inputs, "ranks_per_node");
    int nodes = ranks / per_node, added = 1;
    size_t n = vl_bag_size(inputs, "n");
    uint64_t sent[16] = {0}, received[16] = {0};
    (void)mistake;
    vl_oracle_ring_reduce_scatter(sent, received, n, nodes);
    vl_oracle_ring_all_gather(sent, received, n, nodes);
    for (int rank = 0; rank < ranks; rank++)
        added &= vl_road_count(wrong, "from_other_nodes", rank,
                               received[rank / per_node] * sizeof(float));
    return added ? VL_OK : VL_ENOMEM;
}

MISTAKE(across, WHOLE_ACROSS)

const struct vl_suspect vl_suspects_two_level_traffic[] = {
    {"whole_across",
     N_("All n elements go between the nodes; only the own chunk of the node needs to."),
     across_WHOLE_ACROSS},
    NO_MORE_SUSPECTS};
