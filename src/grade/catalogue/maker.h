/*
 * Making the inputs of a case: sizes and random arrays, all from (seed, case id).
 */
#ifndef VIALATA_GRADE_CATALOGUE_MAKER_H
#define VIALATA_GRADE_CATALOGUE_MAKER_H

#include "grade/catalogue/case.h"
#include "grade/catalogue/origin.h"

struct vl_maker {
    struct vl_bag *bag;
    uint64_t seed;    /* the grading's seed and the case's id, mixed: sizes are drawn from it */
    uint64_t numbers; /* the same, or in a rehearsal another one: what the arrays hold */
    uint64_t stream;  /* one per draw */
    int failed;       /* an array could not be added */
};

struct vl_maker vl_maker_start(struct vl_bag *bag, const struct vl_case *c, uint64_t seed);
enum vl_status vl_maker_end(const struct vl_maker *maker);

/* Defines vl_make_<name>: its body has a maker 'm' that has been started, and 'self', the case. */
#define VL_SCOPED_MAKE(name)                                                                       \
    static void fill_##name(struct vl_maker *m, const struct vl_case *self);                       \
    VL_MAKE(name)                                                                                  \
    {                                                                                              \
        struct vl_maker maker = vl_maker_start(inputs, self, seed);                                \
        fill_##name(&maker, self);                                                                 \
        return vl_maker_end(&maker);                                                               \
    }                                                                                              \
    static void fill_##name(__attribute__((unused)) struct vl_maker *m,                            \
                            __attribute__((unused)) const struct vl_case *self)

/* A size, kept in the bag under its name; returns it. */
size_t vl_maker_size(struct vl_maker *maker, const char *name, size_t value);
/* Several, each {"name", value}. */
struct vl_named_size {
    const char *name;
    size_t value;
};
#define vl_maker_sizes(maker, ...)                                                                 \
    vl_maker_sizes_of(maker, (const struct vl_named_size[]){__VA_ARGS__},                          \
                      sizeof((const struct vl_named_size[]){__VA_ARGS__}) /                        \
                          sizeof(struct vl_named_size))
void vl_maker_sizes_of(struct vl_maker *maker, const struct vl_named_size *sizes, size_t count);
/* A number in [low, high]. */
size_t vl_maker_between(struct vl_maker *maker, size_t low, size_t high);
/* An odd prime not above 13, and not 'but' (so that two sizes differ). */
size_t vl_maker_prime(struct vl_maker *maker, size_t but);
/* Sizes are all drawn. From here on whole numbers are data, as what the arrays hold. */
void vl_maker_ends_sizes(struct vl_maker *maker);
/* A prime between 17 and 67: wider than a vector register, so a loop has a body and a tail. */
size_t vl_maker_wide(struct vl_maker *maker);

/* 1 under this name if the variant of the case has the flag; otherwise 0. */
void vl_maker_flag(struct vl_maker *maker, const char *name, int variant, int flag);
void vl_maker_real(struct vl_maker *maker, const char *name, double value);
/* Normal numbers times scale. NULL without memory. */
float *vl_maker_normal(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                       float scale);
/* The same with all bits in use: drawn numbers are coarse, so their sums are exact in any order. */
float *vl_maker_rough(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                      float scale);
/* Tables of zeros: float64, 64-bit, and 32-bit whole numbers. NULL without memory. */
double *vl_maker_doubles(struct vl_maker *maker, const char *name, size_t rows, size_t cols);
int64_t *vl_maker_long(struct vl_maker *maker, const char *name, size_t rows, size_t cols);
int32_t *vl_maker_whole(struct vl_maker *maker, const char *name, size_t rows, size_t cols);
/* Whole numbers below 'limit'. */
int32_t *vl_maker_below(struct vl_maker *maker, const char *name, size_t rows, size_t cols,
                        size_t limit);

/* The inputs of a case as the runner gets them. NULL without memory. */
struct vl_bag *vl_case_inputs(const struct vl_case *c, const struct vl_origin *origin);

/* A copy of a bag whose float32 arrays are float64. NULL without memory. */
struct vl_bag *vl_bag_widened(const struct vl_bag *bag);

/* A size of a bag. */
size_t vl_bag_size(const struct vl_bag *bag, const char *name);

#endif
