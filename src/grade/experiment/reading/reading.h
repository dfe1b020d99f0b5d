/*
 * A reading: the inputs of a case as somebody may have read them by mistake. Is the answer to be explained
 * the right one for these inputs, then it is clear what was done.
 *
 *   what should be:   truth(x, gain)
 *   what came out:    truth(x, gain'), where every number of gain' is 1: gain was left out
 *
 * Nothing of the submission runs for that. A reading is believed like a mistake (evidence.h), but
 * has to be met much more exactly, because there are many.
 */
#ifndef VIALATA_GRADE_EXPERIMENT_READING_READING_H
#define VIALATA_GRADE_EXPERIMENT_READING_READING_H

#include "grade/catalogue/case.h"
#include "grade/judge/signs.h"

enum vl_reading_kind {
    /* of the numbers in an array */
    VL_READ_ZEROS,
    VL_READ_ONES,
    VL_READ_NEGATED,
    VL_READ_PLUS_ONE,
    VL_READ_SQUARED,
    /* of their places */
    VL_READ_HALVES,  /* of each row, exchanged */
    VL_READ_THIRDS,  /* 'one' and 'other', from 1 */
    VL_READ_COLUMNS, /* (one, other, inner) for (other, one, inner) */
    VL_READ_ROWS,    /* the same for whole rows */
    VL_READ_TRANSPOSED,
    VL_READ_NEXT_ROW,
    VL_READ_LAST_ROW, /* the one before */
    VL_READ_NEXT_COLUMN,
    VL_READ_LAST_COLUMN,
    VL_READ_FIRST_ROW, /* for every row */
    VL_READ_FIRST_COLUMN,
    VL_READ_BACKWARDS, /* its rows */
    /* of two inputs, of the same size */
    VL_READ_EXCHANGED,
    /* of a number that stands alone: another value */
    VL_READ_VALUE
};

struct vl_reading {
    enum vl_reading_kind kind;
    const char *input, *second; /* names, as long as the inputs live that it was listed for */
    size_t one, other, inner;   /* 'one' of VL_READ_VALUE: which other value */
};

#define VL_READINGS_MOST 512

/* List the readings of these inputs; returns how many. */
size_t vl_readings_list(struct vl_reading readings[VL_READINGS_MOST], const struct vl_bag *inputs);

/* The inputs, read that way; as they are where they have not the sizes for it. NULL without memory. */
struct vl_bag *vl_reading_inputs(const struct vl_reading *reading, const struct vl_bag *inputs);

/* Say it of the case with these inputs, for which it was listed. VL_ENOMEM. */
enum vl_status vl_reading_say(struct vl_sign *finding, const struct vl_reading *reading,
                              const struct vl_bag *inputs);

/* The other value of a number of this name: "2 * scale". Returns text. */
#define VL_READING_TEXT (2 * VL_SHOWN_NAME)
const char *vl_reading_form(char text[VL_READING_TEXT], size_t which, const char *name);

#endif
