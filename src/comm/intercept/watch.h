/*
 * Only for comm/intercept/: what the wrappers around MPI's calls have in common.
 *
 *   the program --> MPI_Isend (here) --> PMPI_Isend (the library)
 *                     |-- meter     what was sent and received
 *                     |-- beacon    which call this rank is in
 *                     `-- spans     when, if recording is on
 *
 * Nothing here is allocated per call once the tables have grown to what the program keeps open.
 * A call fails exactly as the library's does.
 */
#ifndef VIALATA_COMM_INTERCEPT_WATCH_H
#define VIALATA_COMM_INTERCEPT_WATCH_H

#include "comm/beacon.h"
#include "comm/count.h"
#include "comm/intercept/foreign.h"
#include "comm/span.h"
#include "comm/strict.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The caller's place in the program: wrappers only. */
#define VL_HERE vl_foreign_place(__builtin_return_address(0))

/* ---- threads (comm/preload/threads.c) ---- */

/*
 * May the thread that calls write to the tables and to the beacon? There is one set of them, for one thread. In
 * the labs no other calls MPI. A program of somebody's own may let several call at once (MPI_THREAD_MULTIPLE): then
 * only the one that called MPI_Init is watched. The calls of the others go straight to MPI, and the beacon says so.
 */
#ifdef vialata_mpi_EXPORTS
extern bool vl_threads_are_several;
bool vl_thread_began_mpi(void);
static inline bool vl_thread_is_watched(void)
{
    return !vl_threads_are_several || vl_thread_began_mpi();
}
/* May several call at once? Then one may finish what another has begun. */
static inline bool vl_thread_is_one_of_several(void)
{
    return vl_threads_are_several;
}
#else
static inline bool vl_thread_is_watched(void)
{
    return true;
}
static inline bool vl_thread_is_one_of_several(void)
{
    return false;
}
#endif

/* ---- communicators (communicators.c) ---- */

struct vl_known {
    MPI_Comm handle;
    uint32_t number; /* the same on all members; 0 for the world */
    int size;        /* ranks one can send to */
    int rank;
    int *world;                   /* their ranks in the world; NULL: the same */
    uint32_t members;             /* a bit each, as the beacon has it */
    uint32_t children;            /* communicators made from this one so far */
    uint32_t case_number;         /* the case it was made in; 0: seen, not made, by us */
    bool inter;                   /* an intercommunicator */
    bool guessed;                 /* its number comes from its members alone */
    bool beyond;                  /* ranks of other programs are in it */
    int holders;                  /* MPI's attribute, and its open requests */
    struct vl_beacon_call opened; /* the call that made it */
    struct vl_known *older, *newer;
};

/* NULL for MPI_COMM_NULL, without memory, or in a thread that is not watched. */
struct vl_known *vl_known(MPI_Comm comm);
/* A communicator that 'call' just made from 'parent'; 'mark' tells siblings apart. */
void vl_known_made(MPI_Comm made, uint32_t parent, uint32_t mark,
                   const struct vl_beacon_call *call);
/* The number of something else that all ranks of 'parent' make together. */
uint32_t vl_known_child(struct vl_known *parent);
/* The same of one that is not there yet. */
void vl_known_promised(MPI_Comm made, struct vl_known *parent, const struct vl_beacon_call *call);
void vl_known_hold(struct vl_known *known);
void vl_known_drop(struct vl_known *known);
/* The world rank of a rank of 'known'; VL_BEACON_ANY or VL_BEACON_NONE for MPI_ANY_SOURCE and
 * MPI_PROC_NULL. VL_BEACON_ELSEWHERE for one that is in another program, and for any that may be. */
int32_t vl_known_peer(const struct vl_known *known, int rank);

/* ---- one call (watch.c) ---- */

uint32_t vl_type_bytes(MPI_Datatype type);
/* enum vl_element_type (wire/element_type.h; element_types.c) */
uint32_t vl_element_type(MPI_Datatype type);
/* The description of a call between two ranks. */
struct vl_beacon_call vl_call_between(uint32_t operation, MPI_Comm comm, int peer, int tag,
                                      int count, MPI_Datatype type, const void *address);
/* Of a call without peer, root or data. */
struct vl_beacon_call vl_call_plain(uint32_t operation, MPI_Comm comm, const void *address);

/* This rank enters the call, or has returned from it. enter returns the time if spans are recorded,
 * else 0. */
double vl_watch_enter(const struct vl_beacon_call *call);
void vl_watch_leave(double began, const char *name);
/* It enters its latest call once more: it is counted. False, and nothing is done, if the latest call came from
 * another place. */
bool vl_watch_again(uint32_t operation, const void *address);
/* It has returned from that. */
void vl_watch_left(void);
/* What it said of its latest call is out of date. */
void vl_watch_forget(void);
/* Note a collective in the beacon's ring of the latest, and in 'call' which one it is on its communicator. */
void vl_watch_collective(struct vl_beacon_call *call);
/* Count the call itself. */
void vl_watch_called(const struct vl_beacon_call *call);
/* Count a receive as a call; its message counts later. A peer of MPI_PROC_NULL does not count. */
void vl_watch_expected(const struct vl_beacon_call *call);
/* Count a send and its message, or the message of a receive. MPI_PROC_NULL does not count. */
void vl_watch_sent(const struct vl_beacon_call *call);
/* MPI refused that send after all: no message is on its way. */
void vl_watch_not_sent(const struct vl_beacon_call *call);
void vl_watch_received(const struct vl_beacon_call *call, const struct vl_known *known,
                       const MPI_Status *status);
/* Add the span of a message that was posted at 'posted' (0: not recorded). */
void vl_watch_span(uint32_t kind, const struct vl_beacon_call *call, uint64_t bytes, double posted);
uint64_t vl_status_bytes(const MPI_Status *status);
/* A receive that ended so has taken its message all the same: as much of it as there was room for. */
bool vl_is_truncated(int result);

/* ---- contracts (contracts.c) ---- */

/* The outermost call of a contract for which messages are sent now; its operation is NONE outside of one.
 * A transfer that is polled or finished still works for the call that started it. */
const struct vl_beacon_call *vl_contract_at_work(void);

/* ---- collectives (collective.c) ---- */

/* A collective call and the bytes this rank gives to it and gets from it, itself included. */
struct vl_collective {
    struct vl_beacon_call call;
    uint64_t given, got;
    const void *reduced; /* the elements that this rank gives to a reduction, or NULL */
};

/* Which MPI_Op, as a number of our own; 0 for MPI_OP_NULL. */
uint32_t vl_reduction(MPI_Op op);
/* root below 0: none. count 0 where ranks may differ in it. */
struct vl_beacon_call vl_call_all(uint32_t operation, MPI_Comm comm, int root, uint64_t count,
                                  MPI_Datatype type, const void *address);
int vl_ranks(MPI_Comm comm);
bool vl_is_root(MPI_Comm comm, int root);
int vl_members(const struct vl_beacon_call *call); /* how many ranks, at most */
uint64_t vl_elements(int count); /* 0 for a negative count, which MPI will refuse */
uint64_t vl_elements_of_all(const int counts[], MPI_Comm comm);
/* This rank's own count; 0 if an intercommunicator has none for it. */
int vl_count_of_own(const int counts[], MPI_Comm comm);
double vl_collective_enter(struct vl_collective *c);
/* The same of a call that only starts it. */
void vl_collective_begin(struct vl_collective *c);
/* A whole program in strict mode waits until all ranks are here, as MPI may do in any blocking collective. */
void vl_collective_meet(const struct vl_collective *c, MPI_Comm comm);
/* The end of a call that started a collective: its request is open if 'result' says so. */
int vl_collective_started(const struct vl_collective *c, int result, MPI_Comm comm,
                          MPI_Request *request);

/* ---- requests (requests.c) ---- */

enum vl_request_kind { VL_REQUEST_SEND, VL_REQUEST_RECEIVE, VL_REQUEST_OTHER };

/* Where a message comes to, while its memory is stained (early.c). */
struct vl_kept {
    void *memory, *shadow; /* no shadow: it comes into memory itself */
    size_t bytes;
    uint64_t seen; /* a sum of the stained bytes */
};

/* A hash: other bytes give another sum, for all practical purposes; never 0. */
uint64_t vl_sum_of(const void *buffer, uint64_t bytes);

struct vl_request {
    MPI_Request handle;
    const void *variable; /* where the handle is stored: small sends share one handle */
    struct vl_beacon_call call;
    struct vl_known *known;
    uint32_t kind;
    uint32_t case_number;
    int persistent, active, cancelled;
    int started;      /* of a persistent one: at least once */
    uint32_t maker;   /* ... the call that made it: VL_OP_SEND_INIT ... */
    uint64_t made_at; /* ... and where that was */
    int gaps;     /* between the elements; looked for in strict cases, and if it is persistent */
    int doubtful; /* another with the same handle was completed: it may have been this one */
    int shown;    /* its slot in the beacon, or -1 */
    const void *buffer;
    uint64_t seen; /* a sum of the buffer's bytes when it was posted; 0: not looked at */
    struct vl_beacon_call outer; /* the contract in which it was posted, or NONE */
    struct vl_kept kept;         /* of a receive */
    double posted;
    struct vl_request *chain, *older, *newer;
};

/* Follow a request posted at 'posted' (0: not recorded). In a strict case a send's buffer is
 * checked. NULL without memory, or in a thread that is not watched. */
struct vl_request *vl_request_open(MPI_Request *request, uint32_t kind,
                                   const struct vl_beacon_call *call, MPI_Comm comm,
                                   const void *buffer, MPI_Datatype type, double posted);
/* The latest one; 'older' leads on to all others. */
struct vl_request *vl_request_newest(void);
/* May the bytes of a buffer be looked at: are there none between the elements? */
bool vl_type_is_dense(MPI_Datatype type);
/* The same for a persistent one, which does nothing until it is started. 'maker' is the call that makes it. */
void vl_request_prepare(MPI_Request *request, uint32_t kind, uint32_t maker,
                        const struct vl_beacon_call *call, MPI_Comm comm, const void *buffer,
                        MPI_Datatype type);
void vl_request_start(MPI_Request *request, const void *address);
/* The request that had this handle in *variable; NULL if it is not known. */
struct vl_request *vl_request_find(MPI_Request handle, const MPI_Request *variable);
/* It is complete: count what came, check what was sent, forget it (unless persistent). */
void vl_request_complete(MPI_Request handle, const MPI_Request *variable, const MPI_Status *status);
/* It is known to be done, and stays: what came moves into the program's memory now. */
void vl_request_deliver(struct vl_request *one);
/* Forget it without its completion. */
void vl_request_forget(MPI_Request handle, const MPI_Request *variable);

/* ---- races (overlap.c, early.c) ---- */

/* Does this send or receive, which is about to begin, meet memory of an open request that it must not?
 * Noted in the beacon of a strict case. */
bool vl_overlap_look(uint32_t kind, const struct vl_beacon_call *call, const void *buffer,
                     MPI_Datatype type);
/* The same for both halves of MPI_Sendrecv, which must not meet each other either. */
void vl_overlap_look_at_swap(const struct vl_beacon_call *out, const void *sent,
                             MPI_Datatype send_type, const struct vl_beacon_call *in,
                             const void *received, MPI_Datatype receive_type);

/* In a strict case: stain what a receive is about to fill, and let the message come into a shadow. */
struct vl_kept vl_early_stain(void *buffer, const struct vl_beacon_call *call, MPI_Datatype type);
/* The receive is done: memory is as MPI would have left it. */
void vl_early_deliver(struct vl_kept *kept);
/* Nobody will know when it is done. Memory gets what has come so far, and MPI keeps the shadow. */
void vl_early_give_up(struct vl_kept *kept);
/* Did somebody write into it since? */
bool vl_early_is_written(const struct vl_kept *kept);
/* A whole program sends this: is there a stain in it? Noted in the beacon. */
void vl_early_look(const void *buffer, const struct vl_beacon_call *call);

#endif
