/*
 * Text that came from anywhere, made fit to show: valid UTF-8, no control characters, known width.
 *
 * A submission, a compiler and a file name may hold any bytes. Reports pass all of them through
 * vl_utf8_clean, so that JSON and XML stay well-formed and nobody else steers the terminal.
 */
#ifndef VIALATA_BASE_UTF8_H
#define VIALATA_BASE_UTF8_H

#include <stddef.h>

/*
 * A copy in which every byte that is not valid UTF-8, and every control character except newline
 * and tab (those of bidirectional text too), is U+FFFD. The caller frees it; NULL without memory.
 * NULL gives "".
 */
char *vl_utf8_clean(const char *text);

/* Columns that a clean text takes on a terminal (combining marks take none). */
int vl_utf8_width(const char *text);

/* The length in bytes of the longest beginning of a clean text that fits in 'columns'. */
size_t vl_utf8_fit(const char *text, int columns);

#endif
