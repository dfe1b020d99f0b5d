#include "oracle/pipeline.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* All of them, or one for each stage from here to the end. With chunks, more forwards fit between a
 * forward and its backward: all other chunks of a group, and two for each stage below. */
size_t vl_oracle_alive(enum vl_oracle_order order, const struct vl_oracle_pipe *pipe, size_t stage)
{
    size_t to_the_end = pipe->stages - stage, all = pipe->chunks * pipe->micro_batches;
    if (order == VL_ORACLE_AFAB)
        return all;
    if (order == VL_ORACLE_INTERLEAVED && pipe->chunks > 1)
        return smaller(all, (pipe->chunks - 1) * pipe->stages + 2 * to_the_end - 1);
    return smaller(all, to_the_end);
}

/* Where a walk through the tasks of one kind is. */
struct walk {
    size_t first, chunk, within; /* of the group's first micro-batch */
};

static struct vl_oracle_task step(struct walk *walk, const struct vl_oracle_pipe *pipe,
                                  enum vl_oracle_pass pass, size_t group)
{
    int down = pass != VL_ORACLE_FORWARD;
    struct vl_oracle_task task = {pass, down ? pipe->chunks - 1 - walk->chunk : walk->chunk,
                                  walk->first + walk->within};
    if (++walk->within == group || walk->first + walk->within == pipe->micro_batches) {
        walk->within = 0;
        if (++walk->chunk == pipe->chunks) {
            walk->chunk = 0;
            walk->first += group;
        }
    }
    return task;
}

void vl_oracle_row(struct vl_oracle_task *row, const struct vl_oracle_pipe *pipe, size_t alive,
                   size_t late, size_t group)
{
    struct walk walk[3] = {{0}};
    size_t all = pipe->chunks * pipe->micro_batches, done[3] = {0};
    while (done[VL_ORACLE_WEIGHT] < all) {
        size_t between = done[VL_ORACLE_FORWARD] - done[VL_ORACLE_BACKWARD];
        size_t owed = done[VL_ORACLE_BACKWARD] - done[VL_ORACLE_WEIGHT];
        enum vl_oracle_pass pass = VL_ORACLE_BACKWARD;
        if (owed > late || done[VL_ORACLE_BACKWARD] == all)
            pass = VL_ORACLE_WEIGHT;
        else if (done[VL_ORACLE_FORWARD] < all && (between < alive || between == 0))
            pass = VL_ORACLE_FORWARD;
        *row++ = step(&walk[pass], pipe, pass, group);
        done[pass]++;
    }
}

void vl_oracle_order_row(struct vl_oracle_task *row, enum vl_oracle_order order,
                         const struct vl_oracle_pipe *pipe, size_t stage)
{
    vl_oracle_row(row, pipe, vl_oracle_alive(order, pipe, stage),
                  order == VL_ORACLE_ZB_H1 ? stage : 0, pipe->stages);
}

int vl_oracle_peer(struct vl_oracle_task *other, const struct vl_oracle_pipe *pipe, size_t stage,
                   const struct vl_oracle_task *task, int way)
{
    size_t p = pipe->stages, last = p * pipe->chunks - 1, k = task->chunk * p + stage;
    int up = (task->pass == VL_ORACLE_FORWARD) == (way > 0);
    if (task->pass == VL_ORACLE_WEIGHT || p == 1 || k == (up ? last : 0))
        return -1;
    k = up ? k + 1 : k - 1;
    *other = (struct vl_oracle_task){task->pass, k / p, task->micro_batch};
    return (int)(k % p);
}

double vl_oracle_bubble(const struct vl_oracle_pipe *pipe)
{
    double piece = 3.0 / (double)pipe->chunks; /* F = 1, B + W = 2, of a stage */
    return (double)(pipe->stages - 1) * piece / (3.0 * (double)pipe->micro_batches);
}
