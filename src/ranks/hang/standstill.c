#include "ranks/hang/standstill.h"

#include "base/fingerprint.h"
#include "sandbox/process.h"

#include <stdbool.h>
#include <stdlib.h>

#define STILL_SECONDS 2.0  /* a starved rank on a busy machine moves within this time */
#define LOOK_SECONDS  0.05 /* between two looks */

/* The beacons of the case that the job is in. A rank that has not begun it still shows the case
 * before, so nothing is known of it. */
static void present(const struct vl_beacon *beacons[VL_BOARD_RANKS], const struct vl_board *board,
                    int ranks, size_t finished)
{
    static const struct vl_beacon nothing;
    for (int rank = 0; rank < ranks; rank++) {
        const struct vl_board_rank *place = &board->rank[rank];
        beacons[rank] = place->begun <= finished ? &nothing : &place->beacon;
    }
}

static uint64_t picture(const struct vl_board *board, int ranks)
{
    uint64_t sum = VL_FINGERPRINT;
    for (int rank = 0; rank < ranks; rank++) {
        const struct vl_board_rank *place = &board->rank[rank];
        sum = vl_fingerprint(sum, &place->returned, sizeof place->returned);
        sum = vl_fingerprint(sum, &place->beacon, sizeof place->beacon);
    }
    return sum;
}

bool vl_standstill_seen(struct vl_standstill *still, const struct vl_board *board, int ranks,
                        size_t finished, int synchronous)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS] = {0};
    double now = vl_clock();
    if (now < still->looked + LOOK_SECONDS)
        return false;
    still->looked = now;
    uint64_t seen = picture(board, ranks);
    if (seen != still->picture || still->since == 0) {
        still->picture = seen;
        still->since = now;
    }
    if (now < still->since + STILL_SECONDS)
        return false;
    present(beacons, board, ranks, finished);
    return vl_hang_is_certain(beacons, ranks, synchronous);
}

int vl_standstill_error(const struct vl_board *board, int ranks, size_t finished)
{
    for (int rank = 0; rank < ranks; rank++) {
        const struct vl_board_rank *place = &board->rank[rank];
        if (place->returned == finished && place->beacon.phase == VL_PHASE_INSIDE &&
            place->beacon.error != 0 && place->traced > 0)
            return 1;
    }
    return 0;
}

enum vl_status vl_standstill_find(struct vl_finding *finding, const struct vl_board *board,
                                  int ranks, size_t finished, int synchronous,
                                  struct vl_place_finder *finder)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS] = {0};
    char *now[VL_BOARD_RANKS] = {0};
    present(beacons, board, ranks, finished);
    for (int rank = 0; rank < ranks; rank++) {
        struct vl_board_rank place = board->rank[rank];
        if (place.frames < VL_BOARD_FRAMES) /* a rank that called MPI_Abort left no trace */
            place.address[place.frames++] = place.beacon.call.address;
        if (beacons[rank]->phase == VL_PHASE_INSIDE || beacons[rank]->phase == VL_PHASE_LEFT)
            now[rank] = vl_place_in_source(finder, &place);
    }
    const struct vl_hang_places places = {
        .now = (const char *const *)now, .find = vl_place_of_call, .context = finder};
    enum vl_status status = vl_hang_find(finding, beacons, &places, ranks, 0, synchronous);
    for (int rank = 0; rank < ranks; rank++)
        free(now[rank]);
    return status;
}
