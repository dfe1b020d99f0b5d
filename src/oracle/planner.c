#include "oracle/planner.h"

#include "oracle/pipeline.h"

#include <stdbool.h>

/* ---- the matrices of a model ---- */

enum part { TABLE, GAIN, MATRIX, UP, EXPERT }; /* UP: from a latent to all heads */

/* 'count' matrices of one shape; a token is multiplied with 'met' of them. */
struct matrices {
    enum part part;
    double rows, cols, count, met;
};

enum { MOST_MATRICES = 16 };

struct list {
    struct matrices of[MOST_MATRICES];
    size_t count;
};

static void add(struct list *list, enum part part, double rows, double cols, double count,
                double met)
{
    list->of[list->count++] = (struct matrices){part, rows, cols, count, met};
}

static bool has_experts(const struct vl_blueprint *m, size_t layer)
{
    return m->experts != 0 && layer >= m->dense_layers;
}

static void attention_matrices(struct list *list, const struct vl_blueprint *m)
{
    double d = (double)m->width, h = (double)m->heads;
    double k = (double)m->key_width, v = (double)m->value_width, rope = (double)m->rope_width;
    double q = (double)m->query_rank, kv = (double)m->latent_rank, few = (double)m->kv_heads;
    if (m->latent_rank == 0) {
        add(list, MATRIX, h * k, d, 1, 1);
        add(list, MATRIX, few * k, d, 1, 1);
        add(list, MATRIX, few * v, d, 1, 1);
    } else {
        add(list, MATRIX, q, d, 1, 1);
        add(list, UP, h * k, q, 1, 1);
        add(list, MATRIX, kv, d, 1, 1);
        add(list, MATRIX, rope, d, 1, 1);
        add(list, UP, h * (k - rope), kv, 1, 1);
        add(list, UP, h * v, kv, 1, 1);
        add(list, GAIN, q, 1, 1, 1);
        add(list, GAIN, kv, 1, 1, 1);
    }
    add(list, MATRIX, d, h * v, 1, 1);
}

static struct list layer_of(const struct vl_blueprint *m, size_t layer)
{
    struct list list = {.count = 0};
    double d = (double)m->width;
    attention_matrices(&list, m);
    add(&list, GAIN, d, 1, 2, 2); /* before attention, and before what follows */
    if (has_experts(m, layer)) {
        double f = (double)m->expert_ff, each = (double)m->experts, k = (double)m->chosen;
        double in = (double)m->ff_matrices - 1, beside = (double)m->shared;
        add(&list, MATRIX, each, d, 1, 1);
        add(&list, EXPERT, f, d, in * each, in * k);
        add(&list, EXPERT, d, f, each, k);
        add(&list, MATRIX, f, d, in * beside, in * beside);
        add(&list, MATRIX, d, f, beside, beside);
    } else {
        add(&list, MATRIX, (double)m->ff, d, (double)m->ff_matrices, (double)m->ff_matrices);
    }
    return list;
}

static struct list ends_of(const struct vl_blueprint *m)
{
    struct list list = {.count = 0};
    double d = (double)m->width, v = (double)m->vocabulary;
    add(&list, TABLE, v, d, 1, 0); /* looked up */
    add(&list, MATRIX, v, d, 1, 1);
    add(&list, GAIN, d, 1, 1, 1);
    return list;
}

static double sum_of(const struct list *list, int experts)
{
    double sum = 0;
    for (size_t i = 0; i < list->count; i++)
        if ((list->of[i].part == EXPERT) == experts)
            sum += list->of[i].rows * list->of[i].cols * list->of[i].count;
    return sum;
}

static double met_of(const struct list *list)
{
    double met = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->of[i].part != GAIN)
            met += list->of[i].rows * list->of[i].cols * list->of[i].met;
    return met;
}

void vl_oracle_plan_parameters(double *all, double *active, const struct vl_blueprint *model)
{
    struct list ends = ends_of(model);
    *all = sum_of(&ends, 0);
    *active = met_of(&ends);
    for (size_t layer = 0; layer < model->layers; layer++) {
        struct list list = layer_of(model, layer);
        *all += sum_of(&list, 0) + sum_of(&list, 1);
        *active += met_of(&list);
    }
}

/* ---- who gets what ---- */

size_t vl_oracle_plan_rows(const struct vl_recipe *recipe, const struct vl_division *division)
{
    size_t rows = 0, bins = division->data * division->expert * division->micro_batches;
    while (rows * bins < recipe->batch)
        rows++;
    return rows;
}

size_t vl_oracle_plan_layers(const struct vl_blueprint *model, const struct vl_division *division,
                             size_t stage)
{
    size_t mine = 0, chunks = division->pipeline * division->chunks;
    for (size_t layer = 0; layer < model->layers; layer++) {
        size_t chunk = layer % chunks; /* dealt out in turn */
        mine += chunk % division->pipeline == stage;
    }
    return mine;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

void vl_oracle_plan_chip(struct vl_oracle_chip *chip, const struct vl_blueprint *model,
                         const struct vl_division *division)
{
    double tensor = (double)division->tensor, groups = (double)division->expert;
    double table = (double)model->vocabulary * (double)model->width;
    size_t layers = vl_oracle_plan_layers(model, division, 0);
    *chip = (struct vl_oracle_chip){.common = table / tensor, .unit = table / tensor};
    if (division->pipeline == 1)
        chip->common += table / tensor;
    /* Layers with experts come last, so counting from the end finds as many as possible. */
    for (size_t i = 0; i < layers; i++) {
        size_t layer = model->layers > i ? model->layers - 1 - i : 0;
        struct list list = layer_of(model, layer);
        double common = sum_of(&list, 0) / tensor, experts = sum_of(&list, 1) / tensor / groups;
        chip->common += common;
        chip->experts += experts;
        chip->unit = larger(chip->unit, common + experts);
        chip->expert_layers += has_experts(model, layer) ? 1 : 0;
        chip->dense_layers += has_experts(model, layer) ? 0 : 1;
    }
}

/* ---- arithmetic ---- */

void vl_oracle_plan_flops(double *useful, double *again, const struct vl_blueprint *model,
                          enum vl_keep keep)
{
    struct list ends = ends_of(model);
    double forward = 2 * met_of(&ends), layers = 0, ups = 0;
    for (size_t layer = 0; layer < model->layers; layer++) {
        struct list list = layer_of(model, layer);
        layers += 2 * met_of(&list);
        for (size_t i = 0; i < list.count; i++)
            if (list.of[i].part == UP)
                ups += 2 * list.of[i].rows * list.of[i].cols;
        for (size_t head = 0; head < model->heads; head++) {
            layers += 2 * (double)model->sequence * (double)model->key_width;   /* scores */
            layers += 2 * (double)model->sequence * (double)model->value_width; /* average */
        }
    }
    forward += layers;
    *useful = forward + 2 * forward; /* backward: once for the input, once for the weights */
    *again = keep == VL_KEEP_ALL ? 0 : keep == VL_KEEP_SELECTED ? ups : layers;
}

double vl_oracle_plan_head(const struct vl_blueprint *model)
{
    return (2 + 2 + 2) * (double)model->width * (double)model->vocabulary;
}

double vl_oracle_plan_arithmetic(double flops, double head, const struct vl_setting *setting,
                                 const struct vl_division *division)
{
    double rows = (double)vl_oracle_plan_rows(&setting->recipe, division), slowest = 0;
    double one_layer = (flops - head) / (double)setting->model.layers; /* of a token */
    double speed = setting->cluster.efficiency * setting->cluster.peak;
    for (size_t end = 0; end < 2; end++) {
        size_t stage = end * (division->pipeline - 1);
        double seconds = 0, ends = stage == division->pipeline - 1 ? head : 0;
        for (size_t i = 0; i < division->micro_batches; i++)
            seconds +=
                rows * (double)setting->model.sequence / (double)division->tensor *
                (one_layer * (double)vl_oracle_plan_layers(&setting->model, division, stage) +
                 ends) /
                speed;
        slowest = larger(slowest, seconds);
    }
    return slowest;
}

/* ---- memory ---- */

double vl_oracle_plan_state_bytes(const struct vl_oracle_chip *chip, const struct vl_recipe *recipe,
                                  const struct vl_division *division)
{
    /* Weights, gradients, optimizer state: bytes, the stage from which they are sharded, and
     * whether one unit is then kept whole as well. */
    const double bytes[3] = {recipe->weight_bytes, recipe->gradient_bytes, recipe->optimizer_bytes};
    static const size_t cut_from[3] = {3, 2, 1};
    static const int needs_unit[3] = {1, 1, 0};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double common = chip->common, experts = chip->experts;
        if (division->zero >= cut_from[i]) {
            common /= (double)(division->data * division->expert);
            experts /= (double)division->data;
            sum += needs_unit[i] ? chip->unit * bytes[i] : 0;
        }
        sum += (common + experts) * bytes[i];
    }
    return sum;
}

enum { ALL = 1 << VL_KEEP_ALL, SELECTED = 1 << VL_KEEP_SELECTED, INPUT = 1 << VL_KEEP_INPUT };

struct array {
    double elements; /* a token */
    int kept;        /* in which ways of keeping */
};

static double left_behind(const struct vl_blueprint *m, int experts, enum vl_keep keep)
{
    double d = (double)m->width, h = (double)m->heads;
    double query = h * (double)m->key_width, value = h * (double)m->value_width;
    double few = (double)m->kv_heads;
    int latent = m->latent_rank != 0, plain = latent ? ALL : ALL | SELECTED;
    const struct array arrays[] = {
        {d, ALL | SELECTED | INPUT},
        {d, ALL},       /* normed */
        {query, plain}, /* queries */
        {few * (double)m->key_width, plain},
        {few * (double)m->value_width, plain},
        {latent ? (double)m->query_rank : 0, ALL | SELECTED},
        {latent ? (double)m->latent_rank : 0, ALL | SELECTED},
        {latent ? (double)m->rope_width : 0, ALL | SELECTED},
        {value, ALL | SELECTED}, /* of attention */
        {d, ALL | SELECTED},     /* mid */
        {d, ALL},                /* normed */
    };
    double sum = 0;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        sum += (arrays[i].kept >> keep & 1) * arrays[i].elements;
    size_t met = experts ? m->chosen + m->shared : 1;
    for (size_t i = 0; i < met && keep != VL_KEEP_INPUT; i++) {
        double f = (double)(experts ? m->expert_ff : m->ff);
        for (size_t in = 1; in < m->ff_matrices; in++)
            sum += f;                            /* gate, up */
        sum += keep == VL_KEEP_ALL ? f : 0;      /* active */
        sum += experts && i < m->chosen ? d : 0; /* the row sent there */
    }
    return sum;
}

double vl_oracle_plan_kept_bytes(const struct vl_oracle_chip *chip,
                                 const struct vl_setting *setting,
                                 const struct vl_division *division)
{
    const struct vl_blueprint *m = &setting->model;
    const struct vl_oracle_pipe pipe = {division->pipeline, division->chunks,
                                        division->micro_batches};
    size_t alive = vl_oracle_alive(VL_ORACLE_INTERLEAVED, &pipe, 0);
    double tokens = (double)(vl_oracle_plan_rows(&setting->recipe, division) * m->sequence) /
                    (double)division->tensor;
    double stage = 0, again = 0;
    for (size_t i = 0; i < chip->dense_layers + chip->expert_layers; i++) {
        int experts = i >= chip->dense_layers;
        double kept = left_behind(m, experts, division->keep);
        stage += kept;
        again = larger(again, left_behind(m, experts, VL_KEEP_ALL) - kept);
    }
    double elements = again;
    for (size_t i = 0; i < alive; i++)
        elements += stage / (double)division->chunks;
    return elements * tokens * setting->recipe.kept_bytes;
}
