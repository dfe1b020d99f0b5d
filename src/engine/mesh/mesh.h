/*
 * A mesh: which share of the run each rank has. Three coordinates say it, and so which ranks
 * communicate:
 *
 *   place     of tp: the same layers, each matrix cut         in every layer, a lot
 *   replica   of dp: the same weights, other sequences        once a step
 *   stage     of pp: other layers, the same sequences         between two layers, a little
 *
 *   rank = (stage dp + replica) tp + place
 *
 * Ranks that communicate most have neighbouring numbers, so that they are usually on one machine.
 * Eight ranks, dp = pp = tp = 2:
 *
 *              replica 0          replica 1
 *   stage 0    0 --tensor-- 1     2 --tensor-- 3      replicas (0 2) (1 3) (4 6) (5 7)
 *              |            |     |            |      stages   (0 4) (1 5) (2 6) (3 7)
 *   stage 1    4 --tensor-- 5     6 --tensor-- 7      tensor   (0 1) (2 3) (4 5) (6 7)
 *
 * Experts are shared out over groups of ep neighbouring replicas. The ranks of a group have
 * different sequences and different experts; every ep-th replica has the same experts.
 *
 *   ep = 2, four replicas     experts (0 1) (2 3)     expert replicas (0 2) (1 3)
 */
#ifndef VIALATA_ENGINE_MESH_MESH_H
#define VIALATA_ENGINE_MESH_MESH_H

#include "vialata/status.h"
#include <mpi.h>

struct vl_mesh {
    int dp, pp, tp; /* dp: all data replicas, whatever experts they have */
    int ep;         /* divides dp; 1: every replica has all experts */
    int rank, ranks;
    int replica, stage, place; /* of this rank */

    /* MPI_COMM_NULL where there would be one rank, so that a rank alone needs no MPI. The rank in
     * each is the coordinate that it is named after. */
    MPI_Comm world; /* the communicator the mesh was made from; the caller's */
    MPI_Comm replicas, stages, tensor;
    MPI_Comm experts;         /* rank = replica mod ep */
    MPI_Comm expert_replicas; /* rank = replica / ep */
};

/*
 * Lay out the ranks of a communicator; MPI_COMM_NULL is one rank. VL_EINVAL for a size below 1,
 * VL_ESHAPE if dp pp tp is not the number of ranks; then there is nothing to free.
 * Collective.
 */
enum vl_status vl_mesh_create(struct vl_mesh *mesh, MPI_Comm comm, int dp, int pp, int tp);

/* Share the experts out over groups of ep neighbouring replicas. Call it right after vl_mesh_create
 * and, if there are experts, for ep = 1 too: their gradients have a communicator of their own.
 * VL_ESHAPE if ep does not divide dp, VL_EINVAL if it is below 1. Collective. */
enum vl_status vl_mesh_share_experts(struct vl_mesh *mesh, int ep);

/* Free its communicators. Collective; does nothing if the mesh is all zero, as after an error. */
void vl_mesh_free(struct vl_mesh *mesh);

/* Another rank's coordinates: 'other' is the mesh as that rank sees it, without communicators.
 * Serial. */
void vl_mesh_look(struct vl_mesh *other, const struct vl_mesh *mesh, int rank);

/* The rank with these coordinates. Serial. */
int vl_mesh_rank(const struct vl_mesh *mesh, int replica, int stage, int place);

#endif
