/*
 * Inputs of lab 07: sizes of pipelines, valid schedules, their actions, and a toy's numbers.
 */
#include "grade/catalogue/maker.h"
#include "grade/catalogue/part.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define VL_PIPE_TAGS 16384 /* 0 .. 16383 (schedule.h) */

static size_t draw_micro_batches(struct vl_maker *m, size_t p, int variant)
{
    switch (variant & VL_PIPE_MICRO_BATCHES) {
    case VL_PIPE_ONE:
        return 1;
    case VL_PIPE_FEW: /* fewer than the p - 1 forwards that the first stage could do ahead */
        return p > 3 ? vl_maker_between(m, 2, p - 2) : 1;
    case VL_PIPE_SAME:
        return p;
    case VL_PIPE_MANY:
        return VL_PIPE_TAGS / 4 + 4; /* each in both directions, in two chunks */
    case VL_PIPE_GROUPS:
        return p * vl_maker_between(m, 2, p > 4 ? 2 : 3);
    default:
        return p > 1 ? p * vl_maker_between(m, 1, 2) + vl_maker_between(m, 1, p - 1)
                     : vl_maker_between(m, 3, 7);
    }
}

static size_t chunks_of(int variant)
{
    size_t v = (size_t)(variant & VL_PIPE_CHUNKS) / VL_PIPE_CHUNK;
    return v > 0 ? v : 1;
}

static struct vl_pipe add_sizes(struct vl_maker *m, int variant)
{
    size_t p = (size_t)(variant & VL_PIPE_STAGES);
    vl_maker_sizes(m, {"stages", p}, {"chunks", chunks_of(variant)},
                   {"micro_batches", draw_micro_batches(m, p, variant)},
                   {"order", (size_t)(variant & VL_PIPE_ORDERS) / VL_PIPE_ORDER});
    vl_maker_flag(m, "bad", variant, VL_PIPE_BAD);
    vl_maker_flag(m, "reversed", variant, VL_PIPE_REVERSED);
    vl_maker_flag(m, "preset", variant, VL_PIPE_PRESET);
    return vl_pipe_read(m->bag);
}

/* ---- a schedule at random ---- */

/* Which tasks are done, by number: (kind * pv + virtual stage) m + micro-batch. */
static int is_ready(const char *done, size_t number, size_t virtual_stages, size_t m)
{
    size_t direction = virtual_stages * m, within = number % direction;
    switch (number / direction) {
    case VL_ORACLE_FORWARD:
        return within < m || done[number - m];
    case VL_ORACLE_BACKWARD:
        return done[number - direction] && (within + m >= direction || done[number + m]);
    default:
        return done[number - direction];
    }
}

/* A schedule in which any task that is ready may come next, at random; so it is valid. The caller
 * frees it; NULL without memory. */
static struct vl_oracle_task *draw_rows(struct vl_maker *m, const struct vl_pipe *pipe)
{
    size_t p = pipe->size.stages, micro = pipe->size.micro_batches, all = p * pipe->width,
           virtual_stages = p * pipe->size.chunks, next[VL_PIPE_STAGES] = {0};
    struct vl_oracle_task *rows = calloc(all, sizeof *rows);
    char *done = calloc(all, 1);
    m->failed |= done == NULL || rows == NULL;
    for (size_t n = 0; !m->failed && n < all; n++) {
        size_t number = vl_maker_between(m, 0, all - 1);
        while (done[number] || !is_ready(done, number, virtual_stages, micro))
            number = (number + 1) % all;
        done[number] = 1;
        size_t k = number / micro % virtual_stages, stage = k % p;
        rows[stage * pipe->width + next[stage]++] = (struct vl_oracle_task){
            (enum vl_oracle_pass)(number / micro / virtual_stages), k / p, number % micro};
    }
    free(done);
    return rows;
}

static void add_rows(struct vl_maker *m, const struct vl_pipe *pipe)
{
    size_t all = pipe->size.stages * pipe->width;
    struct vl_oracle_task *rows =
        pipe->order == VL_PIPE_ANY_ORDER ? draw_rows(m, pipe) : vl_pipe_rows(pipe, m->bag);
    struct vl_task *table = (struct vl_task *)vl_maker_whole(m, "rows", all, 3);
    m->failed |= rows == NULL;
    for (size_t i = 0; !m->failed && i < all; i++)
        table[i] = vl_pipe_task(&rows[i]);
    free(rows);
}

VL_SCOPED_MAKE(pipe_sizes)
{
    add_sizes(m, self->variant);
}

/* How many actions of each stage fit into the memory that the submission is given. */
static void add_rooms(struct vl_maker *m, const struct vl_pipe *pipe, int variant)
{
    size_t p = pipe->size.stages, counts[VL_PIPE_STAGES];
    int32_t *rooms = vl_maker_whole(m, "rooms", 1, p);
    struct vl_action *actions = vl_pipe_actions(counts, pipe, m->bag);
    m->failed |= actions == NULL;
    for (size_t s = 0; !m->failed && s < p; s++)
        rooms[s] = (int32_t)(variant & VL_PIPE_EXACT   ? counts[s]
                             : variant & VL_PIPE_SHORT ? vl_maker_between(m, 1, counts[s] - 1)
                                                       : pipe->most);
    vl_maker_flag(m, "exact", variant, VL_PIPE_EXACT);
    vl_maker_flag(m, "short", variant, VL_PIPE_SHORT);
    free(actions);
}

VL_SCOPED_MAKE(pipe_rows)
{
    struct vl_pipe pipe = add_sizes(m, self->variant);
    add_rows(m, &pipe);
    add_rooms(m, &pipe, self->variant);
}

/* ---- the toy ---- */

enum { MORE = 3, FAILS_AT = 2, UNKNOWN_KIND = 7 };

static void add_toy(struct vl_maker *m, const struct vl_pipe *pipe, int variant)
{
    size_t n = vl_maker_size(m, "n",
                             variant & VL_PIPE_EMPTY ? 0
                             : variant & VL_PIPE_BIG ? 3001
                                                     : vl_maker_prime(m, 0));
    vl_maker_rough(m, "c", pipe->size.stages * pipe->size.chunks, n, 1);
    vl_maker_rough(m, "first", pipe->size.micro_batches, n, 1);
    vl_maker_rough(m, "target", pipe->size.micro_batches, n, 1);
    vl_maker_size(m, "memory", variant & VL_PIPE_IN_PLACE ? 2 : variant & VL_PIPE_SHARED ? 1 : 0);
    vl_maker_flag(m, "late", variant, VL_PIPE_LATE);
    vl_maker_flag(m, "no_memory", variant, VL_PIPE_NO_MEMORY);
    vl_maker_flag(m, "one_place", variant, VL_PIPE_ONE_PLACE);
    vl_maker_flag(m, "too_long", variant, VL_PIPE_TOO_LONG);
    vl_maker_flag(m, "no_actions", variant, VL_PIPE_NO_ACTIONS);
    vl_maker_flag(m, "listed", variant, VL_PIPE_LISTED);
    vl_maker_size(m, "more", variant & VL_PIPE_UNEQUAL ? MORE : 0);
    /* 1 + how many tasks a stage computes before one fails; 0: none does. */
    vl_maker_size(m, "fails_at",
                  !(variant & VL_PIPE_FAILS) ? 0
                  : pipe->size.stages > 1    ? FAILS_AT
                                             : vl_maker_between(m, 2, pipe->width - 1));
}

VL_SCOPED_MAKE(pipe_toy)
{
    struct vl_pipe pipe = add_sizes(m, self->variant);
    add_toy(m, &pipe, self->variant);
}

/* A stage that fails leaves others waiting, so a case in which one fails has no messages, except for
 * the one that should be sent after the task that fails. 'computed': so many tasks came before. */
static bool is_kept(const struct vl_action *action, size_t computed, int variant)
{
    if (variant & VL_PIPE_FAILS)
        return action->kind == VL_ACTION_COMPUTE ||
               (action->kind == VL_ACTION_SEND && computed == FAILS_AT);
    return !(variant & VL_PIPE_NO_ACTIONS);
}

/* What comes after the actions of a stage: a task, or the output of a weight part, to be sent. */
static const struct vl_action behind_task = {VL_ACTION_COMPUTE, {.kind = VL_TASK_WEIGHT}, 0, 0},
                              behind_send = {VL_ACTION_SEND, {.kind = VL_TASK_WEIGHT}, 0, 0};

static void add_actions(struct vl_maker *m, const struct vl_pipe *pipe, int variant)
{
    size_t p = pipe->size.stages, counts[VL_PIPE_STAGES], filled = 0;
    struct vl_action *actions = vl_pipe_actions(counts, pipe, m->bag);
    int32_t *begin = vl_maker_whole(m, "begin", 1, p + 1);
    struct vl_action *table =
        (struct vl_action *)vl_maker_whole(m, "actions", p * (pipe->most + 1), 6);
    m->failed |= actions == NULL;
    for (size_t stage = 0; !m->failed && stage < p; stage++) {
        const struct vl_action *own = &actions[stage * pipe->most];
        for (size_t i = 0, computed = 0; i < counts[stage]; i++) {
            if (is_kept(&own[i], computed, variant))
                table[filled++] = own[i];
            computed += own[i].kind == VL_ACTION_COMPUTE;
        }
        if (variant & VL_PIPE_BAD)
            table[filled - 1].kind = (enum vl_action_kind)UNKNOWN_KIND;
        table[filled++] = variant & VL_PIPE_LISTED ? behind_send : behind_task;
        begin[stage + 1] = (int32_t)filled;
    }
    free(actions);
}

VL_SCOPED_MAKE(pipe_actions)
{
    struct vl_pipe pipe = add_sizes(m, self->variant);
    add_rows(m, &pipe);
    add_actions(m, &pipe, self->variant);
    add_toy(m, &pipe, self->variant);
}

/* ---- on paper ---- */

/* The last rows are always the same: fewer micro-batches than stages, and a single group, on the first
 * stage and on the last. */
enum { FIXED = 2, SIZES = 8 + FIXED };
static const int32_t few[FIXED][4] = {{5, 1, 3, 0}, {5, 1, 3, 4}},
                     one_group[FIXED][4] = {{4, 2, 4, 0}, {4, 2, 4, 3}};

/* Pipelines of all kinds: few micro-batches and many, first and last stages, one stage. With chunks
 * in the variant there are some in most of them. */
VL_SCOPED_MAKE(pipe_paper)
{
    size_t v = chunks_of(self->variant);
    int32_t *sizes = vl_maker_whole(m, "sizes", SIZES, 4);
    for (size_t i = 0; sizes != NULL && i < SIZES - FIXED; i++) {
        size_t p = i == 0 ? 1 : vl_maker_between(m, 3, 9),
               chunks = v == 1 || i == 1 ? 1 : vl_maker_between(m, 2, 5),
               micro = chunks > 1 ? p * vl_maker_between(m, i == 2 ? 1 : 2, i == 2 ? 1 : 7)
                       : i == 3   ? vl_maker_between(m, 1, p - 2)
                                  : p + vl_maker_between(m, 1, 40),
               stage = i == 4   ? 0
                       : i == 5 ? p - 1
                                : vl_maker_between(m, 0, p - 1);
        if (i == 2 && chunks > 1) /* with one group all of them live on the first stage */
            stage = 0;
        const int32_t row[] = {(int32_t)p, (int32_t)chunks, (int32_t)micro, (int32_t)stage};
        memcpy(&sizes[4 * i], row, sizeof row);
    }
    if (sizes != NULL)
        memcpy(&sizes[4 * (SIZES - FIXED)], v > 1 ? one_group : few, sizeof few);
    vl_maker_size(m, "chunks", v);
    vl_maker_flag(m, "bad", self->variant, VL_PIPE_BAD);
}

bool vl_sizes_of_pipe(struct vl_size *size, const struct vl_bag *inputs, size_t question, size_t k)
{
    static const char *const names[] = {"stages", "chunks", "micro_batches", "stage"};
    if (k >= sizeof names / sizeof *names || question >= SIZES)
        return false;
    *size =
        (struct vl_size){.name = names[k], .value = vl_bag_i32(inputs, "sizes")[4 * question + k]};
    return true;
}

/* ---- who has what ---- */

/* A stage has its chunks and its actions, the first one what comes in, the last one the targets. */
VL_PART(pipeline_parallel)
{
    const size_t chunks = vl_bag_size(p->inputs, "chunks");
    const int32_t *begin = vl_bag_i32(p->inputs, "begin");
    vl_part_withhold(p, "c");
    for (size_t chunk = 0; chunk < chunks; chunk++)
        vl_part_give_rows(p, "c", chunk * p->ranks + p->rank, 1);
    if (p->rank > 0)
        vl_part_withhold(p, "first");
    if (p->rank + 1 < p->ranks)
        vl_part_withhold(p, "target");
    vl_part_withhold(p, "rows"); /* its actions are enough */
    vl_part_withhold(p, "actions");
    if (begin != NULL)
        vl_part_give_rows(p, "actions", (size_t)begin[p->rank],
                          (size_t)(begin[p->rank + 1] - begin[p->rank]));
}
