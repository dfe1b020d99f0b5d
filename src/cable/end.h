/*
 * The end of a rank's cable (src/sandbox/cables.h): its address, and those of all others.
 *
 * The kernel is asked directly. One more program for each rank, ip, would cost as much as the rank's
 * whole wall.
 */
#ifndef VIALATA_CABLE_END_H
#define VIALATA_CABLE_END_H

#include <stdbool.h>

/* Set up the end of 'rank', one of 'ranks', in the network that this process is in. If that fails, what
 * failed is printed. */
bool vl_end_set_up(int rank, int ranks);

#endif
