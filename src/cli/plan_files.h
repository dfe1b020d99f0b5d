/*
 * Models and machines for `vialata plan`: those of the course by name, or files of one's own.
 */
#ifndef VIALATA_CLI_PLAN_FILES_H
#define VIALATA_CLI_PLAN_FILES_H

#include "cli/command.h"
#include "vialata/blueprint.h"

#include <jansson.h>

#define VL_PLAN_MOST_SIZE ((size_t)1 << 24) /* of anything in a file: products can be counted */

/* What a file said, beside its figures. */
struct vl_plan_file {
    char *title;
    json_t *figures; /* the file itself: figures and their sources */
};

/* Read what --model and --machine name. What is no such thing is refused in one sentence. Free both
 * in any case; safe on zeroed ones. */
enum vl_exit vl_plan_read_model(struct vl_setting *setting, struct vl_plan_file *file,
                                const char *word);
enum vl_exit vl_plan_read_machine(struct vl_setting *setting, struct vl_plan_file *file,
                                  const char *word);
void vl_plan_file_free(struct vl_plan_file *file);

#endif
