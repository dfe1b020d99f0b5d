/*
 * Mutations of the names in an expression: another variable, a member for a variable or the other way round, an index
 * that is one off.
 *
 *   y[i] = shape->rows * width      y[j] = shape->rows * width
 *                                   y[i] = n * width
 *                                   y[i] = shape->columns * width
 *                                   y[(i + 1)] = shape->rows * width
 */
#ifndef VIALATA_GRADE_MUTANTS_CHANGED_NAMES_H
#define VIALATA_GRADE_MUTANTS_CHANGED_NAMES_H

#include "grade/mutants/site.h"

/* Add those of the name that begins at token i, if one does. */
void vl_change_names(const struct vl_site *site, size_t i);

#endif
