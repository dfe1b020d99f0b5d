/*
 * The beacon: what each rank is doing in MPI, in memory that the grader can read after the job is
 * dead.
 *
 * There is one struct vl_beacon per rank. The wrappers in comm/intercept/ write it: the call a rank
 * is in, its open requests, how many messages went over each channel, its last collectives in
 * order, what it made and did not free, from where it sent how many bytes. Ranks are numbered as in MPI_COMM_WORLD throughout,
 * whatever the communicator. Untrusted programs write it: it serves to diagnose, and nothing in it
 * is believed.
 */
#ifndef VIALATA_WIRE_BEACON_H
#define VIALATA_WIRE_BEACON_H

#include "wire/element_type.h"
#include "wire/makers.h"
#include "wire/mpi_refusal.h"

#include <stdbool.h>
#include <stdint.h>

#define VL_BEACON_REQUESTS    64  /* open at once; more are only counted */
#define VL_BEACON_CHANNELS    256 /* (communicator, peer, tag) */
#define VL_BEACON_HEAPS       512 /* of messages on channels that have no place */
#define VL_BEACON_COLLECTIVES 48  /* the latest */
#define VL_BEACON_COUNTED     24  /* communicators whose collectives are counted */
#define VL_BEACON_SENDERS     16  /* places in the program */
#define VL_BEACON_TAKEN       16  /* receives from any rank, the latest */
#define VL_TURN_TAG           20000 /* of a message that gives another rank its turn (runner/turns.h) */
#define VL_BEACON_ANY         (-1) /* any source, any tag */
#define VL_BEACON_NONE        (-2) /* this call has no peer, tag or root */
#define VL_BEACON_ELSEWHERE   (-3) /* a rank of another program, or any that may be one */
#define VL_BEACON_FINALIZED   1000 /* as a status: of a whole program, in MPI_Finalize */

#define VL_MAKER_NUMBER(operation, call) VL_OP_##operation,
/* MPI's calls, then the contracts of vialata/collectives.h that other labs build on. */
enum vl_operation {
    VL_OP_NONE,
    VL_OP_SEND,
    VL_OP_SSEND,
    VL_OP_RECV,
    VL_OP_SENDRECV,
    VL_OP_ISEND,
    VL_OP_IRECV,
    VL_OP_WAIT,
    VL_OP_WAITALL,
    VL_OP_WAITANY, /* or some */
    VL_OP_TEST,
    VL_OP_PROBE,
    VL_OP_BARRIER,
    VL_OP_BCAST,
    VL_OP_REDUCE,
    VL_OP_ALLREDUCE,
    VL_OP_GATHER,
    VL_OP_SCATTER,
    VL_OP_ALLGATHER,
    VL_OP_REDUCE_SCATTER,
    VL_OP_ALLTOALL,
    VL_OP_SCAN,
    VL_OP_COMM_DUP,
    VL_OP_COMM_CREATE,
    VL_OP_COMM_CREATE_GROUP,
    VL_OP_COMM_SPLIT,
    VL_OP_COMM_SPLIT_TYPE,
    VL_OP_CART_CREATE,
    VL_OP_CART_SUB,
    VL_OP_GRAPH_CREATE,
    VL_OP_DIST_GRAPH_CREATE,
    VL_OP_DIST_GRAPH_CREATE_ADJACENT,
    VL_OP_WIN_CREATE,
    VL_OP_WIN_CREATE_DYNAMIC,
    VL_OP_WIN_ALLOCATE,
    VL_OP_WIN_ALLOCATE_SHARED,
    VL_OP_WIN_FENCE,
    VL_OP_WIN_FREE,
    VL_OP_COMM_FREE,
    VL_OP_OTHER,
    VL_OP_VL_SEND, /* vl_send_start and its kin */
    VL_OP_VL_RECEIVE,
    VL_OP_VL_BROADCAST,
    VL_OP_VL_REDUCE_SCATTER,
    VL_OP_VL_ALL_GATHER,
    VL_OP_VL_ALL_REDUCE,
    VL_OP_VL_ALL_TO_ALL,
    VL_OP_VL_FINISH,
    VL_OP_VL_POLL,  /* in a race only, as the next */
    VL_OP_ALLOCATE, /* malloc */
    VL_MAKERS(VL_MAKER_NUMBER) VL_OPERATIONS
};
#undef VL_MAKER_NUMBER

/* "MPI_Allreduce", "vl_all_reduce_start" ...; "?" for anything else. */
const char *vl_operation_name(uint32_t operation);
/* Do all ranks of a communicator take part? */
bool vl_operation_is_collective(uint32_t operation);

/* One operation has several calls, which do not match one another. */
enum vl_form {
    VL_FORM_STARTED = 1,  /* MPI_Ibcast; MPI_Iprobe, which only asks */
    VL_FORM_UNEVEN = 2,   /* MPI_Gatherv */
    VL_FORM_TYPED = 4,    /* MPI_Alltoallw */
    VL_FORM_BLOCK = 8,    /* MPI_Reduce_scatter_block */
    VL_FORM_BEFORE = 16,  /* MPI_Exscan */
    VL_FORM_ACROSS = 32,  /* on an intercommunicator: its two sides may give different arguments */
    VL_FORM_UNKNOWN = 64, /* of a wait: for something that is not watched, too */
    VL_FORM_GUESSED =
        128 /* nobody saw how its communicator was made: another may have the same number */
};

struct vl_beacon_call {
    uint32_t operation;
    uint32_t communicator; /* the same number on all its members; 0 for MPI_COMM_WORLD */
    int32_t peer;          /* for waits: that of the first open request */
    int32_t tag;
    int32_t root;
    uint32_t reduction; /* which MPI_Op, by a number of our own; 0: none */
    uint32_t type_bytes;
    uint32_t members; /* of the communicator, bit r is rank r; 0: not known, or beyond 32 ranks */
    uint64_t count;   /* elements, as the caller said */
    uint64_t address; /* where it was called from */
    uint32_t synchronous; /* a send that waits for its receive, whatever its size */
    uint32_t number; /* of a collective: which one on its communicator, from 1; 0: not counted */
    uint32_t form;   /* of a collective: enum vl_form, as bits */
    uint32_t type;   /* of the elements: enum vl_element_type */
};

#define VL_CALL_NAME 64
/* The call itself: "MPI_Igatherv" where its operation is "MPI_Gather". Returns text. */
const char *vl_call_name(char text[VL_CALL_NAME], const struct vl_beacon_call *call);

/* Two calls that must not be under way together; or one that left something undone. */
enum vl_race_kind {
    VL_RACE_NONE,
    VL_RACE_TAG,       /* transfers between the same ranks share communicator and tag */
    VL_RACE_MESSAGES,  /* messages of transfers with different tags share communicator and tag */
    VL_RACE_RECEIVES,  /* both receive into the same memory */
    VL_RACE_SENT,      /* one sends memory that the other receives into */
    VL_RACE_FREED,     /* 'first' was freed before it was done */
    VL_RACE_ENDED,     /* the transfer that 'first' began had been finished before 'second' */
    VL_RACE_EARLY,     /* what 'first' receives was used before it had come */
    VL_RACE_UNWRITTEN, /* what 'first' allocated was used before it was written */
    VL_RACE_WRITTEN    /* what 'first' receives was written before it had come */
};

struct vl_beacon_race {
    uint32_t kind;
    uint32_t unused;
    struct vl_beacon_call first, second;             /* in the order in which they began */
    struct vl_beacon_call first_outer, second_outer; /* contracts around them, or NONE */
};

/* What a program does that nobody watches, as bits. */
enum vl_unwatched {
    VL_UNWATCHED_SPAWN = 1,   /* programs started by MPI_Comm_spawn, or met by MPI_Comm_connect */
    VL_UNWATCHED_FILES = 2,   /* MPI_File_open */
    VL_UNWATCHED_WINDOWS = 4, /* one-sided communication */
    VL_UNWATCHED_THREADS = 8  /* another thread calls MPI, too: then nothing is known of the rank */
};

enum vl_beacon_phase {
    VL_PHASE_BEFORE,   /* the case has not begun here */
    VL_PHASE_INSIDE,   /* in the submission, computing or in 'call' */
    VL_PHASE_RETURNED, /* the function came back */
    VL_PHASE_LEFT      /* the process is ending: exit, MPI_Finalize or MPI_Abort in mid-case */
};

/* Of which types the messages of a channel are, and the latest call that named one. */
struct vl_beacon_types {
    uint32_t kinds[VL_ELEMENT_KINDS]; /* how many messages of each kind */
    uint32_t type;                    /* enum vl_element_type */
    uint32_t operation;
    uint64_t address;
};

/* Messages of one channel, at this end of it. */
struct vl_beacon_channel {
    uint32_t communicator;
    int32_t peer;
    int32_t tag;
    uint32_t unused;
    uint64_t sent; /* messages */
    uint64_t received;
    uint64_t sent_bytes;
    uint64_t received_bytes;
    struct vl_beacon_types out, in;
};

/* Messages on channels that have no place of their own. Those of one channel are on the same heap at both of its
 * ends, with those of other channels. */
struct vl_beacon_heap {
    uint32_t sent, received;
};
uint32_t vl_beacon_heap_of(uint32_t communicator, int32_t from, int32_t to, int32_t tag);

/* How many collectives were begun on a communicator. */
struct vl_beacon_counted {
    uint32_t communicator;
    uint32_t count;
};

/* What a program is to free again. Of a lab's functions only communicators are counted, elsewhere. */
enum vl_made_kind {
    VL_MADE_PERSISTENT, /* requests */
    VL_MADE_GROUP,
    VL_MADE_TYPE,
    VL_MADE_OPERATOR,
    VL_MADE_KINDS
};

/* This many of one kind were made and not freed. */
struct vl_beacon_made {
    uint32_t count;
    uint32_t idle;              /* of persistent requests: never started */
    struct vl_beacon_call call; /* which made the latest of them */
};

/* What one place in the program sends: a call, and the contract around it (or NONE). */
struct vl_beacon_sender {
    struct vl_beacon_call call, outer; /* as they were the first time */
    uint64_t bytes;
};

/* What a receive from any rank took. */
struct vl_beacon_taken {
    struct vl_beacon_call call;
    int32_t peer, tag;
};

struct vl_beacon {
    uint32_t phase;
    int32_t status;              /* what the function returned */
    struct vl_beacon_call call;  /* present MPI call; operation NONE outside of MPI */
    struct vl_beacon_call outer; /* present call of vialata/collectives.h around it, or NONE */

    uint32_t requests_open; /* may exceed VL_BEACON_REQUESTS */
    uint32_t channels_used;
    uint32_t channels_lost;      /* 1 once a message went over one that has no place here */
    uint32_t unwatched;          /* enum vl_unwatched, as bits */
    uint32_t is_out;             /* 1 once MPI_Finalize has returned */
    uint64_t collectives_seen;   /* the latest are at [i % VL_BEACON_COLLECTIVES] */
    uint32_t communicators_open; /* made and not freed in this case */
    uint32_t transfers_open;     /* vl_..._start without vl_transfer_finish */
    int32_t error;               /* what ended the case: enum vl_mpi_refusal */
    uint32_t touched;            /* 1 once a buffer changed while it was being sent */
    uint32_t held; /* 1 if MPI kept the case's communicator when it was freed: a request is open */
    uint32_t senders_used;
    struct vl_beacon_call error_call;
    char error_name[VL_CALL_NAME];       /* of a call without a wrapper: "MPI_Type_vector" */
    struct vl_beacon_call touched_call;  /* the send whose buffer it was */
    struct vl_beacon_call touched_outer; /* the contract around it, or NONE */
    struct vl_beacon_call opened_call;   /* which made the latest communicator still open */
    struct vl_beacon_call transfer_call; /* which started the oldest transfer still open */
    struct vl_beacon_race race;          /* the first that was seen */
    struct vl_beacon_made made[VL_MADE_KINDS];
    struct vl_beacon_call request[VL_BEACON_REQUESTS]; /* open ones; operation NONE: free slot */
    struct vl_beacon_channel channel[VL_BEACON_CHANNELS];
    struct vl_beacon_heap heap[VL_BEACON_HEAPS];
    struct vl_beacon_call collective[VL_BEACON_COLLECTIVES];
    struct vl_beacon_counted counted[VL_BEACON_COUNTED]; /* the first this many; count 0: free */
    struct vl_beacon_sender
        sender[VL_BEACON_SENDERS]; /* the first ones; later ones are not counted */
    struct vl_beacon_taken
        taken[VL_BEACON_TAKEN]; /* the latest at [(taken_seen - 1) % VL_BEACON_TAKEN] */
    uint64_t taken_seen;
};

#endif
