/*
 * The parts of patterns.c: each file looks for patterns of one kind.
 */
#ifndef VIALATA_GRADE_PATTERNS_PATTERN_PARTS_H
#define VIALATA_GRADE_PATTERNS_PATTERN_PARTS_H

#include "grade/patterns/patterns.h"

struct vl_pattern_cases {
    const struct vl_facts *list;
    size_t count, failed, passed;
};

/* Each fills *pattern or leaves it as it is. Without memory, it has a code and no message. */

/* One factor in every case that failed: the ranks, a size, 8 for bits. */
void vl_pattern_of_factor(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* A figure that is something of the right one: its inverse, its square. */
void vl_pattern_of_relation(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* The right sum of whole numbers, in the wrong places. */
void vl_pattern_of_sum(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* One term too much or too little in every case that failed: a product of sizes. */
void vl_pattern_of_term(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* Numbers beyond 32 bits. */
void vl_pattern_of_size(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* On how many ranks. */
void vl_pattern_of_ranks(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* With which choice among the inputs: a stage, a mode, the first step. */
void vl_pattern_of_choice(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* At which sizes: a multiple of the ranks, an even one. */
void vl_pattern_of_shape(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* Where two sizes are equal. */
void vl_pattern_of_pair(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
/* On which rank, and in which of several arrays. */
void vl_pattern_of_place(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);

/* Is this number of the inputs a choice, not a size? And one of those that make another task of the
 * function's, as a stage does? */
bool vl_pattern_is_choice(const char *name);
bool vl_pattern_is_kind(const char *name);

/* Give the pattern its code and its sentence. */
void vl_pattern_say(struct vl_pattern *pattern, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As if nothing had been found. */
void vl_pattern_forget(struct vl_pattern *pattern);

/* "1, 2 and 4": numbers in words; fresh, NULL without memory. */
char *vl_pattern_list(const int64_t *values, size_t count);

#endif
