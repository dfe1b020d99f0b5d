/*
 * Messages between ranks, made of SimGrid's own communications instead of those of its MPI.
 *
 * Why: in SimGrid's MPI a message belongs to the thread that posted it, by its number, so no other
 * thread can send for a rank; a successful MPI_Test leaves the message in a list that every later
 * one searches; and each call reads two clocks. These messages do none of that, and they are
 * faster by half.
 *
 *   sender     parcel --> mailbox of (communicator, from, to, tag) --> receiver copies it out
 *
 * A message starts to travel when both ends are posted, as large ones do on real machines, and both
 * ends are complete when it has arrived.
 */
#ifndef VIALATA_SIMULATE_RANKS_MESSAGES_H
#define VIALATA_SIMULATE_RANKS_MESSAGES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct vl_message;
struct vl_speaker; /* state.h */

/* Post one. 'bytes' from or to 'data'; the peer is a rank of comm. On return *message is what to
 * wait for. MPI's codes: MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_NO_MEM. */
int vl_message_send(struct vl_message **message, MPI_Comm comm, const void *data, size_t bytes,
                    int to, int tag);
int vl_message_receive(struct vl_message **message, MPI_Comm comm, void *data, size_t bytes,
                       int from, int tag);

/* Is it complete? Does not wait. In a loop of nothing but questions simulated time would stop: so
 * after many of them this lets some pass. */
int vl_message_is_complete(struct vl_message *message);

/* Wait until one of them is complete; NULL entries are skipped. Its index, -1 if all are NULL. */
int vl_message_wait_any(struct vl_message *const *messages, int count);

/* What a thread waits for. */
struct vl_wait {
    int peer; /* a rank of the world */
    int tag;
    bool receives; /* from it; false: until the peer receives */
};

/* False if the thread waits for no message. */
bool vl_message_waited(struct vl_wait *wait, const struct vl_speaker *speaker);

/* What arrived, or what was sent, of a complete message; then it is gone. status may be
 * MPI_STATUS_IGNORE. */
void vl_message_close(struct vl_message *message, MPI_Status *status);

#endif
