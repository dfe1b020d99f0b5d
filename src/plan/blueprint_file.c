#include "plan/blueprint_file.h"

#include "base/file.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES      ((size_t)1 << 20)
#define MOST_COUNTED    4096 /* layers, heads, experts: all their divisors are tried */
#define LEAST_AMOUNT    1e-12
#define MOST_AMOUNT     1e24
#define MOST_PARAMETERS 1e18
#define MOST_PASSES     64
#define MOST_GROUPS     64 /* of experts: all ways to choose some of them are counted */

/* One figure: where it goes, and what it may be. */
struct figure {
    const char *name;
    size_t offset;
    int is_whole;       /* a size_t; else a double */
    double least, most; /* and above 0 not below LEAST_AMOUNT */
};

#define FIGURE(type, field, is_whole, least, most)                                                 \
    {                                                                                              \
#field, offsetof(struct type, field), is_whole, least, most                                \
    }
#define SIZE(type, field, least)  FIGURE(type, field, 1, least, VL_BLUEPRINT_MOST_SIZE)
#define COUNT(type, field, least) FIGURE(type, field, 1, least, MOST_COUNTED)
#define AMOUNT(type, field)       FIGURE(type, field, 0, LEAST_AMOUNT, MOST_AMOUNT)
#define SHARE(type, field, least) FIGURE(type, field, 0, least, 1)
#define END                                                                                        \
    {                                                                                              \
        NULL, 0, 0, 0, 0                                                                           \
    }

static const struct figure model_figures[] = {
    COUNT(vl_blueprint, layers, 1),
    SIZE(vl_blueprint, dense_layers, 0),
    SIZE(vl_blueprint, width, 1),
    COUNT(vl_blueprint, heads, 1),
    COUNT(vl_blueprint, kv_heads, 1),
    SIZE(vl_blueprint, key_width, 1),
    SIZE(vl_blueprint, value_width, 1),
    SIZE(vl_blueprint, rope_width, 0),
    SIZE(vl_blueprint, query_rank, 0),
    SIZE(vl_blueprint, latent_rank, 0),
    SIZE(vl_blueprint, ff, 1),
    FIGURE(vl_blueprint, ff_matrices, 1, 2, 3),
    SIZE(vl_blueprint, expert_ff, 0),
    COUNT(vl_blueprint, experts, 0),
    SIZE(vl_blueprint, chosen, 0),
    SIZE(vl_blueprint, shared, 0),
    FIGURE(vl_blueprint, expert_groups, 1, 1, MOST_GROUPS),
    FIGURE(vl_blueprint, groups_met, 1, 1, MOST_GROUPS),
    SIZE(vl_blueprint, vocabulary, 1),
    SIZE(vl_blueprint, sequence, 1),
    END,
};
static const struct figure recipe_figures[] = {
    SIZE(vl_recipe, batch, 1),
    AMOUNT(vl_recipe, weight_bytes),
    AMOUNT(vl_recipe, gradient_bytes),
    AMOUNT(vl_recipe, optimizer_bytes),
    AMOUNT(vl_recipe, kept_bytes),
    AMOUNT(vl_recipe, element_bytes),
    AMOUNT(vl_recipe, dispatch_bytes),
    AMOUNT(vl_recipe, combine_bytes),
    END,
};
static const struct figure cluster_figures[] = {
    AMOUNT(vl_cluster, peak),
    SHARE(vl_cluster, efficiency, LEAST_AMOUNT),
    SIZE(vl_cluster, processors, 0),
    SIZE(vl_cluster, tile_rows, 1),
    SIZE(vl_cluster, tile_columns, 1),
    AMOUNT(vl_cluster, memory_bandwidth),
    FIGURE(vl_cluster, score_passes, 0, 0, MOST_PASSES),
    FIGURE(vl_cluster, sequence_parallel, 1, 0, 1),
    AMOUNT(vl_cluster, memory_bytes),
    AMOUNT(vl_cluster, reserve_bytes),
    SHARE(vl_cluster, hidden_gathers, 0),
    SHARE(vl_cluster, hidden_experts, 0),
    SHARE(vl_cluster, hidden_pipeline, 0),
    SHARE(vl_cluster, hidden_closing, 0),
    FIGURE(vl_cluster, levels, 1, 1, 2),
    SIZE(vl_cluster, domain, 1),
    SIZE(vl_cluster, cards, 1),
    SIZE(vl_cluster, torus, 0),
    END,
};
static const struct figure link_figures[] = {
    AMOUNT(vl_link, latency),
    AMOUNT(vl_link, bandwidth),
    AMOUNT(vl_link, nominal),
    END,
};

const char *vl_keep_name(enum vl_keep keep)
{
    static const char *const names[] = {
        [VL_KEEP_ALL] = "all", [VL_KEEP_SELECTED] = "selected", [VL_KEEP_INPUT] = "input"};
    return names[keep];
}

static enum vl_status no_figure(struct vl_blueprint_fault *fault, const char *part,
                                const char *name)
{
    snprintf(fault->where, sizeof fault->where, "%s%s%s", part, name[0] != '\0' ? "." : "", name);
    return VL_EFORMAT;
}

/* [value, "source"]: a figure without a source is refused. */
static int read_figure(char *into, const struct figure *figure, const json_t *pair)
{
    const json_t *value = json_array_get(pair, 0), *source = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_string(source) || !json_is_number(value) ||
        json_string_length(source) == 0)
        return 0;
    double number = json_number_value(value);
    if (!(number >= figure->least && number <= figure->most) ||
        (number > 0 && number < LEAST_AMOUNT) || (figure->is_whole && !json_is_integer(value)))
        return 0;
    if (figure->is_whole)
        *(size_t *)(void *)(into + figure->offset) = (size_t)json_integer_value(value);
    else
        *(double *)(void *)(into + figure->offset) = number;
    return 1;
}

static enum vl_status read_part(void *into, struct vl_blueprint_fault *fault,
                                const struct figure *figures, const json_t *file, const char *part)
{
    json_t *object = json_object_get(file, part);
    const char *name;
    json_t *unused;
    size_t known = 0;
    if (!json_is_object(object))
        return no_figure(fault, part, "");
    for (; figures[known].name != NULL; known++)
        if (!read_figure(into, &figures[known], json_object_get(object, figures[known].name)))
            return no_figure(fault, part, figures[known].name);
    json_object_foreach(object, name, unused)
    {
        size_t i = 0;
        while (i < known && strcmp(figures[i].name, name) != 0)
            i++;
        if (i == known) /* misspelt, or of another version: refused, not ignored */
            return no_figure(fault, part, name);
    }
    return VL_OK;
}

/* Files say what one card sends. The chips of a domain share its cards, so each has a part. */
static struct vl_link shared(const struct vl_link *card, const struct vl_cluster *cluster)
{
    double part = (double)cluster->cards / (double)cluster->domain;
    return (struct vl_link){card->latency, card->bandwidth * part, card->nominal * part};
}

/* The whole file; it has a title. */
static enum vl_status open_file(json_t **file, struct vl_blueprint_fault *fault, const char *path)
{
    char *text;
    size_t n;
    json_error_t error;
    *fault = (struct vl_blueprint_fault){0};
    enum vl_status status = vl_file_read(&text, &n, path, MOST_BYTES);
    if (status != VL_OK)
        return status;
    *file = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (*file == NULL) {
        fault->line = error.line;
        fault->twice = json_error_code(&error) == json_error_duplicate_key;
        return VL_EFORMAT;
    }
    if (json_is_string(json_object_get(*file, "title")))
        return VL_OK;
    json_decref(*file);
    return no_figure(fault, "title", "");
}

static enum vl_status close_file(enum vl_status status, json_t *opened, json_t **file)
{
    if (status == VL_OK)
        *file = opened;
    else
        json_decref(opened);
    return status;
}

/* At least about the number of parameters, to be sure that counting them cannot overflow. */
static double parameters_of(const struct vl_blueprint *m)
{
    double d = (double)m->width, inner = (double)m->heads * (double)(m->key_width + m->value_width),
           ranks = (double)(m->query_rank + m->latent_rank);
    double layer = 2 * inner * (d + ranks) + d * ranks + 3 * d * (double)m->ff +
                   3 * d * (double)m->expert_ff * (double)(m->experts + m->shared);
    return layer * (double)m->layers + 2 * d * (double)m->vocabulary;
}

/* Figures that are each possible, but not together. */
static enum vl_status check_model(struct vl_blueprint_fault *fault, const struct vl_blueprint *m)
{
    if (m->rope_width > m->key_width)
        return no_figure(fault, "model", "rope_width");
    if ((m->query_rank > 0) != (m->latent_rank > 0))
        return no_figure(fault, "model", "query_rank");
    if (m->dense_layers > m->layers)
        return no_figure(fault, "model", "dense_layers");
    if (m->chosen > m->experts || (m->experts > 0 && m->chosen == 0))
        return no_figure(fault, "model", "chosen");
    if (m->kv_heads == 0 || m->heads % m->kv_heads != 0 ||
        (m->latent_rank > 0 && m->kv_heads != m->heads))
        return no_figure(fault, "model", "kv_heads");
    if (m->expert_groups == 0 || m->experts % m->expert_groups != 0 ||
        (m->experts == 0 && m->expert_groups > 1))
        return no_figure(fault, "model", "expert_groups");
    if (m->groups_met > m->expert_groups ||
        m->chosen > m->experts / m->expert_groups * m->groups_met)
        return no_figure(fault, "model", "groups_met");
    return parameters_of(m) > MOST_PARAMETERS ? no_figure(fault, "model", "") : VL_OK;
}

enum vl_status vl_model_file_read(struct vl_blueprint *model, struct vl_recipe *recipe,
                                  json_t **file, struct vl_blueprint_fault *fault, const char *path)
{
    json_t *opened;
    struct vl_blueprint m = {0};
    struct vl_recipe r = {0};
    enum vl_status status = open_file(&opened, fault, path);
    if (status != VL_OK)
        return status;
    status = read_part(&m, fault, model_figures, opened, "model");
    if (status == VL_OK)
        status = read_part(&r, fault, recipe_figures, opened, "recipe");
    if (status == VL_OK)
        status = check_model(fault, &m);
    if (status == VL_OK) {
        *model = m;
        *recipe = r;
    }
    return close_file(status, opened, file);
}

enum vl_status vl_cluster_file_read(struct vl_cluster *cluster, json_t **file,
                                    struct vl_blueprint_fault *fault, const char *path)
{
    json_t *opened;
    struct vl_cluster c = {0};
    enum vl_status status = open_file(&opened, fault, path);
    if (status != VL_OK)
        return status;
    status = read_part(&c, fault, cluster_figures, opened, "cluster");
    if (status == VL_OK)
        status = read_part(&c.inner, fault, link_figures, opened, "inner");
    if (status == VL_OK)
        status = read_part(&c.outer, fault, link_figures, opened, "outer");
    if (status == VL_OK && c.cards > c.domain)
        status = no_figure(fault, "cluster", "cards");
    if (status == VL_OK) {
        *cluster = c;
        cluster->outer = shared(&c.outer, &c);
    }
    return close_file(status, opened, file);
}
