/*
 * What grader and runner have in common: the board, and the orders of a timed run.
 *
 * A board is a file that one rank maps. It writes there where it is and, if it crashed or was asked,
 * the return addresses on its stack. The grader reads copies, even once the job is dead, and writes
 * one number: how many cases may have begun.
 *
 * Timed runs follow orders: each rank reads one from its pipe "go.<rank>", obeys, and answers into
 * "said.<rank>". Between orders it sleeps in read().
 *
 * Everything that comes from the runner is written by a process that runs someone else's code: it
 * serves to diagnose, and no number in it is used before it has been checked.
 */
#ifndef VIALATA_WIRE_BOARD_H
#define VIALATA_WIRE_BOARD_H

#include "wire/beacon.h"
#include <stdbool.h>
#include <stdint.h>

#define VL_BOARD_RANKS      32 /* as many as a beacon's call has bits for members */
#define VL_BOARD_FRAMES     48
#define VL_BOARD_MOST_ADDED 176 /* bytes that MPI adds to one message, at most */

struct vl_board_rank {
    uint32_t started;  /* 1 once MPI is up and the first case is about to begin */
    uint32_t finished; /* how many cases of the list it has finished: the results are there */
    int32_t signal;    /* the signal that crashed it, or 0 */
    uint32_t traced;   /* how many times a trace was written */
    uint32_t frames;
    uint32_t allowed;  /* by the grader: a rank waits until its next case is among these */
    uint32_t returned; /* in how many cases the function has come back here */
    uint32_t marks;    /* that it has put into what it prints (printed.h) */
    uint32_t begun;    /* how many cases the beacon has been through: it shows the last */
    int32_t process;   /* of a program that is watched whole: its number */
    uint32_t job;      /* ... and Open MPI's number of the job, or 0 */
    uint32_t
        threads; /* ... 0: one thread at a time calls MPI. Else all may, and it has as many that are
                          no concern of ours: MPI's own, and the one that is watched */
    uint64_t least_bytes; /* to other ranks in the case that was finished last (comm/meter.h): */
    uint64_t most_bytes;  /* two bounds, the messages at most, and what MPI adds to them */
    uint64_t messages;
    uint64_t added_bytes;
    uint64_t address[VL_BOARD_FRAMES]; /* innermost first */
    struct vl_beacon beacon;           /* of the case it is in */
};

/* "FOLDER/board.RANK", a struct vl_board_rank */
#define VL_BOARD_NAME "board.%d"

/* Make the board of a rank in a folder, all zero, for its owner alone. False if that is not possible (errno). */
bool vl_board_make(const char *folder, int rank);
/* Its memory, shared with all who map it; NULL if there is none. It is unmapped when the process ends. */
struct vl_board_rank *vl_board_map(const char *folder, int rank);

/* What the grader has read of all. */
struct vl_board {
    struct vl_board_rank rank[VL_BOARD_RANKS];
};

enum vl_verb {
    VL_ORDER_PREPARE = 1, /* make 'count' works for 'function', from seed, seed + 1, ... */
    VL_ORDER_TURN,        /* one turn of each of the works first ... first + count - 1 */
    VL_ORDER_SEAL,        /* answer with the seals of the first 'count' works; the key is 'seed' */
    VL_ORDER_FINISH,      /* put the outputs of work 'first' into the results (wire/results.h) */
    VL_ORDER_QUIT,
    VL_ORDER_COUNT /* turns as above; the counts of the shortest (wire/counts.h) go into the results,
                      under 'first'. Only the counting runner obeys */
};

#define VL_ORDER_WORKS 32

struct vl_order {
    uint32_t verb;
    uint32_t first;
    uint32_t count;
    uint32_t unused;
    uint64_t seed;
    uint64_t number; /* drawn for each order: nobody can answer before the order is given */
    char function[64];
};

struct vl_board_answer {
    uint64_t number; /* of the order that was obeyed */
    uint32_t status; /* enum vl_status: of the first call that failed, else VL_OK */
    uint32_t unused;
    uint64_t seals[VL_ORDER_WORKS]; /* of each work's outputs (wire/seal.h) */
};

#endif
