/*
 * What becomes of a step on phantom kernels: what the simulator told (simulate/ranks/main.c,
 * watch.h), and in words what went wrong.
 */
#ifndef VIALATA_CLI_SIMULATE_OUTCOME_H
#define VIALATA_CLI_SIMULATE_OUTCOME_H

#include "cli/command.h"
#include "cli/simulate/simulator.h"
#include <jansson.h>

struct vl_outcome {
    json_t *step;   /* what it took; NULL: there is none */
    json_t *failed; /* the code of a status */
    json_t *hung;   /* a rank in an endless loop */
    json_t *stuck;  /* the ranks that wait for ever */
};

/* Run 'simulator' with the words of one task, and keep what it tells; 'event' and 'context' are set
 * here. Where no step came of it, a sentence says why. Free it whatever is returned. */
enum vl_exit vl_outcome_run(struct vl_outcome *outcome, const struct vl_simulator *simulator);
void vl_outcome_free(struct vl_outcome *outcome);

#endif
