/*
 * Models and machines for `vialata plan`: those of the course by name, or files of one's own.
 */
#ifndef VIALATA_CLI_PLAN_PLAN_FILES_H
#define VIALATA_CLI_PLAN_PLAN_FILES_H

#include "cli/command.h"
#include "vialata/blueprint.h"

#include <jansson.h>

/* Read what --model and --machine name. What is no such thing is refused in one sentence, and
 * nothing is touched. *file (grade/blueprint_file.h) is the caller's. */
enum vl_exit vl_plan_read_model(struct vl_setting *setting, json_t **file, const char *word);
enum vl_exit vl_plan_read_machine(struct vl_setting *setting, json_t **file, const char *word);

#endif
