/*
 * The catalogue: which labs there are, what each asks for, and what it is worth.
 */
#ifndef VIALATA_GRADE_CATALOGUE_LAB_H
#define VIALATA_GRADE_CATALOGUE_LAB_H

#include "grade/catalogue/verdict.h"
#include <stdbool.h>
#include <stddef.h>

/* One function a student writes. */
struct vl_lab_function {
    const char *name; /* "vl_rmsnorm_forward" */
    const char *file; /* "forward.c"; NULL for a composed case: no file of its own */
    double points;    /* for right numbers (or a right closed form) */
    enum vl_case_group group;
    double speed_points; /* for throughput, 0 if it is not timed */
};

struct vl_sealed_shape; /* shapes.h */

struct vl_lab {
    int number;
    const char *slug;    /* "training_step" */
    const char *folder;  /* "01_training_step" */
    const char *title;   /* N_() */
    const char *summary; /* N_(): one sentence */
    int trains;          /* what it makes is part of a training run */
    const char *train;   /* words of `vialata train` with which it matters; NULL: it never does */
    int kernels;         /* it computes on one device: a simulation has phantoms in its place */
    int in_every_step;   /* the engine cannot do without it, whatever lab is graded */
    const char *const *files; /* what a submission consists of, NULL-terminated */
    const struct vl_lab_function *functions;
    size_t function_count;
    const struct vl_sealed_shape *shapes; /* what its prediction asks about */
    size_t shape_count;
};

/* What lab.c of a lab ends with: its tables 'files', 'functions' and 'shapes'; other fields by
 * name. */
#define VL_LAB(name, ...)                                                                          \
    const struct vl_lab vl_lab_##name = {.slug = #name,                                            \
                                         .files = files,                                           \
                                         .functions = functions,                                   \
                                         .function_count = sizeof functions / sizeof *functions,   \
                                         .shapes = shapes,                                         \
                                         .shape_count = sizeof shapes / sizeof *shapes,            \
                                         __VA_ARGS__}

/* One per folder of src/grade/labs/; the table is made by CMake (src/grade/labs.cmake). */
extern const struct vl_lab *const vl_labs[];
extern const size_t vl_lab_count;

/* "3", "03", "data_parallel", "03_data_parallel"; NULL if none is meant. */
const struct vl_lab *vl_lab_find(const char *name);

/* Does the program that a submission of 'lab' is part of do without the reference of 'other'? A lab
 * builds on those before it; what comes later must not be asked for its answers. */
bool vl_lab_does_without(const struct vl_lab *lab, const struct vl_lab *other);

#endif
