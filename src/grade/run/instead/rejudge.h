/*
 * One mistake is paid once: a case that fails because it uses a function that is wrong is judged again,
 * with the reference's function in its place (build/substitute.h). If it passes, it has its points.
 *
 * A case is judged again with function N in mind if
 *
 *   it fails, crashes or hangs            nothing is asked of what is unwritten or refused by the build
 *   it uses N, and is not one of N's      N's own points stay lost
 *   N fails in its own cases, and of the  one whose failures all vanish with a right N does not fail by
 *   others it uses none fails by itself   itself: parts may use one another
 *   N does something                      a body that only returns VL_OK earns what VL_TODO does (undone.h)
 *   it is about more than N               the student writes its function, or another one that it uses
 *                                         and that passes
 *
 * A mistake costs as much as N is worth. What N's own cases have not lost of that, the cases that are judged again
 * pay: else the cheapest case of N, failed on purpose, would buy whatever a composed function has seen of N.
 *
 * What still fails may do so since one mistake is in several functions. So the same is asked of a file,
 * where N stands for all functions in it, if the wrong ones among them belong together:
 *
 *   one uses another        in its own cases: they share what no contract has
 *   they fit one another    a case of a function outside has work to do, uses all that are wrong, and
 *                           passes. Then a case may be about them alone: they are paid for already
 *   they fail at one place  what is told of each names the same line: something that all of them call
 *
 * Two mistakes in two files, or in two functions of a file that have nothing to do with each other, are
 * both in the way of what uses both.
 *
 * And a mistake may be seen by others alone: by composed functions, or by a function that uses the one with the
 * mistake. The first of them pays: its cases stay lost. If they pass with one function of the reference, the
 * other composed ones that use it are judged with it.
 *
 * Own cases of other functions of N's file are run again, too. They earn points only if N uses nothing else of
 * its file: otherwise, machine code of theirs is in memory and could answer for them.
 *
 * A timing whose numerics were right but for N is measured with the same program, unless N turns out to be
 * right in it: then it is as fast as it is.
 */
#ifndef VIALATA_GRADE_RUN_INSTEAD_REJUDGE_H
#define VIALATA_GRADE_RUN_INSTEAD_REJUDGE_H

#include "grade/run/grading.h"

/* Does this case fail, crash or hang, or was it skipped because another one hung? */
bool vl_rejudge_fails(const struct vl_case_result *result);

/* The functions that a case uses: those that it cannot do without come first. NULL after the last. */
const char *vl_rejudge_used(const struct vl_case *c, size_t k);

/* Does the student write this function? What is given earns no points. */
bool vl_rejudge_is_written(const struct vl_lab_function *function);

/* Has a function that does nothing the same answers (undone.h)? */
bool vl_rejudge_is_undone(const struct vl_grading *grading, const struct vl_lab_function *function);

/* May this function be replaced: is it the student's, wrong in a case of its own, and not undone? */
bool vl_rejudge_is_wrong(const struct vl_grading *grading, const struct vl_lab_function *function);

/* Do the wrong functions of this file belong together, is one wrong, and none undone? */
bool vl_rejudge_belong_together(const struct vl_grading *grading, const char *file);

/* Are several wrong, and do they fit one another? */
bool vl_rejudge_fit(const struct vl_grading *grading, const char *file);

/* Does this function fail although all that it needs is right? Composed functions still fail because of it, or it
 * is one of them. */
bool vl_rejudge_pays_alone(const struct vl_grading *grading,
                           const struct vl_lab_function *function);

/* May this other function hold the mistake for which it pays? */
bool vl_rejudge_may_owe(const struct vl_grading *grading, const struct vl_lab_function *payer,
                        const struct vl_lab_function *function);

/* The points of those functions that are wrong, without what their own cases have lost. */
double vl_rejudge_owed(const struct vl_grading *grading, const struct vl_replacement *what);

/* What is in mind when a case is judged again. */
struct vl_suspicion {
    struct vl_replacement what;
    const char *payer; /* the function that pays for another one; NULL: those that are wrong do */
};

/* May this be right where it is timed: does each wrong function in it pass in a case of its own, and in the
 * others come back with something? */
bool vl_rejudge_may_be_right(const struct vl_grading *grading, const struct vl_replacement *what);

/* Of the cases in 'kept' (one for each that was seen), keep those that may be judged again, or that
 * count, with this in mind. To choose, all are in it; to settle, those that passed then. Returns how many
 * are left. */
size_t vl_rejudge_keep(bool *kept, const struct vl_grading *grading,
                       const struct vl_suspicion *suspicion);

/* Is the failure of this case possibly another function's? Until that is settled it is not shown. */
bool vl_rejudge_may_change(const struct vl_case_result *result, const struct vl_case *c);

/* Judge again what deserves it, for a few seconds at most. VL_EIO, VL_ELACK and VL_ENOMEM are about this
 * machine. */
enum vl_status vl_grading_rejudge(struct vl_grading *grading);

/* What of the reference a timing is measured with. False: its needs are right, or wrong in more than
 * one function or file, or it is about these alone. */
bool vl_rejudge_for_timing(struct vl_replacement *what, const struct vl_grading *grading,
                           const struct vl_timing *timing);

/* Say in a result that passed, or was measured, with what. VL_ENOMEM. */
enum vl_status vl_rejudge_say(struct vl_case_result *result, const char *name);

#endif
