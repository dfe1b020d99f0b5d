/*
 * Bytes that arrive one by one, made fit to be shown: whole UTF-8 characters, and U+FFFD for
 * everything else.
 */
#ifndef VIALATA_TRAIN_LOG_SHOWN_H
#define VIALATA_TRAIN_LOG_SHOWN_H

#include <stddef.h>

struct vl_shown {
    unsigned char pending[4]; /* the beginning of a character */
    size_t count;
};

#define VL_SHOWN_LONGEST 16 /* enough for the output of one byte, with the zero at the end */

/* Take one byte; write what can be shown now (perhaps nothing) to 'out' and return its length. */
size_t vl_shown_byte(char out[VL_SHOWN_LONGEST], struct vl_shown *shown, unsigned char byte);

/* No more bytes come: show what is pending. */
size_t vl_shown_end(char out[VL_SHOWN_LONGEST], struct vl_shown *shown);

/* A whole text at once, as much of it as fits. */
void vl_shown_text(char *out, size_t capacity, const char *bytes);

#endif
