/*
 * Who waits for whom: why ranks came to a standstill, read from their beacons.
 *
 *   hung_cycle              each waits for the next, in a circle
 *   send_needs_buffer       the same, and only buffering a blocking send could break it
 *   rank_left               others wait for a rank that has returned, or ended its process
 *   wrong_tag               it waits for a tag, and a message with another tag lies there
 *   wrong_communicator      ... on another communicator
 *   wrong_peer              it waits for a rank, and the message came from, or went to, another
 *   wildcard_race           a receive from any rank took the message that it waits for
 *   collective_order        ranks are in different collectives, or in another order
 *   collective_root         same collective, different root
 *   collective_count        ... different count or type
 *   collective_operation    ... different reduction
 *   collective_communicator ... on different communicators
 *   waits_for_others        ranks call one after another, and a call waits for one that comes later
 *   never_sent              it waits for a message that nobody will send
 *   hung                    none of these: a rank computes, or messages are sent, without end
 *
 * And what is wrong although every rank returned:
 *
 *   buffer_touched   request_not_completed   transfer_not_finished   message_not_received
 *   communicator_leaked   collective_order ... collective_operation
 *   group_leaked   type_leaked   operator_leaked   never freed, which MPI allows (programs alone)
 *   message_type   one side sends real numbers, say, and the other receives whole ones (programs alone)
 *   read_before_arrival   what a receive had not filled yet is in the results, or was sent
 *   written_before_arrival  what a receive had not filled yet was written
 *   uninitialised         ... or what was allocated and never written
 *
 * Either way: message_truncated, mpi_error, and, before anything else, what is wrong even if it goes
 * well:
 *
 *   tag_shared         two transfers between the same ranks share communicator and tag
 *   receives_overlap   two receives write to the same memory
 *   buffer_shared      one call sends what another one receives into
 *   request_freed      a request was freed before it was done
 *   transfer_ended     a transfer was polled or finished that had been finished before
 *
 * Beacons are written by untrusted programs. Every number in them is checked before it is used, and
 * a wrong one leads to a wrong diagnosis at worst.
 */
#ifndef VIALATA_RANKS_HANG_HANG_H
#define VIALATA_RANKS_HANG_HANG_H

#include "vialata/status.h"
#include "wire/beacon.h"

#include <stdbool.h>

struct vl_finding {
    const char *code; /* NULL: nothing to say */
    char *message;    /* in the user's language, fresh; names ranks, calls and places */
    char *detail;     /* one line per rank: where it is; fresh or NULL */
};

/* How a call is found in the submission. */
struct vl_hang_places {
    const char *const *now; /* where each rank is, "ring.c:41" or NULL; may be NULL itself */
    /* The place of a call, fresh; NULL if it lies in no file of the submission. May be NULL. */
    char *(*find)(void *context, uint64_t address);
    void *context;
    bool
        program; /* whole programs are watched, from MPI_Init to MPI_Finalize, not functions of a lab */
};

/*
 * beacons[r] is that of rank r, NULL if nothing is known of it. 'finished' nonzero: every rank has
 * returned, and only misuse is sought; with VL_FINISHED_WRONG also why its results may be wrong.
 * 'synchronous': MPI_Send waited for its receive. VL_ENOMEM.
 */
enum { VL_FINISHED = 1, VL_FINISHED_WRONG };

enum vl_status vl_hang_find(struct vl_finding *finding, const struct vl_beacon *const *beacons,
                            const struct vl_hang_places *places, int ranks, int finished,
                            int synchronous);

/* One line per rank: where it is, whether it waits or not. Fresh, in *text. VL_ENOMEM. */
enum vl_status vl_hang_table(char **text, const struct vl_beacon *const *beacons,
                             const struct vl_hang_places *places, int ranks);

/* next[r], of each rank: a rank that rank r waits for; -1 if it waits for none. */
void vl_hang_next(int *next, const struct vl_beacon *const *beacons, int ranks);

void vl_finding_free(struct vl_finding *finding);

/* Is it one that explains whatever else goes wrong: tag_shared ... transfer_ended? */
bool vl_finding_is_race(const struct vl_finding *finding);

/* Is it something that MPI allows: group_leaked, type_leaked, operator_leaked? */
bool vl_finding_is_allowed(const struct vl_finding *finding);

/* Is it certain that no rank can go on? Then each has ended, or waits in MPI for something that, by
 * all counts, nobody has sent, received or entered; a rank that computes may still do so. */
bool vl_hang_is_certain(const struct vl_beacon *const *beacons, int ranks, int synchronous);

/* Has a rank a collective under way that does not fit what another rank calls in its place? It is never done, however
 * often the rank asks. */
bool vl_hang_is_misfit(const struct vl_beacon *const *beacons, int ranks);

#endif
