/*
 * What `watch` shows. On a terminal each save begins a fresh screen; elsewhere everything follows.
 *
 *   Lab 01: A training step on one device                       (what is watched, and the keys)
 *
 *   forward.c was saved at 10:31:05.
 *     v vl_rmsnorm_forward                  7/7    1.1 s
 *     what is wrong with the next one, as `grade` says it
 *
 *   Lab 01 has 7 out of 100 points.         Next: ...
 */
#ifndef VIALATA_CLI_WATCH_SCREEN_H
#define VIALATA_CLI_WATCH_SCREEN_H

#include "cli/companion/journey.h"
#include "cli/workspace/standing.h"
#include "grade/catalogue/verdict.h"
#include "report/draw/terminal.h"

#include <stdbool.h>

struct vl_screen {
    struct vl_terminal terminal;
    const struct vl_lab *lab;
    const char *folder;
    bool keys; /* they work, so they are said */
};

void vl_screen_open(struct vl_screen *screen, const struct vl_lab *lab, const char *folder);

/* A fresh screen, as 'file' was saved; NULL: for another reason. */
void vl_screen_begin(struct vl_screen *screen, const char *file);
/* This function is being graded; NULL: the whole lab. */
void vl_screen_wait(struct vl_screen *screen, const struct vl_lab_function *function);
/* What came of it, after this many seconds. */
void vl_screen_verdict(struct vl_screen *screen, const struct vl_verdict *verdict,
                       const struct vl_lab_function *function, double seconds);
/* There was no verdict; 'words' is what the grader said, or NULL. */
void vl_screen_refusal(struct vl_screen *screen, const char *words);
/* Nothing is left to grade. */
void vl_screen_rest(struct vl_screen *screen, const struct vl_standing *standing,
                    const struct vl_step *step);

void vl_screen_close(struct vl_screen *screen);

#endif
