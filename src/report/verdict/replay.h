/*
 * Lines of shell that a person can copy from a report.
 */
#ifndef VIALATA_REPORT_VERDICT_REPLAY_H
#define VIALATA_REPORT_VERDICT_REPLAY_H

#include "grade/catalogue/verdict.h"
#include <stdio.h>

/* A word of shell, for a script: bare if nothing in it is special, else in single quotes. */
void vl_shell_word_put(FILE *stream, const char *word);

/* The same for a person's eyes: what would steer a terminal is escaped as in $'a\033b', which bash, ksh and
 * zsh read. */
void vl_shell_word_show(FILE *stream, const char *word);

/* The one line that runs a case again as it was run here. The caller frees it; NULL without
 * memory. */
char *vl_replay_line(const struct vl_verdict *verdict, const struct vl_case_result *result);

/* The first function of the verdict that has not all its points, with numbers before speed; NULL
 * if there is none. */
const struct vl_case_result *vl_verdict_next(const struct vl_verdict *verdict);

#endif
