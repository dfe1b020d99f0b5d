/*
 * What a class found hard in a lab: functions that still had a mistake in what was handed in. A
 * handout carries it to the next class, and whoever finishes the lab is told.
 *
 *   {"schema": "vialata.hard/1", "lab": "01_training_step", "students": 34,
 *    "functions": [{"name": "vl_swiglu_backward_input", "students": 12}, ...]}
 *
 * Nobody is named, and what only one or two did is not told. Work that was not begun, and speed, do
 * not count.
 */
#ifndef VIALATA_CLASS_BOOK_HARD_H
#define VIALATA_CLASS_BOOK_HARD_H

#include "class/book/points.h"
#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stddef.h>

#define VL_HARD_MOST  3 /* functions that are told */
#define VL_HARD_LEAST 3 /* students, for a function to be told */

struct vl_hard {
    size_t students;                                       /* who handed the lab in */
    const struct vl_lab_function *functions[VL_HARD_MOST]; /* most students first */
    size_t met[VL_HARD_MOST];                              /* students, by function */
    size_t count;
};

/* VL_ENOMEM. */
enum vl_status vl_hard_count(struct vl_hard *hard, const struct vl_points *points,
                             const struct vl_lab *lab);

/* The whole file or nothing. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_hard_write(const struct vl_hard *hard, const struct vl_lab *lab,
                             const char *path);

/* VL_EIO (errno), VL_EFORMAT if it is not such a file on this lab, VL_ENOMEM. */
enum vl_status vl_hard_read(struct vl_hard *hard, const struct vl_lab *lab, const char *path);

#endif
