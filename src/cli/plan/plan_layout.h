/*
 * `--layout dp=2,ep=64,pp=16,zero=1`: a layout of `vialata plan` in words.
 */
#ifndef VIALATA_CLI_PLAN_PLAN_LAYOUT_H
#define VIALATA_CLI_PLAN_PLAN_LAYOUT_H

#include "cli/command.h"
#include "vialata/crossover.h"

#include <stdint.h>

/* Read it. What is not said is one; dp what is left of the chips, if those are known (*chips > 0),
 * which is else found here; of m, zero and keep the best. Refused in one sentence, with
 * VL_EXIT_USAGE, if there can be no such layout. */
enum vl_exit vl_plan_read_layout(struct vl_forecast *forecast, uint64_t *chips,
                                 const struct vl_setting *setting, const char *text);

#endif
