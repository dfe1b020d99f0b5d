/*
 * The gradebook: a row a student, two columns a lab, for a spreadsheet or a learning platform.
 *
 *   id,name,late_days,01_training_step,01_training_step_note,02_collectives,...
 *
 * A score is out of 100. The note says what the score does not: not handed in, late, not graded and
 * why, to be looked at.
 */
#ifndef VIALATA_CLASS_BOOK_GRADEBOOK_H
#define VIALATA_CLASS_BOOK_GRADEBOOK_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

struct vl_grade_entry {
    double score; /* NAN: none */
    char *note;   /* "" or a sentence */
};

struct vl_grade_row {
    const char *id, *name;
    int late_days;                  /* that this student has */
    struct vl_grade_entry *entries; /* one a lab */
};

struct vl_gradebook {
    const struct vl_lab **labs;
    size_t lab_count;
    struct vl_grade_row *rows;
    size_t row_count;
};

/* Whole or not at all. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_gradebook_write(const struct vl_gradebook *book, const char *path);

#endif
