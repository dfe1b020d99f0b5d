/*
 * Messages of lab 07, of all stages together: each is sent once and received once, by two stages
 * that agree on its tag, and two of them are never mistaken for one another.
 */
#include "base/text.h"
#include "grade/labs/07_pipeline_parallel/inspector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One action as it came: every value is checked before it is used. */
struct action {
    const int64_t *values; /* kind, the task's kind, chunk and micro-batch, peer */
    int64_t tag;
    size_t stage;
};

struct board {
    struct vl_pipe pipe;
    const int64_t *counts, *table, *tags;
    struct action *messages; /* of all stages */
    size_t count;
};

static const char *task_of(char text[VL_TASK_TEXT], const struct action *a)
{
    return vl_pipe_task_text(text, a->values[1], a->values[2], a->values[3]);
}

static int is_same_task(const struct action *a, const struct action *b)
{
    for (size_t i = 1; i < 4; i++)
        if (a->values[i] != b->values[i])
            return 0;
    return 1;
}

/* Would MPI bring these two together? */
static int matches(const struct action *send, const struct action *receive)
{
    return send->values[0] == VL_PIPE_SEND && receive->values[0] == VL_PIPE_RECEIVE &&
           send->values[4] == (int64_t)receive->stage &&
           receive->values[4] == (int64_t)send->stage && send->tag == receive->tag;
}

/* The other end of a message; NULL if it has none. */
static const struct action *other_end(const struct board *board, const struct action *a)
{
    for (size_t i = 0; i < board->count; i++) {
        const struct action *b = &board->messages[i];
        if (a->values[0] == VL_PIPE_SEND ? matches(a, b) : matches(b, a))
            return b;
    }
    return NULL;
}

/* ---- each action on its own ---- */

static int is_known(const struct vl_pipe *pipe, const int64_t *a)
{
    return a[0] >= VL_PIPE_COMPUTE && a[0] <= VL_PIPE_RECEIVE && a[1] >= 0 &&
           a[1] <= VL_ORACLE_WEIGHT && a[2] >= 0 && a[2] < (int64_t)pipe->size.chunks &&
           a[3] >= 0 && a[3] < (int64_t)pipe->size.micro_batches &&
           (a[0] == VL_PIPE_COMPUTE || (a[4] >= 0 && a[4] < (int64_t)pipe->size.stages));
}

static enum vl_status read_stage(struct vl_sign *sign, struct board *board, size_t stage)
{
    char task[VL_TASK_TEXT];
    if (board->counts[stage] < 0 || board->counts[stage] > (int64_t)board->pipe.most)
        return vl_pipe_tell(sign, "wrong_count",
                            _("Stage %1$zu says it has %2$lld actions, and there are at most "
                              "three for each of its %3$zu tasks: count what you append."),
                            stage, (long long)board->counts[stage], board->pipe.width);
    for (size_t i = 0; i < (size_t)board->counts[stage]; i++) {
        size_t at = stage * board->pipe.most + i;
        struct action a = {&board->table[5 * at], board->tags[at], stage};
        if (!is_known(&board->pipe, a.values))
            return vl_pipe_tell(sign, "unknown_action",
                                _("Action %1$zu of stage %2$zu (counted from 0) has a kind, a "
                                  "task or a peer that there is not."),
                                i, stage);
        if (a.values[0] == VL_PIPE_COMPUTE)
            continue;
        if (a.values[4] == (int64_t)stage)
            return vl_pipe_tell(sign, "message_to_itself",
                                _("Stage %1$zu has a message to itself (%2$s): between two chunks "
                                  "of the same stage nothing is sent."),
                                stage, task_of(task, &a));
        board->messages[board->count++] = a;
    }
    return VL_OK;
}

/* ---- pairs ---- */

/* How many of the two ends name the other. */
static int peers_agree(const struct action *a, const struct action *b)
{
    return (a->values[4] == (int64_t)b->stage) + (b->values[4] == (int64_t)a->stage);
}

/* A send and a receive of the same task that do not find each other; NULL if there is none. Tasks
 * of several stages have the same name, so at least one end must name the other as its peer. */
static const struct action *missed(const struct board *board, const struct action *a)
{
    const struct action *found = NULL;
    for (size_t i = 0; i < board->count; i++) {
        const struct action *b = &board->messages[i];
        if (b->values[0] != a->values[0] && is_same_task(a, b) && other_end(board, b) == NULL &&
            peers_agree(a, b) > (found != NULL ? peers_agree(a, found) : 0))
            found = b;
    }
    return found;
}

static enum vl_status tell_missed(struct vl_sign *sign, const struct action *a,
                                  const struct action *b)
{
    char task[VL_TASK_TEXT];
    const struct action *send = a->values[0] == VL_PIPE_SEND ? a : b,
                        *receive = a->values[0] == VL_PIPE_SEND ? b : a;
    int same_peers =
        send->values[4] == (int64_t)receive->stage && receive->values[4] == (int64_t)send->stage;
    if (same_peers)
        return vl_pipe_tell(sign, "tag_mismatch",
                            _("Stage %1$zu sends %2$s with tag %3$lld, and stage %4$zu receives "
                              "it with tag %5$lld: both take the tag of the task that made it."),
                            send->stage, task_of(task, send), (long long)send->tag, receive->stage,
                            (long long)receive->tag);
    return vl_pipe_tell(sign, "peer_mismatch",
                        _("Stage %1$zu sends %2$s to stage %3$lld, and stage %4$zu waits for it "
                          "from stage %5$lld: an output goes to the next virtual stage, a "
                          "gradient to the one before."),
                        send->stage, task_of(task, send), (long long)send->values[4],
                        receive->stage, (long long)receive->values[4]);
}

static enum vl_status tell_alone(struct vl_sign *sign, const struct action *a)
{
    char task[VL_TASK_TEXT];
    if (a->values[0] == VL_PIPE_SEND)
        return vl_pipe_tell(sign, "receive_missing",
                            _("Stage %1$zu sends %2$s to stage %3$lld with tag %4$lld, and there "
                              "nobody receives it."),
                            a->stage, task_of(task, a), (long long)a->values[4], (long long)a->tag);
    return vl_pipe_tell(sign, "send_missing",
                        _("Stage %1$zu waits for %2$s from stage %3$lld with tag %4$lld, and "
                          "nobody sends it."),
                        a->stage, task_of(task, a), (long long)a->values[4], (long long)a->tag);
}

static enum vl_status check_pair(struct vl_sign *sign, const struct board *board, size_t i)
{
    char task[VL_TASK_TEXT], other[VL_TASK_TEXT];
    const struct action *a = &board->messages[i];
    for (size_t k = 0; k < i; k++) {
        const struct action *b = &board->messages[k];
        if (b->values[0] == a->values[0] && b->stage == a->stage && b->values[4] == a->values[4] &&
            b->tag == a->tag)
            return vl_pipe_tell(sign, "tags_collide",
                                _("Stage %1$zu has two messages the same way with the tag "
                                  "%2$lld, %3$s and %4$s: nobody can tell which is which."),
                                a->stage, (long long)a->tag, task_of(other, b), task_of(task, a));
    }
    if (other_end(board, a) != NULL)
        return VL_OK;
    const struct action *b = missed(board, a);
    return b != NULL ? tell_missed(sign, a, b) : tell_alone(sign, a);
}

/* ---- all of them ---- */

static enum vl_status open_board(struct board *board, struct vl_sign *sign,
                                 const struct vl_bag *inputs, const struct vl_bag *outputs)
{
    *board = (struct board){.pipe = vl_pipe_read(inputs)};
    size_t p = board->pipe.size.stages;
    board->counts = vl_pipe_numbers(outputs, "counts", p);
    board->table = vl_pipe_numbers(outputs, "actions", 5 * p * board->pipe.most);
    board->tags = vl_pipe_numbers(outputs, "tags", p * board->pipe.most);
    if (board->counts == NULL || board->table == NULL || board->tags == NULL ||
        vl_bag_int(inputs, "short"))
        return VL_OK; /* what is missing is reported elsewhere; parts of lists are not matched */
    board->messages = calloc(p * board->pipe.most + 1, sizeof *board->messages);
    enum vl_status status = board->messages != NULL ? VL_OK : VL_ENOMEM;
    for (size_t stage = 0; status == VL_OK && sign->code == NULL && stage < p; stage++)
        status = read_stage(sign, board, stage);
    return status;
}

static enum vl_status check_pairs(struct vl_sign *sign, const struct board *board)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && sign->code == NULL && i < board->count; i++)
        status = check_pair(sign, board, i);
    return status;
}

/* Where the actions are the expected ones, only tags can be wrong. Where they are not, a known
 * mistake may explain more than the first message that goes astray. */
enum vl_status vl_look_at_actions(struct vl_sign *sign, const struct vl_bag *inputs,
                                  const struct vl_bag *expected, const struct vl_bag *outputs)
{
    struct board board;
    enum vl_status status = open_board(&board, sign, inputs, outputs);
    size_t count = 5 * board.pipe.size.stages * board.pipe.most;
    const int64_t *truth = vl_pipe_numbers(expected, "actions", count);
    if (status == VL_OK && sign->code == NULL && truth != NULL && board.table != NULL &&
        memcmp(truth, board.table, count * sizeof *truth) == 0)
        status = check_pairs(sign, &board);
    free(board.messages);
    return status;
}

/* ---- the first action that is another one ---- */

enum { ACTION_TEXT = 128 };

static const char *action_text(char text[ACTION_TEXT], const int64_t *a)
{
    char task[VL_TASK_TEXT];
    vl_pipe_task_text(task, a[1], a[2], a[3]);
    if (a[0] == VL_PIPE_COMPUTE) /* TRANSLATORS: these four are actions of a stage, in quotes. */
        snprintf(text, ACTION_TEXT, _("compute %s"), task);
    else if (a[0] == VL_PIPE_SEND)
        snprintf(text, ACTION_TEXT, _("send %1$s to stage %2$lld"), task, (long long)a[4]);
    else if (a[0] == VL_PIPE_RECEIVE)
        snprintf(text, ACTION_TEXT, _("receive %1$s from stage %2$lld"), task, (long long)a[4]);
    else
        snprintf(text, ACTION_TEXT, "%s", _("nothing more"));
    return text;
}

static enum vl_status tell_difference(struct vl_sign *sign, const struct vl_pipe *pipe,
                                      const int64_t *truth, const int64_t *got)
{
    size_t count = pipe->size.stages * pipe->most, i = 0;
    char wanted[ACTION_TEXT], found[ACTION_TEXT];
    while (i < 5 * count && truth[i] == got[i])
        i++;
    if (i == 5 * count)
        return VL_OK; /* only a count is wrong: that is reported as a number */
    i /= 5;
    return vl_pipe_tell(sign, "other_actions",
                        _("With p = %1$zu, v = %2$zu, m = %3$zu, action %4$zu of stage %5$zu "
                          "(counted from 0) is \"%6$s\", and \"%7$s\" stands there."),
                        pipe->size.stages, pipe->size.chunks, pipe->size.micro_batches,
                        i % pipe->most, i / pipe->most, action_text(wanted, &truth[5 * i]),
                        action_text(found, &got[5 * i]));
}

enum vl_status vl_tell_actions(struct vl_sign *sign, const struct vl_bag *inputs,
                               const struct vl_bag *expected, const struct vl_bag *outputs)
{
    struct board board;
    enum vl_status status = open_board(&board, sign, inputs, outputs);
    const int64_t *truth =
        vl_pipe_numbers(expected, "actions", 5 * board.pipe.size.stages * board.pipe.most);
    if (status == VL_OK)
        status = check_pairs(sign, &board);
    if (status == VL_OK && sign->code == NULL && truth != NULL && board.table != NULL)
        status = tell_difference(sign, &board.pipe, truth, board.table);
    free(board.messages);
    return status;
}

/* ---- tags alone ---- */

enum { TAG_MOST = 16383 };

/* One tag for each forward and backward, chunk and micro-batch, in this order. */
enum vl_status vl_look_at_tags(struct vl_sign *sign, const struct vl_bag *inputs,
                               const struct vl_bag *expected, const struct vl_bag *outputs)
{
    struct vl_pipe pipe = vl_pipe_read(inputs);
    size_t m = pipe.size.micro_batches, v = pipe.size.chunks, count = 2 * v * m;
    const int64_t *tags = vl_pipe_numbers(outputs, "tags", count);
    char task[VL_TASK_TEXT], other[VL_TASK_TEXT];
    (void)expected;
    if (tags == NULL)
        return vl_pipe_tell(sign, "no_output", "%s", _("No result came back from the submission."));
    for (size_t i = 0; i < count; i++) {
        vl_pipe_task_text(task, (int64_t)(i / m / v), (int64_t)(i / m % v), (int64_t)(i % m));
        if (tags[i] < 0 || tags[i] > TAG_MOST)
            return vl_pipe_tell(sign, "tag_out_of_range",
                                _("The tag of %1$s is %2$lld: tags are from 0 to %3$d."), task,
                                (long long)tags[i], TAG_MOST);
        for (size_t k = 0; k < i; k++)
            if (tags[k] == tags[i])
                return vl_pipe_tell(sign, "tags_collide",
                                    _("%1$s and %2$s have the same tag %3$lld: nobody can tell "
                                      "which is which."),
                                    vl_pipe_task_text(other, (int64_t)(k / m / v),
                                                      (int64_t)(k / m % v), (int64_t)(k % m)),
                                    task, (long long)tags[i]);
    }
    return VL_OK;
}
