/*
 * `--layout dp=2,ep=64,pp=16,zero=1`: a layout of `vialata plan` in words.
 */
#ifndef VIALATA_CLI_PLAN_PLAN_LAYOUT_H
#define VIALATA_CLI_PLAN_PLAN_LAYOUT_H

#include "cli/command.h"
#include "vialata/crossover.h"

#include <stdint.h>

/* Read it. A size that is not given is 1, but for dp, which gets what is left of the chips where
 * they are known (*chips > 0; otherwise they are counted here), and for m, zero and keep, where the
 * best is taken. An impossible layout is refused in one sentence, with VL_EXIT_USAGE. */
enum vl_exit vl_plan_read_layout(struct vl_forecast *forecast, uint64_t *chips,
                                 const struct vl_setting *setting, const char *text);

#endif
