/*
 * A table in a CSV file, as a spreadsheet writes it: the first row names the columns.
 *
 * Commas, semicolons or tabs separate cells: what the first row has most of. A byte order mark is
 * skipped, empty rows are left out, spaces around a cell are removed.
 */
#ifndef VIALATA_CLASS_INTAKE_CSV_H
#define VIALATA_CLASS_INTAKE_CSV_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdio.h>

#define VL_CSV_MOST_BYTES ((size_t)16 << 20)

struct vl_csv {
    char **cells; /* (rows, columns); a cell that is not there is "" */
    size_t *line; /* of each row in the file, counted from 1 */
    size_t rows;  /* without the first */
    size_t columns;
    char **heads; /* (columns) */
};

/* VL_EIO (errno), VL_EFORMAT if it is not text, is too large or has no first row, VL_ENOMEM. */
enum vl_status vl_csv_read(struct vl_csv *table, const char *path);
void vl_csv_free(struct vl_csv *table);

/* The column of that name, whatever its case; -1 if there is none. */
int vl_csv_column(const struct vl_csv *table, const char *name);

/* A cell; "" for column -1. */
const char *vl_csv_cell(const struct vl_csv *table, size_t row, int column);

/* What a cell answers: 1 for yes, 0 for no, 'otherwise' if it is empty, -1 if it is none of them. */
int vl_csv_answer(const char *cell, int otherwise);

/* Write one cell in clean UTF-8, quoted where it must be. What a spreadsheet would take for a formula,
 * also one that takes only semicolons for separators, gets an apostrophe: names come from students.
 * One at the beginning of a cell is dropped when the cell is read again. */
void vl_csv_put(FILE *stream, const char *cell);

#endif
