/* config.json, which tells other tools what kind of model the folder holds. */
#include "engine/checkpoint/checkpoint.h"

#include "base/file.h"
#include "engine/checkpoint/checkpoint_names.h"
#include "vialata/rmsnorm.h"
#include "vialata/rotary.h"

#include "version.h"
#include <errno.h>
#include <jansson.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OURS        "vialata_version"
#define MOST_CONFIG ((size_t)1 << 20)

static char *config_path(const char *path)
{
    char *copy = strdup(path), *config = NULL;
    if (copy != NULL && asprintf(&config, "%s/config.json", dirname(copy)) < 0)
        config = NULL;
    free(copy);
    return config;
}

/* May this file be written? Only if it does not exist, or vialata wrote it. */
static int is_ours(const char *config)
{
    char *text;
    size_t n;
    enum vl_status status = vl_file_read(&text, &n, config, MOST_CONFIG);
    if (status == VL_EIO && errno == ENOENT)
        return 1;
    if (status != VL_OK)
        return 0;
    json_t *known = json_loadb(text, n, 0, NULL);
    int ours = json_object_get(known, OURS) != NULL;
    json_decref(known);
    free(text);
    return ours;
}

/* Takes over 'more', which is NULL if there was no memory for it. */
static void add(json_t **json, json_t *more)
{
    if (*json != NULL && (more == NULL || json_object_update(*json, more) != 0)) {
        json_decref(*json);
        *json = NULL;
    }
    json_decref(more);
}

static json_t *config_of(const struct vl_shape *shape, const struct vl_expert_shape *experts)
{
    /* As 1e-05, not with the float's 17 digits: other tools compare it with that. */
    double eps = round((double)VL_RMSNORM_EPS * 1e12) / 1e12;
    json_t *json = json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:s, s:b, s:b, s:b, s:s, s:s}",
        "model_type", vl_checkpoint_model_type(experts), "hidden_size", (json_int_t)shape->width,
        "num_hidden_layers", (json_int_t)shape->layers, "num_attention_heads",
        (json_int_t)shape->heads, "num_key_value_heads", (json_int_t)shape->heads,
        "intermediate_size", (json_int_t)shape->ff, "vocab_size", (json_int_t)shape->vocabulary,
        "max_position_embeddings", (json_int_t)shape->sequence, "rms_norm_eps", eps, "rope_theta",
        VL_ROTARY_THETA, "hidden_act", "silu", "tie_word_embeddings", 0, "attention_bias", 0,
        "mlp_bias", 0, "torch_dtype", "float32", OURS, VL_VERSION);
    if (experts->experts == 0) {
        add(&json, json_pack("{s:[s]}", "architectures", "LlamaForCausalLM"));
        return json;
    }
    /* No architecture is claimed: none has both Llama's attention and such experts. */
    add(&json,
        json_pack("{s:I, s:I, s:I, s:i, s:f, s:s, s:b}", "n_routed_experts",
                  (json_int_t)experts->experts, "num_experts_per_tok", (json_int_t)experts->chosen,
                  "moe_intermediate_size", (json_int_t)shape->ff, "n_shared_experts", 1,
                  "routed_scaling_factor", (double)experts->scale, "scoring_func",
                  VL_CHECKPOINT_SCORING, "norm_topk_prob", 1));
    if (experts->groups > 0)
        add(&json, json_pack("{s:I, s:I}", "n_group", (json_int_t)experts->groups, "topk_group",
                             (json_int_t)experts->limit));
    return json;
}

enum vl_status vl_checkpoint_describe(const char *path, const struct vl_shape *shape,
                                      const struct vl_expert_shape *experts, int *foreign)
{
    *foreign = 0;
    char *config = config_path(path);
    if (config == NULL)
        return VL_ENOMEM;
    if (!is_ours(config)) {
        *foreign = 1;
        free(config);
        return VL_OK;
    }
    json_t *json = config_of(shape, experts);
    char *text = json != NULL ? json_dumps(json, JSON_INDENT(2)) : NULL;
    enum vl_status status = text != NULL ? vl_file_write(config, text, strlen(text)) : VL_ENOMEM;
    free(text);
    json_decref(json);
    free(config);
    return status;
}
