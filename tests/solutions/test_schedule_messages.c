/*
 * Messages worked out of the reference's schedules: every send has its receive, no tag serves
 * twice, and with buffered sends no stage waits forever.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "made_schedule.h"

enum { TAGS = 16384 };

/* How often a message was sent and received, by sender, receiver and tag. */
static struct {
    uint8_t sent, received;
    struct vl_task task;
} box[MOST_STAGES][MOST_STAGES][TAGS];

struct stage_actions {
    struct vl_action *actions;
    size_t count, next;
};

static void list_actions(struct stage_actions lists[], const struct vl_schedule *schedule)
{
    for (size_t s = 0; s < schedule->stages; s++) {
        size_t count = 0, again = 0;
        enum vl_status status = vl_schedule_actions(NULL, &count, 0, schedule, s);
        assert_int_equal(status, VL_ENOMEM); /* there is always something to compute */
        lists[s] = (struct stage_actions){.actions = calloc(count, sizeof *lists[s].actions),
                                          .count = count};
        assert_non_null(lists[s].actions);
        assert_int_equal(vl_schedule_actions(lists[s].actions, &again, count, schedule, s), VL_OK);
        assert_int_equal(again, count);
    }
}

/* What is computed, in order, is the row itself. */
static void assert_computes_its_row(const struct stage_actions *list,
                                    const struct vl_schedule *schedule, size_t stage)
{
    size_t width = 3 * schedule->chunks * schedule->micro_batches, i = 0;
    for (size_t a = 0; a < list->count; a++)
        if (list->actions[a].kind == VL_ACTION_COMPUTE) {
            assert_true(i < width);
            assert_memory_equal(&list->actions[a].task, &schedule->tasks[stage * width + i],
                                sizeof(struct vl_task));
            i++;
        }
    assert_int_equal(i, width);
}

/* One action, if it can be done now: a send is buffered, a receive waits for its message. */
static int act(const struct vl_action *action, size_t stage)
{
    if (action->kind == VL_ACTION_COMPUTE)
        return 1;
    assert_in_range(action->peer, 0, MOST_STAGES - 1);
    assert_in_range(action->tag, 0, TAGS - 1);
    size_t peer = (size_t)action->peer;
    assert_int_not_equal(peer, stage);
    if (action->kind == VL_ACTION_SEND) {
        assert_int_equal(box[stage][peer][action->tag].sent++, 0); /* a tag for one message */
        box[stage][peer][action->tag].task = action->task;
        return 1;
    }
    if (!box[peer][stage][action->tag].sent)
        return 0;
    assert_int_equal(box[peer][stage][action->tag].received++, 0);
    assert_memory_equal(&box[peer][stage][action->tag].task, &action->task, sizeof action->task);
    return 1;
}

static void run_actions(struct stage_actions lists[], size_t p)
{
    for (int moved = 1; moved;) {
        moved = 0;
        for (size_t s = 0; s < p; s++)
            while (lists[s].next < lists[s].count && act(&lists[s].actions[lists[s].next], s)) {
                lists[s].next++;
                moved = 1;
            }
    }
}

static void assert_messages_match(make_fn *make, size_t p, size_t v, size_t m)
{
    struct stage_actions lists[MOST_STAGES] = {0};
    struct vl_schedule schedule = made(make, p, v, m);
    size_t sent = 0;
    memset(box, 0, sizeof box);
    list_actions(lists, &schedule);
    run_actions(lists, p);
    for (size_t s = 0; s < p; s++) {
        assert_int_equal(lists[s].next, lists[s].count); /* no stage waits forever */
        assert_computes_its_row(&lists[s], &schedule, s);
        for (size_t to = 0; to < p; to++)
            for (size_t tag = 0; tag < 2 * v * m; tag++) {
                assert_int_equal(box[s][to][tag].sent, box[s][to][tag].received);
                sent += box[s][to][tag].sent;
            }
        free(lists[s].actions);
    }
    assert_int_equal(sent, p == 1 ? 0 : 2 * (p * v - 1) * m); /* each edge, there and back */
}

static void sends_and_receives_match_one_to_one(void **state)
{
    (void)state;
    make_fn *const one[] = {vl_schedule_afab, vl_schedule_1f1b, vl_schedule_zb_h1};
    for (size_t p = 1; p <= MOST_STAGES; p += p < 4 ? 1 : 2) {
        for (size_t i = 0; i < 3; i++) {
            assert_messages_match(one[i], p, 1, p);
            assert_messages_match(one[i], p, 1, 2 * p + 1);
        }
        for (size_t v = 1; v <= MOST_CHUNKS; v++)
            assert_messages_match(vl_schedule_interleaved, p, v, 2 * p);
    }
}

/* A receive comes right before the task that needs it, a send right after the task that made it. */
static void messages_stand_beside_their_computing(void **state)
{
    (void)state;
    struct vl_schedule schedule = made(vl_schedule_1f1b, 2, 1, 2);
    struct vl_action actions[16];
    size_t count;
    static const enum vl_action_kind first[] = {
        /* F0 > F1 > < B0 W0 < B1 W1 */
        VL_ACTION_COMPUTE, VL_ACTION_SEND,    VL_ACTION_COMPUTE, VL_ACTION_SEND,
        VL_ACTION_RECEIVE, VL_ACTION_COMPUTE, VL_ACTION_COMPUTE, VL_ACTION_RECEIVE,
        VL_ACTION_COMPUTE, VL_ACTION_COMPUTE};
    static const enum vl_action_kind last[] = {
        /* < F0 B0 > W0 < F1 B1 > W1 */
        VL_ACTION_RECEIVE, VL_ACTION_COMPUTE, VL_ACTION_COMPUTE, VL_ACTION_SEND, VL_ACTION_COMPUTE,
        VL_ACTION_RECEIVE, VL_ACTION_COMPUTE, VL_ACTION_COMPUTE, VL_ACTION_SEND, VL_ACTION_COMPUTE};
    for (size_t s = 0; s < 2; s++) {
        assert_int_equal(vl_schedule_actions(actions, &count, 16, &schedule, s), VL_OK);
        assert_int_equal(count, 10);
        for (size_t i = 0; i < count; i++)
            assert_int_equal(actions[i].kind, s == 0 ? first[i] : last[i]);
    }
}

static void actions_outside_the_contract_are_refused(void **state)
{
    (void)state;
    struct vl_schedule schedule = made(vl_schedule_1f1b, 2, 1, 2);
    struct vl_action actions[16];
    size_t count = 0;
    assert_int_equal(vl_schedule_actions(actions, &count, 16, &schedule, 2), VL_EINVAL);
    memset(actions, 0x5a, sizeof actions);
    assert_int_equal(vl_schedule_actions(actions, &count, 3, &schedule, 0), VL_ENOMEM);
    assert_int_equal(count, 10);
    assert_int_equal(actions[3].tag, 0x5a5a5a5a); /* nothing written past the end */
    tasks[3].micro_batch = 9; /* a weight part, that has no message to stumble over it */
    assert_int_equal(vl_schedule_actions(actions, &count, 16, &schedule, 0), VL_EINVAL);
    tasks[3] = (struct vl_task){.kind = VL_TASK_NONE};
    assert_int_equal(vl_schedule_actions(actions, &count, 16, &schedule, 0), VL_EINVAL);

    int tag = -1;
    struct vl_schedule large = {.stages = 2, .chunks = 2, .micro_batches = 5000};
    struct vl_task task = {VL_TASK_BACKWARD, 1, 4095};
    assert_int_equal(vl_schedule_tag(&tag, &large, &task), VL_OK); /* the last tag that is */
    assert_in_range(tag, 0, TAGS - 1);
    task.micro_batch = 4999;
    assert_int_equal(vl_schedule_tag(&tag, &large, &task), VL_EINVAL);
    task = (struct vl_task){VL_TASK_WEIGHT, 0, 0};
    assert_int_equal(vl_schedule_tag(&tag, &large, &task), VL_EINVAL);
    task = (struct vl_task){VL_TASK_FORWARD, 2, 0};
    assert_int_equal(vl_schedule_tag(&tag, &large, &task), VL_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sends_and_receives_match_one_to_one),
        cmocka_unit_test(messages_stand_beside_their_computing),
        cmocka_unit_test(actions_outside_the_contract_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
