/*
 * From return addresses to "forward.c:88": the innermost place in the submission's own files.
 */
#ifndef VIALATA_GRADE_PLACE_IN_SOURCE_H
#define VIALATA_GRADE_PLACE_IN_SOURCE_H

#include "grade/runner/board.h"
#include "grade/sandbox.h"

/* 'program' was built from files in 'sources'. The caller frees the result; NULL if no address
 * lies in them. */
char *vl_place_in_source(const struct vl_board_rank *rank, const char *program, const char *sources,
                         const struct vl_sandbox *sandbox);

#endif
