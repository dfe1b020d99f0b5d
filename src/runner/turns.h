/*
 * Turns: the ranks call one after another, each when the one before it has returned.
 *
 *   rank 0   call ─▶ byte
 *   rank 1            └─▶ call ─▶ byte
 *   rank 2                         └─▶ call
 *
 * A call that waits in it for the others never comes back, and the report says who waits for whom.
 */
#ifndef VIALATA_RUNNER_TURNS_H
#define VIALATA_RUNNER_TURNS_H

#include <mpi.h>

/* Wait until it is this rank's turn; and give it to the next rank. 'turns' is a communicator for this
 * alone; MPI_COMM_NULL: all call at once. */
void vl_turn_wait(MPI_Comm turns);
void vl_turn_end(MPI_Comm turns);

#endif
