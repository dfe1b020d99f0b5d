/*
 * Lab 09, station 1: the counts of everybody, and the bias that follows them.
 *
 * Begin here. The first function is a few lines. Then, in a terminal:
 *
 *     ./vialata grade 09 --only vl_balance_bias_update
 *
 * The contracts are in include/vialata/expert_balance.h. Remove a (void) line as soon as you use
 * its argument.
 */
#include "vialata/expert_balance.h"

/* include/vialata/expert_balance.h: one step of size u towards an even load. */
enum vl_status vl_balance_bias_update(float *bias, const double *counts, size_t experts, float u)
{
    (void)bias;
    (void)counts;
    (void)experts;
    (void)u;
    /* TODO(09): the mean of the counts. */
    /* TODO(09): the bias of an expert with less than the mean goes up by u, with more it goes down
     * by u: never by more than u, however large the difference. With exactly the mean it stays. */
    return VL_TODO;
}

/* include/vialata/expert_balance.h: the sum over all data ranks, by one all-gather. */
enum vl_status vl_load_reduce(MPI_Comm comm, double *counts, size_t experts)
{
    (void)comm;
    (void)counts;
    (void)experts;
    /* TODO(09): refuse counts that are NULL; with no experts there is nothing to do. */
    /* TODO(09): a buffer for everybody's counts, P times E; put your own at your place in it.
     * malloc is allowed here: this happens once per global batch. */
    /* TODO(09): vl_all_gather. Why not vl_all_reduce? Look at its type, and think of 2^24. */
    /* TODO(09): add them up, rank 0 first; free the buffer, even if something failed. */
    return VL_TODO;
}
