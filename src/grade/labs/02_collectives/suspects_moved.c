/*
 * Known wrong answers where lab 02 only moves data: what stayed, went elsewhere or was cut short.
 */
#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/02_collectives/collectives.h"

/* ---- chunks ---- */

enum chunk_mistake { ALL_EQUAL, ALL_LARGE, REST_AT_THE_END };

static enum vl_status cut(struct vl_bag *wrong, const struct vl_bag *inputs,
                          enum chunk_mistake mistake)
{
    int64_t n = vl_bag_int(inputs, "n"), ranks = vl_bag_int(inputs, "ranks");
    size_t shape[] = {1, (size_t)ranks};
    int64_t *first = vl_bag_add(wrong, "first", VL_I64, 2, shape);
    int64_t *count = vl_bag_add(wrong, "count", VL_I64, 2, shape);
    if (first == NULL || count == NULL)
        return VL_ENOMEM;
    int64_t each = n / ranks + (mistake == ALL_LARGE);
    for (int64_t rank = 0; rank < ranks; rank++) {
        first[rank] = rank * each;
        count[rank] = mistake == REST_AT_THE_END && rank == ranks - 1 ? n - rank * each : each;
    }
    return VL_OK;
}

MISTAKE(cut, ALL_EQUAL)
MISTAKE(cut, ALL_LARGE)
MISTAKE(cut, REST_AT_THE_END)

const struct vl_suspect vl_suspects_chunk[] = {
    {"remainder_dropped", N_("All chunks are equal, so n mod P elements belong to nobody."),
     cut_ALL_EQUAL},
    {"chunks_too_long", N_("All chunks have one element more: together they reach beyond n."),
     cut_ALL_LARGE},
    {"rest_at_the_end", N_("The last rank has all that is left; the first n mod P get one each."),
     cut_REST_AT_THE_END},
    NO_MORE_SUSPECTS};

/* ---- exchange ---- */

static enum vl_status own_back(struct vl_bag *wrong, const struct vl_bag *inputs,
                               const struct vl_bag *expected)
{
    (void)expected;
    size_t n = vl_bag_size(inputs, "n");
    for (int rank = 0; rank < vl_road_int(inputs, "ranks"); rank++) {
        double *out = vl_road_out(wrong, "received", rank, 1, n);
        for (size_t i = 0; out != NULL && i < n; i++)
            out[i] = (double)vl_bag_f32(inputs, "sent")[(size_t)rank * n + i];
        if (out == NULL)
            return VL_ENOMEM;
    }
    return VL_OK;
}

const struct vl_suspect vl_suspects_exchange[] = {
    {"own_data", N_("What came back is what this rank sent; it should be what its peer sent."),
     own_back},
    NO_MORE_SUSPECTS};

/* ---- broadcast and all-gather ---- */

/* One byte of one rank: where it is in its row, and whose chunk that is. */
struct byte {
    const struct vl_bag *inputs;
    size_t i, n, element_bytes;
    int chunk, rank, ranks, root;
};

static double of_rank(const struct byte *b, int rank)
{
    return vl_road_row(b->inputs, "data", rank % b->ranks)[b->i];
}

enum move_mistake {
    NOT_MOVED,
    FROM_RANK_ZERO,
    BEYOND_POWER,
    TAIL_MISSING,
    LAST_STEP_MISSING,
    ONE_STEP_ONLY,
    BYTES_FORGOTTEN,
    FROM_NEXT
};

static int in_whole_power(int place, int ranks)
{
    int power = 1;
    while (2 * power <= ranks)
        power *= 2;
    return place < power;
}

static double broadcast_byte(const struct byte *b, enum move_mistake mistake)
{
    int place = (b->rank - b->root + b->ranks) % b->ranks;
    size_t whole_words = b->n * b->element_bytes / 4 * 4;
    switch (mistake) {
    case FROM_RANK_ZERO:
        return of_rank(b, 0);
    case BEYOND_POWER:
        return of_rank(b, in_whole_power(place, b->ranks) ? b->root : b->rank);
    case TAIL_MISSING:
        return of_rank(b, b->i < whole_words ? b->root : b->rank);
    default:
        return of_rank(b, b->rank);
    }
}

static double gather_byte(const struct byte *b, enum move_mistake mistake)
{
    size_t as_bytes = b->i / (b->element_bytes > 0 ? b->element_bytes : 1);
    switch (mistake) {
    case LAST_STEP_MISSING:
        return of_rank(b, b->chunk == (b->rank + 1) % b->ranks ? b->rank : b->chunk);
    case ONE_STEP_ONLY:
        return of_rank(b, b->chunk == (b->rank + b->ranks - 1) % b->ranks ? b->chunk : b->rank);
    case BYTES_FORGOTTEN: /* chunks of n bytes, in front of the n elements */
        as_bytes = b->i;
        if (as_bytes >= b->n)
            return of_rank(b, b->rank);
        for (int chunk = 0; chunk < b->ranks; chunk++)
            if (as_bytes < vl_oracle_chunk_first(b->n, chunk, b->ranks) +
                               vl_oracle_chunk_count(b->n, chunk, b->ranks))
                return of_rank(b, chunk);
        return of_rank(b, b->rank);
    case FROM_NEXT:
        return of_rank(b, b->chunk + 1);
    default:
        return of_rank(b, b->rank);
    }
}

typedef double (*byte_fn)(const struct byte *b, enum move_mistake mistake);

static enum vl_status moved(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum move_mistake mistake, byte_fn value)
{
    struct byte b = {.inputs = inputs,
                     .n = vl_bag_size(inputs, "n"),
                     .element_bytes = vl_bag_size(inputs, "element_bytes"),
                     .ranks = vl_road_int(inputs, "ranks"),
                     .root = vl_road_int(inputs, "root")};
    if (b.root >= b.ranks)
        return VL_OK;
    for (b.rank = 0; b.rank < b.ranks; b.rank++) {
        double *out = vl_road_out(wrong, "data", b.rank, b.n, b.element_bytes);
        if (out == NULL)
            return VL_ENOMEM;
        b.i = 0;
        for (b.chunk = 0; b.chunk < b.ranks; b.chunk++)
            for (size_t left = vl_oracle_chunk_count(b.n, b.chunk, b.ranks) * b.element_bytes;
                 left > 0; left--, b.i++)
                out[b.i] = value(&b, mistake);
    }
    return VL_OK;
}

static enum vl_status broadcast(struct vl_bag *wrong, const struct vl_bag *inputs,
                                enum move_mistake mistake)
{
    return moved(wrong, inputs, mistake, broadcast_byte);
}

static enum vl_status gather(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum move_mistake mistake)
{
    return moved(wrong, inputs, mistake, gather_byte);
}

MISTAKE(broadcast, NOT_MOVED)
MISTAKE(broadcast, FROM_RANK_ZERO)
MISTAKE(broadcast, BEYOND_POWER)
MISTAKE(broadcast, TAIL_MISSING)
MISTAKE(gather, NOT_MOVED)
MISTAKE(gather, LAST_STEP_MISSING)
MISTAKE(gather, ONE_STEP_ONLY)
MISTAKE(gather, BYTES_FORGOTTEN)
MISTAKE(gather, FROM_NEXT)

const struct vl_suspect vl_suspects_broadcast[] = {
    {"not_received", N_("Every rank still holds its own data: nothing was passed on."),
     broadcast_NOT_MOVED},
    {"wrong_root", N_("This is what rank 0 had; the root is another rank here."),
     broadcast_FROM_RANK_ZERO},
    {"beyond_power_of_two",
     N_("The ranks beyond the largest power of two were left out: the last round of the tree is "
        "not full, but it is there."),
     broadcast_BEYOND_POWER},
    {"tail_missing",
     N_("The last bytes are missing: the length is in bytes, and no multiple of 4."),
     broadcast_TAIL_MISSING},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_all_gather[] = {
    {"not_gathered", N_("Every rank still has only its own chunk: nothing went round."),
     gather_NOT_MOVED},
    {"last_chunk_missing", N_("On every rank one chunk is missing: the ring needs P - 1 steps."),
     gather_LAST_STEP_MISSING},
    {"one_step_only",
     N_("Only the neighbour's chunk has arrived: what came in one step goes on in the next."),
     gather_ONE_STEP_ONLY},
    {"bytes_forgotten",
     N_("Chunks were cut as if an element were one byte: places and lengths of a chunk are in "
        "elements."),
     gather_BYTES_FORGOTTEN},
    {"wrong_owner", N_("Chunk r comes from rank r + 1; rank r is the one that has it."),
     gather_FROM_NEXT},
    NO_MORE_SUSPECTS};

/* ---- poll ---- */

enum poll_mistake { WAITS, TOO_EARLY, NEVER };

static enum vl_status poll(struct vl_bag *wrong, const struct vl_bag *inputs,
                           enum poll_mistake mistake)
{
    int ranks = vl_road_int(inputs, "ranks"), alone = vl_road_int(inputs, "alone"), added = 1;
    if (mistake == WAITS && alone)
        added &= vl_road_count(wrong, "came_back", 1, 0);
    if (mistake == TOO_EARLY && alone)
        added &= vl_road_count(wrong, "done_early", 0, 1);
    for (int rank = 0; mistake == NEVER && rank < ranks; rank++)
        added &= vl_road_count(wrong, "done", rank, 0);
    return added ? VL_OK : VL_ENOMEM;
}

MISTAKE(poll, WAITS)
MISTAKE(poll, TOO_EARLY)
MISTAKE(poll, NEVER)

const struct vl_suspect vl_suspects_poll[] = {
    {"poll_waits", N_("Poll did not come back until the other rank had begun: it must never wait."),
     poll_WAITS},
    {"done_too_early", N_("Poll said done although the other rank had not begun."), poll_TOO_EARLY},
    {"never_done",
     N_("Poll was called over and over, and never said done: does it post the next step once "
        "this one is complete?"),
     poll_NEVER},
    NO_MORE_SUSPECTS};

/* ---- all-to-all ---- */

enum pair_mistake { SENDS_ITS_FIRST, SENDS_BACK, PLACED_BACKWARDS, OFFSETS_IN_ELEMENTS };

/* Where the piece of rank 'from' lies in what rank 'to' received. */
static size_t place_of(const struct vl_bag *inputs, int from, int to, enum pair_mistake mistake)
{
    size_t place = vl_road_received_before(inputs, from, to);
    if (mistake == PLACED_BACKWARDS)
        place = vl_road_received_before(inputs, vl_road_int(inputs, "ranks"), to) - place -
                vl_road_piece(inputs, from, to);
    return place;
}

static enum vl_status pairs(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum pair_mistake mistake)
{
    size_t bytes = vl_bag_size(inputs, "element_bytes");
    int ranks = vl_road_int(inputs, "ranks");
    for (int rank = 0; rank < ranks; rank++) {
        size_t all = vl_road_received_before(inputs, ranks, rank);
        double *out = vl_road_out(wrong, "received", rank, all, bytes);
        if (out == NULL)
            return VL_ENOMEM;
        for (int from = 0; from < ranks; from++) {
            size_t to = place_of(inputs, from, rank, mistake) * bytes;
            size_t at = vl_road_sent_before(inputs, from, rank) *
                        (mistake == OFFSETS_IN_ELEMENTS ? 1 : bytes);
            const unsigned char *row = vl_road_row(inputs, "data", from);
            if (mistake == SENDS_ITS_FIRST)
                at = 0;
            if (mistake == SENDS_BACK) /* its own pieces, as far as they reach */
                row = vl_road_row(inputs, "data", rank);
            for (size_t i = 0; i < vl_road_piece(inputs, from, rank) * bytes; i++)
                out[to + i] = row[at + i];
        }
    }
    return VL_OK;
}

MISTAKE(pairs, SENDS_ITS_FIRST)
MISTAKE(pairs, PLACED_BACKWARDS)
MISTAKE(pairs, OFFSETS_IN_ELEMENTS)

const struct vl_suspect vl_suspects_all_to_all[] = {
    {"same_piece_to_all",
     N_("Every rank was sent the beginning of 'sent': the piece for rank s begins behind those for "
        "the ranks before it."),
     pairs_SENDS_ITS_FIRST},
    {"pieces_backwards", N_("The pieces lie in 'received' in the reverse order of the ranks."),
     pairs_PLACED_BACKWARDS},
    {"offset_in_elements",
     N_("A piece was taken from too far in front: counts are in elements, and an element has "
        "element_bytes bytes."),
     pairs_OFFSETS_IN_ELEMENTS},
    NO_MORE_SUSPECTS};

/* ---- levels ---- */

enum level_mistake { SWAPPED, ROUND_ROBIN };

/* The members of rank's groups if the nodes were dealt out in another way. */
static enum vl_status levels(struct vl_bag *wrong, const struct vl_bag *inputs,
                             enum level_mistake mistake)
{
    char name[VL_RANKED_NAME];
    int ranks = vl_road_int(inputs, "ranks"), per_node = vl_road_int(inputs, "ranks_per_node");
    if (per_node < 1 || ranks % per_node != 0)
        return VL_OK;
    int nodes = ranks / per_node;
    for (int rank = 0; rank < ranks; rank++) {
        int64_t *list[2];
        static const char *const names[] = {"inside", "across"};
        for (int i = 0; i < 2; i++)
            if ((list[i] = vl_bag_add(wrong, vl_ranked(name, names[i], rank), VL_I64, 2,
                                      (size_t[]){1, (size_t)ranks})) == NULL)
                return VL_ENOMEM;
        for (int i = 0; i < ranks; i++) {
            int beside = i < per_node ? rank - rank % per_node + i : -1;
            int opposite = i < nodes ? rank % per_node + i * per_node : -1;
            if (mistake == ROUND_ROBIN) {
                beside = i < per_node ? rank % nodes + i * nodes : -1;
                opposite = i < nodes ? rank - rank % nodes + i : -1;
            }
            list[0][i] = mistake == SWAPPED ? opposite : beside;
            list[1][i] = mistake == SWAPPED ? beside : opposite;
        }
    }
    return VL_OK;
}

MISTAKE(levels, SWAPPED)
MISTAKE(levels, ROUND_ROBIN)

const struct vl_suspect vl_suspects_levels[] = {
    {"levels_swapped", N_("'inside' and 'across' are exchanged."), levels_SWAPPED},
    {"dealt_round_robin",
     N_("The ranks were dealt out to the nodes in turn; rank r lives on node r / ranks_per_node."),
     levels_ROUND_ROBIN},
    NO_MORE_SUSPECTS};
