#include "simulate/ranks/communicators.h"

#include "simulate/ranks/state.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- mailboxes ---- */

static sg_mailbox_t box(const struct vl_communicator *group, int from, int to, int tag)
{
    char name[96];
    snprintf(name, sizeof name, "%ld:%d:%d:%d", group->number, from, to, tag);
    return sg_mailbox_by_name(name);
}

sg_mailbox_t vl_communicator_outbox(const struct vl_communicator *group, int peer, int tag)
{
    return box(group, group->rank, peer, tag);
}

sg_mailbox_t vl_communicator_inbox(const struct vl_communicator *group, int peer, int tag)
{
    return box(group, peer, group->rank, tag);
}

/* ---- communicators ---- */

int vl_communicator_world_rank(const struct vl_communicator *group, int rank)
{
    return group->world != NULL ? group->world[rank] : rank;
}

static int *world_ranks(MPI_Comm comm, int size)
{
    MPI_Group here, everybody;
    int *own = calloc((size_t)size, sizeof *own), *world = calloc((size_t)size, sizeof *world);
    for (int i = 0; own != NULL && i < size; i++)
        own[i] = i;
    PMPI_Comm_group(comm, &here);
    PMPI_Comm_group(MPI_COMM_WORLD, &everybody);
    if (own != NULL && world != NULL)
        PMPI_Group_translate_ranks(here, size, own, everybody, world);
    PMPI_Group_free(&here);
    PMPI_Group_free(&everybody);
    free(own);
    return world;
}

static struct vl_communicator *add(MPI_Comm comm, long number)
{
    struct vl_rank_state *state = vl_rank_state();
    struct vl_communicator *group = calloc(1, sizeof *group);
    if (group == NULL)
        return NULL;
    *group = (struct vl_communicator){.next = state->communicators, .comm = comm, .number = number};
    PMPI_Comm_rank(comm, &group->rank);
    PMPI_Comm_size(comm, &group->size);
    if (comm != MPI_COMM_WORLD)
        group->world = world_ranks(comm, group->size);
    if (comm != MPI_COMM_WORLD && group->world == NULL) {
        free(group);
        return NULL;
    }
    state->communicators = group;
    return group;
}

struct vl_communicator *vl_communicator_of(MPI_Comm comm)
{
    struct vl_rank_state *state = vl_rank_state();
    struct vl_communicator *group = state->communicators;
    while (group != NULL && group->comm != comm)
        group = group->next;
    /* Only a rank itself can ask MPI: a thread that speaks for it has an MPI_COMM_SELF of its own. */
    if (group != NULL || vl_speaker() != &state->speaker)
        return group;
    if (comm == MPI_COMM_WORLD)
        return add(comm, 0);
    return comm == MPI_COMM_SELF ? add(comm, -1 - vl_rank_number(state)) : NULL;
}

/* Its first rank finds a number that nobody has: its own in the world, and how many it found. */
static int number(MPI_Comm comm)
{
    int own, rank;
    long found[2];
    if (comm == MPI_COMM_NULL)
        return MPI_SUCCESS;
    PMPI_Comm_rank(MPI_COMM_WORLD, &own);
    PMPI_Comm_rank(comm, &rank);
    found[0] = rank == 0 ? ++vl_rank_state()->numbered : 0;
    found[1] = own;
    PMPI_Bcast(found, 2, MPI_LONG, 0, comm);
    return add(comm, found[0] * VL_SIMULATE_RANKS + found[1]) != NULL ? MPI_SUCCESS
                                                                      : MPI_ERR_NO_MEM;
}

int MPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *made)
{
    int code = PMPI_Comm_split(comm, color, key, made);
    return code == MPI_SUCCESS ? number(*made) : code;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *made)
{
    int code = PMPI_Comm_dup(comm, made);
    return code == MPI_SUCCESS ? number(*made) : code;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    struct vl_communicator **at = &vl_rank_state()->communicators;
    while (*at != NULL && (*at)->comm != *comm)
        at = &(*at)->next;
    if (*at != NULL) {
        struct vl_communicator *group = *at;
        *at = group->next;
        free(group->world);
        free(group);
    }
    return PMPI_Comm_free(comm);
}

int MPI_Comm_rank(MPI_Comm comm, int *rank)
{
    const struct vl_communicator *group = vl_communicator_of(comm);
    if (group == NULL)
        return PMPI_Comm_rank(comm, rank);
    *rank = group->rank;
    return MPI_SUCCESS;
}

int MPI_Comm_size(MPI_Comm comm, int *size)
{
    const struct vl_communicator *group = vl_communicator_of(comm);
    if (group == NULL)
        return PMPI_Comm_size(comm, size);
    *size = group->size;
    return MPI_SUCCESS;
}
