/*
 * vl_stage_run of lab 07 on as many ranks as mpirun gives, under the reference's own schedules. The
 * stages are toys whose outputs are known. Sends are synchronous: whoever needs a buffer, hangs.
 * Started by check_pipeline_parallel.py.
 */
#define RANKS_ISEND PMPI_Issend
#include "ranks.h"
#include "vialata/pipeline.h"

enum { MOST_RANKS = 8, MOST_CHUNKS = 3, MOST_MICRO = 2 * MOST_RANKS, MOST_COUNT = 70000 };
enum { MOST_TASKS = 3 * MOST_CHUNKS * MOST_MICRO };
enum { MOST_ACTIONS = MOST_TASKS + 4 * MOST_CHUNKS * MOST_MICRO }; /* F and B: in and out */

/* Which messages of a stage have the same memory. */
enum memory {
    APART,    /* none have */
    SHARED,   /* those of a direction that leave, and those that arrive: four in all */
    IN_PLACE, /* and those that leave, with those that arrive: two in all. For v = 1 only: around a
                 ring, each stage would wait for the next to take what it sent */
    NONE,     /* empty messages without memory */
};

struct toy {
    const struct vl_schedule *schedule;
    size_t stage, count;
    enum memory memory;
    float *messages;
    /* One number for each task: its outputs follow from it. */
    float out[2][MOST_CHUNKS][MOST_MICRO];
    int done[3][MOST_CHUNKS][MOST_MICRO];
    MPI_Comm notes; /* on it stage 0 tells the others that 'tell_after' forwards are done */
    size_t tell_after, forwards;
};

static int me, ranks;

#define HOLDS(condition) RANKS_HOLD(condition, "rank %d of %d", me, ranks)

/* ---- what a toy computes: whole numbers, exact ---- */

/* Element 0 of F(k, m) and of B(k, m); element i has i % 64 more. Each is made from the one it
 * needs, so a value is right only if all before it were. */
static float known(enum vl_task_kind kind, size_t k, size_t m)
{
    return (float)(64 * m + 4096 * k + (kind == VL_TASK_BACKWARD ? 1u << 22 : 0u));
}

static float *place_of(const struct toy *toy, const struct vl_task *task, int leaves)
{
    size_t kind = task->kind == VL_TASK_BACKWARD, width = MOST_CHUNKS * MOST_MICRO, place;
    if (toy->memory == IN_PLACE)
        place = kind;
    else if (toy->memory == SHARED)
        place = 2 * kind + (size_t)leaves;
    else
        place = (2 * kind + (size_t)leaves) * width + task->chunk * MOST_MICRO + task->micro_batch;
    return toy->memory == NONE ? NULL : toy->messages + place * toy->count;
}

/* The virtual stage before or after k: where the output of a task of this kind goes (1) or what it
 * needs comes from (-1). Whether there is one that is on another stage. */
static int neighbour(size_t *at, const struct toy *toy, enum vl_task_kind kind, size_t k, int way)
{
    size_t p = toy->schedule->stages;
    int up = (kind == VL_TASK_FORWARD) == (way == 1);
    if (kind == VL_TASK_WEIGHT || (up ? k + 1 == p * toy->schedule->chunks : k == 0))
        return 0;
    *at = up ? k + 1 : k - 1;
    return p > 1;
}

static enum vl_status toy_message(void *context, const struct vl_action *action, float **values,
                                  size_t *count)
{
    struct toy *toy = context;
    size_t k = action->task.chunk * toy->schedule->stages + toy->stage, to;
    HOLDS(action->kind != VL_ACTION_COMPUTE);
    if (action->kind == VL_ACTION_SEND)
        HOLDS(neighbour(&to, toy, action->task.kind, k, 1));
    *values = place_of(toy, &action->task, action->kind == VL_ACTION_SEND);
    *count = toy->count;
    return VL_OK;
}

static int all_are(const float *values, size_t count, float first)
{
    for (size_t i = 0; i < count; i++)
        if (values[i] != first + (float)(i % 64))
            return 0;
    return 1;
}

/* Element 0 of what the task needs: from a message, from this stage, or from nowhere. */
static float take(struct toy *toy, const struct vl_task *task, size_t k)
{
    size_t p = toy->schedule->stages, from;
    struct vl_task source = *task;
    int sent = neighbour(&from, toy, task->kind, k, -1);
    if (sent) {
        source.chunk = (uint32_t)(from / p);
        const float *values = place_of(toy, &source, 0);
        float truth = known(task->kind, from, task->micro_batch);
        HOLDS(all_are(values, toy->count, truth));
        return toy->count > 0 ? values[0] : truth;
    }
    if (p == 1 && (task->kind == VL_TASK_FORWARD ? k > 0 : k + 1 < toy->schedule->chunks)) {
        size_t chunk = task->kind == VL_TASK_FORWARD ? k - 1 : k + 1; /* of this very stage */
        return toy->out[task->kind == VL_TASK_BACKWARD][chunk][task->micro_batch];
    }
    if (task->kind == VL_TASK_FORWARD)
        return known(VL_TASK_FORWARD, 0, task->micro_batch) - 4096.0F;
    return toy->out[0][task->chunk][task->micro_batch] + (float)(1 << 22) + 4096.0F;
}

static void leave(struct toy *toy, const struct vl_task *task, size_t k, float value)
{
    size_t to;
    toy->out[task->kind == VL_TASK_BACKWARD][task->chunk][task->micro_batch] = value;
    HOLDS(value == known(task->kind, k, task->micro_batch));
    if (!neighbour(&to, toy, task->kind, k, 1))
        return;
    float *values = place_of(toy, task, 1);
    for (size_t i = 0; i < toy->count; i++)
        values[i] = value + (float)(i % 64);
}

static enum vl_status toy_compute(void *context, const struct vl_task *task)
{
    struct toy *toy = context;
    size_t c = task->chunk, m = task->micro_batch, k = c * toy->schedule->stages + toy->stage;
    HOLDS(toy->done[task->kind][c][m]++ == 0);
    if (task->kind == VL_TASK_WEIGHT) {
        HOLDS(toy->done[VL_TASK_BACKWARD][c][m]);
        return VL_OK;
    }
    HOLDS(task->kind == VL_TASK_FORWARD || toy->done[VL_TASK_FORWARD][c][m]);
    leave(toy, task, k, take(toy, task, k) + (task->kind == VL_TASK_FORWARD ? 4096.0F : -4096.0F));
    toy->forwards += task->kind == VL_TASK_FORWARD;
    if (toy->stage == 0 && toy->forwards == toy->tell_after)
        for (int r = 1; r < ranks; r++)
            PMPI_Send(NULL, 0, MPI_BYTE, r, 0, toy->notes);
    return VL_OK;
}

/* ---- a run ---- */

static void all_is_done_once(const struct toy *toy)
{
    for (size_t kind = 0; kind < 3; kind++)
        for (size_t c = 0; c < toy->schedule->chunks; c++)
            for (size_t m = 0; m < toy->schedule->micro_batches; m++)
                HOLDS(toy->done[kind][c][m] == 1);
}

/* 'notes', if it is a communicator: the others wait until stage 0 has done its first 'tell_after'
 * forwards, and stage 0 is not to wait for them. */
static void run(const struct vl_schedule *schedule, MPI_Comm comm, size_t count, enum memory memory,
                MPI_Comm notes, size_t tell_after)
{
    static struct toy toy;
    static struct vl_action actions[MOST_ACTIONS];
    static struct vl_stage_send sends[MOST_ACTIONS];
    size_t places = memory == APART ? 4 * MOST_CHUNKS * MOST_MICRO : 4, action_count;
    toy = (struct toy){.schedule = schedule, .count = count, .memory = memory, .notes = notes};
    toy.tell_after = notes == MPI_COMM_NULL ? SIZE_MAX : tell_after;
    toy.stage = (size_t)me;
    toy.messages = floats(places * count);
    struct vl_stage stage = {
        .comm = comm, .context = &toy, .message = toy_message, .compute = toy_compute};
    HOLDS(vl_schedule_actions(actions, &action_count, MOST_ACTIONS, schedule, toy.stage) == VL_OK);
    memset(sends, 0xa5, sizeof sends);
    sent_bytes = 0;
    if (notes != MPI_COMM_NULL && me > 0)
        PMPI_Recv(NULL, 0, MPI_BYTE, 0, 0, notes, MPI_STATUS_IGNORE);
    HOLDS(vl_stage_run(&stage, actions, action_count, sends) == VL_OK);
    for (size_t i = 0; i < places * count; i++)
        toy.messages[i] = NAN; /* everything is finished: no task reads this any more */
    all_is_done_once(&toy);
    size_t edges = 2 * schedule->chunks - (me == 0) - (me == ranks - 1);
    HOLDS(sent_bytes == (ranks == 1 ? 0 : edges * schedule->micro_batches * count * sizeof(float)));
    free(toy.messages);
}

static struct vl_task tasks[MOST_RANKS * MOST_TASKS];

typedef enum vl_status make_fn(struct vl_schedule *schedule);

static struct vl_schedule made(make_fn *make, size_t v, size_t m)
{
    struct vl_schedule schedule = {
        .stages = (size_t)ranks, .chunks = v, .micro_batches = m, .tasks = tasks};
    HOLDS(make(&schedule) == VL_OK);
    return schedule;
}

/* ---- what holds ---- */

static void every_schedule_runs_and_every_output_is_right(MPI_Comm comm)
{
    static make_fn *const all[] = {vl_schedule_afab, vl_schedule_1f1b, vl_schedule_zb_h1,
                                   vl_schedule_interleaved};
    size_t p = (size_t)ranks;
    for (size_t i = 0; i < 4; i++)
        for (size_t v = 1; v <= (i == 3 ? MOST_CHUNKS : 1); v++)
            for (size_t m = v > 1 ? p : 1; m <= 2 * p; m += v > 1 ? p : (p + 1) / 2) {
                struct vl_schedule schedule = made(all[i], v, m);
                run(&schedule, comm, 3, APART, MPI_COMM_NULL, 0);
                run(&schedule, comm, 3, SHARED, MPI_COMM_NULL, 0);
                if (v == 1)
                    run(&schedule, comm, 3, IN_PLACE, MPI_COMM_NULL, 0);
                run(&schedule, comm, 0, NONE, MPI_COMM_NULL, 0);
            }
}

/* Far above what MPI buffers. */
static void large_messages_arrive_whole(MPI_Comm comm)
{
    struct vl_schedule schedule = made(vl_schedule_1f1b, 1, 2 * (size_t)ranks);
    run(&schedule, comm, MOST_COUNT, SHARED, MPI_COMM_NULL, 0);
    run(&schedule, comm, MOST_COUNT, IN_PLACE, MPI_COMM_NULL, 0);
    schedule = made(vl_schedule_interleaved, 2, (size_t)ranks);
    run(&schedule, comm, MOST_COUNT, SHARED, MPI_COMM_NULL, 0);
}

/* Stage 0 does all its forwards before any other stage begins to receive. */
static void a_send_is_not_waited_for_before_it_must(MPI_Comm comm)
{
    MPI_Comm notes;
    MPI_Comm_dup(comm, &notes);
    struct vl_schedule schedule = made(vl_schedule_afab, 1, 5);
    run(&schedule, comm, 20000, APART, notes, 5);
    run(&schedule, comm, 0, NONE, notes, 5); /* empty ones have no memory to wait for */
    MPI_Comm_free(&notes);
}

/* ---- what is refused, on one rank ---- */

static int asked;

static enum vl_status fails(void *context, const struct vl_task *task)
{
    (void)context;
    asked++;
    return task->micro_batch == 1 ? VL_ENOMEM : VL_OK;
}

static enum vl_status has_no_message(void *context, const struct vl_action *action, float **values,
                                     size_t *count)
{
    (void)context;
    (void)action;
    (void)values;
    (void)count;
    return VL_ELACK;
}

static void an_error_ends_the_run_at_once(void)
{
    struct vl_stage stage = {.comm = MPI_COMM_SELF, .message = has_no_message, .compute = fails};
    struct vl_action actions[3] = {{.kind = VL_ACTION_COMPUTE, .task = {VL_TASK_FORWARD, 0, 0}},
                                   {.kind = VL_ACTION_COMPUTE, .task = {VL_TASK_FORWARD, 0, 1}},
                                   {.kind = VL_ACTION_COMPUTE, .task = {VL_TASK_FORWARD, 0, 2}}};
    struct vl_stage_send sends[3];
    asked = 0;
    HOLDS(vl_stage_run(&stage, actions, 3, sends) == VL_ENOMEM);
    HOLDS(asked == 2);
    actions[1].kind = VL_ACTION_SEND;
    HOLDS(vl_stage_run(&stage, actions, 3, sends) == VL_ELACK);
    actions[1].kind = VL_ACTION_RECEIVE;
    HOLDS(vl_stage_run(&stage, actions, 3, sends) == VL_ELACK);
    actions[0].kind = (enum vl_action_kind)9;
    HOLDS(vl_stage_run(&stage, actions, 3, sends) == VL_EINVAL);
    HOLDS(vl_stage_run(&stage, NULL, 3, sends) == VL_EINVAL);
    HOLDS(vl_stage_run(&stage, actions, 3, NULL) == VL_EINVAL);
    HOLDS(vl_stage_run(NULL, actions, 3, sends) == VL_EINVAL);
    HOLDS(vl_stage_run(&stage, NULL, 0, NULL) == VL_OK);
}

int main(void)
{
    int world, all = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &world);
    for (int reversed = 0; reversed < 2; reversed++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, 0, reversed ? -world : world, &comm);
        MPI_Comm_rank(comm, &me);
        MPI_Comm_size(comm, &ranks);
        every_schedule_runs_and_every_output_is_right(comm);
        large_messages_arrive_whole(comm);
        a_send_is_not_waited_for_before_it_must(comm);
        MPI_Comm_free(&comm);
    }
    an_error_ends_the_run_at_once();
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
