/*
 * The audit: what the ranks of a job sent each other, counted by the kernel.
 *
 * Ranks that are apart (launch.h) reach each other by cables or, where those cannot be made, by a
 * loopback that they share, and by nothing else. What the meter counts in a rank, a submission can
 * forge; what the kernel counts, it cannot.
 * After each case, while all ranks wait, the two are compared:
 *
 *   kernel    bytes less the headers of the packets they came in
 *   meter     at most that many bytes (comm/meter.h), 2 %, and what MPI adds of its own
 *
 * What TCP sends twice is not known by size, only how often: so much is allowed for, as long as it is
 * no more than a quarter of the data. (Seen with two ranks on two busy cores: 2.2 % of 2 MiB, once in
 * some hundred cases.)
 *
 * What MPI adds was measured with the references of all labs, 331 cases on 2 to 8 ranks: up to 89
 * bytes per message (its header; a long one also asks whether its receive is there, and goes in
 * pieces), and up to 71 bytes per rank and case, for the communicator that each case gets.
 */
#ifndef VIALATA_GRADE_JOB_AUDIT_H
#define VIALATA_GRADE_JOB_AUDIT_H

#include "grade/sandbox/process.h"
#include "wire/board.h"
#include <stdbool.h>
#include <stdint.h>

#define VL_AUDIT_SHARE       1.02
#define VL_AUDIT_PER_MESSAGE 128
#define VL_AUDIT_PER_RANK    128

/* Since the job began. */
struct vl_audit_count {
    uint64_t bytes, packets;
    uint64_t repeats; /* segments that TCP sent again: on a busy machine some overtake others */
};

/* One case. */
struct vl_audit {
    int ranks;                   /* 0: there was no audit */
    bool counted;                /* false: the job ended before the kernel could be asked */
    struct vl_audit_count count; /* by the kernel */
    uint64_t least, most;        /* bytes, by the meters of all ranks */
    uint64_t messages;           /* at most */
};

enum vl_audit_finding {
    VL_AUDIT_AGREES,
    VL_AUDIT_UNMETERED, /* the kernel counted more than the meters */
    VL_AUDIT_UNSENT     /* the meters counted what the kernel never saw */
};

/* Ask the kernel about the networks of a job. False if the job has ended. */
bool vl_audit_ask(struct vl_audit_count *count, const struct vl_process *process);

/* The audit of a case from two counts, and what the ranks say on their boards. */
struct vl_audit vl_audit_of(const struct vl_audit_count *before, const struct vl_audit_count *after,
                            const struct vl_board *board, int ranks);

/* What the kernel counted, less the headers of packets. */
uint64_t vl_audit_payload(const struct vl_audit *audit);

/* With the truth about bytes and messages (-1: it is not known) in place of the meters' bounds. */
struct vl_audit vl_audit_with_truth(const struct vl_audit *audit, int64_t bytes, int64_t messages);

enum vl_audit_finding vl_audit_compare(const struct vl_audit *audit);

#endif
