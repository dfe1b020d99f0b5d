/*
 * Known wrong answers come in families: one function works out a truth with one of several mistakes
 * in it. MISTAKE makes such a mistake the 'answer' of a struct vl_suspect.
 */
#ifndef VIALATA_GRADE_CATALOGUE_MISTAKE_H
#define VIALATA_GRADE_CATALOGUE_MISTAKE_H

#include "grade/catalogue/case.h"

#define MISTAKE(family, mistake)                                                                   \
    static enum vl_status family##_##mistake(struct vl_bag *wrong, const struct vl_bag *inputs,    \
                                             const struct vl_bag *expected)                        \
    {                                                                                              \
        (void)expected;                                                                            \
        return family(wrong, inputs, mistake);                                                     \
    }

#define NO_MORE_SUSPECTS                                                                           \
    {                                                                                              \
        NULL, NULL, NULL                                                                           \
    }

#endif
