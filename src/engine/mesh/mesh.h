/*
 * A mesh: which share of the run each rank has. Three coordinates say it, and so who speaks to
 * whom:
 *
 *   place     of tp: the same layers, each matrix cut         speak in every layer, a lot
 *   replica   of dp: the same weights, other sequences        speak once a step
 *   stage     of pp: other layers, the same sequences         speak between two layers, a little
 *
 *   rank = (stage dp + replica) tp + place
 *
 * Ranks that speak most stand next to one another: on machines of several cores they then share
 * one. Eight ranks, dp = pp = tp = 2:
 *
 *              replica 0          replica 1
 *   stage 0    0 --tensor-- 1     2 --tensor-- 3      replicas (0 2) (1 3) (4 6) (5 7)
 *              |            |     |            |      stages   (0 4) (1 5) (2 6) (3 7)
 *   stage 1    4 --tensor-- 5     6 --tensor-- 7      tensor   (0 1) (2 3) (4 5) (6 7)
 *
 * Experts are shared out over neighbouring replicas, ep at a time. Their ranks have other sequences
 * and other experts; who has the same experts is every ep-th replica.
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

    /* MPI_COMM_NULL where it would have one rank: who is alone does not touch MPI. The rank in each
     * is the coordinate it is named after. */
    MPI_Comm world; /* the communicator the mesh was made from; the caller's */
    MPI_Comm replicas, stages, tensor;
    MPI_Comm experts;         /* rank = replica mod ep */
    MPI_Comm expert_replicas; /* rank = replica / ep */
};

/*
 * Lay the ranks of a communicator out; MPI_COMM_NULL is one rank. VL_EINVAL for a size below 1,
 * VL_ESHAPE if dp pp tp are not as many as there are ranks; nothing is to be freed then.
 * Collective.
 */
enum vl_status vl_mesh_create(struct vl_mesh *mesh, MPI_Comm comm, int dp, int pp, int tp);

/* Share the experts out over ep neighbouring replicas each; of a mesh that was just made, and where
 * there are experts with ep = 1 too: their gradients go another way. VL_ESHAPE
 * if ep does not divide dp, VL_EINVAL below 1. Collective. */
enum vl_status vl_mesh_share_experts(struct vl_mesh *mesh, int ep);

/* Its communicators. Collective; a mesh that is all zero, or was never made, is left alone. */
void vl_mesh_free(struct vl_mesh *mesh);

/* Where another rank stands: 'other' is the mesh as that rank would see it, without communicators.
 * Serial. */
void vl_mesh_look(struct vl_mesh *other, const struct vl_mesh *mesh, int rank);

/* The rank that stands there. Serial. */
int vl_mesh_rank(const struct vl_mesh *mesh, int replica, int stage, int place);

#endif
