/*
 * The parts of patterns.c: each file looks for patterns of one kind.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_PATTERN_PARTS_H
#define VIALATA_GRADE_DIAGNOSE_PATTERN_PARTS_H

#include "grade/diagnose/patterns.h"

struct vl_pattern_cases {
    const struct vl_facts *list;
    size_t count, failed, passed;
};

/* Each fills *pattern or leaves it as it is. Without memory, it has a code and no message. */
void vl_pattern_of_ranks(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);

/* Give the pattern its code and its sentence. */
void vl_pattern_say(struct vl_pattern *pattern, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "1, 2 and 4": numbers in words; fresh, NULL without memory. */
char *vl_pattern_list(const int64_t *values, size_t count);

#endif
