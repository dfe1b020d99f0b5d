/*
 * The judge: one case, its inputs and what came out of the runner.
 *
 *   manners    status, guards, inputs untouched            decided at once
 *   presence   everything is there, and was written
 *   structure  what only an inspector can see
 *   numbers    compared with the truth; wrong ones leave the case open until its cause is sought
 */
#ifndef VIALATA_GRADE_JUDGE_JUDGE_H
#define VIALATA_GRADE_JUDGE_JUDGE_H

#include "grade/catalogue/case.h"
#include "grade/judge/signs.h"
#include "wire/board.h"
#include <stdbool.h>

struct vl_judged {
    bool open;      /* the numbers are wrong, and code and message are still to come (vl_explain) */
    bool inspected; /* an inspector has found what is wrong */
    bool idle; /* right or wrong, a function that does nothing or always refuses is right here */
    int64_t sent_bytes;    /* what all ranks must send, where that is judged; else -1 */
    int64_t sent_messages; /* the same for messages, or the most that can be needed */
    int64_t rank_bytes[VL_BOARD_RANKS]; /* that each rank sends at most; or -1 */
    int64_t rank_messages[VL_BOARD_RANKS];
};

/*
 * Judge outputs (as read from the runner; hostile, may be NULL or nonsense) of one case. Fills
 * status, points (share * points of the function), code, message, measured and bound of *result;
 * the strings are freshly allocated.
 */
enum vl_status vl_judge(struct vl_case_result *result, struct vl_judged *judged,
                        const struct vl_case *c, double max_points, const struct vl_bag *inputs,
                        const struct vl_bag *outputs);

/* Why the outputs are wrong. A known mistake has a sentence, in English until it is shown; what was found
 * out in other ways has a message. */
struct vl_cause {
    const char *code;     /* NULL: not known */
    const char *sentence; /* N_() */
    char *message;        /* translated, fresh; or NULL */
    bool by_few;          /* so few numbers show it that another mistake may give the same */
};

/*
 * Say in which way the numbers of an open case are wrong: code and message. They come from what was
 * found (NULL: nothing), an inspector, or a value that is not a number; the place is an inspector's, else
 * the worst element.
 */
enum vl_status vl_explain(struct vl_case_result *result, const struct vl_case *c,
                          const struct vl_bag *inputs, const struct vl_bag *outputs,
                          const struct vl_cause *cause);

/*
 * The general sign that an open case shows: all its wrong arrays show it. Its code is NULL if there is
 * none: where an inspector speaks, where a value is not a number, and in figures (whole numbers, counts
 * and seconds, which come in float64), of which a sign would say more than it knows. VL_ENOMEM.
 */
enum vl_status vl_sign_of_case(struct vl_sign *sign, const struct vl_case *c,
                               const struct vl_bag *inputs, const struct vl_bag *outputs);

/* How close (relative) counts as the same, where a case's signs are looked for. */
double vl_sign_nearness(const struct vl_case *c);

#endif
