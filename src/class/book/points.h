/*
 * What a class has earned in a lab, case by case, as its gradebook counts it: with points that were
 * set by hand. `vialata compare` reads these files.
 *
 *   RESULTS/points/01_training_step.json
 *
 *   {"schema": "vialata.points/1", "lab": "01_training_step",
 *    "students": [{"student": "ada", "score": 71.5, "max_score": 100,
 *                  "cases": [{"id": "...", "points": 0, "max_points": 3, "code": "unwritten"}]}]}
 */
#ifndef VIALATA_CLASS_BOOK_POINTS_H
#define VIALATA_CLASS_BOOK_POINTS_H

#include "grade/catalogue/lab.h"
#include "grade/catalogue/verdict.h"
#include "vialata/status.h"

#define VL_POINTS_MOST_BYTES ((size_t)64 << 20)
#define VL_POINTS_MOST_CASES 2000 /* of one student */

struct vl_case_points {
    char *id;
    char *code; /* NULL: nothing was wrong */
    double points, most;
};

struct vl_student_points {
    char *student;
    const struct vl_lab *lab;
    double score, most;
    struct vl_case_points *cases;
    size_t case_count;
};

/* Zero it to begin. */
struct vl_points {
    struct vl_student_points *list;
    size_t count, capacity;
};

/* Add the points of a verdict. VL_ENOMEM. */
enum vl_status vl_points_add(struct vl_points *points, const char *student,
                             const struct vl_lab *lab, const struct vl_verdict *verdict);

/* Write those of one lab, the whole file or nothing. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_points_write(const struct vl_points *points, const struct vl_lab *lab,
                               const char *path);

/* Add what a file holds. VL_EIO (errno), VL_EFORMAT if it is not such a file, VL_ENOMEM. */
enum vl_status vl_points_read(struct vl_points *points, const char *path);

void vl_points_free(struct vl_points *points);

#endif
