/*
 * Settings and divisions for tests of the planner: random ones, and those of the data files.
 */
#ifndef VIALATA_TESTS_PLANNED_H
#define VIALATA_TESTS_PLANNED_H

#include "base/place.h"
#include "base/random.h"
#include "plan/blueprint_file.h"
#include "vialata/crossover.h"

#include <stdio.h>
#include <stdlib.h>

/* A sequence of random numbers from one seed. */
struct draws {
    uint64_t seed, next;
};

static inline size_t draw(struct draws *draws, size_t least, size_t most)
{
    return least + (size_t)vl_random_below(most - least + 1, draws->seed, 77, draws->next++);
}

static inline double draw_amount(struct draws *draws, double least, double most)
{
    return least + (most - least) * vl_random_uniform(draws->seed, 77, draws->next++);
}

static inline struct vl_setting draw_setting(struct draws *draws)
{
    struct vl_setting s = {
        .model = {.layers = draw(draws, 1, 13),
                  .width = draw(draws, 1, 300),
                  .kv_heads = draw(draws, 1, 4),
                  .key_width = draw(draws, 2, 40),
                  .value_width = draw(draws, 1, 40),
                  .ff = draw(draws, 1, 700),
                  .ff_matrices = draw(draws, 2, 3),
                  .expert_groups = 1,
                  .groups_met = 1,
                  .vocabulary = draw(draws, 2, 999),
                  .sequence = draw(draws, 1, 99)},
        .recipe = {.batch = draw(draws, 1, 200),
                   .weight_bytes = (double)draw(draws, 1, 4),
                   .gradient_bytes = (double)draw(draws, 2, 4),
                   .optimizer_bytes = (double)draw(draws, 3, 12),
                   .kept_bytes = draw_amount(draws, 1, 4),
                   .element_bytes = (double)draw(draws, 1, 4),
                   .dispatch_bytes = (double)draw(draws, 1, 4),
                   .combine_bytes = (double)draw(draws, 1, 4)},
        .cluster = {.peak = draw_amount(draws, 1e9, 1e15),
                    .efficiency = draw_amount(draws, 0.1, 1),
                    .processors = draw(draws, 0, 12),
                    .tile_rows = draw(draws, 1, 32),
                    .tile_columns = draw(draws, 1, 32),
                    .memory_bandwidth = draw_amount(draws, 0, 1e13),
                    .score_passes = draw_amount(draws, 0, 5),
                    .sequence_parallel = draw(draws, 0, 1),
                    .memory_bytes = draw_amount(draws, 1e5, 2e7),
                    .reserve_bytes = draw_amount(draws, 0, 1e5),
                    .hidden_gathers = draw_amount(draws, 0, 1),
                    .hidden_experts = draw_amount(draws, 0, 1),
                    .hidden_pipeline = draw_amount(draws, 0, 1),
                    .hidden_closing = draw_amount(draws, 0, 1),
                    .levels = draw(draws, 1, 2),
                    .domain = draw(draws, 1, 40),
                    .torus = draw(draws, 0, 3),
                    .inner = {draw_amount(draws, 0, 1e-5), draw_amount(draws, 1e6, 1e12), 1e12},
                    .outer = {draw_amount(draws, 0, 1e-4), draw_amount(draws, 1e6, 1e11), 1e11}}};
    s.model.heads = s.model.kv_heads * draw(draws, 1, 3);
    if (draw(draws, 0, 2) > 0) {
        s.model.kv_heads = s.model.heads;
        s.model.query_rank = draw(draws, 1, 50);
        s.model.latent_rank = draw(draws, 1, 50);
        s.model.rope_width = draw(draws, 0, s.model.key_width);
    }
    if (draw(draws, 0, 2) > 0) {
        s.model.expert_groups = draw(draws, 1, 4);
        s.model.groups_met = draw(draws, 1, s.model.expert_groups);
        size_t each = draw(draws, 1, 6);
        s.model.experts = each * s.model.expert_groups;
        s.model.chosen = draw(draws, 1, each * s.model.groups_met);
        s.model.shared = draw(draws, 0, 2);
        s.model.expert_ff = draw(draws, 1, 200);
        s.model.dense_layers = draw(draws, 0, s.model.layers);
    }
    return s;
}

/* One that can be; tried until there is one. */
static inline struct vl_division draw_division(struct draws *draws,
                                               const struct vl_setting *setting)
{
    for (;;) {
        struct vl_division d = {.tensor = draw(draws, 1, 6),
                                .expert = draw(draws, 1, 6),
                                .data = draw(draws, 1, 9),
                                .pipeline = draw(draws, 1, 5),
                                .chunks = draw(draws, 1, 3),
                                .micro_batches = draw(draws, 1, 12),
                                .zero = draw(draws, 0, 3),
                                .keep = (enum vl_keep)draw(draws, 0, 2)};
        if (vl_division_check(setting, &d) == VL_OK)
            return d;
    }
}

/* A model and a machine of the lab's folder. */
static inline struct vl_setting read_setting(const char *model, const char *machine)
{
    struct vl_setting setting;
    struct vl_blueprint_fault fault;
    json_t *file;
    char below[128], *path;
    assert_int_equal(vl_place_start(), VL_OK);
    snprintf(below, sizeof below, "10_bandwidth/models/%s.json", model);
    path = vl_place_path("labs", below);
    assert_int_equal(vl_model_file_read(&setting.model, &setting.recipe, &file, &fault, path),
                     VL_OK);
    json_decref(file);
    free(path);
    snprintf(below, sizeof below, "10_bandwidth/machines/%s.json", machine);
    path = vl_place_path("labs", below);
    assert_int_equal(vl_cluster_file_read(&setting.cluster, &file, &fault, path), VL_OK);
    json_decref(file);
    free(path);
    vl_place_end();
    return setting;
}

#endif
