/*
 * Which mistakes a class has made in a lab, how often, and who.
 */
#ifndef VIALATA_CLASS_BOOK_MISTAKES_MET_H
#define VIALATA_CLASS_BOOK_MISTAKES_MET_H

#include "class/book/class_verdict.h"
#include "report/draw/page.h"
#include "vialata/status.h"

/* A table, the most frequent first; nothing if there were none. VL_ENOMEM. */
enum vl_status vl_mistakes_put(struct vl_page *page, const struct vl_class_verdict *const *list,
                               size_t count);

#endif
