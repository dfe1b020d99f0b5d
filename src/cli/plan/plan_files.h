/*
 * Models and machines for `vialata plan`: the course's by name, or one's own files.
 */
#ifndef VIALATA_CLI_PLAN_PLAN_FILES_H
#define VIALATA_CLI_PLAN_PLAN_FILES_H

#include "cli/command.h"
#include "vialata/blueprint.h"

#include <jansson.h>

/* Read what --model and --machine name. Anything else is refused in one sentence, and nothing is
 * touched. *file (plan/blueprint_file.h) is the caller's. */
enum vl_exit vl_plan_read_model(struct vl_setting *setting, json_t **file, const char *word);
enum vl_exit vl_plan_read_machine(struct vl_setting *setting, json_t **file, const char *word);

/* Where the published runs are; the caller frees it. NULL without memory. */
char *vl_plan_published_path(void);

#endif
