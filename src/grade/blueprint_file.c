#include "grade/blueprint_file.h"

#include "base/file.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)1 << 20)
#define MOST_SIZE  ((json_int_t)1 << 40) /* larger, products of sizes could overflow */

/* One figure: where it goes, and what it may be. */
struct figure {
    const char *name;
    size_t offset;
    enum { SIZE, AMOUNT, SHARE } kind; /* whole from 0 on; above 0; from 0 to 1 */
    size_t least;                      /* of a size */
};

#define SIZE_OF(type, field, least)                                                                \
    {                                                                                              \
#field, offsetof(struct type, field), SIZE, least                                          \
    }
#define AMOUNT_OF(type, field)                                                                     \
    {                                                                                              \
#field, offsetof(struct type, field), AMOUNT, 0                                            \
    }
#define SHARE_OF(type, field)                                                                      \
    {                                                                                              \
#field, offsetof(struct type, field), SHARE, 0                                             \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, 0, SIZE, 0                                                                           \
    }

static const struct figure model_figures[] = {
    SIZE_OF(vl_blueprint, layers, 1),
    SIZE_OF(vl_blueprint, dense_layers, 0),
    SIZE_OF(vl_blueprint, width, 1),
    SIZE_OF(vl_blueprint, heads, 1),
    SIZE_OF(vl_blueprint, key_width, 1),
    SIZE_OF(vl_blueprint, value_width, 1),
    SIZE_OF(vl_blueprint, rope_width, 0),
    SIZE_OF(vl_blueprint, query_rank, 0),
    SIZE_OF(vl_blueprint, latent_rank, 0),
    SIZE_OF(vl_blueprint, ff, 1),
    SIZE_OF(vl_blueprint, expert_ff, 0),
    SIZE_OF(vl_blueprint, experts, 0),
    SIZE_OF(vl_blueprint, chosen, 0),
    SIZE_OF(vl_blueprint, shared, 0),
    SIZE_OF(vl_blueprint, vocabulary, 1),
    SIZE_OF(vl_blueprint, sequence, 1),
    END,
};
static const struct figure recipe_figures[] = {
    SIZE_OF(vl_recipe, batch, 1),         AMOUNT_OF(vl_recipe, weight_bytes),
    AMOUNT_OF(vl_recipe, gradient_bytes), AMOUNT_OF(vl_recipe, optimizer_bytes),
    AMOUNT_OF(vl_recipe, kept_bytes),     AMOUNT_OF(vl_recipe, element_bytes),
    AMOUNT_OF(vl_recipe, dispatch_bytes), AMOUNT_OF(vl_recipe, combine_bytes),
    SIZE_OF(vl_recipe, domains_met, 0),   END,
};
static const struct figure cluster_figures[] = {
    AMOUNT_OF(vl_cluster, peak),         SHARE_OF(vl_cluster, efficiency),
    AMOUNT_OF(vl_cluster, memory_bytes), AMOUNT_OF(vl_cluster, reserve_bytes),
    SHARE_OF(vl_cluster, hidden),        SIZE_OF(vl_cluster, domain, 1),
    SIZE_OF(vl_cluster, torus, 0),       END,
};
static const struct figure link_figures[] = {
    AMOUNT_OF(vl_link, latency),
    AMOUNT_OF(vl_link, bandwidth),
    END,
};

static enum vl_status no_figure(struct vl_blueprint_fault *fault, const char *part,
                                const char *name)
{
    snprintf(fault->where, sizeof fault->where, "%s%s%s", part, name[0] != '\0' ? "." : "", name);
    return VL_EFORMAT;
}

/* [value, "source"]: a figure without a source is none. */
static int read_figure(char *into, const struct figure *figure, const json_t *pair)
{
    const json_t *value = json_array_get(pair, 0), *source = json_array_get(pair, 1);
    if (json_array_size(pair) != 2 || !json_is_string(source) || !json_is_number(value) ||
        json_string_length(source) == 0)
        return 0;
    double number = json_number_value(value);
    if (figure->kind == SIZE) {
        json_int_t whole = json_integer_value(value);
        if (!json_is_integer(value) || whole < (json_int_t)figure->least || whole > MOST_SIZE)
            return 0;
        *(size_t *)(void *)(into + figure->offset) = (size_t)whole;
        return 1;
    }
    if (!isfinite(number) || !(figure->kind == SHARE ? number >= 0 && number <= 1 : number > 0))
        return 0;
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
        if (i == known) /* misspelt, or of another version: better said than passed over */
            return no_figure(fault, part, name);
    }
    return VL_OK;
}

/* The whole file, and its title. */
static enum vl_status open_file(json_t **file, char **title, struct vl_blueprint_fault *fault,
                                const char *path)
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
    const json_t *said = json_object_get(*file, "title");
    *title = json_is_string(said) ? strdup(json_string_value(said)) : NULL;
    if (*title != NULL)
        return VL_OK;
    json_decref(*file);
    return json_is_string(said) ? VL_ENOMEM : no_figure(fault, "title", "");
}

static enum vl_status close_file(enum vl_status status, json_t *file, char **title, char *said)
{
    json_decref(file);
    if (status == VL_OK)
        *title = said;
    else
        free(said);
    return status;
}

enum vl_status vl_model_file_read(struct vl_blueprint *model, struct vl_recipe *recipe,
                                  char **title, struct vl_blueprint_fault *fault, const char *path)
{
    json_t *file;
    char *said;
    struct vl_blueprint m;
    struct vl_recipe r;
    enum vl_status status = open_file(&file, &said, fault, path);
    if (status != VL_OK)
        return status;
    status = read_part(&m, fault, model_figures, file, "model");
    if (status == VL_OK)
        status = read_part(&r, fault, recipe_figures, file, "recipe");
    if (status == VL_OK && m.rope_width > m.key_width)
        status = no_figure(fault, "model", "rope_width");
    if (status == VL_OK && (m.query_rank > 0) != (m.latent_rank > 0))
        status = no_figure(fault, "model", "query_rank");
    if (status == VL_OK &&
        (m.dense_layers > m.layers || (m.experts == 0 && m.chosen > 0) || m.chosen > m.experts))
        status = no_figure(fault, "model", m.dense_layers > m.layers ? "dense_layers" : "chosen");
    if (status == VL_OK) {
        *model = m;
        *recipe = r;
    }
    return close_file(status, file, title, said);
}

enum vl_status vl_cluster_file_read(struct vl_cluster *cluster, char **title,
                                    struct vl_blueprint_fault *fault, const char *path)
{
    json_t *file;
    char *said;
    struct vl_cluster c;
    enum vl_status status = open_file(&file, &said, fault, path);
    if (status != VL_OK)
        return status;
    status = read_part(&c, fault, cluster_figures, file, "cluster");
    if (status == VL_OK)
        status = read_part(&c.inner, fault, link_figures, file, "inner");
    if (status == VL_OK)
        status = read_part(&c.outer, fault, link_figures, file, "outer");
    if (status == VL_OK && !(c.efficiency > 0))
        status = no_figure(fault, "cluster", "efficiency");
    if (status == VL_OK)
        *cluster = c;
    return close_file(status, file, title, said);
}
