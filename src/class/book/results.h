/*
 * A folder of results that `vialata batch` made (cli/class/batch.h): the verdicts in it.
 *
 *   RESULTS/verdicts/LAB/ID.KEY.VERSION.json    a whole verdict; with .numbers.json one still to be timed
 */
#ifndef VIALATA_CLASS_BOOK_RESULTS_H
#define VIALATA_CLASS_BOOK_RESULTS_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <time.h>

#define VL_RESULTS_KEY       32 /* digits of KEY */
#define VL_RESULTS_KEY_LEAST 16 /* in results of the first version */
#define VL_RESULTS_VERSION   8  /* digits of VERSION */

struct vl_kept_verdict {
    char *student; /* the id */
    const struct vl_lab *lab;
    char *path;
    struct timespec made;
};

struct vl_kept_verdicts {
    struct vl_kept_verdict *list; /* by student, then in the order of the course */
    size_t count, capacity;
};

/* Is this folder one? */
bool vl_is_results(const char *folder);

/* The verdicts on these labs; of several on one student and lab the newest. VL_EIO (errno),
 * VL_ENOMEM. The caller frees the list whatever is returned. */
enum vl_status vl_kept_verdicts_find(struct vl_kept_verdicts *kept, const char *folder,
                                     const struct vl_lab *const *labs, size_t lab_count);
void vl_kept_verdicts_free(struct vl_kept_verdicts *kept);

#endif
