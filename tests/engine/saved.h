/*
 * For tests of checkpoints: a small model in which all numbers differ, and a folder for each test
 * to save it in. Include it after vialata's own headers and cmocka's.
 */
#ifndef VIALATA_TESTS_ENGINE_SAVED_H
#define VIALATA_TESTS_ENGINE_SAVED_H

#include "engine/model/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct vl_shape shape = {
    .layers = 2, .width = 8, .heads = 2, .ff = 5, .vocabulary = 256, .sequence = 4};

static char folder[64], path[128], config[128];

static inline int make_folder(void **unused)
{
    (void)unused;
    strcpy(folder, "/tmp/vialata-checkpoint-XXXXXX");
    if (mkdtemp(folder) == NULL)
        return 1;
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    snprintf(config, sizeof config, "%s/config.json", folder);
    return 0;
}

/* Fails if anything but these two files was left there. */
static inline int remove_folder(void **unused)
{
    (void)unused;
    unlink(path);
    unlink(config);
    return rmdir(folder);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

static inline void number(struct vl_model *model, int learns)
{
    struct vl_learner *learner = vl_model_learner(model);
    for (size_t i = 0; i < learner->count; i++) {
        learner->weights[i] = (float)i / 7;
        if (learns) {
            learner->m[i] = (float)i / 11;
            learner->v[i] = (float)i / 13;
        }
    }
}

#endif
