/*
 * The graph: what each rank is doing, and which rank it waits for. For hang*.c alone.
 *
 * A rank that waits for several others waits for each of them, so it is enough to follow one:
 * 'next'. The chain ends at a rank that is not waiting, or runs into a circle.
 *
 *      0 --> 1 --> 2 (returned)          0 --> 1 --> 3
 *                                              ^-----'
 */
#ifndef VIALATA_RANKS_HANG_WAIT_GRAPH_H
#define VIALATA_RANKS_HANG_WAIT_GRAPH_H

#include "ranks/hang/hang.h"
#include "wire/beacon.h"

#include <stdbool.h>
#include <stdio.h>

#define VL_WAIT_GRAPH_RANKS 32 /* one bit each */

enum vl_rank_state {
    VL_RANK_BEFORE,   /* it has not begun */
    VL_RANK_COMPUTES, /* outside of MPI */
    VL_RANK_MOVES,    /* in a call of MPI that can go on */
    VL_RANK_WAITS,    /* in a call of MPI that cannot */
    VL_RANK_RETURNED,
    VL_RANK_LEFT
};

enum vl_wait_kind { VL_WAIT_RECEIVE, VL_WAIT_SEND, VL_WAIT_COLLECTIVE };

struct vl_wait {
    enum vl_rank_state state;
    enum vl_wait_kind kind;
    int doubtful;                /* it tests in a loop, or MPI may have buffered the message */
    struct vl_beacon_call call;  /* what it is in; peers are ranks, or ANY, or NONE */
    struct vl_beacon_call wants; /* what it waits for: that call, or one of its open requests */
    uint32_t missing;            /* ranks that could end the wait */
    int next;                    /* one of them, or -1 */
};

struct vl_wait_graph {
    int ranks;
    int synchronous;                                     /* as in vl_hang_find */
    const struct vl_beacon *beacon[VL_WAIT_GRAPH_RANKS]; /* none is NULL */
    struct vl_wait wait[VL_WAIT_GRAPH_RANKS];
    const struct vl_hang_places *places; /* may be NULL */
    FILE *out;                           /* where sentences about it are printed */
    char between;                        /* a space or a new line between two sentences */
};

/* Make the graph from the beacons, NULL for a rank that nothing is known of. Zero if 'ranks' is out
 * of range. The caller sets the last three fields afterwards. */
int vl_wait_graph_read(struct vl_wait_graph *graph, const struct vl_beacon *const *beacons,
                       int ranks, int synchronous);

/* Are whole programs watched? */
bool vl_wait_graph_is_program(const struct vl_wait_graph *graph);

/* Has this rank returned without an error, or called MPI_Finalize? */
bool vl_wait_graph_ended_well(const struct vl_wait_graph *graph, int rank);

bool vl_wait_graph_has_rank(const struct vl_wait_graph *graph, int32_t rank);

/* Follow next from 'rank' to a rank that does not wait, or to the first one met twice. */
int vl_wait_graph_end(const struct vl_wait_graph *graph, int rank);

/* ---- messages under way ---- */

struct vl_message {
    int from, to;
    uint32_t communicator;
    int32_t tag;
    uint64_t count; /* sent and not received; where it is 0, the rest means nothing */
    uint64_t bytes; /* of all of them */
};

/* What 'from' sent on its channel i < VL_BEACON_CHANNELS and was not received yet. */
struct vl_message vl_wait_graph_message(const struct vl_wait_graph *graph, int from, uint32_t i);
/* Receives of this rank, posted or under way, that would take such a message. */
uint64_t vl_wait_graph_receives(const struct vl_wait_graph *graph, int rank,
                                const struct vl_message *message);

/* Do two types (enum vl_element_type) mean different numbers for sure? */
bool vl_wait_graph_types_differ(uint32_t one, uint32_t other);

/* Are there messages that some rank could not count? Then it is not known which ones were received. */
bool vl_wait_graph_lost_messages(const struct vl_wait_graph *graph);

/* ---- collectives (hang_collectives.c) ---- */

/* How many this rank has begun on a communicator. */
size_t vl_wait_graph_collectives(const struct vl_wait_graph *graph, int rank,
                                 uint32_t communicator);
/* Were so many made that the first ones are forgotten, and these are not counted? */
bool vl_wait_graph_forgets(const struct vl_wait_graph *graph, int rank, uint32_t communicator);

/* Is this rank in a collective now, or in a wait with one begun, that does not fit what another rank calls at
 * this place? */
bool vl_wait_graph_is_mismatched(const struct vl_wait_graph *graph, int rank);
/* Has it a collective under way that does not, whether it waits for it now, asks, or computes? */
bool vl_wait_graph_has_misfit(const struct vl_wait_graph *graph, int rank);

/* ---- sentences (wait_graph_words.c) ---- */

#define VL_WHERE 256

/* "MPI_Recv (ring.c:41)". If the present call of MPI was made inside a contract, the call of that:
 * "vl_all_reduce_start (bucket.c:52)". */
const char *vl_wait_graph_where(char text[VL_WHERE], const struct vl_wait_graph *graph, int rank,
                                const struct vl_beacon_call *call);
/* The same for a call that may be over: if it was not made by the submission, but inside a contract
 * (else NONE), the call of that. */
const char *vl_wait_graph_where_was(char text[VL_WHERE], const struct vl_wait_graph *graph,
                                    int rank, const struct vl_beacon_call *call,
                                    const struct vl_beacon_call *outer);
/* The same for a call that has a name only, since no wrapper saw it. */
const char *vl_wait_graph_where_named(char text[VL_WHERE], const struct vl_wait_graph *graph,
                                      const char *name, uint64_t address);

#define VL_RANK_LIST (VL_WAIT_GRAPH_RANKS * 4 + 1)
/* "1, 2, 5" for bits 1, 2 and 5. Returns how many they are. */
int vl_wait_graph_list(char text[VL_RANK_LIST], uint32_t ranks);
/* "Rank 0 waits in MPI_Recv (ring.c:41) for a message from rank 1, tag 7." */
void vl_wait_graph_tell(const struct vl_wait_graph *graph, int rank);
/* The same for all ranks, one line each. */
void vl_wait_graph_tell_all(const struct vl_wait_graph *graph);
/* Print one more sentence. */
void vl_hang_say(const struct vl_wait_graph *graph, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- what MPI refused (hang_refused.c) ---- */

/* The call of this rank that ended in an error, as vl_wait_graph_where says it. */
const char *vl_where_refused(char text[VL_WHERE], const struct vl_wait_graph *graph, int rank);
/* Say which of its arguments was refused. */
void vl_tell_refusal(const struct vl_wait_graph *graph, int rank, const char *where);

/* ---- what ranks leave undone (hang_left.c) ---- */

enum vl_left_kind {
    VL_LEFT_TRANSFERS,
    VL_LEFT_REQUESTS,
    VL_LEFT_COMMUNICATORS,
    VL_LEFT_PERSISTENT, /* requests that were never freed; these and those below: of whole programs alone */
    VL_LEFT_GROUPS,
    VL_LEFT_TYPES,
    VL_LEFT_OPERATORS,
    VL_LEFT_KINDS
};

/* Say what the first of the ranks leaves of this kind, and which others do so. False, and nothing said, if none
 * does. */
bool vl_tell_left(const struct vl_wait_graph *graph, enum vl_left_kind kind);

/* ---- findings ---- */

/* Each prints what it finds and returns its code; NULL: nothing. */
const char *vl_find_mismatch(const struct vl_wait_graph *graph);  /* hang_collectives.c */
const char *vl_find_error(const struct vl_wait_graph *graph);     /* hang_error.c */
const char *vl_find_open(const struct vl_wait_graph *graph);      /* hang_misuse.c */
const char *vl_find_types(const struct vl_wait_graph *graph);     /* hang_types.c */
const char *vl_find_race(const struct vl_wait_graph *graph);      /* hang_races.c */
const char *vl_find_unwritten(const struct vl_wait_graph *graph); /* hang_races.c */
const char *vl_find_misdirected(const struct vl_wait_graph *graph, int rank); /* hang_address.c */
const char *vl_find_wildcard(const struct vl_wait_graph *graph, int rank);    /* hang_wildcard.c */

#endif
