/*
 * Models and machines for the planner as people write them: read from JSON files in which every
 * figure comes with its source:
 *
 *   { "title": "...", "model": { "layers": [61, "where this is from"], ... }, "recipe": { ... } }
 *   { "title": "...", "cluster": { ... }, "inner": { ... }, "outer": { ... } }
 *
 * The outer road in a file is that of one network card, and *cluster has each chip's part of it.
 *
 * The names are those of the fields in vialata/blueprint.h; a part has each of its names exactly
 * once, and no others. Every figure is bounded, so that no calculation overflows or runs forever.
 */
#ifndef VIALATA_PLAN_BLUEPRINT_FILE_H
#define VIALATA_PLAN_BLUEPRINT_FILE_H

#include "vialata/blueprint.h"
#include "vialata/status.h"

#include <jansson.h>

#define VL_BLUEPRINT_MOST_SIZE ((size_t)1 << 24) /* of any size: so products do not overflow */

/* "all", "selected", "input": the same in all languages, since `vialata plan` takes them. */
const char *vl_keep_name(enum vl_keep keep);

/* Where a file was not understood: "model.layers", or the line that is not JSON. */
struct vl_blueprint_fault {
    char where[96];
    int line;  /* 0: it is JSON */
    int twice; /* that line repeats a name of the same part */
};

/* VL_EIO (errno), VL_EFORMAT with *fault filled, VL_ENOMEM. *file, with the title, all figures and
 * sources, is the caller's to json_decref. On an error nothing but *fault is touched. */
enum vl_status vl_model_file_read(struct vl_blueprint *model, struct vl_recipe *recipe,
                                  json_t **file, struct vl_blueprint_fault *fault,
                                  const char *path);
enum vl_status vl_cluster_file_read(struct vl_cluster *cluster, json_t **file,
                                    struct vl_blueprint_fault *fault, const char *path);

#endif
