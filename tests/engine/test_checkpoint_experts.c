/* Checkpoints of models with experts: their names, their bias, and what is refused. */
#include "engine/checkpoint/checkpoint.h"

#include "base/file.h"
#include "mpi_alone.h"
#include "wire/safetensors.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "saved.h"

static const struct vl_expert_shape routed = {
    .experts = 3, .chosen = 2, .scale = 2.5f, .groups = 3, .limit = 2};
static const struct vl_training_state state = {.batch = 3, .horizon = 11, .bias_speed = 0.25f};

static struct vl_model *new_model(int learns)
{
    struct vl_model *model;
    const struct vl_model_plan plan = {.shape = shape,
                                       .rows = 1,
                                       .kind = learns ? VL_MODEL_LEARNS : VL_MODEL_READS,
                                       .experts = routed};
    assert_int_equal(vl_model_create_part(&model, &plan), VL_OK);
    return model;
}

/* A model in which all numbers differ. */
static struct vl_model *make_model(int learns)
{
    struct vl_model *model = new_model(learns);
    const struct vl_model_balance *balance = vl_model_balance(model);
    for (size_t i = 0; i < shape.layers * routed.experts; i++)
        balance->bias[i] = (float)i / 17;
    number(model, learns);
    return model;
}

static void save(void)
{
    struct vl_model *model = make_model(1);
    assert_int_equal(vl_checkpoint_save(path, model, &state), VL_OK);
    vl_model_free(model);
}

static void experts_and_their_bias_come_back_to_the_bit(void **unused)
{
    (void)unused;
    struct vl_checkpoint *checkpoint;
    struct vl_model *written = make_model(1), *read = new_model(1);
    const char *reason;
    save();
    assert_int_equal(vl_checkpoint_open(&checkpoint, path, &reason), VL_OK);
    const struct vl_expert_shape *kept = vl_checkpoint_experts(checkpoint);
    assert_int_equal(kept->experts, routed.experts);
    assert_int_equal(kept->chosen, routed.chosen);
    assert_true(kept->scale == routed.scale);
    assert_true(kept->groups == routed.groups && kept->limit == routed.limit);
    assert_true(vl_checkpoint_state(checkpoint)->bias_speed == state.bias_speed);
    assert_int_equal(vl_checkpoint_load(checkpoint, read), VL_OK);
    const struct vl_learner *a = vl_model_learner(written), *b = vl_model_learner(read);
    assert_memory_equal(a->weights, b->weights, a->count * sizeof(float));
    assert_memory_equal(a->m, b->m, a->count * sizeof(float));
    assert_memory_equal(a->v, b->v, a->count * sizeof(float));
    assert_memory_equal(vl_model_balance(written)->bias, vl_model_balance(read)->bias,
                        shape.layers * routed.experts * sizeof(float));
    vl_checkpoint_close(checkpoint);
    vl_model_free(written);
    vl_model_free(read);
}

/* A model that only reads, filled from a file, has the logits of the model that was saved. */
static void model_with_experts_is_read_for_sampling(void **unused)
{
    (void)unused;
    struct vl_checkpoint *checkpoint;
    struct vl_model *written = new_model(1), *read = new_model(0);
    const int32_t tokens[] = {1, 200, 3, 77};
    const float *logits;
    const char *reason;
    vl_model_initialise(written, 3);
    for (size_t layer = 0; layer < shape.layers; layer++) /* the last expert is always chosen */
        vl_model_balance(written)->bias[layer * routed.experts + 2] = 2.0f;
    assert_int_equal(vl_checkpoint_save(path, written, &state), VL_OK);
    assert_int_equal(vl_checkpoint_open(&checkpoint, path, &reason), VL_OK);
    assert_int_equal(vl_checkpoint_load(checkpoint, read), VL_OK);
    assert_int_equal(vl_model_logits(&logits, written, tokens, 1, 4), VL_OK);
    float *truth = malloc(3 * shape.vocabulary * sizeof *truth);
    memcpy(truth, logits, 3 * shape.vocabulary * sizeof *truth);
    /* Fewer rows may take another kernel of the BLAS, with other last bits. */
    assert_int_equal(vl_model_logits(&logits, read, tokens, 1, 3), VL_OK);
    for (size_t i = 0; i < 3 * shape.vocabulary; i++)
        assert_true(fabsf(logits[i] - truth[i]) <= 1e-5f * (1 + fabsf(truth[i])));
    assert_int_equal(vl_model_logits(&logits, read, tokens, 1, 4), VL_OK);
    assert_memory_equal(logits, truth, 3 * shape.vocabulary * sizeof *truth);
    assert_true(vl_model_balance(read)->counts[2] == 7.0);
    free(truth);
    vl_checkpoint_close(checkpoint);
    vl_model_free(written);
    vl_model_free(read);
}

static void names_of_experts_are_those_of_others(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        size_t dims, shape[2];
    } wanted[] = {{"model.layers.1.mlp.gate.weight", 2, {3, 8}},
                  {"model.layers.1.mlp.gate.e_score_correction_bias", 1, {3, 0}},
                  {"model.layers.1.mlp.experts.2.gate_proj.weight", 2, {5, 8}},
                  {"model.layers.1.mlp.experts.2.down_proj.weight", 2, {8, 5}},
                  {"model.layers.1.mlp.shared_experts.up_proj.weight", 2, {5, 8}},
                  {"optimizer.v.model.layers.1.mlp.gate.weight", 2, {3, 8}}};
    static const char *const told[][2] = {
        {"model_type", "vialata_moe"},  {"n_routed_experts", "3"}, {"num_experts_per_tok", "2"},
        {"moe_intermediate_size", "5"}, {"n_shared_experts", "1"}, {"routed_scaling_factor", "2.5"},
        {"scoring_func", "sigmoid"},    {"norm_topk_prob", "true"}};
    struct vl_safetensors *file;
    save();
    assert_int_equal(vl_safetensors_open(&file, path, NULL), VL_OK);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        const struct vl_tensor_entry *entry = vl_safetensors_find(file, wanted[i].name);
        assert_non_null(entry);
        assert_int_equal(entry->dims, wanted[i].dims);
        assert_memory_equal(entry->shape, wanted[i].shape, wanted[i].dims * sizeof(size_t));
    }
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_string_equal(vl_safetensors_metadata(file, told[i][0]), told[i][1]);
    assert_null(
        vl_safetensors_find(file, "optimizer.m.model.layers.1.mlp.gate.e_score_correction_bias"));
    vl_safetensors_close(file);
}

/* Open the file after changing one metadata value or leaving out one tensor. */
static enum vl_status open_changed(const char *key, const char *value, const char *left_out)
{
    static const char *const keys[] = {
        "num_hidden_layers",     "hidden_size",         "num_attention_heads",
        "intermediate_size",     "vocab_size",          "max_position_embeddings",
        "n_routed_experts",      "num_experts_per_tok", "moe_intermediate_size",
        "routed_scaling_factor", "n_shared_experts",    "scoring_func"};
    enum { KEYS = sizeof keys / sizeof *keys };
    struct vl_metadata metadata[KEYS];
    struct vl_safetensors *file;
    struct vl_checkpoint *checkpoint;
    const char *reason;
    size_t count = 0;
    save();
    assert_int_equal(vl_safetensors_open(&file, path, NULL), VL_OK);
    struct vl_tensor_entry *entries = calloc(vl_safetensors_count(file), sizeof *entries);
    for (size_t i = 0; i < vl_safetensors_count(file); i++) {
        entries[count] = *vl_safetensors_entry(file, i);
        count += left_out == NULL || strcmp(entries[count].name, left_out) != 0;
    }
    for (size_t i = 0; i < KEYS; i++) {
        int other = key != NULL && strcmp(keys[i], key) == 0;
        metadata[i] =
            (struct vl_metadata){keys[i], other ? value : vl_safetensors_metadata(file, keys[i])};
    }
    assert_int_equal(vl_safetensors_write(path, entries, count, metadata, KEYS), VL_OK);
    free(entries);
    vl_safetensors_close(file);
    enum vl_status status = vl_checkpoint_open(&checkpoint, path, &reason);
    if (status != VL_OK)
        return status;
    struct vl_model *model = new_model(0);
    status = vl_checkpoint_load(checkpoint, model);
    vl_model_free(model);
    vl_checkpoint_close(checkpoint);
    return status;
}

static void experts_that_are_not_ours_or_not_there_are_refused(void **unused)
{
    (void)unused;
    static const char *const told[][2] = {
        {"n_routed_experts", "2"},       {"n_routed_experts", "4"},    {"n_routed_experts", "0"},
        {"n_routed_experts", "1048576"}, {"num_experts_per_tok", "4"}, {"num_experts_per_tok", "0"},
        {"moe_intermediate_size", "4"},  {"n_shared_experts", "2"},    {"scoring_func", "softmax"},
        {"routed_scaling_factor", "-1"}};
    static const char *const parts[] = {"model.layers.1.mlp.gate.weight",
                                        "model.layers.1.mlp.gate.e_score_correction_bias",
                                        "model.layers.0.mlp.experts.1.gate_proj.weight",
                                        "model.layers.0.mlp.experts.2.down_proj.weight",
                                        "model.layers.0.mlp.shared_experts.gate_proj.weight"};
    assert_int_equal(open_changed(NULL, NULL, NULL), VL_OK);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        assert_int_equal(open_changed(told[i][0], told[i][1], NULL), VL_EFORMAT);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_int_equal(open_changed(NULL, NULL, parts[i]), VL_EFORMAT);
}

static void config_of_experts_claims_no_other_architecture(void **unused)
{
    (void)unused;
    char *text;
    size_t n;
    int foreign;
    assert_int_equal(vl_checkpoint_describe(path, &shape, &routed, &foreign), VL_OK);
    assert_int_equal(vl_file_read(&text, &n, config, 10000), VL_OK);
    assert_non_null(strstr(text, "\"model_type\": \"vialata_moe\""));
    assert_non_null(strstr(text, "\"n_routed_experts\": 3,"));
    assert_null(strcasestr(text, "llama"));
    assert_null(strcasestr(text, "architectures"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(experts_and_their_bias_come_back_to_the_bit),
        IN_FOLDER(model_with_experts_is_read_for_sampling),
        IN_FOLDER(names_of_experts_are_those_of_others),
        IN_FOLDER(experts_that_are_not_ours_or_not_there_are_refused),
        IN_FOLDER(config_of_experts_claims_no_other_architecture),
    };
    begin_mpi();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    end_mpi();
    return failed;
}
