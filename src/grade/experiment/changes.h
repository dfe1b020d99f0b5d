/*
 * The changes of a submission's function: a schema (mutants/schema.h) of a text that somebody we do not
 * know has written, perhaps so that reading it takes for ever, all memory or all of the stack. So another
 * process reads it, as the sandbox's user, with little time and memory, and what it says is bounded.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_CHANGES_H
#define VIALATA_GRADE_EXPERIMENT_CHANGES_H

#include "grade/mutants/schema.h"
#include "sandbox/sandbox.h"

/* The schema, without names; no text and no changes where that process did not come to an end, or found
 * none. VL_EIO, VL_ENOMEM. Free it in any case. */
enum vl_status vl_changes_make(struct vl_schema *schema, const char *file, const char *function,
                               const struct vl_sandbox *sandbox);

#endif
