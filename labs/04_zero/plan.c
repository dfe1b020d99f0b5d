/*
 * Lab 04, station 1: how much memory a rank needs for what it keeps.
 *
 * Begin here. It is ten lines, it needs no other function of yours, and nothing is sent. Then, in a
 * terminal:
 *
 *     ./vialata grade 04 --only vl_zero_plan
 *
 * The contracts are in include/vialata/zero.h; worked.c says where a chunk lies. Remove a (void)
 * line as soon as you use its argument.
 */
#include "vialata/zero.h"

/* include/vialata/zero.h: the drawing at the top says what is whole and what is a shard. */
enum vl_status vl_zero_plan(struct vl_zero_plan *plan, int stage, const size_t *units,
                            size_t unit_count, int rank, int ranks)
{
    (void)plan;
    (void)stage;
    (void)units;
    (void)unit_count;
    (void)rank;
    (void)ranks;
    /* TODO(04): refuse a stage that is not 1, 2 or 3, and a model without units. */
    /* TODO(04): how long is the shard? vl_shard_piece says where the last piece ends. */
    /* TODO(04): the largest unit; a pair of buffers has twice its size, where there are buffers. */
    /* TODO(04): decide for each stage what is whole and what is a shard, and return VL_OK. */
    return VL_TODO;
}
