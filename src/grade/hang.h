/*
 * Who waits for whom: a conversation between ranks that came to a standstill, read off the beacons.
 *
 *   hung_cycle             each waits for the next, in a circle (mutual blocking sends, all
 * receive) send_needs_buffer      the same, but only because MPI_Send was made to wait for its
 * receive rank_left              the others wait for a rank that has returned, or ended wrong_tag
 * it waits for a tag, and a message with another tag lies there wrong_peer             it waits for
 * a rank, and the message came from another, or went to another collective_order       ranks are in
 * different collectives, or in another order collective_root        same collective, different root
 *   collective_count       ... different count or type
 *   collective_operation   ... different reduction
 *   collective_communicator ... on different communicators
 *   never_sent             it waits for a message that nobody sends or will send
 *   hung                   nothing of all this: a rank computes without end
 *
 * And what is wrong although everybody came back:
 *
 *   request_not_completed   message_not_received   communicator_leaked   transfer_not_finished
 *   buffer_touched          collective_order ... collective_communicator (as above)
 *   message_truncated       (MPI said so)          mpi_error
 */
#ifndef VIALATA_GRADE_HANG_H
#define VIALATA_GRADE_HANG_H

#include "comm/beacon.h"
#include "vialata/status.h"

struct vl_finding {
    const char *code; /* NULL: nothing to say */
    char *message;    /* the user's language, fresh; the ranks, calls and places are named */
    char *detail;     /* a line a rank: where it is; fresh or NULL */
};

/*
 * beacons[r], places[r] ("ring.c:41" or NULL) of each rank. 'finished' nonzero: everybody came back
 * and only conduct is judged. VL_ENOMEM.
 */
enum vl_status vl_hang_find(struct vl_finding *finding, const struct vl_beacon *const *beacons,
                            const char *const *places, int ranks, int finished, int synchronous);
void vl_finding_free(struct vl_finding *finding);

#endif
