/*
 * What the compiler said, errors first: what stops a build is never behind warnings of other files.
 *
 *   a.c:3:9: warning: ...           b.c: In function 'vl_f':
 *   b.c: In function 'vl_f':        b.c:7:5: error: ...
 *   b.c:7:5: error: ...        ->       7 |     x y;
 *       7 |     x y;                a.c:3:9: warning: ...
 *
 * The lines themselves stay as they are.
 */
#ifndef VIALATA_REPORT_VERDICT_COMPILER_WORDS_H
#define VIALATA_REPORT_VERDICT_COMPILER_WORDS_H

/* Fresh; NULL without memory. */
char *vl_compiler_errors_first(const char *words);

#endif
