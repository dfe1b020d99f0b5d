/* A race that was seen, for the beacon. */
#ifndef VIALATA_COMM_RACES_H
#define VIALATA_COMM_RACES_H

#include "wire/beacon.h"

/* Two calls, in the order in which they began, and the contracts around them (or NONE). The first race
 * of a case is kept. */
void vl_race_note(enum vl_race_kind kind, const struct vl_beacon_call *first,
                  const struct vl_beacon_call *first_outer, const struct vl_beacon_call *second,
                  const struct vl_beacon_call *second_outer);

#endif
