/*
 * Ctrl-C while a job runs, or output whose reader has gone: nothing is cut short. The loop that
 * waits looks at a flag and cleans up; then the signal is delivered again, so that the shell sees
 * the usual exit status (130, 143).
 *
 * One grading at a time uses it: begin and end are a pair.
 */
#ifndef VIALATA_SANDBOX_INTERRUPT_H
#define VIALATA_SANDBOX_INTERRUPT_H

void vl_interrupt_begin(void);

/* The signal that came (SIGINT, SIGTERM ...), or 0. */
int vl_interrupt_seen(void);

/* Put the old handlers back and, if a signal had come, raise it for them. */
void vl_interrupt_end(void);

#endif
