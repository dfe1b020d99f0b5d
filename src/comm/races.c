#include "comm/races.h"

#include "comm/beacon.h"

void vl_race_note(enum vl_race_kind kind, const struct vl_beacon_call *first,
                  const struct vl_beacon_call *first_outer, const struct vl_beacon_call *second,
                  const struct vl_beacon_call *second_outer)
{
    struct vl_beacon_race *race = &vl_beacon_mine()->race;
    if (race->kind != VL_RACE_NONE)
        return;
    race->first = *first;
    race->second = *second;
    race->first_outer = *first_outer;
    race->second_outer = *second_outer;
    __atomic_store_n(&race->kind, kind, __ATOMIC_RELEASE);
}
