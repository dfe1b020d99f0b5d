/*
 * The class at a glance, as a page for whoever teaches it: scores, which mistakes were met how often
 * and by whom, which cases nobody passed, what to look at.
 */
#ifndef VIALATA_CLASS_CLASS_PAGE_H
#define VIALATA_CLASS_CLASS_PAGE_H

#include "grade/catalogue/lab.h"
#include "grade/catalogue/verdict.h"
#include "vialata/status.h"

struct vl_class_verdict {
    const char *student;
    const struct vl_lab *lab;
    struct vl_verdict verdict;
};

/* The verdicts that count, one a student and lab. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_class_page(const struct vl_class_verdict *verdicts, size_t count,
                             const struct vl_lab *const *labs, size_t lab_count, const char *path);

#endif
