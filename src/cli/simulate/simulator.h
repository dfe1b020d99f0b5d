/*
 * Starting what runs inside SimGrid: its program smpimain, one of our two shared objects, a
 * platform and the list of hosts. Once all ranks run, none of these files is needed any more, and
 * they are removed: so nothing is left, whatever ends the run.
 */
#ifndef VIALATA_CLI_SIMULATE_SIMULATOR_H
#define VIALATA_CLI_SIMULATE_SIMULATOR_H

#include "cli/command.h"
#include "grade/build/assembly.h"
#include "vialata/blueprint.h"
#include <jansson.h>
#include <stdbool.h>

struct vl_simulator {
    const char *program;          /* "vialata-simulator" */
    struct vl_assembly *assembly; /* one with a student's labs instead, or NULL */
    int private_globals;          /* every rank gets a copy of the program, with its globals */
    struct vl_cluster machine;
    size_t chips;             /* also the ranks */
    double rank_bytes;        /* of arrays that a rank has to itself, at least */
    const char *const *words; /* the first is the program's first argument */
    int count;
    void (*event)(void *context, const json_t *event); /* each JSON line that it writes */
    void *context;
};

bool vl_simulator_is_there(void);

/* VL_EXIT_LACK, with a sentence, where SimGrid or what it needs to be built with is missing. */
enum vl_exit vl_simulator_find(void);

/* Run it to its end. VL_EXIT_LACK, with a sentence, if this machine lacks the memory for this
 * many ranks. */
enum vl_exit vl_simulator_run(const struct vl_simulator *simulator);

/* Run all of them in order, up to 'most' at a time, as vl_jobs_run does. Each takes one core. */
enum vl_exit vl_simulators_run(const struct vl_simulator *simulators, size_t count, size_t most);

/* VL_EXIT_USAGE, with a sentence, for a torus with fewer chips than that. */
enum vl_exit vl_simulator_check_torus(const struct vl_cluster *machine, size_t chips);

#endif
