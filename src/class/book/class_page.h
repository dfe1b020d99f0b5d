/*
 * The class at a glance, as a page for whoever teaches it: scores, what to look at, which mistakes
 * were met how often and by whom, the fastest, what was set by hand, which cases nobody passed.
 */
#ifndef VIALATA_CLASS_BOOK_CLASS_PAGE_H
#define VIALATA_CLASS_BOOK_CLASS_PAGE_H

#include "base/words.h"
#include "class/book/class_verdict.h"
#include "class/book/overrides.h"
#include "class/similar/similar.h"
#include "vialata/status.h"

struct vl_class {
    const struct vl_class_verdict *verdicts; /* those that count */
    size_t count;
    const struct vl_lab *const *labs;
    size_t lab_count;
    const struct vl_overrides *overrides;
    const struct vl_similar *similar;
    const struct vl_words *notices; /* sentences to begin with */
};

/* VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_class_page(const struct vl_class *class, const char *path);

#endif
