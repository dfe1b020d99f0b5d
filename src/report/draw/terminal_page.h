/*
 * A page of the course on a terminal.
 *
 *   in the built text                          on a narrow terminal
 *
 *   2. A paragraph is one line there.          2. A paragraph is
 *                                                 one line there.
 *      d = 1 / r_                                 d = 1 / r
 *
 * A paragraph is broken where the terminal ends, and goes on under its first word. A line that ends
 * in a blank ("_" above) is code, a drawing, a table or a formula, and stays whole.
 */
#ifndef VIALATA_REPORT_DRAW_TERMINAL_PAGE_H
#define VIALATA_REPORT_DRAW_TERMINAL_PAGE_H

#include "report/draw/terminal.h"

/* Lines are no longer than the terminal is wide, nor than is good to read. */
void vl_terminal_page(const struct vl_terminal *terminal, const char *text);

#endif
