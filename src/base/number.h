/*
 * Numbers for people: decimal comma, grouping and percent sign as the language in force has them.
 * Numbers for machines never pass here.
 */
#ifndef VIALATA_BASE_NUMBER_H
#define VIALATA_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VL_NUMBER_TEXT 64 /* a buffer of this size holds any result */

/* value with 'decimals' digits after the mark: "12,345.67", "12 345,67". Returns buffer. */
char *vl_number_text(char buffer[VL_NUMBER_TEXT], double value, int decimals);

/* Significant digits instead, with an exponent when it is shorter: 1.2e-05. Returns buffer. */
char *vl_number_short(char buffer[VL_NUMBER_TEXT], double value, int digits);

/* "42,0 %": value 0.42. Returns buffer. */
char *vl_number_percent(char buffer[VL_NUMBER_TEXT], double share, int decimals);

/* "1.5 MiB" (fr: "1,5 Mio"). Returns buffer. */
char *vl_number_bytes(char buffer[VL_NUMBER_TEXT], uint64_t bytes);

/* Does this blank part a number from its unit, as in "8 MB"? A line never
 * breaks there. */
bool vl_number_parts(const char *text, size_t blank);

#endif
