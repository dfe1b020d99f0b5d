/*
 * The functions of a file that get mutants: the one that is asked for, those of the same file that it
 * calls and nobody else sees, and those that these call.
 */
#ifndef VIALATA_GRADE_MUTANTS_RELATIVES_H
#define VIALATA_GRADE_MUTANTS_RELATIVES_H

#include "grade/mutants/c_function.h"

#include <stdbool.h>
#include <stddef.h>

#define VL_RELATIVES_MOST 16

struct vl_relatives {
    struct vl_c_function list[VL_RELATIVES_MOST]; /* they point into the file */
    size_t count;                                 /* 0: the file has no such function */
};

struct vl_relatives vl_relatives_of(const char *file, const char *function);

bool vl_relatives_have(const struct vl_relatives *relatives, const struct vl_c_function *f);

#endif
