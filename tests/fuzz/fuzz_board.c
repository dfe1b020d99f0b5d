/*
 * Any bytes as a board: the grader looks for a standstill in it and explains it. The first byte
 * says how many ranks there are and how the case, or the whole program, is judged. The rest is the board, padded with
 * zeros.
 */
#include "fuzz.h"

#include "ranks/hang/standstill.h"
#include "sandbox/process.h"

enum { MOST_RANKS = 4 }; /* as many as one input can fill in reasonable time */

static double now; /* the time that vl_clock tells */

double vl_clock(void)
{
    return now;
}

/* Addresses are not looked up: that needs a program in a sandbox, and here there is none. */
char *vl_place_in_source(const struct vl_place_finder *finder, const struct vl_board_rank *rank)
{
    (void)finder, (void)rank;
    return NULL;
}

char *vl_place_of_call(void *finder, uint64_t address)
{
    (void)finder;
    return address % 2 ? strdup("ring.c:41") : NULL;
}

static void explain(const struct vl_board *board, int ranks, size_t finished, int synchronous,
                    bool program)
{
    struct vl_place_finder finder = {0};
    struct vl_finding finding = {0};
    if (vl_standstill_find(&finding, board, ranks, finished, synchronous, &finder) == VL_OK)
        MUST(finding.code == NULL || finding.message != NULL);
    vl_finding_free(&finding);
    const struct vl_beacon *beacons[VL_BOARD_RANKS];
    for (int rank = 0; rank < ranks; rank++)
        beacons[rank] = &board->rank[rank].beacon;
    const struct vl_hang_places places = {.find = vl_place_of_call, .program = program};
    if (vl_hang_find(&finding, beacons, &places, ranks, 1, synchronous) == VL_OK)
        MUST(finding.code == NULL || finding.message != NULL);
    vl_finding_free(&finding);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct vl_board board;
    struct vl_standstill still = {0};
    if (n == 0)
        return 0;
    int ranks = 1 + bytes[0] % MOST_RANKS, synchronous = bytes[0] >> 2 & 1;
    size_t finished = bytes[0] >> 3 & 3;
    size_t most = (size_t)ranks * sizeof board.rank[0];
    memset(&board, 0, most);
    memcpy(&board, bytes + 1, n - 1 < most ? n - 1 : most);
    now = 1;
    vl_standstill_seen(&still, &board, ranks, finished, synchronous);
    now = 10;
    vl_standstill_seen(&still, &board, ranks, finished, synchronous);
    vl_standstill_error(&board, ranks, finished);
    explain(&board, ranks, finished, synchronous, (bytes[0] >> 5 & 1) != 0);
    return 0;
}

static struct vl_beacon_call call(enum vl_operation operation, int peer)
{
    return (struct vl_beacon_call){.operation = operation,
                                   .peer = peer,
                                   .tag = 7,
                                   .root = VL_BEACON_NONE,
                                   .type_bytes = 4,
                                   .members = 3,
                                   .count = 9,
                                   .address = 41};
}

static void seed_board(const char *name, const struct vl_board *board, int how)
{
    static uint8_t bytes[1 + 2 * sizeof board->rank[0]];
    bytes[0] = (uint8_t)how;
    memcpy(bytes + 1, board, sizeof bytes - 1);
    seed(name, bytes, sizeof bytes);
}

static void make_seeds(void)
{
    static struct vl_board board;
    for (int rank = 0; rank < 2; rank++) {
        struct vl_beacon *beacon = &board.rank[rank].beacon;
        board.rank[rank].started = 1;
        beacon->phase = VL_PHASE_INSIDE;
        beacon->call = call(VL_OP_RECV, 1 - rank);
        beacon->channels_used = 1;
        beacon->channel[0] = (struct vl_beacon_channel){.peer = 1 - rank, .tag = 8, .sent = 1};
    }
    seed_board("both_receive", &board, 1);
    for (int rank = 0; rank < 2; rank++) {
        struct vl_beacon *beacon = &board.rank[rank].beacon;
        beacon->call = call(rank ? VL_OP_BCAST : VL_OP_ALLREDUCE, VL_BEACON_NONE);
        beacon->collectives_seen = 1;
        beacon->collective[0] = beacon->call;
        beacon->requests_open = 1;
        beacon->request[0] = call(VL_OP_ISEND, 1 - rank);
    }
    seed_board("two_collectives", &board, 5);
    board.rank[0].beacon.error = VL_REFUSED_TRUNCATED;
    board.rank[0].traced = 1;
    board.rank[0].beacon.error_call = call(VL_OP_RECV, 1);
    board.rank[1].beacon.phase = VL_PHASE_RETURNED;
    seed_board("truncated", &board, 1);
    for (int rank = 0; rank < 2; rank++) {
        struct vl_beacon *beacon = &board.rank[rank].beacon;
        memset(beacon, 0, sizeof *beacon);
        beacon->phase = VL_PHASE_RETURNED;
        beacon->made[VL_MADE_PERSISTENT].count = 2;
        beacon->made[VL_MADE_PERSISTENT].idle = 1;
        beacon->made[VL_MADE_PERSISTENT].call = call(VL_OP_RECV_INIT, VL_BEACON_NONE);
    }
    seed_board("left", &board, 1 + 32);
}
