/*
 * The names and addresses on the cables (cables.h), for the grader and for vialata-cable.
 */
#ifndef VIALATA_SANDBOX_CABLES_ADDRESS_H
#define VIALATA_SANDBOX_CABLES_ADDRESS_H

#define VL_CABLES_SWITCH  "switch" /* its device in mpirun's network, and its address */
#define VL_CABLES_ADDRESS "10.0.0.254"
#define VL_CABLES_PREFIX  24              /* the bits that all addresses share */
#define VL_CABLES_RANK    "rank"          /* and a number: the ends in mpirun's network */
#define VL_CABLES_END     "cable"         /* the one in a rank's network */
#define VL_CABLES_NETWORK "/run/netns/%d" /* where the network of a rank has its name */
#define VL_CABLES_FILTER  3 /* the descriptor from which a rank's wall reads its filter */

/* As the kernel takes it, in network byte order. */
struct vl_cables_address {
    unsigned char network[4], hardware[6];
};

struct vl_cables_address vl_cables_address_of(int rank);
struct vl_cables_address vl_cables_address_of_switch(void);

#endif
