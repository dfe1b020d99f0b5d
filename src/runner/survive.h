/*
 * Surviving a call: for our own references with bugs in them, of which many crash or never end. A new job
 * for each would take far longer than all others together. Only where one rank runs: others would wait.
 */
#ifndef VIALATA_RUNNER_SURVIVE_H
#define VIALATA_RUNNER_SURVIVE_H

#include <stdbool.h>

/* Call it. False if it crashed, or took too much processor time: ten times the longest call of this
 * case that came back, but at least 0.05 s, and 2 s where none did. Then what it changed is as it was
 * left. */
bool vl_survives(void (*call)(void *context), void *context, unsigned input);

#endif
