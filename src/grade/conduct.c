#include "grade/conduct.h"

#include "grade/place_in_source.h"
#include "grade/runner/board.h"

#include <stdlib.h>
#include <string.h>

/* The beacon of the process that was rank 'rank' of the case; *world its rank in the world. */
static const struct vl_beacon *beacon_of(const struct vl_bag *outputs, int rank, int ranks,
                                         int *world)
{
    char name[VL_RANKED_NAME];
    const struct vl_tensor_entry *entry = vl_bag_find(outputs, vl_ranked(name, "beacon", rank));
    int64_t number = vl_bag_int(outputs, vl_ranked(name, "world_rank", rank));
    if (entry == NULL || entry->dtype != VL_I64 || number < 0 || number >= ranks ||
        entry->count * sizeof(int64_t) < sizeof(struct vl_beacon))
        return NULL;
    *world = (int)number;
    return entry->data;
}

/* The call there is something to say about, if any. */
static uint64_t address_of(const struct vl_beacon *beacon)
{
    if (beacon->touched)
        return beacon->touched_call.address;
    for (size_t i = 0; i < VL_BEACON_REQUESTS; i++)
        if (beacon->request[i].operation != VL_OP_NONE)
            return beacon->request[i].address;
    if (beacon->transfers_open > 0)
        return beacon->transfer_call.address;
    if (beacon->communicators_open > 0)
        return beacon->opened_call.address;
    return beacon->error_call.address;
}

enum vl_status vl_conduct_find(struct vl_finding *finding, const struct vl_bag *outputs,
                               const struct vl_case *c, const struct vl_build *build,
                               const struct vl_sandbox *sandbox)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS] = {0};
    char *places[VL_BOARD_RANKS] = {0};
    *finding = (struct vl_finding){0};
    for (int rank = 0; rank < c->ranks && rank < VL_BOARD_RANKS; rank++) {
        int world = 0;
        const struct vl_beacon *beacon = beacon_of(outputs, rank, c->ranks, &world);
        if (beacon == NULL || beacons[world] != NULL)
            return VL_OK;
        beacons[world] = beacon;
    }
    enum vl_status status = vl_hang_find(finding, beacons, NULL, c->ranks, 1, c->synchronous);
    if (status != VL_OK || finding->code == NULL)
        return status;
    /* Something is to be told: now it is worth finding out where. */
    vl_finding_free(finding);
    for (int rank = 0; rank < c->ranks; rank++) {
        struct vl_board_rank place = {.frames = 1, .address = {address_of(beacons[rank])}};
        if (place.address[0] != 0)
            places[rank] = vl_place_in_source(&place, build->program, build->folder, sandbox);
    }
    status =
        vl_hang_find(finding, beacons, (const char *const *)places, c->ranks, 1, c->synchronous);
    for (int rank = 0; rank < c->ranks; rank++)
        free(places[rank]);
    return status;
}
