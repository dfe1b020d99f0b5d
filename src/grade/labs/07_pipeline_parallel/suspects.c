/*
 * Known wrong answers of lab 07: schedules that hold and are not the one asked for. (Those that do
 * not hold are the inspector's.)
 */
#include "base/text.h"
#include "grade/catalogue/mistake.h"
#include "grade/labs/07_pipeline_parallel/pipeline_parallel.h"

#include <stdlib.h>

enum order_mistake {
    ALL_FORWARD,
    ONE_MORE,
    ONE_LESS,
    ONE_AT_A_TIME,
    SAME_EVERYWHERE,
    HALF_AHEAD,   /* interleaved: one for each stage below, not two */
    WHOLE_CHUNKS, /* ... all micro-batches of a chunk before the next */
    ONE_CHUNK,    /* ... and one chunk is no exception */
    BACKWARD_REVERSED,
    WEIGHTS_LAST,
    /* zero bubble */
    WEIGHTS_AT_ONCE,
    WEIGHTS_LATER,
    WEIGHTS_SOONER,
    WEIGHTS_OTHER_END
};

static size_t alive_of(const struct vl_pipe *pipe, size_t stage, enum order_mistake mistake)
{
    const struct vl_oracle_pipe *size = &pipe->size;
    size_t right = vl_oracle_alive((enum vl_oracle_order)pipe->order, size, stage);
    switch (mistake) {
    case ALL_FORWARD:
        return size->chunks * size->micro_batches;
    case ONE_MORE:
        return right + 1;
    case ONE_LESS:
        return right - 1;
    case ONE_AT_A_TIME:
        return 1;
    case SAME_EVERYWHERE:
        return vl_oracle_alive((enum vl_oracle_order)pipe->order, size, 0);
    case HALF_AHEAD:
        return (size->chunks - 1) * size->stages + size->stages - stage;
    case WHOLE_CHUNKS:
        if (size->chunks > 1)
            return (size->chunks - 1) * size->micro_batches + 2 * (size->stages - stage) - 1;
        return right;
    case ONE_CHUNK:
        return size->chunks > 1 ? right : 2 * (size->stages - stage) - 1;
    default:
        return right;
    }
}

static size_t late_of(const struct vl_pipe *pipe, size_t stage, enum order_mistake mistake)
{
    size_t right = pipe->order == VL_ORACLE_ZB_H1 ? stage : 0, p = pipe->size.stages;
    return mistake == WEIGHTS_LAST        ? pipe->width
           : mistake == WEIGHTS_AT_ONCE   ? 0
           : mistake == WEIGHTS_LATER     ? right + 1
           : mistake == WEIGHTS_SOONER    ? (right > 0 ? right - 1 : 0)
           : mistake == WEIGHTS_OTHER_END ? p - 1 - stage
                                          : right;
}

/* The last forward's gradient first. */
static void turn_backward(struct vl_oracle_task *row, const struct vl_pipe *pipe)
{
    for (size_t i = 0; i < pipe->width; i++)
        if (row[i].pass != VL_ORACLE_FORWARD)
            row[i].micro_batch = pipe->size.micro_batches - 1 - row[i].micro_batch;
}

static enum vl_status order(struct vl_bag *wrong, const struct vl_bag *inputs,
                            enum order_mistake mistake)
{
    struct vl_pipe pipe = vl_pipe_read(inputs);
    size_t group = mistake == WHOLE_CHUNKS ? pipe.size.micro_batches : pipe.size.stages;
    struct vl_oracle_task *row = calloc(pipe.width + 1, sizeof *row);
    int64_t *tasks = vl_pipe_table(wrong, "tasks", pipe.size.stages * pipe.width, 3, 0);
    if (row == NULL || tasks == NULL) {
        free(row);
        return VL_ENOMEM;
    }
    for (size_t stage = 0; stage < pipe.size.stages; stage++) {
        vl_oracle_row(row, &pipe.size, alive_of(&pipe, stage, mistake),
                      late_of(&pipe, stage, mistake), group);
        if (mistake == BACKWARD_REVERSED)
            turn_backward(row, &pipe);
        for (size_t i = 0; i < pipe.width; i++) {
            *tasks++ = (int64_t)row[i].pass;
            *tasks++ = (int64_t)row[i].chunk;
            *tasks++ = (int64_t)row[i].micro_batch;
        }
    }
    free(row);
    return VL_OK;
}

MISTAKE(order, ALL_FORWARD)
MISTAKE(order, ONE_MORE)
MISTAKE(order, ONE_LESS)
MISTAKE(order, ONE_AT_A_TIME)
MISTAKE(order, SAME_EVERYWHERE)
MISTAKE(order, HALF_AHEAD)
MISTAKE(order, WHOLE_CHUNKS)
MISTAKE(order, ONE_CHUNK)
MISTAKE(order, BACKWARD_REVERSED)
MISTAKE(order, WEIGHTS_LAST)
MISTAKE(order, WEIGHTS_AT_ONCE)
MISTAKE(order, WEIGHTS_LATER)
MISTAKE(order, WEIGHTS_SOONER)
MISTAKE(order, WEIGHTS_OTHER_END)

#define FORWARD_FIRST                                                                              \
    {                                                                                              \
        "all_forward_first",                                                                       \
            N_("All forwards come before the first backward: a stage shall start its first "       \
               "backward as soon as the pipeline is filled."),                                     \
            order_ALL_FORWARD                                                                      \
    }
#define MORE_AHEAD                                                                                 \
    {                                                                                              \
        "one_too_many_ahead",                                                                      \
            N_("Each stage does one forward too many before its first backward: the forward that " \
               "the pair begins with counts, too."),                                               \
            order_ONE_MORE                                                                         \
    }
#define LESS_AHEAD                                                                                 \
    {                                                                                              \
        "one_too_few_ahead",                                                                       \
            N_("Each stage does one forward too few before its first backward: in a pair the "     \
               "forward comes first."),                                                            \
            order_ONE_LESS                                                                         \
    }
#define SAME_AHEAD                                                                                 \
    {                                                                                              \
        "same_on_every_stage",                                                                     \
            N_("Every stage starts with as many forwards as the first: a stage nearer to the end " \
               "gets its first gradient sooner and needs fewer."),                                 \
            order_SAME_EVERYWHERE                                                                  \
    }
#define LAST_WEIGHTS                                                                               \
    {                                                                                              \
        "weights_last",                                                                            \
            N_("All weight parts come at the end: here each follows its own backward at once, so " \
               "that what was saved can be forgotten."),                                           \
            order_WEIGHTS_LAST                                                                     \
    }

const struct vl_suspect vl_suspects_schedule_afab[] = {
    LAST_WEIGHTS,
    {"backward_reversed",
     N_("The backwards go from the last micro-batch to the first: they go in the order of the "
        "forwards."),
     order_BACKWARD_REVERSED},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_schedule_1f1b[] = {
    FORWARD_FIRST,
    MORE_AHEAD,
    LESS_AHEAD,
    SAME_AHEAD,
    LAST_WEIGHTS,
    {"one_at_a_time",
     N_("Each stage finishes a micro-batch before it takes the next: so all other stages wait. "
        "First fill the pipeline."),
     order_ONE_AT_A_TIME},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_schedule_interleaved[] = {
    FORWARD_FIRST,
    MORE_AHEAD,
    SAME_AHEAD,
    LAST_WEIGHTS,
    {"half_ahead",
     N_("A stage starts with one forward for each stage below it. Its first gradient comes back as "
        "many steps late as its first micro-batch came early: that is two for each stage below."),
     order_HALF_AHEAD},
    {"chunk_by_chunk",
     N_("A chunk does all micro-batches before the next chunk begins: they go in groups of p, or "
        "too many stay alive."),
     order_WHOLE_CHUNKS},
    {"one_chunk",
     N_("With one chunk it is 1F1B: there each stage below counts once, since a stage has no other "
        "chunk to do in between."),
     order_ONE_CHUNK},
    NO_MORE_SUSPECTS};

const struct vl_suspect vl_suspects_schedule_zb_h1[] = {
    FORWARD_FIRST,
    MORE_AHEAD,
    LESS_AHEAD,
    SAME_AHEAD,
    {"weights_last",
     N_("All weight parts come at the end: stage s puts each off by s micro-batches only, or more "
        "and more stay alive."),
     order_WEIGHTS_LAST},
    {"weights_at_once",
     N_("Each weight part follows its own backward at once, as in 1F1B: stage s puts it off by s "
        "micro-batches."),
     order_WEIGHTS_AT_ONCE},
    {"weights_one_late", N_("Each weight part comes one backward too late."), order_WEIGHTS_LATER},
    {"weights_one_early", N_("Each weight part comes one backward too early."),
     order_WEIGHTS_SOONER},
    {"weights_other_end",
     N_("The first stages put their weight parts off most: it is the last ones that have room, "
        "since they have fewest micro-batches alive."),
     order_WEIGHTS_OTHER_END},
    NO_MORE_SUSPECTS};
