/*
 * What the kernel counted in the networks of a job: bytes and packets, in all and, where each rank has
 * a cable (cables.h), by rank; and what TCP had to send again. The audit (audit.h) compares it with the
 * meters.
 */
#ifndef VIALATA_RANKS_AUDIT_COUNT_H
#define VIALATA_RANKS_AUDIT_COUNT_H

#include "sandbox/process.h"
#include "wire/board.h"
#include <stdbool.h>
#include <stdint.h>

/* Since the job began, of all ranks. */
struct vl_audit_count {
    uint64_t bytes, packets;
    uint64_t segments; /* those among the packets that are TCP's */
    uint64_t repeats;  /* those that TCP sent again, with data */
    uint64_t again;    /* bytes of data in them, if that is known */
    bool exact;        /* it is */
    bool each;         /* and what each rank sent is known, by its cable: */
    struct vl_audit_cable {
        uint64_t bytes, packets;
    } rank[VL_BOARD_RANKS];
};

/* What is known about one network. */
struct vl_audit_network {
    pid_t program;    /* one that is in it */
    uint64_t again;   /* segments sent again, questions for a connection among them, */
    uint64_t repeats; /* and without those */
    uint64_t bytes;   /* of data in them, if 'exact' (connections.h) */
    bool exact;
};

/* Where the kernel is asked: in one network that all ranks share, or in one of each rank (cables.h). */
struct vl_audit_networks {
    const struct vl_sandbox *sandbox;
    pid_t mpirun;
    bool cables;
    int count;
    struct vl_audit_network network[VL_PROCESS_WALLS];
};

/* The networks of a job whose ranks have all begun. */
void vl_audit_find(struct vl_audit_networks *networks, const struct vl_process *process,
                   const struct vl_sandbox *sandbox);

/* Ask the kernel about them. False if the job has ended. */
bool vl_audit_ask(struct vl_audit_count *count, struct vl_audit_networks *networks);

#endif
