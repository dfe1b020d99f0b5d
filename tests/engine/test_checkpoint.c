#include "engine/checkpoint/checkpoint.h"

#include "base/file.h"
#include "wire/safetensors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "saved.h"

static const struct vl_training_state state = {
    .step = 123456789012,
    .seed = UINT64_MAX - 5,
    .batch = 3,
    .warmup = 7,
    .horizon = 11,
    .text = 0xfedcba9876543210ULL,
    .peak_rate = 0.1 + 0.2,
    .max_norm = 1.0 / 3,
    .adamw = {.beta1 = 0.9f, .beta2 = 0.95f, .eps = 1e-8f, .weight_decay = 0.1f}};

static const struct vl_expert_shape dense = {0};

/* A model in which all numbers differ. */
static struct vl_model *make_model(int learns)
{
    struct vl_model *model;
    assert_int_equal(vl_model_create(&model, &shape, 1, learns), VL_OK);
    number(model, learns);
    return model;
}

static void save(void)
{
    struct vl_model *model = make_model(1);
    assert_int_equal(vl_checkpoint_save(path, model, &state), VL_OK);
    vl_model_free(model);
}

static void weights_moments_and_state_come_back_to_the_bit(void **unused)
{
    (void)unused;
    struct vl_checkpoint *checkpoint;
    struct vl_model *written = make_model(1), *read;
    const char *reason;
    assert_int_equal(vl_checkpoint_save(path, written, &state), VL_OK);
    assert_int_equal(vl_checkpoint_open(&checkpoint, path, &reason), VL_OK);
    assert_memory_equal(vl_checkpoint_shape(checkpoint), &shape, sizeof shape);
    const struct vl_training_state *kept = vl_checkpoint_state(checkpoint);
    assert_int_equal(kept->step, state.step);
    assert_true(kept->seed == state.seed && kept->text == state.text);
    assert_int_equal(kept->batch, 3);
    assert_int_equal(kept->warmup, 7);
    assert_int_equal(kept->horizon, 11);
    assert_true(kept->peak_rate == state.peak_rate && kept->max_norm == state.max_norm);
    assert_memory_equal(&kept->adamw, &state.adamw, sizeof state.adamw);

    assert_int_equal(vl_model_create(&read, &shape, 1, 1), VL_OK);
    assert_int_equal(vl_checkpoint_load(checkpoint, read), VL_OK);
    const struct vl_learner *a = vl_model_learner(written), *b = vl_model_learner(read);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->weights, b->weights, a->count * sizeof(float));
    assert_memory_equal(a->m, b->m, a->count * sizeof(float));
    assert_memory_equal(a->v, b->v, a->count * sizeof(float));
    vl_checkpoint_close(checkpoint);
    vl_model_free(written);
    vl_model_free(read);
}

static void model_that_only_reads_takes_the_weights_alone(void **unused)
{
    (void)unused;
    struct vl_checkpoint *checkpoint;
    struct vl_model *read, *same = make_model(0);
    const char *reason;
    save();
    assert_int_equal(vl_checkpoint_open(&checkpoint, path, &reason), VL_OK);
    assert_int_equal(vl_model_create(&read, &shape, 1, 0), VL_OK);
    assert_int_equal(vl_checkpoint_load(checkpoint, read), VL_OK);
    assert_memory_equal(vl_model_learner(read)->weights, vl_model_learner(same)->weights,
                        vl_model_learner(same)->count * sizeof(float));
    vl_checkpoint_close(checkpoint);
    vl_model_free(read);
    vl_model_free(same);
}

/* Rewrite the saved file through 'change', which may leave out or change entries. */
static void rewrite(int (*change)(struct vl_tensor_entry *entry), const char *hidden_size)
{
    static const char *const keys[] = {
        "num_hidden_layers", "hidden_size", "num_attention_heads",    "intermediate_size",
        "vocab_size",        "rope_theta",  "max_position_embeddings"};
    struct vl_safetensors *file;
    struct vl_metadata metadata[7];
    save();
    assert_int_equal(vl_safetensors_open(&file, path, NULL), VL_OK);
    struct vl_tensor_entry *entries = calloc(vl_safetensors_count(file), sizeof *entries);
    size_t count = 0;
    for (size_t i = 0; i < vl_safetensors_count(file); i++) {
        entries[count] = *vl_safetensors_entry(file, i);
        count += change == NULL || change(&entries[count]);
    }
    for (size_t i = 0; i < 7; i++)
        metadata[i] = (struct vl_metadata){keys[i], vl_safetensors_metadata(file, keys[i])};
    if (hidden_size != NULL)
        metadata[1].value = hidden_size;
    assert_int_equal(vl_safetensors_write(path, entries, count, metadata, 7), VL_OK);
    free(entries);
    vl_safetensors_close(file);
}

static enum vl_status open_and_load(int learns, const char **reason)
{
    struct vl_checkpoint *checkpoint;
    struct vl_model *model;
    enum vl_status status = vl_checkpoint_open(&checkpoint, path, reason);
    if (status != VL_OK)
        return status;
    assert_int_equal(vl_model_create(&model, vl_checkpoint_shape(checkpoint), 1, learns), VL_OK);
    status = vl_checkpoint_load(checkpoint, model);
    vl_model_free(model);
    vl_checkpoint_close(checkpoint);
    return status;
}

static int weights_only(struct vl_tensor_entry *entry)
{
    return strncmp(entry->name, "optimizer.", 10) != 0;
}

static void file_of_weights_alone_can_be_read_but_not_resumed(void **unused)
{
    (void)unused;
    struct vl_checkpoint *checkpoint;
    const char *reason;
    rewrite(weights_only, NULL);
    assert_int_equal(open_and_load(0, &reason), VL_OK);
    assert_int_equal(open_and_load(1, &reason), VL_EFORMAT);
    assert_int_equal(vl_checkpoint_open(&checkpoint, path, &reason), VL_OK);
    assert_null(vl_checkpoint_state(checkpoint));
    vl_checkpoint_close(checkpoint);
}

static int transposed(struct vl_tensor_entry *entry)
{
    if (strcmp(entry->name, "model.layers.1.mlp.down_proj.weight") == 0) {
        entry->shape[0] = 5;
        entry->shape[1] = 8;
    }
    return 1;
}

static int without_gain(struct vl_tensor_entry *entry)
{
    return strcmp(entry->name, "model.layers.0.input_layernorm.weight") != 0;
}

static int without_last_layer(struct vl_tensor_entry *entry)
{
    return strstr(entry->name, "layers.1.") == NULL;
}

static void tensors_that_do_not_make_the_shape_are_refused(void **unused)
{
    (void)unused;
    const char *reason;
    rewrite(transposed, NULL);
    assert_int_equal(open_and_load(0, &reason), VL_EFORMAT);
    rewrite(without_gain, NULL);
    assert_int_equal(open_and_load(0, &reason), VL_EFORMAT);
    rewrite(without_last_layer, NULL);
    assert_int_equal(open_and_load(0, &reason), VL_EFORMAT);
    assert_non_null(strstr(reason, "shapes"));
}

static void claimed_sizes_are_checked_before_memory_is_taken(void **unused)
{
    (void)unused;
    static const char *const sizes[] = {
        "", "0", "-8", "8x", "16", "1048576", "99999999999999999999"};
    struct vl_checkpoint *checkpoint;
    const char *reason;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        rewrite(NULL, sizes[i]);
        assert_int_equal(vl_checkpoint_open(&checkpoint, path, &reason), VL_EFORMAT);
        assert_null(checkpoint);
    }
    rewrite(NULL, "8");
    assert_int_equal(vl_checkpoint_open(&checkpoint, path, &reason), VL_OK);
    vl_checkpoint_close(checkpoint);
}

static void config_is_ours_to_write_only_if_it_was_ours(void **unused)
{
    (void)unused;
    char *text;
    size_t n;
    int foreign;
    assert_int_equal(vl_checkpoint_describe(path, &shape, &dense, &foreign), VL_OK);
    assert_false(foreign);
    assert_int_equal(vl_file_read(&text, &n, config, 10000), VL_OK);
    assert_non_null(strstr(text, "\"hidden_size\": 8,"));
    assert_non_null(strstr(text, "LlamaForCausalLM"));
    free(text);
    assert_int_equal(vl_checkpoint_describe(path, &shape, &dense, &foreign), VL_OK);
    assert_false(foreign);
    static const char *const others[] = {"{\"model_type\": \"bert\"}", "not JSON", ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(vl_file_write(config, others[i], strlen(others[i])), VL_OK);
        assert_int_equal(vl_checkpoint_describe(path, &shape, &dense, &foreign), VL_OK);
        assert_true(foreign);
        assert_int_equal(vl_file_read(&text, &n, config, 10000), VL_OK);
        assert_string_equal(text, others[i]);
        free(text);
    }
    assert_int_equal(unlink(config), 0);
    assert_int_equal(mkdir(config, 0700), 0);
    assert_int_equal(vl_checkpoint_describe(path, &shape, &dense, &foreign), VL_OK);
    assert_true(foreign);
    assert_int_equal(rmdir(config), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(weights_moments_and_state_come_back_to_the_bit),
        IN_FOLDER(model_that_only_reads_takes_the_weights_alone),
        IN_FOLDER(file_of_weights_alone_can_be_read_but_not_resumed),
        IN_FOLDER(tensors_that_do_not_make_the_shape_are_refused),
        IN_FOLDER(claimed_sizes_are_checked_before_memory_is_taken),
        IN_FOLDER(config_is_ours_to_write_only_if_it_was_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
