/*
 * Starting what runs inside SimGrid: its program smpimain, one of our two shared objects, a
 * platform and the list of hosts.
 */
#ifndef VIALATA_CLI_SIMULATE_SIMULATOR_H
#define VIALATA_CLI_SIMULATE_SIMULATOR_H

#include "cli/command.h"
#include "vialata/blueprint.h"
#include <jansson.h>

struct vl_simulator {
    const char *program; /* "vialata-simulator" */
    int private_globals; /* every rank gets globals of its own; for few ranks only */
    struct vl_cluster machine;
    size_t chips;             /* also the ranks */
    const char *const *words; /* the first is the program's first argument */
    int count;
    void (*event)(void *context, const json_t *event); /* each JSON line that it writes */
    void *context;
};

/* VL_EXIT_LACK, with a sentence, where this tree was built without SimGrid. */
enum vl_exit vl_simulator_find(void);

/* Run it to its end. */
enum vl_exit vl_simulator_run(const struct vl_simulator *simulator);

/* Run all of them in order, up to 'most' at a time, as vl_jobs_run does. Each takes one core. */
enum vl_exit vl_simulators_run(const struct vl_simulator *simulators, size_t count, size_t most);

/* VL_EXIT_USAGE, with a sentence, for a torus with fewer chips than that. */
enum vl_exit vl_simulator_check_torus(const struct vl_cluster *machine, size_t chips);

/* VL_EXIT_LACK, with a sentence, if this machine has not the memory for so many ranks. */
enum vl_exit vl_simulator_check_memory(size_t chips);

#endif
