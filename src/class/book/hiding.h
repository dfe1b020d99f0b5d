/*
 * Cases that a student does not see on their page: of those only the sum of the points is shown.
 */
#ifndef VIALATA_CLASS_BOOK_HIDING_H
#define VIALATA_CLASS_BOOK_HIDING_H

#include "base/words.h"
#include "grade/catalogue/verdict.h"
#include "vialata/status.h"
#include <stdbool.h>

#define VL_HIDING_ALL "all" /* as a word: every case */

/* What the cases that are shown leave out. */
struct vl_hidden {
    size_t count;
    double points, most;
};

/* Is the case one of those that the words (case_words.h, or "all") mean? */
bool vl_hiding_means(const struct vl_words *words, const char *id, const char *function);

/* A copy of the verdict without the hidden cases. It borrows everything else from the verdict: free
 * it with free(shown->cases). VL_ENOMEM. */
enum vl_status vl_hiding_apply(struct vl_verdict *shown, struct vl_hidden *hidden,
                               const struct vl_verdict *verdict, const struct vl_words *words);

#endif
