/*
 * Lab 09's reference on as many ranks as mpirun gives: counts are added over all of them, exactly,
 * and one all-gather is sent. Started by check_expert_balancing.py.
 */
#include "ranks.h"
#include "vialata/expert_balance.h"

static MPI_Comm comm;
static int rank, ranks;

/* Whole numbers beyond float32, different on every rank. */
static double count_of(size_t expert, int of_rank)
{
    return 100000000.0 * (double)(expert % 3) + 7.0 * (double)expert + (double)(of_rank * of_rank);
}

static void counts_are_those_of_all_ranks(size_t experts)
{
    double *counts = bytes_for((experts + 1) * sizeof *counts);
    const double guard = counts[experts];
    for (size_t e = 0; e < experts; e++)
        counts[e] = count_of(e, rank);
    sent_bytes = 0;
    RANKS_HOLD(vl_load_reduce(comm, counts, experts) == VL_OK, "rank %d of %d", rank, ranks);
    RANKS_HOLD(sent_bytes == (uint64_t)(ranks - 1) * experts * sizeof *counts,
               "rank %d of %d, %zu experts", rank, ranks, experts);
    for (size_t e = 0; e < experts; e++) {
        double sum = 0.0;
        for (int r = 0; r < ranks; r++)
            sum += count_of(e, r);
        RANKS_HOLD(counts[e] == sum, "rank %d of %d, expert %zu of %zu", rank, ranks, e, experts);
    }
    RANKS_HOLD(memcmp(&counts[experts], &guard, sizeof guard) == 0, "rank %d of %d", rank, ranks);
    free(counts);
}

/* Shares are no whole numbers: in rank order they have the same bits everywhere. */
static void what_is_not_whole_is_added_in_rank_order(void)
{
    double share = 1.0 / (double)(rank + 3), sum = 0.0;
    for (int r = 0; r < ranks; r++)
        sum += 1.0 / (double)(r + 3);
    RANKS_HOLD(vl_load_reduce(comm, &share, 1) == VL_OK, "rank %d of %d", rank, ranks);
    RANKS_HOLD(share == sum, "rank %d of %d", rank, ranks);
}

static void prediction_is_what_is_sent(void)
{
    struct vl_balance_prediction said;
    double counts[8] = {0};
    if (ranks != 4)
        return;
    sent_bytes = 0;
    RANKS_HOLD(vl_load_reduce(comm, counts, 8) == VL_OK, "rank %d", rank);
    RANKS_HOLD(vl_predict_expert_balancing(&said) == VL_OK && said.reduced_bytes == sent_bytes,
               "rank %d", rank);
}

int main(void)
{
    int me, all = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int reversed = 0; reversed < 2; reversed++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, reversed ? -me : me, &comm);
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &ranks);
        for (size_t experts = 0; experts <= 9; experts++)
            counts_are_those_of_all_ranks(experts);
        counts_are_those_of_all_ranks(257);
        what_is_not_whole_is_added_in_rank_order();
        prediction_is_what_is_sent();
        RANKS_HOLD(vl_load_reduce(comm, NULL, 0) == VL_OK, "rank %d of %d", rank, ranks);
        RANKS_HOLD(vl_load_reduce(comm, NULL, 3) == VL_EINVAL, "rank %d of %d", rank, ranks);
        MPI_Comm_free(&comm);
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
