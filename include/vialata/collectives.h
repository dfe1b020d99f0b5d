/*
 * Collectives: what all ranks of a communicator do together, built from messages between two ranks.
 *
 * P ranks, 0 .. P-1; every rank calls the same function. Data of n elements is cut into P chunks
 * (vl_chunk); chunk r is rank r's own. P = 4, before and after:
 *
 *                     rank 0    rank 1    rank 2    rank 3
 *   broadcast         ABCD      ....      ....      ....       one rank has it
 *                     ABCD      ABCD      ABCD      ABCD       all have it
 *
 *   reduce-scatter    abcd      efgh      ijkl      mnop
 *                     A...      .B..      ..C.      ...D       A = a+e+i+m, B = b+f+j+n, ...
 *
 *   all-gather        A...      .B..      ..C.      ...D
 *                     ABCD      ABCD      ABCD      ABCD
 *
 *   all-reduce        abcd      efgh      ijkl      mnop       a reduce-scatter, then an
 *                     ABCD      ABCD      ABCD      ABCD       all-gather
 *
 *   all-to-all        abcd      efgh      ijkl      mnop       piece s of rank r becomes
 *                     aeim      bfjn      cgko      dhlp       piece r of rank s
 *
 * Preconditions, stated and not checked: n, element_bytes, root, tag and ranks_per_node are the
 * same on every rank, and all ranks call in the same order. Everything is in place, n may be 0 or
 * smaller than P, P may be 1 (then nothing is sent). A single message above INT_MAX bytes is
 * refused with VL_EINVAL before anything is sent; data as a whole may be larger. A chunk or a piece
 * counts as one message here, even where it travels in parts.
 *
 * Only messages between two ranks are used: MPI_Send, MPI_Recv, MPI_Sendrecv, MPI_Isend, MPI_Irecv,
 * MPI_Wait*, MPI_Test*. The bytes that are sent are counted.
 *
 * Sources: Thakur, Rabenseifner, Gropp 2005, "Optimization of Collective Communication Operations
 * in MPICH"; Patarasuk and Yuan 2009, "Bandwidth optimal all-reduce algorithms".
 */
#ifndef VIALATA_COLLECTIVES_H
#define VIALATA_COLLECTIVES_H

#include "vialata/status.h"
#include <mpi.h>
#include <stddef.h>

/* ---- chunks ---- */

/* Chunk r of n elements: n/P of them, one more for the first n mod P ranks, in order and without
 * gaps. Serial. VL_EINVAL unless 0 <= rank < ranks. */
enum vl_status vl_chunk(size_t *first, size_t *count, size_t n, int rank, int ranks);

/* ---- two ranks ---- */

/*
 * Swap n floats with one other rank: 'received' (n) gets what it sent. The call must return for
 * every n. The two arrays do not overlap; peer may be this rank itself. Both ranks call it; the
 * others of comm need not. Other messages, with another tag or from other ranks, may be under way.
 */
enum vl_status vl_exchange(MPI_Comm comm, float *received, const float *sent, size_t n, int peer,
                           int tag);

/* ---- started now, finished later ---- */

/*
 * A transfer under way. 'start' begins it and returns at once; 'poll' makes progress without
 * waiting; 'finish' waits until it is done and frees it. In between, the data belongs to the
 * transfer: do not read or write it. Open MPI moves messages only inside MPI calls, so a transfer
 * that nobody polls stands still.
 *
 * Several may be under way on one communicator if their tags differ. Tags are 0 .. 16383.
 * A start that fails leaves *transfer NULL. Poll and finish of NULL do nothing; poll says done.
 */
struct vl_transfer;

/* One message of 'bytes' bytes to, or from, another rank. The worked example of a transfer. */
enum vl_status vl_send_start(struct vl_transfer **transfer, MPI_Comm comm, const void *data,
                             size_t bytes, int to, int tag);
enum vl_status vl_receive_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                size_t bytes, int from, int tag);

/*
 * Ring reduce-scatter of data (n): on return chunk r of rank r holds the sum over all ranks, the
 * other chunks hold nothing you may use. P-1 steps: in each, one chunk goes to rank r+1 and one
 * comes from rank r-1 and is added. The order of the additions is part of the promise: chunk c is
 * summed beginning with rank c+1, then c+2, ..., and rank c last. Collective over comm.
 */
enum vl_status vl_reduce_scatter_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                       size_t n, int tag);

/* Ring all-gather of data (n elements of element_bytes each): chunk r of rank r goes everywhere.
 * P-1 steps. The bits are not changed. Collective over comm. */
enum vl_status vl_all_gather_start(struct vl_transfer **transfer, MPI_Comm comm, void *data,
                                   size_t n, size_t element_bytes, int tag);

/* Ring all-reduce: every rank gets the sum of data (n) over all ranks, with the same bits. A ring
 * reduce-scatter and then a ring all-gather, 2(P-1) steps. Collective over comm. */
enum vl_status vl_all_reduce_start(struct vl_transfer **transfer, MPI_Comm comm, float *data,
                                   size_t n, int tag);

/* Do what can be done without waiting: if the messages of this step have arrived, take them in and
 * post the next step. *done is 0 as long as something is left to do. Then it is nonzero, and
 * further polls change nothing. */
enum vl_status vl_transfer_poll(struct vl_transfer *transfer, int *done);

/* Wait until all is done, and free the transfer. */
enum vl_status vl_transfer_finish(struct vl_transfer *transfer);

/* The blocking forms: start and finish, with tag 0. */
enum vl_status vl_reduce_scatter(MPI_Comm comm, float *data, size_t n);
enum vl_status vl_all_gather(MPI_Comm comm, void *data, size_t n, size_t element_bytes);
enum vl_status vl_all_reduce(MPI_Comm comm, float *data, size_t n);

/* ---- trees and pairs ---- */

/*
 * Broadcast data ('bytes' bytes) from rank 'root' along a binomial tree: every rank that has it
 * passes it on, so the number of holders doubles each round. Every rank but the root receives once;
 * nobody sends more than ceil(log2 P) messages. Collective over comm. VL_EINVAL for a root outside
 * 0 .. P-1.
 */
enum vl_status vl_broadcast(MPI_Comm comm, void *data, size_t bytes, int root);

/*
 * All-to-all with uneven pieces: send_counts[s] elements go to rank s, receive_counts[s] come from
 * rank s (receive_counts[s] here is send_counts[this rank] there). Pieces follow one another in
 * rank order in 'sent' and in 'received'; the two do not overlap. Empty pieces are not sent, a
 * rank's own piece is copied. Collective over comm.
 */
enum vl_status vl_all_to_all(MPI_Comm comm, void *received, const size_t *receive_counts,
                             const void *sent, const size_t *send_counts, size_t element_bytes);

/* ---- two levels ---- */

/*
 * Rank r is on node r / ranks_per_node. Roads inside a node are broad, those between nodes narrow.
 *
 *          node 0           node 1
 *        0       1        2       3         inside: {0,1} {2,3}
 *        |       |        |       |
 *        0 ----- | ------ 2       |         across: {0,2} {1,3}   (same place in each node)
 *                1 -------------- 3
 */
struct vl_levels {
    MPI_Comm inside;
    MPI_Comm across;
};

/* Make the two communicators. VL_ESHAPE if ranks_per_node does not divide P, VL_EINVAL if it is
 * below 1; both leave MPI_COMM_NULL twice in *levels. Collective over comm. */
enum vl_status vl_levels_create(struct vl_levels *levels, MPI_Comm comm, int ranks_per_node);
/* Free them. Collective; MPI_COMM_NULL is left alone. */
enum vl_status vl_levels_free(struct vl_levels *levels);

/* All-reduce of data (n) that sends as little as possible between nodes: reduce-scatter inside,
 * all-reduce of this rank's chunk across, all-gather inside. What one of them refuses is refused.
 * Collective over all ranks of the levels. */
enum vl_status vl_all_reduce_two_level(const struct vl_levels *levels, float *data, size_t n);

#endif
