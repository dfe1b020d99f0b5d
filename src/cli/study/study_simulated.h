/*
 * The same cells once more, inside SimGrid: two hosts, joined by a road as it was measured, that
 * compute as fast as a host alone did.
 */
#ifndef VIALATA_CLI_STUDY_STUDY_SIMULATED_H
#define VIALATA_CLI_STUDY_STUDY_SIMULATED_H

#include "cli/command.h"
#include "report/study/bandwidth.h"

/* Nonzero where there is SimGrid; otherwise say that nothing is simulated. */
int vl_study_can_simulate(const struct vl_terminal *terminal);

/* Fill the simulated seconds of every cell but those of a host alone, from which the speed of the
 * hosts is taken. Where there is no SimGrid, say so once and leave them empty. */
enum vl_exit vl_bandwidth_simulate(struct vl_bandwidth *study);

#endif
