/*
 * Surviving a call: for our own references with bugs in them, of which many crash or never end. A new job
 * for each would take far longer than all others together. Only where one rank runs: others would wait.
 */
#ifndef VIALATA_RUNNER_SURVIVE_H
#define VIALATA_RUNNER_SURVIVE_H

#include <stdbool.h>

/* Call it. False if it crashed, or took more than 0.5 s of processor time; then what it changed is as
 * it was left. */
bool vl_survives(void (*call)(void *context), void *context);

#endif
