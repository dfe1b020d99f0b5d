/*
 * Cables: the network of ranks that are apart. Each rank has a network of its own, which ends at one
 * cable (the kernel's veth). The other ends meet at a switch (its bridge) in mpirun's network, where
 * no rank can change anything and the kernel counts the bytes of each cable.
 *
 *   mpirun's network             switch 10.0.0.254
 *                         /          |           \
 *                     rank0        rank1        rank2
 *                       |            |            |
 *   ranks' own        cable        cable        cable
 *                   10.0.0.1     10.0.0.2     10.0.0.3
 *
 * So a rank sees its own sockets only, and learns about the others by what they send. What is sent to
 * everybody at once does not pass the switch.
 *
 * A file says what is to be set up at the switch. The words below go before command lines behind a wall
 * (wall.h) that is made for cables, and sees the folder of this file. They start vialata-cable
 * (src/cable/main.c), which needs iproute2.
 */
#ifndef VIALATA_SANDBOX_CABLES_H
#define VIALATA_SANDBOX_CABLES_H

#include "base/words.h"
#include "sandbox/cables_address.h"
#include "vialata/status.h"

#define VL_CABLES_FRAME 14 /* bytes of each packet that a cable counts and a loopback does not */

/* Write what is needed for this many ranks, and vialata-cable into the same folder. VL_EIO,
 * VL_ENOMEM. */
enum vl_status vl_cables_write(const char *folder, int ranks);

/* Before mpirun: make the networks of all ranks, and connect them. This never has more than one child
 * at a time, so that two children are mpirun's (vl_process_freeze). */
void vl_cables_put_switch(struct vl_words *words, const char *folder, int ranks);

/* Before the wall of a rank: enter its network, open the filter of system calls (syscalls.h) and lose
 * all rights over networks. */
void vl_cables_put_end(struct vl_words *words, const char *folder, int rank);

#endif
