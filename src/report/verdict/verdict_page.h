/*
 * A verdict as a page that its student keeps (draw/page.h): the score, what to look at, every case.
 */
#ifndef VIALATA_REPORT_VERDICT_VERDICT_PAGE_H
#define VIALATA_REPORT_VERDICT_VERDICT_PAGE_H

#include "grade/catalogue/verdict.h"
#include "vialata/status.h"

/* What is on the page besides the verdict. */
struct vl_verdict_additions {
    const char *student; /* whose it is, for people */
    char *const
        *remarks;  /* sentences of whoever graded it, ended by NULL; NULL if there are none */
    size_t hidden; /* cases that count in the score, but are not in this verdict */
    double hidden_points, hidden_most;
};

/* In the language in force. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_verdict_page(const struct vl_verdict *verdict,
                               const struct vl_verdict_additions *more, const char *path);

#endif
