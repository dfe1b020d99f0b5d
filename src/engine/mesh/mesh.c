#include "engine/mesh/mesh.h"

#include <stddef.h>

void vl_mesh_look(struct vl_mesh *other, const struct vl_mesh *mesh, int rank)
{
    *other = (struct vl_mesh){.dp = mesh->dp,
                              .pp = mesh->pp,
                              .tp = mesh->tp,
                              .ep = mesh->ep,
                              .rank = rank,
                              .ranks = mesh->ranks,
                              .replica = rank / mesh->tp % mesh->dp,
                              .stage = rank / mesh->tp / mesh->dp,
                              .place = rank % mesh->tp,
                              .world = MPI_COMM_NULL,
                              .replicas = MPI_COMM_NULL,
                              .stages = MPI_COMM_NULL,
                              .tensor = MPI_COMM_NULL,
                              .experts = MPI_COMM_NULL,
                              .expert_replicas = MPI_COMM_NULL};
}

int vl_mesh_rank(const struct vl_mesh *mesh, int replica, int stage, int place)
{
    return (stage * mesh->dp + replica) * mesh->tp + place;
}

/* The communicator of ranks that differ from this one in one coordinate only; 'first' is the first
 * of them. */
static void split(MPI_Comm *group, const struct vl_mesh *mesh, int size, int coordinate, int first)
{
    if (size > 1)
        MPI_Comm_split(mesh->world, first, coordinate, group);
}

enum vl_status vl_mesh_create(struct vl_mesh *mesh, MPI_Comm comm, int dp, int pp, int tp)
{
    struct vl_mesh asked = {.dp = dp, .pp = pp, .tp = tp, .ep = 1, .ranks = 1};
    int rank = 0;
    *mesh = (struct vl_mesh){.ranks = 0};
    if (dp < 1 || pp < 1 || tp < 1)
        return VL_EINVAL;
    if (comm != MPI_COMM_NULL) {
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &asked.ranks);
    }
    /* Divided, not multiplied: a product of huge sizes could overflow to a small number. */
    if (asked.ranks % tp != 0 || asked.ranks / tp % dp != 0 || asked.ranks / tp / dp != pp)
        return VL_ESHAPE;
    vl_mesh_look(mesh, &asked, rank);
    if (mesh->ranks > 1)
        mesh->world = comm;
    split(&mesh->replicas, mesh, dp, mesh->replica,
          vl_mesh_rank(mesh, 0, mesh->stage, mesh->place));
    split(&mesh->stages, mesh, pp, mesh->stage, vl_mesh_rank(mesh, mesh->replica, 0, mesh->place));
    split(&mesh->tensor, mesh, tp, mesh->place, vl_mesh_rank(mesh, mesh->replica, mesh->stage, 0));
    return VL_OK;
}

enum vl_status vl_mesh_share_experts(struct vl_mesh *mesh, int ep)
{
    if (ep < 1)
        return VL_EINVAL;
    if (mesh->dp % ep != 0)
        return VL_ESHAPE;
    int expert = mesh->replica % ep;
    mesh->ep = ep;
    split(&mesh->experts, mesh, ep, expert,
          vl_mesh_rank(mesh, mesh->replica - expert, mesh->stage, mesh->place));
    split(&mesh->expert_replicas, mesh, mesh->dp / ep, mesh->replica / ep,
          vl_mesh_rank(mesh, expert, mesh->stage, mesh->place));
    return VL_OK;
}

void vl_mesh_free(struct vl_mesh *mesh)
{
    MPI_Comm *const groups[] = {&mesh->replicas, &mesh->stages, &mesh->tensor, &mesh->experts,
                                &mesh->expert_replicas};
    for (size_t i = 0; mesh->ranks > 0 && i < sizeof groups / sizeof *groups; i++)
        if (*groups[i] != MPI_COMM_NULL)
            MPI_Comm_free(groups[i]);
    *mesh = (struct vl_mesh){.ranks = 0};
}
