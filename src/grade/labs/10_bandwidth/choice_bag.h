/*
 * How questions about choices are put into a bag. Grader and runner both include this, and one
 * compiler builds both, so structures are copied as they are in memory.
 *
 *   choices  (n,size)  U8   struct vl_choice
 *   asked    (k,3)     I64  a choice and two of its layouts: which one comes first?
 *   sets     (1,n)     I64  where the choices are from; for the truth, and for words
 *
 * Answers: "faster" (1,k) I64, for each pair the layout that comes first; and "bandwidth.<i>" float64
 * for each choice, INFINITY where there is none.
 *
 * Many divisions at once, on one machine:
 *
 *   setting   (1,size) U8   struct vl_setting
 *   divisions (n,size) U8   struct vl_division, of which so many are to be ordered:
 *   count     (1)      I64  n or 0
 *
 * Answer: "order" (1,count) I64; if the count is 0 one number, VL_CHOICE_UNTOUCHED as before the call.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_CHOICE_BAG_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_CHOICE_BAG_H

#include "vialata/blueprint.h"
#include "wire/bag.h"

#include <stdbool.h>
#include <stdio.h>

/* The five layouts of a set, and the first of them again: equally fast, so it comes after it. */
enum { VL_CHOICE_LAYOUTS = 6, VL_CHOICE_PAIR = 3 };

#define VL_CHOICE_COPY      1    /* of many divisions, this one is the same as number 0 */
#define VL_CHOICE_UNTOUCHED (-1) /* no number of a division */

struct vl_choice {
    struct vl_setting setting;
    struct vl_division layouts[VL_CHOICE_LAYOUTS];
    struct vl_division simple, staged; /* the pair whose crossover is asked for */
    double low, high;
};

static inline const struct vl_choice *vl_choices(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "choices")->data;
}

static inline size_t vl_choice_count(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "choices")->shape[0];
}

/* Is a division impossible? It is so of the pair if it is so of the layouts, and in each choice of a case. */
static inline bool vl_choice_fails(const struct vl_choice *choice)
{
    return choice->simple.data == 0 || choice->staged.data == 0;
}

/* "bandwidth.3" into text; returns text. */
enum { VL_CHOICE_NAME = 32 };
static inline const char *vl_choice_bandwidth(char text[VL_CHOICE_NAME], size_t choice)
{
    snprintf(text, VL_CHOICE_NAME, "bandwidth.%zu", choice);
    return text;
}

#endif
