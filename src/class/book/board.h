/*
 * The fastest submissions of a lab, function by function. It may be shown to the class: who does not
 * want to be on it (the roster's column board) is there without a name.
 */
#ifndef VIALATA_CLASS_BOOK_BOARD_H
#define VIALATA_CLASS_BOOK_BOARD_H

#include "class/book/class_verdict.h"
#include "report/draw/page.h"
#include <stddef.h>

#define VL_BOARD_PLACES 3 /* for each function */

/* Nothing is put if nothing was timed. */
void vl_board_put(struct vl_page *page, const struct vl_class_verdict *const *list, size_t count);

#endif
