/*
 * The files of a lab: where the reference is, copying headers, telling versions apart.
 */
#ifndef VIALATA_GRADE_BUILD_LAB_FILES_H
#define VIALATA_GRADE_BUILD_LAB_FILES_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

#include <stdbool.h>
#include <stdint.h>

#define VL_LAB_FINGERPRINT 17 /* 16 digits and a zero byte */

/* A fingerprint of the code that grading takes from the folder: the files of the catalogue, and its
 * headers. A file that is missing or cannot be read is skipped. Returns text. */
char *vl_lab_fingerprint(char text[VL_LAB_FINGERPRINT], const struct vl_lab *lab,
                         const char *folder);

/* Are the references here as compiled files only, as in a handout (diagnose/precompiled.h)? */
bool vl_reference_is_compiled(void);

/* Where a file of the reference is: in solutions/, or in labs/ if it is given code; then *given is
 * 1, else 0. The caller frees it; NULL without memory. */
char *vl_reference_path(const struct vl_lab *lab, const char *file, int *given);

/* The fingerprint (base/fingerprint.h) of something and then all headers (*.h) of a folder. */
uint64_t vl_headers_fingerprint(uint64_t before, const char *folder);

/* The headers (*.h) of a folder, ordered by the bytes of their names, as scandir gives them: each
 * entry, and the list, is freed by the caller. -1 (errno) if there is no such folder. */
struct dirent;
int vl_headers_list(struct dirent ***headers, const char *folder);

#define VL_HEADERS 100 /* that are copied of a folder */

/* Copy the headers of a folder, VL_HEADERS at most. One that cannot be copied is left out (a header that
 * is there already stays), and the status is that of the last such one. VL_ELACK if there is no
 * folder 'from' (it may be NULL). */
enum vl_status vl_headers_copy(const char *to, const char *from);

/* Copy a lab's own headers, from its folders in labs/ and solutions/. VL_ENOMEM. */
enum vl_status vl_lab_headers_copy(const char *to, const struct vl_lab *lab);

#endif
