/*
 * Ctrl-C while a job runs, or a reader of our output that has gone: nothing is cut short, the loop
 * that waits looks at a flag, cleans up, and the signal is delivered again afterwards, so the shell
 * sees the usual exit (130, 143).
 *
 * One grading at a time uses it: begin and end are a pair.
 */
#ifndef VIALATA_GRADE_SANDBOX_INTERRUPT_H
#define VIALATA_GRADE_SANDBOX_INTERRUPT_H

void vl_interrupt_begin(void);

/* The signal that came (SIGINT, SIGTERM ...), or 0. */
int vl_interrupt_seen(void);

/* Put the old handlers back and, if a signal had come, raise it for them. */
void vl_interrupt_end(void);

#endif
