/*
 * A verdict that counts: one for each student and lab, with the points that were set by hand, and
 * with what being late costs.
 */
#ifndef VIALATA_CLASS_BOOK_CLASS_VERDICT_H
#define VIALATA_CLASS_BOOK_CLASS_VERDICT_H

#include "class/book/lateness.h"
#include "class/intake/roster.h"
#include "grade/catalogue/lab.h"
#include "grade/catalogue/verdict.h"

struct vl_class_verdict {
    const char *student;
    const struct vl_student *known; /* in the roster; NULL if there is none */
    const struct vl_lab *lab;
    struct vl_verdict verdict;
    struct vl_lateness lateness;
};

#endif
