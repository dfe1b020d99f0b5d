/*
 * The communicators of a rank, as its messages need them: threads that speak for a rank are unknown
 * to MPI, so it cannot tell them who they are.
 *
 * A message goes through a mailbox of its communicator, sender, receiver and tag. So messages keep
 * their order as MPI demands it, and none is searched for.
 */
#ifndef VIALATA_SIMULATE_RANKS_COMMUNICATORS_H
#define VIALATA_SIMULATE_RANKS_COMMUNICATORS_H

#include <mpi.h>
#include <simgrid/mailbox.h>

struct vl_communicator {
    struct vl_communicator *next;
    MPI_Comm comm;
    long number; /* the same on all its ranks, and no other communicator's */
    int rank, size;
    int *world; /* (size): the ranks in the world; NULL: the same numbers */
};

/* This rank's entry of a communicator. NULL if the simulator did not see it made. Of MPI_COMM_WORLD and
 * MPI_COMM_SELF the rank itself has to ask before a thread that speaks for it does. */
struct vl_communicator *vl_communicator_of(MPI_Comm comm);

/* Where messages of this rank to 'peer' are put, or messages from it are taken. */
sg_mailbox_t vl_communicator_outbox(const struct vl_communicator *group, int peer, int tag);
sg_mailbox_t vl_communicator_inbox(const struct vl_communicator *group, int peer, int tag);

/* The number of a rank of the group in the world. */
int vl_communicator_world_rank(const struct vl_communicator *group, int rank);

#endif
