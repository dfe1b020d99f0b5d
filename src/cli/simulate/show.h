/*
 * What `vialata simulate` shows.
 */
#ifndef VIALATA_CLI_SIMULATE_SHOW_H
#define VIALATA_CLI_SIMULATE_SHOW_H

#include "cli/simulate/request.h"
#include "simulate/result.h"

/* As sentences and a table, or with --json as one object. */
enum vl_exit vl_simulate_show(const struct vl_simulate_request *request,
                              const struct vl_simulate_result *result);

#endif
