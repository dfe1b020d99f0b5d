/*
 * This machine: what a verdict says of it, and what it lacks.
 */
#ifndef VIALATA_SANDBOX_MACHINE_H
#define VIALATA_SANDBOX_MACHINE_H

/* Cores this process may use; ranks beyond them cannot be timed. */
int vl_machine_cores(void);

/* "AMD EPYC 7B13, 2 cores". The caller frees it; NULL without memory. */
char *vl_machine_text(void);

/* A sentence about what grading needs and this machine lacks; NULL if it has all. */
const char *vl_machine_lacks(void);

#endif
