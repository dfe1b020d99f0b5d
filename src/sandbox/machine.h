/*
 * This machine: what a verdict says of it, and what it lacks.
 */
#ifndef VIALATA_SANDBOX_MACHINE_H
#define VIALATA_SANDBOX_MACHINE_H

#include <stdint.h>

/* Cores this process may use; ranks beyond them cannot be timed. */
int vl_machine_cores(void);

/* Bytes of memory that programs can still take: what the kernel says is available, or less where a
 * container may use less. 0 if it does not say. */
uint64_t vl_machine_memory(void);

/* "AMD EPYC 7B13, 2 cores". The caller frees it; NULL without memory. */
char *vl_machine_text(void);

/* A sentence about what grading needs and this machine lacks; NULL if it has all. */
const char *vl_machine_lacks(void);

#endif
