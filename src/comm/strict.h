/*
 * Only for comm/intercept/: which case this is, and how strictly it is watched (vl_beacon_begin).
 */
#ifndef VIALATA_COMM_STRICT_H
#define VIALATA_COMM_STRICT_H

#include <stdint.h>

int vl_strict_looks_twice(void); /* is the buffer the same when the send completes? */
int vl_strict_waits(void);       /* 'synchronous' of vl_beacon_begin */

/* Changes with every vl_beacon_begin and vl_beacon_use; never 0. What the wrappers remember of an
 * earlier case must not be written into the present beacon. */
uint32_t vl_case_number(void);

#endif
