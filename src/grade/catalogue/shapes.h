/*
 * The shapes that a prediction asks about: the constants at the top of a lab's predict.c.
 *
 *   usual     what labs/ has, and everybody who has not started with a name
 *   drawn     from the lab and the student's name, by a public rule, so that classmates have other
 *             numbers. Any of the choices of one shape goes with any of another.
 *
 * The grader knows the shapes from the name. What a submission's constants say is only looked at to
 * tell a student that they are somebody else's.
 */
#ifndef VIALATA_GRADE_CATALOGUE_SHAPES_H
#define VIALATA_GRADE_CATALOGUE_SHAPES_H

#include "grade/catalogue/case.h"
#include <stdbool.h>

#define VL_PREDICTION "predict.c"

#define VL_SHAPE_CHOICES 8

struct vl_sealed_shape {
    const char *name; /* the constant, "WIDTH"; among the inputs it is "width" */
    uint32_t usual;
    uint32_t choices[VL_SHAPE_CHOICES]; /* up to a zero; none: the same for everybody */
};

/* The value of a lab's shape for a student (NULL: the usual one). */
uint32_t vl_shape_drawn(const struct vl_lab *lab, const struct vl_sealed_shape *shape,
                        const char *student);

/* All shapes of a lab among the inputs of a case. VL_ENOMEM. */
enum vl_status vl_shapes_put(struct vl_bag *inputs, const struct vl_lab *lab, const char *student);

/* What a sealed case has for its inputs: the usual shapes of its lab. */
vl_make_function vl_make_shapes;

/* Does the text of a predict.c have the student's shapes? A constant that it lacks is the usual. */
bool vl_shapes_agree(const char *text, const struct vl_lab *lab, const char *student);

/* The text of a predict.c with the student's shapes in it, fresh; NULL without memory. */
char *vl_shapes_written(const char *text, const struct vl_lab *lab, const char *student);

#endif
