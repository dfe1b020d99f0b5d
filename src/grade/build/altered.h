/*
 * An altered submission: its program once more, with another text in the place of one of its files
 * (experiment/repair.h). It earns nothing: what comes of it is only told.
 */
#ifndef VIALATA_GRADE_BUILD_ALTERED_H
#define VIALATA_GRADE_BUILD_ALTERED_H

#include "grade/build/build.h"

/* The source of the build that has this function and came as text; NULL if there is none. */
const struct vl_source *vl_altered_source(const struct vl_build *build, const char *function);

/* Its text, fresh; NULL if it cannot be read, has a zero byte in it, or without memory. */
char *vl_altered_text(const struct vl_build *build, const struct vl_source *source);

/* Compile the text behind the submission's wall, with the submission's own headers, and link it with its
 * other files. *program is scratch/altered, fresh, or NULL if the text does not compile by 'until' (on
 * vl_clock()), or does not link; the caller removes it. VL_EIO, VL_ELACK, VL_ENOMEM are about this machine. */
enum vl_status vl_altered_make(char **program, const struct vl_build *build,
                               const struct vl_sandbox *sandbox, const char *scratch,
                               const struct vl_source *source, const char *text, double until);

#endif
