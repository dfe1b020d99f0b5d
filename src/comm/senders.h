/* Who sends: the bytes that leave from each place in the program, for the beacon. */
#ifndef VIALATA_COMM_SENDERS_H
#define VIALATA_COMM_SENDERS_H

#include "wire/beacon.h"

#include <stdint.h>

/* This call sends this many bytes; 'outer' is the contract for which it does so, or NONE. */
void vl_sender_count(const struct vl_beacon_call *call, const struct vl_beacon_call *outer,
                     uint64_t bytes);

#endif
