/*
 * How busy the machine is with other work, so that what is only slow is not called hung.
 */
#ifndef VIALATA_SANDBOX_LOAD_H
#define VIALATA_SANDBOX_LOAD_H

#include "sandbox/sandbox.h"

#define VL_LOAD_MOST 8.0

/*
 * How much longer the sandbox's processes take than they would without other work on this machine:
 * 1 ... VL_LOAD_MOST. The kernel counts how long each has run and how long it has waited for a core;
 * waiting for one another, because they are more than there are cores, does not count. Other work
 * that wants to run counts as well: it keeps the kernel from passing on what they send each other.
 */
double vl_load_slowdown(const struct vl_sandbox *sandbox);

/* Programs per core that wanted to run in the last minute, and still do: 1 ... VL_LOAD_MOST. What a
 * submission left behind in that minute must not give the next one more time. */
double vl_load_average(void);

/* The same from the threads that wanted to run: on average in the last minute, and now (negative if
 * nobody says). */
double vl_load_of(double minute, double now, double cores);

#endif
