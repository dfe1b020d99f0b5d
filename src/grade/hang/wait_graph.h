/*
 * The graph: what each rank is doing, and which rank it waits for. For hang*.c alone.
 *
 * A rank that waits for several things waits for each of them, so it is enough to follow one:
 * 'next'. The chain ends at a rank that is not waiting, or runs into a circle.
 *
 *      0 --> 1 --> 2 (returned)          0 --> 1 --> 3
 *                                              ^-----'
 */
#ifndef VIALATA_GRADE_HANG_WAIT_GRAPH_H
#define VIALATA_GRADE_HANG_WAIT_GRAPH_H

#include "grade/hang/hang.h"
#include "wire/beacon.h"

#include <stdio.h>

#define VL_WAIT_GRAPH_RANKS 32 /* a bit each */

enum vl_stand {
    VL_STAND_BEFORE,   /* it has not begun */
    VL_STAND_COMPUTES, /* outside of MPI */
    VL_STAND_MOVES,    /* in a call of MPI that can go on */
    VL_STAND_WAITS,    /* in one that cannot */
    VL_STAND_RETURNED,
    VL_STAND_LEFT
};

enum vl_wait_kind { VL_WAIT_RECEIVE, VL_WAIT_SEND, VL_WAIT_COLLECTIVE };

struct vl_wait {
    enum vl_stand stand;
    enum vl_wait_kind kind;
    int doubtful;                /* it asks again and again, or MPI may have buffered the message */
    struct vl_beacon_call call;  /* what it is in; peers are ranks, or ANY, or NONE */
    struct vl_beacon_call wants; /* what it waits for: that call, or one of its open requests */
    uint32_t missing;            /* ranks that could end the wait */
    int next;                    /* one of them, or -1 */
};

struct vl_wait_graph {
    int ranks;
    const struct vl_beacon *const *beacon; /* none is NULL */
    const struct vl_hang_places *places;
    struct vl_wait wait[VL_WAIT_GRAPH_RANKS];
};

/* 'beacons' has ranks <= VL_WAIT_GRAPH_RANKS entries, none NULL. */
void vl_wait_graph_read(struct vl_wait_graph *graph, const struct vl_beacon *const *beacons,
                        int ranks, const struct vl_hang_places *places);

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

/* What 'from' sent on its channel i < VL_BEACON_CHANNELS and nobody received yet. */
struct vl_message vl_wait_graph_message(const struct vl_wait_graph *graph, int from, uint32_t i);
/* How many on exactly this communicator, with this tag (VL_BEACON_ANY: all). */
uint64_t vl_wait_graph_pending(const struct vl_wait_graph *graph, int from, int to,
                               uint32_t communicator, int32_t tag);
/* Does 'rank' wait for, or has it posted a receive for, such a message? */
int vl_wait_graph_expects(const struct vl_wait_graph *graph, int rank,
                          const struct vl_message *message);

/* ---- collectives (hang_collectives.c) ---- */

/* The n-th collective of this rank on a communicator in this case, from 0 on; NULL if it made
 * none, or if it is no longer known which one that was. */
const struct vl_beacon_call *vl_wait_graph_collective(const struct vl_wait_graph *graph, int rank,
                                                      uint32_t communicator, size_t n);
size_t vl_wait_graph_collectives(const struct vl_wait_graph *graph, int rank,
                                 uint32_t communicator);
/* Were so many made that the first ones are forgotten? */
int vl_wait_graph_forgets(const struct vl_wait_graph *graph, int rank);

/* ---- sentences (scene_words.c) ---- */

#define VL_WHERE 256

/* "MPI_Recv (ring.c:41)"; of the present call, where MPI was called by ours, the contract's:
 * "vl_all_reduce_start (bucket.c:52)". */
const char *vl_wait_graph_where(char text[VL_WHERE], const struct vl_wait_graph *graph, int rank,
                                const struct vl_beacon_call *call);
/* "Rank 0 waits in MPI_Recv (ring.c:41) for a message from rank 1, tag 7." */
void vl_wait_graph_tell(FILE *out, const struct vl_wait_graph *graph, int rank);
/* The same for all ranks, a line each. */
void vl_wait_graph_tell_all(FILE *out, const struct vl_wait_graph *graph);

/* ---- findings ---- */

/* A sentence is printed behind those before it: a space, then its text. */
void vl_wait_graph_say(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What each of these finds, it prints and returns its code; NULL: nothing. */
const char *vl_find_mismatch(FILE *out, const struct vl_wait_graph *graph); /* hang_collectives.c */
const char *vl_find_error(FILE *out, const struct vl_wait_graph *graph);    /* hang_conduct.c */
const char *vl_find_misconduct(FILE *out, const struct vl_wait_graph *graph); /* hang_conduct.c */
const char *vl_find_misdirected(FILE *out, const struct vl_wait_graph *graph,
                                int rank); /* ..._address.c */

#endif
