/*
 * The texts of a lab's files, and which functions differ between two moments.
 */
#ifndef VIALATA_CLI_WATCH_SOURCES_H
#define VIALATA_CLI_WATCH_SOURCES_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

#include <stdbool.h>
#include <stdint.h>

#define VL_SOURCES_FILES     32
#define VL_SOURCES_FUNCTIONS 64

struct vl_sources {
    char *texts[VL_SOURCES_FILES]; /* in the catalogue's order; NULL: it cannot be read */
    uint64_t headers;              /* fingerprint of the student's own */
};

/* VL_ELACK if none of them can be read. Freed by the caller. */
enum vl_status vl_sources_read(struct vl_sources *sources, const struct vl_lab *lab,
                               const char *folder);

/* Set changed[i] for each function of the lab whose text differs; for all of a file if something else in it does,
 * which they may use; for all if a header does. What asks for several functions together follows any of them. Returns
 * the first file that differs, "*.h" for a header, or NULL. */
const char *vl_sources_changed(bool changed[VL_SOURCES_FUNCTIONS], const struct vl_lab *lab,
                               const struct vl_sources *before, const struct vl_sources *now);

/* Set written[i] for each function of the lab that is no longer as the course gives it. */
void vl_sources_written(bool written[VL_SOURCES_FUNCTIONS], const struct vl_lab *lab,
                        const struct vl_sources *given, const struct vl_sources *now);

void vl_sources_free(struct vl_sources *sources);

#endif
