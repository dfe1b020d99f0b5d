/*
 * A planner, first half: what one chip computes, and what it has to hold.
 *
 * The chip considered is the one with the most to do. These are the conventions; the closed forms
 * are yours to find.
 *
 *   - A replica takes whole sequences: micro-batches of rows = ceil(batch / (data expert m)).
 *   - A chunk has whole layers. They are dealt out to the p v chunks as evenly as possible; if some
 *     are left over, the first chunks get one more each. Stage s has the chunks s, s + p,
 *     s + 2 p ... So the first stage has the most layers, and the last one the fewest. Memory and
 *     roads are those of the first; its layers have experts, if the model has enough such layers.
 *     With one stage both embedding and head are there; with more, the embedding is on the first
 *     and the head on the last.
 *   - Tensor parallelism comes with sequence parallelism: parameters, what is kept for backward,
 *     and compute are all divided by 'tensor'. So are keys and values, even of a single head.
 *   - Experts stay whole: E / (tensor expert) on a chip. All get the same number of tokens.
 *   - FLOPs and MFU are those of vialata/budget.h: attention in full, nothing computed twice.
 *
 * Kept for backward, in elements per token and layer. Attention keeps no probabilities, and the
 * weights w of the experts are multiplied in before 'down':
 *
 *                                     all             selected            input
 *   x                                 D               D                   D
 *   both normed                       2 D
 *   queries, keys, values             all             if not latent
 *   latents: query, key and rotary    all             all
 *   attention's output, before o      all             all
 *   mid                               D               D
 *   rows sent to experts              k D             k D
 *   gate and up (or up alone)         all             all
 *   active                            all
 *
 * What is not kept is computed again. That costs compute where matrices are multiplied:
 * 'selected' goes from the latents to queries, keys and values again; 'input' through all layers
 * (head excluded).
 *
 * A division handed to these functions is one that vl_division_check accepts. VL_EINVAL for a null
 * pointer. Serial; nothing allocates. Sources: Korthikanti et al. 2022, arXiv:2205.05198;
 * DeepSeek-AI 2024, arXiv:2412.19437.
 */
#ifndef VIALATA_PLANNER_H
#define VIALATA_PLANNER_H

#include "vialata/blueprint.h"
#include "vialata/status.h"
#include <stdint.h>

/* Sequences in one micro-batch of one replica. */
static inline size_t vl_division_rows(const struct vl_recipe *recipe,
                                      const struct vl_division *division)
{
    size_t parts = division->data * division->expert * division->micro_batches;
    return (recipe->batch + parts - 1) / parts;
}

/* Layers of the first stage, which is the fullest. */
static inline size_t vl_division_layers(const struct vl_blueprint *model,
                                        const struct vl_division *division)
{
    size_t parts = division->pipeline * division->chunks, over = model->layers % parts;
    return model->layers / parts * division->chunks +
           (over + division->pipeline - 1) / division->pipeline;
}

/* Layers of the last stage, which has the head as well. */
static inline size_t vl_division_last_layers(const struct vl_blueprint *model,
                                             const struct vl_division *division)
{
    size_t parts = division->pipeline * division->chunks, over = model->layers % parts;
    return model->layers / parts * division->chunks + over / division->pipeline;
}

/* VL_OK for a possible division: no size is 0; tensor divides the heads; tensor * expert divides
 * the experts (expert is 1 without any); p v <= L, or L + 2 if v > 1, since embedding and head may
 * be chunks; v is 1 with one stage, and p divides m if v > 1; there is a sequence for each replica,
 * and for some replica's last micro-batch; zero <= 3. Otherwise VL_ESHAPE. [worked] */
enum vl_status vl_division_check(const struct vl_setting *setting,
                                 const struct vl_division *division);

/* ---- parameters [worked] ---- */

struct vl_parameters {
    uint64_t attention; /* of one layer, its two gains of D and those of the latents included */
    uint64_t dense_ff;  /* of one dense layer */
    uint64_t expert;    /* one expert */
    uint64_t router;    /* of a layer with experts */
    uint64_t table;     /* the embedding; the head is as large */
    uint64_t all;       /* of the model */
    uint64_t active;    /* those that one token is multiplied with: no embedding, no gains */
};
enum vl_status vl_planned_parameters(struct vl_parameters *count, const struct vl_blueprint *model);

/* What the chip has of them, before ZeRO cuts it. */
struct vl_chip {
    size_t dense_layers, expert_layers; /* of its stage */
    double common;                      /* parameters that all data * expert replicas have */
    double experts;                     /* parameters that 'data' chips have */
    double unit;                        /* of both kinds, in the largest unit: layer or table */
};
enum vl_status vl_planned_chip(struct vl_chip *chip, const struct vl_blueprint *model,
                               const struct vl_division *division);

/* ---- compute ---- */

/* FLOPs one token costs in training ('useful'), those that computing again adds to it, and what
 * part of 'useful' is the head's. */
struct vl_work {
    double useful, again, head;
};
enum vl_status vl_planned_flops(struct vl_work *work, const struct vl_blueprint *model,
                                enum vl_keep keep);

/* Seconds in which a chip does its part of a step, waiting for nothing: all micro-batches through
 * its stage. All layers are taken to cost the same, and all stages to be as slow as the slowest:
 * either the first, which has the most layers, or the last, which has the head. */
enum vl_status vl_planned_arithmetic(double *seconds, const struct vl_work *work,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division);

/* ---- memory ---- */

/* Bytes of weights, gradients and optimizer state on a chip. At stage 3 the chip also holds one
 * whole unit of weights, and at stages 2 and 3 one whole unit of gradients. */
enum vl_status vl_planned_state_bytes(double *bytes, const struct vl_chip *chip,
                                      const struct vl_recipe *recipe,
                                      const struct vl_division *division);

/* Bytes kept for backward at the fullest moment: of all micro-batches alive on the first stage (a
 * chunk alive has its share of the stage's layers). Added to that is all of one more layer of the
 * larger kind, less what is kept of it anyway, since it is being computed again at that moment.
 * chip says which layers there are. */
enum vl_status vl_planned_kept_bytes(double *bytes, const struct vl_chip *chip,
                                     const struct vl_setting *setting,
                                     const struct vl_division *division);

#endif
