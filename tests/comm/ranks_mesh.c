/* Meshes on as many ranks as were started, in every layout that is possible. */
#include "ranks.h"

#include "engine/mesh/mesh.h"

/* A communicator has exactly these ranks, in this order; for one rank there is none. */
static void group_is(MPI_Comm group, const int *members, int count, int coordinate)
{
    int at = -1, size = -1, got[MOST_RANKS] = {0};
    EQUAL(group != MPI_COMM_NULL, count > 1);
    if (group == MPI_COMM_NULL)
        return;
    PMPI_Comm_rank(group, &at);
    PMPI_Comm_size(group, &size);
    EQUAL(at, coordinate);
    EQUAL(size, count);
    PMPI_Allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, group);
    for (int i = 0; i < count; i++)
        EQUAL(got[i], members[i]);
}

/* Counted with the last coordinate fastest, and compared with the mesh. */
static void every_rank_has_its_own_coordinates(const struct vl_mesh *mesh)
{
    int next = 0;
    for (int stage = 0; stage < mesh->pp; stage++)
        for (int replica = 0; replica < mesh->dp; replica++)
            for (int place = 0; place < mesh->tp; place++, next++) {
                struct vl_mesh other;
                vl_mesh_look(&other, mesh, next);
                EQUAL(other.stage, stage);
                EQUAL(other.replica, replica);
                EQUAL(other.place, place);
                EQUAL(vl_mesh_rank(mesh, replica, stage, place), next);
                TRUE(other.tensor == MPI_COMM_NULL && other.world == MPI_COMM_NULL);
                if (next == rank)
                    TRUE(mesh->stage == stage && mesh->replica == replica && mesh->place == place);
            }
    EQUAL(next, ranks);
}

static void groups_are_lines_of_the_mesh(const struct vl_mesh *mesh)
{
    int replicas[MOST_RANKS] = {0}, stages[MOST_RANKS] = {0}, tensor[MOST_RANKS] = {0};
    for (int i = 0; i < mesh->dp; i++)
        replicas[i] = (mesh->stage * mesh->dp + i) * mesh->tp + mesh->place;
    for (int i = 0; i < mesh->pp; i++)
        stages[i] = (i * mesh->dp + mesh->replica) * mesh->tp + mesh->place;
    for (int i = 0; i < mesh->tp; i++)
        tensor[i] = rank - mesh->place + i;
    group_is(mesh->replicas, replicas, mesh->dp, mesh->replica);
    group_is(mesh->stages, stages, mesh->pp, mesh->stage);
    group_is(mesh->tensor, tensor, mesh->tp, mesh->place);
    EQUAL(mesh->world == MPI_COMM_NULL, ranks == 1);
}

static void one_layout(int dp, int pp, int tp)
{
    struct vl_mesh mesh;
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_WORLD, dp, pp, tp), VL_OK);
    EQUAL(mesh.rank, rank);
    EQUAL(mesh.ranks, ranks);
    every_rank_has_its_own_coordinates(&mesh);
    groups_are_lines_of_the_mesh(&mesh);
    vl_mesh_free(&mesh);
    EQUAL(mine->communicators_open, 0);
    vl_mesh_free(&mesh); /* freeing it again does no harm */
}

static void all_layouts(void)
{
    begin("layouts", 0, 0);
    for (int dp = 1; dp <= ranks; dp++)
        for (int pp = 1; dp * pp <= ranks; pp++)
            if (ranks % (dp * pp) == 0)
                one_layout(dp, pp, ranks / dp / pp);
}

static void refusals(void)
{
    struct vl_mesh mesh;
    begin("refusals", 0, 0);
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_WORLD, 0, 1, ranks), VL_EINVAL);
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_WORLD, ranks, 1, -1), VL_EINVAL);
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_WORLD, ranks + 1, 1, 1), VL_ESHAPE);
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_WORLD, 1, 2, ranks), VL_ESHAPE);
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_WORLD, 65536, 65536, 1), VL_ESHAPE);
    EQUAL(mine->communicators_open, 0);
    vl_mesh_free(&mesh);
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_NULL, 2, 1, 1), VL_ESHAPE);
    EQUAL(vl_mesh_create(&mesh, MPI_COMM_NULL, 1, 1, 1), VL_OK);
    EQUAL(mesh.ranks, 1);
    TRUE(mesh.world == MPI_COMM_NULL && mesh.tensor == MPI_COMM_NULL);
    vl_mesh_free(&mesh);
}

int main(int argc, char **argv)
{
    start(argc, argv);
    all_layouts();
    refusals();
    return finish();
}
