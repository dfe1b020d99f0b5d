/*
 * The files of a lab in some folder, told from other versions of themselves.
 */
#ifndef VIALATA_GRADE_BUILD_LAB_FILES_H
#define VIALATA_GRADE_BUILD_LAB_FILES_H

#include "grade/catalogue/lab.h"

#define VL_LAB_FINGERPRINT 17 /* 16 digits and a zero byte */

/* The same text for the same code: of the files that grading takes from the folder, those of the
 * catalogue and own headers. A file that is not there, or cannot be read, counts as none. Returns
 * text. */
char *vl_lab_fingerprint(char text[VL_LAB_FINGERPRINT], const struct vl_lab *lab,
                         const char *folder);

#endif
