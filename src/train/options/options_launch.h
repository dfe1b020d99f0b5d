/*
 * Options about who starts the ranks, and where: --launcher and --hostfile.
 */
#ifndef VIALATA_TRAIN_OPTIONS_OPTIONS_LAUNCH_H
#define VIALATA_TRAIN_OPTIONS_OPTIONS_LAUNCH_H

#include "train/options/options.h"

#include <stdbool.h>

/* Is it "srun", and not "mpirun"? Else the sentence that says what `--launcher` takes; NULL if it is one of them. */
const char *vl_launcher_refused(bool *is_srun, const char *launcher);

/* VL_EINVAL with a sentence for an unknown launcher, or options that exclude each other. */
enum vl_status vl_options_check_launch(const struct vl_options *options,
                                       struct vl_problem *problem);

#endif
