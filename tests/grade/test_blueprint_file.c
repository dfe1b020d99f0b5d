/*
 * Models and machines as files: those of the lab are read, and what is wrong with others is named.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/place.h"
#include "plan/blueprint_file.h"

static char path[] = "/tmp/vialata-blueprint-XXXXXX";

/* The file with its first 'old' replaced, written to 'path'. */
static void write_changed(const char *below, const char *old, const char *new)
{
    char *file = vl_place_path("labs", below), *text = NULL;
    size_t n;
    assert_int_equal(vl_file_read(&text, &n, file, 1 << 20), VL_OK);
    const char *at = strstr(text, old);
    FILE *out = fopen(path, "w");
    assert_non_null(at);
    assert_non_null(out);
    fprintf(out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    assert_int_equal(fclose(out), 0);
    free(file);
    free(text);
}

static void assert_has_title(const json_t *file)
{
    assert_true(json_string_length(json_object_get(file, "title")) > 0);
}

static void the_labs_files_are_read(void **state)
{
    (void)state;
    static const char *const models[] = {"dsv3",     "k2",         "small",    "gpt-175b",
                                         "gpt-530b", "llama-405b", "palm-540b"};
    static const char *const machines[] = {"h100-ib", "h800-ib", "b200-ib", "nvl72",
                                           "a100-ib", "tpu-v4",  "tpu-v5p"};
    struct vl_blueprint_fault fault;
    char below[96];
    json_t *read;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct vl_blueprint model;
        struct vl_recipe recipe;
        snprintf(below, sizeof below, "10_bandwidth/models/%s.json", models[i]);
        char *file = vl_place_path("labs", below);
        assert_int_equal(vl_model_file_read(&model, &recipe, &read, &fault, file), VL_OK);
        assert_true(model.layers > 0 && recipe.batch > 0);
        assert_has_title(read);
        json_decref(read);
        free(file);
    }
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        struct vl_cluster cluster;
        snprintf(below, sizeof below, "10_bandwidth/machines/%s.json", machines[i]);
        char *file = vl_place_path("labs", below);
        assert_int_equal(vl_cluster_file_read(&cluster, &read, &fault, file), VL_OK);
        assert_true(cluster.inner.bandwidth > cluster.outer.bandwidth);
        assert_true(cluster.inner.bandwidth <= cluster.inner.nominal);
        assert_true(cluster.outer.bandwidth <= cluster.outer.nominal);
        assert_has_title(read);
        json_decref(read);
        free(file);
    }
}

static void assert_model_fault(const char *old, const char *new, const char *where)
{
    struct vl_blueprint model = {.layers = 99};
    struct vl_recipe recipe = {.batch = 99};
    struct vl_blueprint_fault fault;
    json_t *read = NULL;
    write_changed("10_bandwidth/models/dsv3.json", old, new);
    assert_int_equal(vl_model_file_read(&model, &recipe, &read, &fault, path), VL_EFORMAT);
    assert_string_equal(fault.where, where);
    assert_true(model.layers == 99 && recipe.batch == 99 && read == NULL);
}

static void what_is_wrong_with_a_model_is_named(void **state)
{
    (void)state;
    assert_model_fault("\"layers\": [61,", "\"layers\": [0,", "model.layers");
    assert_model_fault("\"layers\": [61,", "\"layers\": [61.5,", "model.layers");
    assert_model_fault("\"layers\": [61,", "\"layers\": [-61,", "model.layers");
    assert_model_fault("\"layers\": [61,", "\"layers\": [\"61\",", "model.layers");
    assert_model_fault("\"layers\": [61,", "\"layers\": [9999999999999999,", "model.layers");
    assert_model_fault("\"heads\":", "\"haeds\":", "model.heads");
    assert_model_fault("\"heads\":", "\"beads\": [1, \"a\"], \"heads\":", "model.beads");
    assert_model_fault("\"batch\": [15360,", "\"batch\": 15360, \"x\": [1,", "recipe.batch");
    assert_model_fault("\"weight_bytes\": [2, \"", "\"weight_bytes\": [2, \"\"], \"y\": [2, \"",
                       "recipe.weight_bytes"); /* a figure without a source */
    assert_model_fault("\"kept_bytes\": [1.25,", "\"kept_bytes\": [0,", "recipe.kept_bytes");
    assert_model_fault("\"recipe\":", "\"recept\":", "recipe");
    assert_model_fault("\"title\":", "\"name\":", "title");
    assert_model_fault("\"chosen\": [8,", "\"chosen\": [257,", "model.chosen");
    assert_model_fault("\"query_rank\": [1536,", "\"query_rank\": [0,", "model.query_rank");
    assert_model_fault("\"rope_width\": [64,", "\"rope_width\": [193,", "model.rope_width");
    assert_model_fault("\"dense_layers\": [3,", "\"dense_layers\": [62,", "model.dense_layers");
    assert_model_fault("\"chosen\": [8,", "\"chosen\": [0,", "model.chosen");
    assert_model_fault("\"kv_heads\": [128,", "\"kv_heads\": [3,", "model.kv_heads");
    assert_model_fault("\"kv_heads\": [128,", "\"kv_heads\": [64,", "model.kv_heads"); /* latents */
    assert_model_fault("\"ff_matrices\": [3,", "\"ff_matrices\": [4,", "model.ff_matrices");
    assert_model_fault("\"expert_groups\": [8,", "\"expert_groups\": [7,", "model.expert_groups");
    assert_model_fault("\"groups_met\": [4,", "\"groups_met\": [9,", "model.groups_met");
    assert_model_fault("\"experts\": [256,", "\"experts\": [8,", "model.groups_met");
}

static void what_no_reckoning_could_end_with_is_named(void **state)
{
    (void)state;
    assert_model_fault("\"layers\": [61,", "\"layers\": [4097,", "model.layers");
    assert_model_fault("\"heads\": [128,", "\"heads\": [4097,", "model.heads");
    assert_model_fault("\"experts\": [256,", "\"experts\": [4097,", "model.experts");
    assert_model_fault("\"ff\": [18432,", "\"ff\": [16777217,", "model.ff");
    assert_model_fault("\"batch\": [15360,", "\"batch\": [16777217,", "recipe.batch");
    assert_model_fault("\"kept_bytes\": [1.25,", "\"kept_bytes\": [1.1e24,", "recipe.kept_bytes");
    assert_model_fault("\"kept_bytes\": [1.25,", "\"kept_bytes\": [9e-13,", "recipe.kept_bytes");
}

static void what_is_wrong_with_a_machine_is_named(void **state)
{
    (void)state;
    static const char *const wrong[][3] = {
        {"\"efficiency\": [0.642,", "\"efficiency\": [1.5,", "cluster.efficiency"},
        {"\"efficiency\": [0.642,", "\"efficiency\": [0,", "cluster.efficiency"},
        {"\"tile_rows\": [256,", "\"tile_rows\": [0,", "cluster.tile_rows"},
        {"\"memory_bandwidth\": [", "\"memory_bandwidth\": [-", "cluster.memory_bandwidth"},
        {"\"score_passes\": [0,", "\"score_passes\": [65,", "cluster.score_passes"},
        {"\"sequence_parallel\": [1,", "\"sequence_parallel\": [2,", "cluster.sequence_parallel"},
        {"\"hidden_gathers\": [0.8,", "\"hidden_gathers\": [-0.1,", "cluster.hidden_gathers"},
        {"\"hidden_experts\": [0.85,", "\"hidden_experts\": [9e-13,", "cluster.hidden_experts"},
        {"\"hidden_pipeline\": [0.85,", "\"hidden_pipeline\": [1.1,", "cluster.hidden_pipeline"},
        {"\"hidden_closing\": [0.8,", "\"hidden\": [0.8,", "cluster.hidden_closing"},
        {"\"levels\": [2,", "\"levels\": [3,", "cluster.levels"},
        {"\"domain\": [8,", "\"domain\": [0,", "cluster.domain"},
        {"\"domain\": [8,", "\"domain\": [16777217,", "cluster.domain"},
        {"\"cards\": [8,", "\"cards\": [0,", "cluster.cards"},
        {"\"cards\": [8,", "\"cards\": [9,", "cluster.cards"},
        {"\"outer\":", "\"other\":", "outer"},
        {"\"bandwidth\": [370000000000,", "\"bandwidth\": [0,", "inner.bandwidth"},
        {"\"nominal\": [450000000000,", "\"nominel\": [450000000000,", "inner.nominal"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct vl_cluster cluster = {.domain = 99};
        struct vl_blueprint_fault fault;
        json_t *read = NULL;
        write_changed("10_bandwidth/machines/h100-ib.json", wrong[i][0], wrong[i][1]);
        assert_int_equal(vl_cluster_file_read(&cluster, &read, &fault, path), VL_EFORMAT);
        assert_string_equal(fault.where, wrong[i][2]);
        assert_true(cluster.domain == 99 && read == NULL);
    }
}

/* 8 chips with 2 cards of 40 GB/s, nominally 50: 10 GB/s each, nominally 12.5; and the whole latency. */
static void chips_share_the_cards_of_their_domain(void **state)
{
    (void)state;
    struct vl_cluster cluster;
    struct vl_blueprint_fault fault;
    json_t *read;
    write_changed("10_bandwidth/machines/h100-ib.json", "\"cards\": [8,", "\"cards\": [2,");
    assert_int_equal(vl_cluster_file_read(&cluster, &read, &fault, path), VL_OK);
    assert_true(cluster.cards == 2 && cluster.domain == 8);
    assert_true(cluster.outer.bandwidth == 1e10 && cluster.outer.nominal == 1.25e10);
    assert_true(cluster.outer.latency == 1e-5 && cluster.inner.bandwidth == 3.7e11);
    json_decref(read);
}

static void what_is_no_json_is_told_by_its_line_and_no_file_by_errno(void **state)
{
    (void)state;
    struct vl_cluster cluster;
    struct vl_blueprint_fault fault;
    json_t *read = NULL;
    write_changed("10_bandwidth/machines/h100-ib.json", "\"cluster\": {", "\"cluster\": ");
    assert_int_equal(vl_cluster_file_read(&cluster, &read, &fault, path), VL_EFORMAT);
    assert_true(fault.line >= 3 && fault.where[0] == '\0');
    unlink(path);
    assert_int_equal(vl_cluster_file_read(&cluster, &read, &fault, path), VL_EIO);
    assert_int_equal(errno, ENOENT);
}

static int start(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd) != 0 || vl_place_start() != VL_OK;
}

static int end(void **state)
{
    (void)state;
    unlink(path);
    vl_place_end();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_labs_files_are_read),
        cmocka_unit_test(what_is_wrong_with_a_model_is_named),
        cmocka_unit_test(what_no_reckoning_could_end_with_is_named),
        cmocka_unit_test(what_is_wrong_with_a_machine_is_named),
        cmocka_unit_test(chips_share_the_cards_of_their_domain),
        cmocka_unit_test(what_is_no_json_is_told_by_its_line_and_no_file_by_errno),
    };
    return cmocka_run_group_tests(tests, start, end);
}
