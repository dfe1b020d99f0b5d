/*
 * Only for comm/preload/: was a call made by the program itself?
 *
 * Its own code is the program, and the shared libraries in its folder and below that. Other libraries may keep what
 * they make until the end, and nobody who runs the program can change that.
 */
#ifndef VIALATA_COMM_PRELOAD_OWN_CODE_H
#define VIALATA_COMM_PRELOAD_OWN_CODE_H

#include <stdbool.h>

/* address: where the call returns to. False if that is not known. */
bool vl_is_own_code(const void *address);

#endif
