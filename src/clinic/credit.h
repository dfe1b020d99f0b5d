/*
 * What a diagnosis is worth: which ranks, which line, which cause.
 *
 *            right    nearly                                     else
 *   ranks    15       7: some of them are named, or too many     0
 *   line     20       10: at most two lines away                 0
 *   cause    25       12: a cause that is close to it            0
 *
 * An earlier diagnosis of the same case costs 5 of them, the report 15; a third is kept in any case. A program that
 * passes its test afterwards earns 40 more.
 */
#ifndef VIALATA_CLINIC_CREDIT_H
#define VIALATA_CLINIC_CREDIT_H

#include "clinic/case.h"

#include <stdbool.h>

#define VL_CREDIT_RANKS  15
#define VL_CREDIT_LINE   20
#define VL_CREDIT_CAUSE  25
#define VL_CREDIT_WHOLE  (VL_CREDIT_RANKS + VL_CREDIT_LINE + VL_CREDIT_CAUSE)
#define VL_CREDIT_REPAIR 40

struct vl_diagnosis {
    uint32_t who; /* a bit for each rank, or VL_CLINIC_ALL */
    int line;     /* from 1 */
    enum vl_cause cause;
};

struct vl_credit {
    int ranks, line, cause;
};

/* 'program' is the text of the case, as it was given. */
struct vl_credit vl_credit_of(const struct vl_clinic_case *item, const char *program,
                              const struct vl_diagnosis *diagnosis);

bool vl_credit_is_whole(const struct vl_credit *credit);

/* Its points, after this many earlier diagnoses. */
int vl_credit_points(const struct vl_credit *credit, int earlier, bool report);

/* A line that was counted in the student's program, as it is called in the given one: the same words, as often as
 * before. 0 if there is none. */
int vl_line_as_given(const char *given, const char *own, int line);

/* The line of a place in a program, from 1; 0 if it is not there. */
int vl_place_line(const char *program, const char *place);

#endif
