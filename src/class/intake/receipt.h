/*
 * The receipt of what was handed in: receipt.json, "vialata.receipt/1", in the archive and in the
 * workspace.
 *
 *   lab            the lab's folder, "02_collectives"
 *   student        as the student gave it
 *   handed_in_at   ISO 8601, in universal time
 *   version        of the Vialata that made it
 *   files          name, bytes, sha256 of each
 *   hash           of all files (grade/build/manifest.h): the verdict has the same one
 *   git            commit of the workspace, and whether it has just these files; null without git
 *
 * A receipt is what a student says: it proves nothing alone, because anybody can write one.
 */
#ifndef VIALATA_CLASS_INTAKE_RECEIPT_H
#define VIALATA_CLASS_INTAKE_RECEIPT_H

#include "grade/build/manifest.h"
#include "vialata/status.h"
#include <jansson.h>
#include <stdbool.h>

#define VL_RECEIPT_NAME       "receipt.json"
#define VL_RECEIPT_MOST_BYTES ((size_t)1 << 20)

struct vl_receipt {
    char *lab, *student, *handed_in_at, *version;
    char hash[VL_HASH_TEXT];
    char *commit;   /* NULL: none is known */
    bool committed; /* the files are those of the commit */
};

/* What the receipt says of these files; the caller decrefs it. NULL without memory. */
json_t *vl_receipt_json(const struct vl_receipt *receipt, const struct vl_manifest *manifest);

/* Read one. VL_EFORMAT if it is not one, VL_ENOMEM; VL_EIO (errno). Freed by the caller. */
enum vl_status vl_receipt_read(struct vl_receipt *receipt, const char *path);
void vl_receipt_free(struct vl_receipt *receipt);

enum vl_receipt_state {
    VL_RECEIPT_ABSENT,
    VL_RECEIPT_AGREES,
    VL_RECEIPT_DIFFERS, /* the files are not those it was given for */
    VL_RECEIPT_DAMAGED
};

/* Is the receipt in a lab's folder that of the files there? VL_ENOMEM. */
enum vl_status vl_receipt_check(enum vl_receipt_state *state, const struct vl_lab *lab,
                                const char *folder);

#endif
