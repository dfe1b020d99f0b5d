/*
 * Inspection: results with a structure that no distance describes. A schedule is wrong because a
 * task comes before what it needs, not by one part in a hundred.
 */
#ifndef VIALATA_GRADE_JUDGE_INSPECT_H
#define VIALATA_GRADE_JUDGE_INSPECT_H

#include "grade/judge/signs.h"
#include "wire/bag.h"

/* For an inspector. The outputs are hostile: only what is named in 'expected' is known to exist,
 * with as many elements. code NULL: nothing to say. VL_ENOMEM. */
typedef enum vl_status vl_inspection(struct vl_sign *sign, const struct vl_bag *inputs,
                                     const struct vl_bag *expected, const struct vl_bag *outputs);
/* Defines one; 'expected' may stay unused. */
#define VL_INSPECTION(name)                                                                        \
    enum vl_status name(struct vl_sign *sign, const struct vl_bag *inputs,                         \
                        __attribute__((unused)) const struct vl_bag *expected,                     \
                        const struct vl_bag *outputs)

struct vl_inspector {
    const char *function; /* as in struct vl_case */
    /* Before anything is compared: a fault that decides the case. May be NULL. */
    vl_inspection *look;
    /* Where outputs are not the expected ones: the place, in words. Its code is used if no known
     * mistake explains them. May be NULL: then the worst element is reported. */
    vl_inspection *tell;
};

/* The inspector of a function; for most, both of its calls are NULL. */
const struct vl_inspector *vl_inspector_of(const char *function);

/* The tables of all labs with an inspector.c, which defines vl_inspectors_<slug>, ended by a NULL
 * function. CMake makes the list, which ends with NULL. */
extern const struct vl_inspector *const vl_lab_inspectors[];

#endif
