/*
 * What a submission consists of: the files that grading takes, each with its size and its SHA-256, and
 * one hash for all of them. The receipt of `vialata handin` and the verdict have the same one.
 *
 * The hash of all is that of these lines, ordered by the bytes of the names, so
 * `sha256sum FILES | sha256sum` gives it too:
 *
 *   9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  backward.c
 */
#ifndef VIALATA_GRADE_BUILD_MANIFEST_H
#define VIALATA_GRADE_BUILD_MANIFEST_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

#define VL_HASH_TEXT 65 /* 64 digits and a zero byte */

struct vl_manifest_file {
    char *name;
    size_t bytes;
    char hash[VL_HASH_TEXT];
};

/* Zero it to begin. */
struct vl_manifest {
    struct vl_manifest_file *files; /* ordered by name once it is closed */
    size_t count;
    char hash[VL_HASH_TEXT]; /* of all files; "" until it is closed, or if there are none */
};

/* Add a file of a folder if grading would take it; a link, and what is too large, it does not.
 * VL_ENOMEM. */
enum vl_status vl_manifest_add(struct vl_manifest *manifest, const char *folder, const char *name);

/* Add the headers of a folder, VL_HEADERS at most. VL_ENOMEM. */
enum vl_status vl_manifest_add_headers(struct vl_manifest *manifest, const char *folder);

/* Order the files, and work out the hash of all. */
void vl_manifest_close(struct vl_manifest *manifest);

/* All of it: the files that grading takes from a lab's folder. VL_ENOMEM. */
enum vl_status vl_manifest_read(struct vl_manifest *manifest, const struct vl_lab *lab,
                                const char *folder);

/* The SHA-256 of some bytes. */
void vl_manifest_hash(char text[VL_HASH_TEXT], const void *bytes, size_t n);

void vl_manifest_free(struct vl_manifest *manifest);

#endif
