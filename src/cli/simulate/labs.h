/*
 * `simulate --with labs`: the student's own labs in the simulator.
 */
#ifndef VIALATA_CLI_SIMULATE_LABS_H
#define VIALATA_CLI_SIMULATE_LABS_H

#include "cli/run/with_labs.h"
#include "cli/simulate/request.h"

/* Decide whose code it is, say so unless JSON is asked for, and build the simulator; request->with is
 * set. vl_with_labs_free is the caller's, whatever is returned. */
enum vl_exit vl_simulate_labs(struct vl_with_labs *with, struct vl_simulate_request *request);

#endif
