/*
 * The end of a rank's cable (src/sandbox/cables.h): its address, and those of all others.
 *
 * The kernel is asked directly: a start of ip for each rank took as long as that of any program.
 */
#ifndef VIALATA_CABLE_END_H
#define VIALATA_CABLE_END_H

#include <stdbool.h>

/* Set up the end of 'rank', one of 'ranks', in the network that this process is in. If that fails, what
 * failed is printed. */
bool vl_end_set_up(int rank, int ranks);

#endif
