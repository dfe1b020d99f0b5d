/*
 * Messages of lab 07, of all stages together: each is sent once and received once, by two stages
 * that agree on its tag, and two of them are never mistaken for one another.
 */
#include "base/text.h"
#include "grade/labs/07_pipeline_parallel/inspector.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A message as one of its ends sees it. */
struct end {
    int sends;
    size_t stage;
    struct vl_task task;
    long long from, to, tag;
};

struct ends {
    struct vl_pipe pipe;
    const int64_t *counts, *table, *tags;
    struct end *all; /* of all stages */
    size_t count;
};

static struct vl_action action_at(const int64_t *row)
{
    return (struct vl_action){(enum vl_action_kind)row[0], vl_pipe_task_at(&row[1]), (int)row[4],
                              0};
}

/* How many of their two stages do they agree on? */
static int agreement(const struct end *a, const struct end *b)
{
    return (a->from == b->from) + (a->to == b->to);
}

/* The same way, with the same tag: MPI would bring the two together, or confuse them. */
static bool is_alike(const struct end *a, const struct end *b)
{
    return agreement(a, b) == 2 && a->tag == b->tag;
}

static bool has_other_end(const struct ends *ends, const struct end *a)
{
    for (size_t i = 0; i < ends->count; i++)
        if (ends->all[i].sends != a->sends && is_alike(a, &ends->all[i]))
            return true;
    return false;
}

/* ---- each action on its own ---- */

static bool is_known(const struct vl_pipe *pipe, const struct vl_action *a)
{
    return a->kind <= VL_ACTION_RECEIVE && a->task.kind <= VL_TASK_WEIGHT &&
           a->task.chunk < pipe->size.chunks && a->task.micro_batch < pipe->size.micro_batches &&
           (a->kind == VL_ACTION_COMPUTE || (a->peer >= 0 && a->peer < (int)pipe->size.stages));
}

static void read_action(struct vl_sign *sign, struct ends *ends, size_t stage, size_t i)
{
    size_t at = stage * ends->pipe.most + i;
    const struct vl_action a = action_at(&ends->table[5 * at]);
    const long long here = (long long)stage;
    char task[VL_TASK_TEXT];
    if (!is_known(&ends->pipe, &a))
        vl_sign_say(sign, "unknown_action",
                    _("Action %1$zu of stage %2$zu (counted from 0) has a kind, a task or a "
                      "peer that does not exist."),
                    i, stage);
    else if (a.kind != VL_ACTION_COMPUTE && a.peer == here)
        vl_sign_say(sign, "message_to_itself",
                    _("Stage %1$zu has a message to itself (%2$s): between two chunks "
                      "of the same stage nothing is sent."),
                    stage, vl_task_text(task, &a.task));
    else if (a.kind == VL_ACTION_SEND)
        ends->all[ends->count++] = (struct end){1, stage, a.task, here, a.peer, ends->tags[at]};
    else if (a.kind == VL_ACTION_RECEIVE)
        ends->all[ends->count++] = (struct end){0, stage, a.task, a.peer, here, ends->tags[at]};
}

static void read_stage(struct vl_sign *sign, struct ends *ends, size_t stage)
{
    long long count = ends->counts[stage];
    if (count < 0 || count > (long long)ends->pipe.most)
        vl_sign_say(sign, "wrong_count",
                    _("Stage %1$zu says it has %2$lld actions, and there are at most "
                      "three for each of its %3$zu tasks: count what you append."),
                    stage, count, ends->pipe.width);
    for (size_t i = 0; sign->code == NULL && i < (size_t)count; i++)
        read_action(sign, ends, stage, i);
}

/* ---- pairs ---- */

/* The other end of the same task that does not match 'a'; NULL if there is none. Tasks of several
 * stages have the same name, so at least one end must name the other as its peer. */
static const struct end *missed(const struct ends *ends, const struct end *a)
{
    const struct end *found = NULL;
    for (size_t i = 0; i < ends->count; i++) {
        const struct end *b = &ends->all[i];
        if (b->sends != a->sends && memcmp(&a->task, &b->task, sizeof a->task) == 0 &&
            !has_other_end(ends, b) && agreement(a, b) > (found ? agreement(a, found) : 0))
            found = b;
    }
    return found;
}

static void tell_missed(struct vl_sign *sign, const struct end *send, const struct end *receive)
{
    char task[VL_TASK_TEXT];
    vl_task_text(task, &send->task);
    if (agreement(send, receive) == 2)
        vl_sign_say(sign, "tag_mismatch",
                    _("Stage %1$zu sends %2$s with tag %3$lld, and stage %4$zu receives "
                      "it with tag %5$lld: both take the tag of the task that made it."),
                    send->stage, task, send->tag, receive->stage, receive->tag);
    else
        vl_sign_say(sign, "peer_mismatch",
                    _("Stage %1$zu sends %2$s to stage %3$lld, and stage %4$zu waits for it "
                      "from stage %5$lld: an output goes to the next virtual stage, a "
                      "gradient to the one before."),
                    send->stage, task, send->to, receive->stage, receive->from);
}

static void tell_alone(struct vl_sign *sign, const struct end *a)
{
    char task[VL_TASK_TEXT];
    vl_task_text(task, &a->task);
    if (a->sends)
        vl_sign_say(sign, "receive_missing",
                    _("Stage %1$zu sends %2$s to stage %3$lld with tag %4$lld, but nobody "
                      "receives it there."),
                    a->stage, task, a->to, a->tag);
    else
        vl_sign_say(sign, "send_missing",
                    _("Stage %1$zu waits for %2$s from stage %3$lld with tag %4$lld, but "
                      "nobody sends it."),
                    a->stage, task, a->from, a->tag);
}

static void check_end(struct vl_sign *sign, const struct ends *ends, const struct end *a)
{
    char task[VL_TASK_TEXT], other[VL_TASK_TEXT];
    for (const struct end *b = ends->all; sign->code == NULL && b < a; b++)
        if (b->sends == a->sends && is_alike(a, b))
            vl_sign_say(sign, "tags_collide",
                        _("Stage %1$zu has two messages in the same direction with the tag "
                          "%2$lld, %3$s and %4$s: nobody can tell which is which."),
                        a->stage, a->tag, vl_task_text(other, &b->task),
                        vl_task_text(task, &a->task));
    if (sign->code != NULL || has_other_end(ends, a))
        return;
    const struct end *b = missed(ends, a);
    if (b == NULL)
        tell_alone(sign, a);
    else
        tell_missed(sign, a->sends ? a : b, a->sends ? b : a);
}

/* ---- the first action that differs ---- */

enum { ACTION_TEXT = 128 };

static const char *action_text(char text[ACTION_TEXT], const int64_t *row)
{
    const struct vl_action a = action_at(row);
    char task[VL_TASK_TEXT];
    vl_task_text(task, &a.task);
    if (a.kind == VL_ACTION_COMPUTE)
        /* TRANSLATORS: these four are actions of a stage, in quotes. */
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
                  "(counted from 0) should be \"%6$s\", but is \"%7$s\"."),
                pipe->size.stages, pipe->size.chunks, pipe->size.micro_batches, i % pipe->most,
                i / pipe->most, action_text(wanted, &truth[5 * i]),
                action_text(found, &got[5 * i]));
}

/* ---- too little memory ---- */

/* A status follows from a count: where both are wrong, both are told. */
static void say_short(struct vl_sign *sign, size_t stage, const int64_t status[2],
                      const int64_t count[2])
{
    vl_sign_say(
        sign, "unexpected_status",
        _("There is not enough memory for all actions of stage %1$zu: the contract asks for "
          "%2$s and a count of %3$lld, but the function returned %4$s and counted %5$lld."),
        stage, vl_status_name((enum vl_status)status[0]), (long long)count[0],
        vl_status_name((enum vl_status)status[1]), (long long)count[1]);
}

/* The first status of a stage that is not the one asked for. */
static void check_statuses(struct vl_sign *sign, size_t p, const struct vl_bag *expected,
                           const struct vl_bag *outputs)
{
    const int64_t *wanted = vl_pipe_numbers(expected, "statuses", p),
                  *returned = vl_pipe_numbers(outputs, "statuses", p),
                  *counts = vl_pipe_numbers(expected, "counts", p),
                  *counted = vl_pipe_numbers(outputs, "counts", p);
    for (size_t s = 0; wanted != NULL && returned != NULL && sign->code == NULL && s < p; s++)
        if (returned[s] != wanted[s] && counts != NULL && counted != NULL &&
            counted[s] != counts[s])
            say_short(sign, s, (const int64_t[]){wanted[s], returned[s]},
                      (const int64_t[]){counts[s], counted[s]});
        else if (returned[s] != wanted[s])
            vl_pipe_say_status(sign, (enum vl_status)returned[s], (enum vl_status)wanted[s]);
}

/* ---- all of them ---- */

/* Where the actions are the expected ones, only tags can be wrong. Where they are not, a known
 * mistake may explain more than the first message that goes astray: that is left to 'tell'. */
static enum vl_status inspect(struct vl_sign *sign, const struct vl_bag *inputs,
                              const struct vl_bag *expected, const struct vl_bag *outputs, int tell)
{
    struct ends ends = {.pipe = vl_pipe_read(inputs)};
    size_t p = ends.pipe.size.stages, most = p * ends.pipe.most, same = 0;
    const int64_t *truth = vl_pipe_numbers(expected, "actions", 5 * most);
    ends.counts = vl_pipe_numbers(outputs, "counts", p);
    ends.table = vl_pipe_numbers(outputs, "actions", 5 * most);
    ends.tags = vl_pipe_numbers(outputs, "tags", most);
    if (truth == NULL || ends.counts == NULL || ends.table == NULL || ends.tags == NULL)
        return VL_OK; /* what is missing is reported elsewhere */
    ends.all = calloc(most + 1, sizeof *ends.all);
    if (ends.all == NULL)
        return VL_ENOMEM;
    while (same < 5 * most && truth[same] == ends.table[same])
        same++;
    int differs = same < 5 * most;
    check_statuses(sign, p, expected, outputs);
    /* The messages of lists that are cut short are not matched. */
    for (size_t stage = 0; !vl_bag_int(inputs, "short") && sign->code == NULL && stage < p; stage++)
        read_stage(sign, &ends, stage);
    for (size_t i = 0; (tell || !differs) && sign->code == NULL && i < ends.count; i++)
        check_end(sign, &ends, &ends.all[i]);
    if (tell && differs && sign->code == NULL)
        tell_difference(sign, &ends.pipe, truth, ends.table, same / 5);
    free(ends.all);
    return VL_OK;
}

VL_INSPECTION(vl_look_at_actions)
{
    return inspect(sign, inputs, expected, outputs, 0);
}

VL_INSPECTION(vl_tell_actions)
{
    return inspect(sign, inputs, expected, outputs, 1);
}

/* ---- tags alone ---- */

enum { TAG_MOST = 16383 };

/* One tag for each forward and backward, chunk and micro-batch, in this order. */
VL_INSPECTION(vl_look_at_tags)
{
    struct vl_pipe pipe = vl_pipe_read(inputs);
    size_t count = 2 * pipe.size.chunks * pipe.size.micro_batches;
    const int64_t *tags = vl_pipe_numbers(outputs, "tags", count);
    char text[VL_TASK_TEXT], other[VL_TASK_TEXT];
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
