/*
 * The course's secret, from which an instructor's seeds are derived, and the students' names.
 */
#ifndef VIALATA_CLI_SHARED_SECRET_H
#define VIALATA_CLI_SHARED_SECRET_H

#include "cli/command.h"
#include <stddef.h>

struct vl_secret {
    char *bytes; /* NULL: there is none */
    size_t count;
};

/* Read it from a file of 32 bytes to 4 KiB that nobody else may read; otherwise VL_EXIT_USAGE and a
 * sentence. 'path' may be NULL. The caller frees it. */
enum vl_exit vl_secret_read(struct vl_secret *secret, const char *path);
void vl_secret_free(struct vl_secret *secret);

/* Can this be a student's name? 'name' may be NULL. If not, VL_EXIT_USAGE and a sentence. */
enum vl_exit vl_student_check(const char *name);

#endif
