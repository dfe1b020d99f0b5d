/*
 * How long an operator takes on a simulated chip:
 *
 *   seconds = max( FLOPs / rate of the chip's arithmetic, bytes / rate of its memory )
 *
 * The phantom kernels in this folder stand in lab 01's place. They compute nothing: they charge the
 * time of what they would compute, and leave their outputs as they are.
 *
 * The collectives that a rank has started go on while its time passes (simulate/ranks/flights.h), as
 * they do on a machine whose network works by itself.
 */
#ifndef VIALATA_SIMULATE_KERNELS_CHARGE_H
#define VIALATA_SIMULATE_KERNELS_CHARGE_H

#include "vialata/status.h"
#include <stddef.h>

struct vl_charge_rates {
    double flops;         /* FLOP/s that a chip reaches */
    double memory;        /* bytes/s of its memory */
    double element_bytes; /* of a weight, an activation or a gradient in that memory */
    double state_bytes;   /* that the update reads and writes for one parameter */
};

/* The same for all ranks; set once, before any kernel is called. */
void vl_charge_set(const struct vl_charge_rates *rates);

/* Let this rank spend the time of this many FLOPs and this many elements read or written. */
enum vl_status vl_charge(double flops, double elements);
/* The update of n parameters. */
enum vl_status vl_charge_update(size_t n);

#endif
