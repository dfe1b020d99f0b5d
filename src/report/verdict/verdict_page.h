/*
 * A verdict as a page that its student keeps (draw/page.h): the score, what to look at, every case.
 */
#ifndef VIALATA_REPORT_VERDICT_VERDICT_PAGE_H
#define VIALATA_REPORT_VERDICT_VERDICT_PAGE_H

#include "grade/catalogue/verdict.h"
#include "vialata/status.h"

/* In the language in force. 'student' is whose it is, for people; 'remarks' are sentences of whoever
 * graded it, ended by NULL (itself NULL if there are none). VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_verdict_page(const struct vl_verdict *verdict, const char *student,
                               char *const *remarks, const char *path);

#endif
