/*
 * Submissions of a lab that are alike, found by sim_c (Debian's package similarity-tester).
 *
 * It compares tokens, whatever the names and the layout. What the lab's own files say is left out
 * first. Being alike proves nothing: a lab asks everybody for the same functions.
 */
#ifndef VIALATA_CLASS_SIMILAR_SIMILAR_H
#define VIALATA_CLASS_SIMILAR_SIMILAR_H

#include "base/words.h"
#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stddef.h>
#include <stdio.h>

#define VL_SIMILAR_TOKENS  150 /* in a shorter text too much is alike by chance */
#define VL_SIMILAR_SECONDS 600 /* for a lab; then it is given up */
/* Of one submission; a larger one is not compared, and that is told. References have up to 26 KiB.
 * What repeats itself takes sim_c a time that grows as the square: 4 seconds for so much. */
#define VL_SIMILAR_BYTES ((size_t)64 << 10)

struct vl_similar_source {
    const char *student;
    const struct vl_lab *lab;
    const char *path; /* the lab's folder or file, as it was handed in */
};

struct vl_similar_pair {
    const struct vl_lab *lab;
    const char *one, *other; /* students */
    int percent;             /* of one that is also in the other; the larger of the two shares */
};

/* Zero it to begin. */
struct vl_similar {
    struct vl_similar_pair *list; /* of one lab: the most alike first */
    size_t count;
    struct vl_words problems; /* sentences: why nothing, or not all, was compared */
};

/* Add the pairs of a lab that are alike by 'percent' or more. The sources must stay as long as
 * 'similar'. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_similar_find(struct vl_similar *similar, const struct vl_similar_source *sources,
                               size_t count, const struct vl_lab *lab, int percent);
void vl_similar_free(struct vl_similar *similar);

/* ---- similar_report.c ---- */

/* Add the pairs that sim_c's report names: files 0.c, 1.c, ... are the first 'count' sources. Lines
 * that say anything else are passed over. VL_ENOMEM. */
enum vl_status vl_similar_parse(struct vl_similar *similar, const char *report,
                                const struct vl_similar_source *const *sources, size_t count,
                                int percent);

/* ---- similar_source.c ---- */

/* What the files of a lab say, line by line. */
struct vl_known_lines;

/* The caller frees it with free(). NULL without memory. */
struct vl_known_lines *vl_known_lines_of(const struct vl_lab *lab);

/* Write the lines of a submission, and of its headers, that the lab does not have. Returns their bytes:
 * 0 if there is nothing to compare, and more than VL_SIMILAR_BYTES if there is too much. */
size_t vl_own_lines_put(FILE *stream, const struct vl_known_lines *known, const struct vl_lab *lab,
                        const char *path);

#endif
