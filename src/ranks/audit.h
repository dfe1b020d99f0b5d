/*
 * The audit: what the ranks of a job sent each other, counted by the kernel.
 *
 * Ranks that are apart (launch.h) reach each other by cables or, where those cannot be made, by a
 * loopback that they share, and by nothing else. What the meter counts in a rank, a submission can
 * forge; what the kernel counts, it cannot.
 * After each case, once its results are taken and while all ranks wait, the two are compared:
 *
 *   kernel    bytes less the headers of TCP's packets
 *   meter     at most that many bytes (comm/meter.h), 2 %, and what MPI adds of its own
 *
 * What MPI adds was measured with the references of all labs, 331 cases on 2 to 8 ranks. To each
 * message it adds 22, 88 or 160 bytes, always the same, and the meter tells them apart. So students may
 * cut their data into as many messages as they like, and a message without data hides nothing. Each
 * case also gets a communicator, and its first messages open connections: up to 250 bytes per rank,
 * and 60 per pair of ranks.
 *
 * On a busy machine TCP sends some data again (seen: 46 KiB of 2 MiB once in some hundred cases, and
 * short messages in every third). The kernel knows how many bytes those were (connections.h), and they
 * are taken off: at most as many as were to be sent, and 4 KiB, since data that reaches nobody is sent
 * again without end. Where it does not say, it still counts how often, and each time may have been
 * 64 KiB, in all up to a quarter of the data, or 4 KiB. A question for a connection that is asked again
 * carries none.
 */
#ifndef VIALATA_RANKS_AUDIT_H
#define VIALATA_RANKS_AUDIT_H

#include "ranks/audit_count.h"
#include "wire/board.h"
#include <stdbool.h>
#include <stdint.h>

#define VL_AUDIT_SHARE    1.02
#define VL_AUDIT_PER_RANK 256
#define VL_AUDIT_PER_PAIR 128

/* One case. */
struct vl_audit {
    int ranks;                   /* 0: there was no audit */
    bool counted;                /* false: the job ended before the kernel could be asked */
    struct vl_audit_count count; /* by the kernel */
    uint64_t least, most;        /* bytes, by the meters of all ranks */
    uint64_t messages, added;    /* at most: by the meters, messages and what MPI adds to them */
    uint64_t own;                /* bytes that MPI sends for itself, at most */
};

enum vl_audit_finding {
    VL_AUDIT_AGREES,
    VL_AUDIT_UNMETERED, /* the kernel counted more than the meters */
    VL_AUDIT_UNSENT     /* the meters counted what the kernel never saw */
};

/* The audit of a case from two counts, and what the ranks say on their boards. */
struct vl_audit vl_audit_of(const struct vl_audit_count *before, const struct vl_audit_count *after,
                            const struct vl_board *board, int ranks);

/* What the kernel counted, less the headers of TCP's packets. */
uint64_t vl_audit_payload(const struct vl_audit *audit);

/* The same, with the right bytes and messages as bounds instead of the meters' (-1: not known): fewer
 * bytes are too few. What MPI adds is bounded too: so many bytes make few long messages, to which it adds
 * most. */
struct vl_audit vl_audit_with_truth(const struct vl_audit *audit, int64_t bytes, int64_t messages);

/* One rank's part of an audit, where the truth says how many bytes it sends, and perhaps messages (-1):
 * whoever sends what others are to send is not seen in the sum. False if what each rank sent is not
 * known. */
bool vl_audit_of_rank(struct vl_audit *part, const struct vl_audit *audit, int rank, int64_t bytes,
                      int64_t messages);

enum vl_audit_finding vl_audit_compare(const struct vl_audit *audit);

#endif
