/*
 * Machines that nobody has built, a model and five layouts on each, and what `vialata simulate` says
 * about them. The table next to this header was made by tests/simulate/make_sets.py, which says how
 * its rows were drawn and which of them were kept; it is part of the program, so grading needs
 * neither SimGrid nor a clock.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_SIMULATED_SETS_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_SIMULATED_SETS_H

#include "vialata/blueprint.h"

enum { VL_SIMULATED_LAYOUTS = 5 };

/* The first one is data parallelism alone, the second one has a pipeline. */
enum { VL_SIMULATED_SIMPLE, VL_SIMULATED_STAGED };

/* The crossover was looked for in this range, in bytes/s of one chip between domains. */
#define VL_SIMULATED_LOW  1e9
#define VL_SIMULATED_HIGH 1e12

/* Two layouts of a set are tied if the slower one takes less than this many times as long. */
#define VL_SIMULATED_TIE 1.5

/* A crossover counts as found within this factor, either way. */
#define VL_SIMULATED_FACTOR 1.5

struct vl_simulated_set {
    struct vl_setting setting; /* with the shares of compute behind which this engine hides */
    struct vl_division layouts[VL_SIMULATED_LAYOUTS];
    double seconds[VL_SIMULATED_LAYOUTS]; /* of a step, simulated */
    double crossover; /* bytes/s: from here on the simple layout is as fast as the staged one */
};

size_t vl_simulated_count(void);
/* number is below the count. */
struct vl_simulated_set vl_simulated_set(size_t number);

/* Nonzero if the two layouts are not tied. */
int vl_simulated_apart(const struct vl_simulated_set *set, size_t one, size_t other);

#endif
