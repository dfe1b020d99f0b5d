/*
 * The files of a lab: the course's own, the headers beside them, and how to tell versions apart.
 */
#ifndef VIALATA_GRADE_BUILD_LAB_FILES_H
#define VIALATA_GRADE_BUILD_LAB_FILES_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

#include <stdint.h>

#define VL_LAB_FINGERPRINT 17 /* 16 digits and a zero byte */

/* The same text for the same code: of the files that grading takes from the folder, those of the
 * catalogue and own headers. A file that is not there, or cannot be read, counts as none. Returns
 * text. */
char *vl_lab_fingerprint(char text[VL_LAB_FINGERPRINT], const struct vl_lab *lab,
                         const char *folder);

/* Where a file of the reference stands: in solutions/, or in labs/ if it is given code; then *given
 * is 1, else 0. The caller frees it; NULL without memory. */
char *vl_reference_path(const struct vl_lab *lab, const char *file, int *given);

/* The fingerprint (base/fingerprint.h) of something and then all headers (*.h) of a folder. */
uint64_t vl_headers_fingerprint(uint64_t before, const char *folder);

/* Copy the headers of a folder, 100 at most. Those that cannot be copied are left out, and the
 * status is that of the last of them: a header that is there already stays. VL_ELACK if there is no
 * such folder (it may be NULL). */
enum vl_status vl_headers_copy(const char *to, const char *from);

#endif
