/*
 * What train, eval and sample have in common: their words are read by
 * train/options/options_parse.h.
 */
#ifndef VIALATA_CLI_TRAIN_TRAIN_H
#define VIALATA_CLI_TRAIN_TRAIN_H

#include "cli/command.h"
#include "train/options/options.h"

/* How many ranks the words ask for; 0, with a sentence, if they make no sense. */
int vl_trainer_ranks(enum vl_trainer_command command, const struct vl_arguments *arguments,
                     struct vl_options *options);

#endif
