/*
 * Messages of lab 07, of all stages together: each is sent once and received once, by two stages
 * that agree on its tag, and two of them are never mistaken for one another.
 */
#include "base/text.h"
#include "grade/labs/07_pipeline_parallel/inspector.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A send or a receive: a message as one of its ends sees it. */
struct message {
    struct vl_action action;
    int stage, from, to;
};

struct messages {
    struct vl_pipe pipe;
    const int64_t *counts, *table, *tags;
    struct message *all; /* of all stages */
    size_t count;
};

static struct vl_action action_at(const int64_t *row, int64_t tag)
{
    return (struct vl_action){(enum vl_action_kind)row[0], vl_pipe_task_at(&row[1]), (int)row[4],
                              (int)tag};
}

static const char *task_of(char text[VL_TASK_TEXT], const struct message *a)
{
    return vl_task_text(text, &a->action.task);
}

/* How many of their two stages do two ends agree on? */
static int agreement(const struct message *a, const struct message *b)
{
    return (a->from == b->from) + (a->to == b->to);
}

/* Do they go the same way, with the same tag? */
static int is_same_message(const struct message *a, const struct message *b)
{
    return agreement(a, b) == 2 && a->action.tag == b->action.tag;
}

/* Does it have another end, so that MPI would bring the two together? */
static int arrives(const struct messages *m, const struct message *a)
{
    for (size_t i = 0; i < m->count; i++)
        if (m->all[i].action.kind != a->action.kind && is_same_message(a, &m->all[i]))
            return 1;
    return 0;
}

/* ---- each action on its own ---- */

static int is_known(const struct vl_pipe *pipe, const struct vl_action *a)
{
    return a->kind <= VL_ACTION_RECEIVE && a->task.kind <= VL_TASK_WEIGHT &&
           a->task.chunk < pipe->size.chunks && a->task.micro_batch < pipe->size.micro_batches &&
           (a->kind == VL_ACTION_COMPUTE || (a->peer >= 0 && a->peer < (int)pipe->size.stages));
}

static void read_action(struct vl_sign *sign, struct messages *m, size_t stage, size_t i)
{
    size_t at = stage * m->pipe.most + i;
    const struct vl_action a = action_at(&m->table[5 * at], m->tags[at]);
    const int here = (int)stage, is_send = a.kind == VL_ACTION_SEND;
    const struct message message = {a, here, is_send ? here : a.peer, is_send ? a.peer : here};
    char task[VL_TASK_TEXT];
    if (!is_known(&m->pipe, &a))
        vl_sign_say(sign, "unknown_action",
                    _("Action %1$zu of stage %2$zu (counted from 0) has a kind, a "
                      "task or a peer that there is not."),
                    i, stage);
    else if (a.kind != VL_ACTION_COMPUTE && a.peer == here)
        vl_sign_say(sign, "message_to_itself",
                    _("Stage %1$zu has a message to itself (%2$s): between two chunks "
                      "of the same stage nothing is sent."),
                    stage, task_of(task, &message));
    else if (a.kind != VL_ACTION_COMPUTE)
        m->all[m->count++] = message;
}

static void read_stage(struct vl_sign *sign, struct messages *m, size_t stage)
{
    int64_t count = m->counts[stage];
    if (count < 0 || count > (int64_t)m->pipe.most)
        vl_sign_say(sign, "wrong_count",
                    _("Stage %1$zu says it has %2$lld actions, and there are at most "
                      "three for each of its %3$zu tasks: count what you append."),
                    stage, (long long)count, m->pipe.width);
    for (size_t i = 0; sign->code == NULL && i < (size_t)count; i++)
        read_action(sign, m, stage, i);
}

/* ---- pairs ---- */

/* A send and a receive of the same task that do not find each other; NULL if there is none. Tasks
 * of several stages have the same name, so at least one end must name the other as its peer. */
static const struct message *missed(const struct messages *m, const struct message *a)
{
    const struct message *found = NULL;
    for (size_t i = 0; i < m->count; i++) {
        const struct message *b = &m->all[i];
        if (b->action.kind != a->action.kind &&
            memcmp(&a->action.task, &b->action.task, sizeof a->action.task) == 0 &&
            !arrives(m, b) && agreement(a, b) > (found != NULL ? agreement(a, found) : 0))
            found = b;
    }
    return found;
}

static void tell_missed(struct vl_sign *sign, const struct message *a, const struct message *b)
{
    char task[VL_TASK_TEXT];
    const struct message *send = a->action.kind == VL_ACTION_SEND ? a : b,
                         *receive = send == a ? b : a;
    if (agreement(a, b) == 2)
        vl_sign_say(sign, "tag_mismatch",
                    _("Stage %1$zu sends %2$s with tag %3$lld, and stage %4$zu receives "
                      "it with tag %5$lld: both take the tag of the task that made it."),
                    (size_t)send->stage, task_of(task, send), (long long)send->action.tag,
                    (size_t)receive->stage, (long long)receive->action.tag);
    else
        vl_sign_say(sign, "peer_mismatch",
                    _("Stage %1$zu sends %2$s to stage %3$lld, and stage %4$zu waits for it "
                      "from stage %5$lld: an output goes to the next virtual stage, a "
                      "gradient to the one before."),
                    (size_t)send->stage, task_of(task, send), (long long)send->to,
                    (size_t)receive->stage, (long long)receive->from);
}

static void tell_alone(struct vl_sign *sign, const struct message *a)
{
    char task[VL_TASK_TEXT];
    int is_send = a->action.kind == VL_ACTION_SEND;
    vl_sign_say(sign, is_send ? "receive_missing" : "send_missing",
                is_send ? _("Stage %1$zu sends %2$s to stage %3$lld with tag %4$lld, and there "
                            "nobody receives it.")
                        : _("Stage %1$zu waits for %2$s from stage %3$lld with tag %4$lld, and "
                            "nobody sends it."),
                (size_t)a->stage, task_of(task, a), (long long)a->action.peer,
                (long long)a->action.tag);
}

static void check_message(struct vl_sign *sign, const struct messages *m, size_t i)
{
    char task[VL_TASK_TEXT], other[VL_TASK_TEXT];
    const struct message *a = &m->all[i];
    for (const struct message *b = m->all; sign->code == NULL && b < a; b++)
        if (b->action.kind == a->action.kind && is_same_message(a, b))
            vl_sign_say(sign, "tags_collide",
                        _("Stage %1$zu has two messages the same way with the tag "
                          "%2$lld, %3$s and %4$s: nobody can tell which is which."),
                        (size_t)a->stage, (long long)a->action.tag, task_of(other, b),
                        task_of(task, a));
    if (sign->code != NULL || arrives(m, a))
        return;
    const struct message *b = missed(m, a);
    if (b != NULL)
        tell_missed(sign, a, b);
    else
        tell_alone(sign, a);
}

/* ---- the first action that is another one ---- */

enum { ACTION_TEXT = 128 };

static const char *action_text(char text[ACTION_TEXT], const int64_t *row)
{
    const struct vl_action a = action_at(row, 0);
    char task[VL_TASK_TEXT];
    vl_task_text(task, &a.task);
    if (a.kind ==
        VL_ACTION_COMPUTE) /* TRANSLATORS: these four are actions of a stage, in quotes. */
        snprintf(text, ACTION_TEXT, _("compute %s"), task);
    else if (a.kind == VL_ACTION_SEND)
        snprintf(text, ACTION_TEXT, _("send %1$s to stage %2$lld"), task, (long long)a.peer);
    else if (a.kind == VL_ACTION_RECEIVE)
        snprintf(text, ACTION_TEXT, _("receive %1$s from stage %2$lld"), task, (long long)a.peer);
    else
        snprintf(text, ACTION_TEXT, "%s", _("nothing more"));
    return text;
}

static void tell_difference(struct vl_sign *sign, const struct vl_pipe *pipe, const int64_t *truth,
                            const int64_t *got, size_t i)
{
    char wanted[ACTION_TEXT], found[ACTION_TEXT];
    vl_sign_say(sign, "other_actions",
                _("With p = %1$zu, v = %2$zu, m = %3$zu, action %4$zu of stage %5$zu "
                  "(counted from 0) is \"%6$s\", and \"%7$s\" stands there."),
                pipe->size.stages, pipe->size.chunks, pipe->size.micro_batches, i % pipe->most,
                i / pipe->most, action_text(wanted, &truth[5 * i]),
                action_text(found, &got[5 * i]));
}

/* ---- all of them ---- */

/* Where the actions are the expected ones, only tags can be wrong. Where they are not, a known
 * mistake may explain more than the first message that goes astray, so 'is_last' waits for it. */
static enum vl_status inspect(struct vl_sign *sign, const struct vl_bag *inputs,
                              const struct vl_bag *expected, const struct vl_bag *outputs,
                              int is_last)
{
    struct messages m = {.pipe = vl_pipe_read(inputs)};
    size_t p = m.pipe.size.stages, most = p * m.pipe.most, same = 0;
    const int64_t *truth = vl_pipe_numbers(expected, "actions", 5 * most);
    m.counts = vl_pipe_numbers(outputs, "counts", p);
    m.table = vl_pipe_numbers(outputs, "actions", 5 * most);
    m.tags = vl_pipe_numbers(outputs, "tags", most);
    if (truth == NULL || m.counts == NULL || m.table == NULL || m.tags == NULL)
        return VL_OK; /* what is missing is reported elsewhere */
    m.all = calloc(most + 1, sizeof *m.all);
    if (m.all == NULL)
        return VL_ENOMEM;
    while (same < 5 * most && truth[same] == m.table[same])
        same++;
    /* Messages of a list that is cut short are not matched. */
    for (size_t stage = 0; !vl_bag_int(inputs, "short") && sign->code == NULL && stage < p; stage++)
        read_stage(sign, &m, stage);
    for (size_t i = 0; (is_last || same == 5 * most) && sign->code == NULL && i < m.count; i++)
        check_message(sign, &m, i);
    if (is_last && sign->code == NULL && same < 5 * most) /* else a count is reported as a number */
        tell_difference(sign, &m.pipe, truth, m.table, same / 5);
    free(m.all);
    return VL_OK;
}

enum vl_status vl_look_at_actions(struct vl_sign *sign, const struct vl_bag *inputs,
                                  const struct vl_bag *expected, const struct vl_bag *outputs)
{
    return inspect(sign, inputs, expected, outputs, 0);
}

enum vl_status vl_tell_actions(struct vl_sign *sign, const struct vl_bag *inputs,
                               const struct vl_bag *expected, const struct vl_bag *outputs)
{
    return inspect(sign, inputs, expected, outputs, 1);
}

/* ---- tags alone ---- */

enum { TAG_MOST = 16383 };

/* One tag for each forward and backward, chunk and micro-batch, in this order. */
enum vl_status vl_look_at_tags(struct vl_sign *sign, const struct vl_bag *inputs,
                               const struct vl_bag *expected, const struct vl_bag *outputs)
{
    struct vl_pipe pipe = vl_pipe_read(inputs);
    size_t count = 2 * pipe.size.chunks * pipe.size.micro_batches;
    const int64_t *tags = vl_pipe_numbers(outputs, "tags", count);
    char text[VL_TASK_TEXT], other[VL_TASK_TEXT];
    (void)expected;
    if (tags == NULL)
        return vl_sign_say(sign, "no_output", "%s", _("No result came back from the submission."));
    for (size_t i = 0; i < count; i++) {
        const char *task = vl_pipe_task_text(text, &pipe, i);
        if (tags[i] < 0 || tags[i] > TAG_MOST)
            return vl_sign_say(sign, "tag_out_of_range",
                               _("The tag of %1$s is %2$lld: tags are from 0 to %3$d."), task,
                               (long long)tags[i], TAG_MOST);
        for (size_t k = 0; k < i; k++)
            if (tags[k] == tags[i])
                return vl_sign_say(sign, "tags_collide",
                                   _("%1$s and %2$s have the same tag %3$lld: nobody can tell "
                                     "which is which."),
                                   vl_pipe_task_text(other, &pipe, k), task, (long long)tags[i]);
    }
    return VL_OK;
}
