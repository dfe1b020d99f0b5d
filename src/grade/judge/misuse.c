#include "grade/judge/misuse.h"

#include "ranks/hang/place_in_source.h"
#include "ranks/senders.h"

/* The beacon of the process that was rank 'rank' of the case, or of the only one where its outputs are
 * by themselves; *world its rank in the world. */
static const struct vl_beacon *beacon_of(const struct vl_bag *outputs, int rank,
                                         const struct vl_case *c, int *world)
{
    char name[VL_RANKED_NAME];
    const struct vl_tensor_entry *entry =
        vl_bag_find(outputs, c->per_rank ? vl_ranked(name, "beacon", rank) : "beacon");
    int64_t number =
        vl_bag_int(outputs, c->per_rank ? vl_ranked(name, "world_rank", rank) : "world_rank");
    if (entry == NULL || entry->dtype != VL_I64 || number < 0 || number >= c->ranks ||
        entry->count * sizeof(int64_t) < sizeof(struct vl_beacon))
        return NULL;
    *world = (int)number;
    return entry->data;
}

/* False if the beacon of a rank is not there, or not whole. */
static bool gather(const struct vl_beacon *beacons[VL_BOARD_RANKS], const struct vl_bag *outputs,
                   const struct vl_case *c)
{
    for (int rank = 0; rank < c->ranks && rank < VL_BOARD_RANKS; rank++) {
        int world = 0;
        const struct vl_beacon *beacon = beacon_of(outputs, rank, c, &world);
        if (beacon == NULL || beacons[world] != NULL)
            return false;
        beacons[world] = beacon;
    }
    return true;
}

enum vl_status vl_misuse_find(struct vl_finding *finding, const struct vl_bag *outputs,
                              const struct vl_case *c, const struct vl_build *build,
                              const struct vl_sandbox *sandbox, bool wrong)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS] = {0};
    struct vl_place_finder finder = {
        .program = build->program, .sources = build->folder, .sandbox = sandbox};
    const struct vl_hang_places places = {.find = vl_place_of_call, .context = &finder};
    *finding = (struct vl_finding){0};
    if (!gather(beacons, outputs, c))
        return VL_OK;
    enum vl_status status = vl_hang_find(finding, beacons, &places, c->ranks,
                                         wrong ? VL_FINISHED_WRONG : VL_FINISHED, c->synchronous);
    vl_place_finder_free(&finder);
    return status;
}

enum vl_status vl_senders_find(char **sentence, const struct vl_bag *outputs,
                               const struct vl_case *c, const struct vl_build *build,
                               const struct vl_sandbox *sandbox)
{
    const struct vl_beacon *beacons[VL_BOARD_RANKS] = {0};
    struct vl_place_finder finder = {
        .program = build->program, .sources = build->folder, .sandbox = sandbox};
    const struct vl_hang_places places = {.find = vl_place_of_call, .context = &finder};
    *sentence = NULL;
    if (outputs == NULL || !gather(beacons, outputs, c))
        return VL_OK;
    enum vl_status status = vl_senders_say(sentence, beacons, c->ranks, &places);
    vl_place_finder_free(&finder);
    return status;
}
