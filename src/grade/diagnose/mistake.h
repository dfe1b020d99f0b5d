/*
 * A mistake: a bug on purpose, in one small file. Wrong answers are compared with its answers, and
 * it is graded itself: a submission with this bug must get this code.
 *
 *   src/grade/labs/NN_slug/mistakes/FUNCTION/CODE[.variant].mistake
 *
 *     shows: output
 *     also: zero_traffic vl_zero_step
 *     sentence: N_("There is no eps under the root: add it to the mean of squares.")
 *     --- vl_rmsnorm_forward
 *         whole lines of the reference, which occur exactly once in that function
 *     +++
 *         the lines that replace them
 *
 * FUNCTION is the graded function that has the bug; 'also' names others in which it shows. After
 * '---' comes any function of the lab's reference, or a file. There may be several edits, all in
 * one file. There are no line numbers: when the reference changes, so must the mistakes in it.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_MISTAKE_H
#define VIALATA_GRADE_DIAGNOSE_MISTAKE_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What shows the bug. Only outputs can be compared; other bugs are found by the part of the grader
 * named here, and get its code and sentence. */
enum vl_witness {
    VL_WITNESS_OUTPUT,
    VL_WITNESS_STATUS,
    VL_WITNESS_HANG,
    VL_WITNESS_INSPECTOR,
    VL_WITNESS_MANNERS
};

struct vl_mistake_edit {
    char *where; /* "vl_rmsnorm_forward", or "forward.c" */
    char *old_text;
    char *new_text;
};

#define VL_MISTAKE_EDITS 8

struct vl_mistake {
    char *function; /* "vl_attention_forward" */
    char *name;     /* "strict_mask.zero" */
    char *code;     /* "strict_mask" */
    char *also;     /* other graded functions, between blanks; "" for none */
    char *sentence; /* English, not yet translated; NULL where the grader has one */
    /* Of one made by machine (machine.h); else NULL: */
    const char *kind; /* its code, which outlives it */
    char *message;    /* already translated */
    enum vl_witness witness;
    struct vl_mistake_edit edits[VL_MISTAKE_EDITS];
    size_t edit_count;
    /* Without edits: */
    size_t file;       /* the reference's file that it is in */
    uint64_t compiled; /* its object (precompiled.h); 0: there is none */
    const char *text;  /* of that file with all mutants of a function (mutants/schema.h); or NULL */
    unsigned mutant;   /* which of them it is */
};

struct vl_mistakes {
    struct vl_mistake *list; /* by function, then by name */
    size_t count;
};

/* All mistakes of a lab. VL_EFORMAT, with the file's name and what is wrong in *problem (the caller
 * frees it, may be NULL), if one cannot be read; VL_ELACK if the lab has none; VL_ENOMEM. */
enum vl_status vl_mistakes_read(struct vl_mistakes *mistakes, const struct vl_lab *lab,
                                char **problem);
void vl_mistakes_free(struct vl_mistakes *mistakes);

/* "vl_attention_forward/strict_mask.zero"; NULL if there is none of that name. */
const struct vl_mistake *vl_mistake_named(const struct vl_mistakes *mistakes, const char *name);

/* Is it a candidate where this function fails? */
bool vl_mistake_concerns(const struct vl_mistake *mistake, const char *function);

#endif
