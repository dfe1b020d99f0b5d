/*
 * What two runs of a program printed by clinic_say, compared: ranks print in any order, so lines are sorted first.
 * Other lines do not count.
 */
#ifndef VIALATA_CLI_CLINIC_LINES_H
#define VIALATA_CLI_CLINIC_LINES_H

#include "vialata/status.h"

struct vl_line_difference {
    char *got;    /* a line that should not be there; NULL: there is none */
    char *wanted; /* one that is missing; NULL: there is none */
};

/* The first difference: both lines if they are of one rank. Both are NULL if there is none. Freed by the caller.
 * VL_ENOMEM. */
enum vl_status vl_lines_differ(struct vl_line_difference *difference, const char *got,
                               const char *wanted);

void vl_line_difference_free(struct vl_line_difference *difference);

#endif
