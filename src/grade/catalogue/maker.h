/*
 * Making the inputs of a case: sizes and random arrays, all from (seed, case id).
 */
#ifndef VIALATA_GRADE_CATALOGUE_MAKER_H
#define VIALATA_GRADE_CATALOGUE_MAKER_H

#include "grade/catalogue/case.h"

struct vl_maker {
    struct vl_bag *bag;
    uint64_t seed;   /* the grading's seed and the case's id, mixed */
    uint64_t stream; /* one a draw */
    int failed;      /* an array could not be added */
};

struct vl_maker vl_maker_start(struct vl_bag *bag, const struct vl_case *c, uint64_t seed);
enum vl_status vl_maker_end(const struct vl_maker *maker);

/* A size, kept in the bag under its name; returns it. */
size_t vl_maker_size(struct vl_maker *maker, const char *name, size_t value);
/* A number in [low, high]. */
size_t vl_maker_between(struct vl_maker *maker, size_t low, size_t high);
/* An odd prime not above 13, and not 'but' (so that two sizes differ). */
size_t vl_maker_prime(struct vl_maker *maker, size_t but);
/* A prime between 17 and 67: wider than a vector register, so a loop has a body and a tail. */
size_t vl_maker_wide(struct vl_maker *maker);

void vl_maker_real(struct vl_maker *maker, const char *name, double value);
/* Normal numbers times scale. NULL without memory. */
float *vl_maker_normal(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                       float scale);
/* Whole numbers below 'limit'. */
int32_t *vl_maker_below(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                        size_t limit);

/* A copy of a bag whose float32 arrays are float64. NULL without memory. */
struct vl_bag *vl_bag_widened(const struct vl_bag *bag);

/* A size of a bag. */
size_t vl_bag_size(const struct vl_bag *bag, const char *name);

#endif
