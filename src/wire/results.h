/*
 * Results: what one rank sends back to the grader, in one file that the grader has made for it.
 *
 *   record   number of the case, bytes of the bag (8 bytes each) | the bag, as safetensors
 *   file     record record record ...
 *
 * A rank only ever appends. The grader reads a record once the board says that the case is finished,
 * and trusts nothing of it.
 */
#ifndef VIALATA_WIRE_RESULTS_H
#define VIALATA_WIRE_RESULTS_H

#include "wire/bag.h"

#define VL_RESULTS_MOST_BYTES ((size_t)64 << 20) /* of one record */
#define VL_RESULTS_MOST       20000              /* records that a reader looks at */

/* A case has two records: the outputs under its number, and under this + its number the inputs as
 * they are after the call. */
#define VL_RESULTS_INPUTS 0x40000000u

/* A number among the results of a case that is a table of calls: how many came back before one was refused. */
#define VL_ANSWERED "answered"

/* Text among the results of a case in which a call must be refused: the argument of one that was not, "ranks = 0". */
#define VL_UNREFUSED "unrefused"

/* "FOLDER/results.RANK" */
#define VL_RESULTS_NAME "results.%d"

/* Append a bag to the file, which must be there. VL_EIO, VL_ENOMEM. */
enum vl_status vl_results_add(const char *path, unsigned number, const struct vl_bag *bag);

/*
 * The bytes of the last record of that number, in memory of their own that nobody changes later;
 * freed by the caller. VL_EIO if there is no such file, VL_EFORMAT if there is no such record, it
 * is cut short or too large, or the file is not one that a rank appends to. Takes time by the
 * number of records.
 */
enum vl_status vl_results_take(char **bytes, size_t *count, const char *path, unsigned number);

#endif
