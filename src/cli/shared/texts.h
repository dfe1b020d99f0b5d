/*
 * The course's texts as a terminal shows them: built by Sphinx, one folder per language.
 */
#ifndef VIALATA_CLI_SHARED_TEXTS_H
#define VIALATA_CLI_SHARED_TEXTS_H

#include "grade/catalogue/lab.h"

/*
 * Read "README" or "hints" of a lab in the language in force; if it was not built, the English
 * source, and *source is nonzero. The caller frees it; NULL if there is neither.
 */
char *vl_text_of_lab(const struct vl_lab *lab, const char *name, int *source);

/*
 * One hint from a text of hints, in which every section is headed by a function's name and has the
 * levels as a numbered list. Freed by the caller; NULL if there is none.
 */
char *vl_hint_find(const char *hints, const char *function, int level);

/* The rank of the heading that this line is: 1 for a page's title, and so on ("## x", or a line
 * underlined by the next one). 0 if it is none. */
int vl_text_heading(const char *line);

const char *vl_text_next_line(const char *line);

#endif
