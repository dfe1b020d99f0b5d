/*
 * A judgement: one case, its outputs, and the worst array found. For judge.c, which says whether
 * the case is wrong, and explain.c, which says in which way.
 */
#ifndef VIALATA_GRADE_JUDGE_JUDGEMENT_H
#define VIALATA_GRADE_JUDGE_JUDGEMENT_H

#include "grade/catalogue/case.h"
#include "grade/judge/compare.h"
#include "grade/judge/inspect.h"
#include "grade/judge/judge.h"
#include <stdbool.h>

struct vl_judgement {
    struct vl_case_result *result;
    const struct vl_case *c;
    const struct vl_bag *inputs, *outputs;
    struct vl_bag *expected;
    const struct vl_tensor_entry *worst_expected, *worst_got;
    struct vl_comparison worst;
    const struct vl_inspector *inspector;
    enum vl_status status; /* of the judging itself: VL_OK, VL_ENOMEM */
};

/* Work out what is expected; the caller frees it. */
void vl_judgement_open(struct vl_judgement *t);

/* Is this compared with an output? Not the status that the function returned, and not what is for the
 * audit alone (VL_MOST_MESSAGES and its like). */
bool vl_judgement_is_compared(const struct vl_tensor_entry *entry);

/* The status expected of a rank: its own, or the one for all. -1: the only rank. */
enum vl_status vl_judgement_status(const struct vl_judgement *t, int rank);

/* Is this case right for a function that does nothing, or one that always refuses? Then the truth is
 * an error, or has nothing in it but zeros and what the inputs were before the call. */
bool vl_judgement_is_idle(const struct vl_judgement *t);

/* Find the worst array. Every expected array must be among the outputs. */
void vl_judgement_measure(struct vl_judgement *t);

/* Close the case with a code and a sentence, or with the worst element too. Always true: the
 * case is decided, if only because there was no memory. */
bool vl_judgement_close(struct vl_judgement *t, enum vl_case_status status, const char *code,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
bool vl_judgement_close_at_worst(struct vl_judgement *t, const char *code, const char *sentence);

/* The inputs of the call that gave element i of a result (question.h), fresh; NULL where nobody could work it out
 * by hand. */
char *vl_judgement_question(const struct vl_judgement *t, const struct vl_tensor_entry *expected,
                            size_t i);

/* Close the case with a code, a sentence and, unless it is NULL, what was asked. Frees both; no sentence means that
 * there was no memory for it. Always true. */
bool vl_judgement_close_with_question(struct vl_judgement *t, const char *code, char *sentence,
                                      char *question);

/* What a cause tells the student, translated. */
const char *vl_cause_words(const struct vl_cause *cause);

/* Ask an inspector (NULL: there is none), and close the case with its words. If the cause is known,
 * they only give the place. False if it has nothing to say. */
bool vl_judgement_ask(struct vl_judgement *t, vl_inspection *inspection,
                      const struct vl_cause *cause);

#endif
