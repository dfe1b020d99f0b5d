/*
 * Read options from the words of a command line, and check that they make sense together.
 */
#ifndef VIALATA_TRAIN_OPTIONS_OPTIONS_PARSE_H
#define VIALATA_TRAIN_OPTIONS_OPTIONS_PARSE_H

#include "train/options/options.h"

/*
 * Read the words after the command's name; the options point into them. VL_EINVAL with a sentence
 * in *problem for an unknown option, a value outside its range, or options that contradict each
 * other; VL_ESHAPE for sizes that do not fit together. argv needs no NULL at its end.
 */
enum vl_status vl_options_parse(struct vl_options *options, enum vl_trainer_command command,
                                int argc, char *const *argv, struct vl_problem *problem);

#endif
