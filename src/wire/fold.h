/*
 * Folded arrays. A rank's file of inputs has the shapes of all ranks' arrays, and of most of them one
 * rank has one row: the others are poison, and need not travel. So poison at both ends of an array
 * stays out of its file, and a text with it (safetensors' metadata) says what it was:
 *
 *   array       poison poison 1 2 3 4 poison     shape [7]
 *   in a file   1 2 3 4                          "whole NAME": "2 7", begins at element 2, shape [7]
 *
 * Bags are folded when they are written and unfolded when they are read (bag.h).
 */
#ifndef VIALATA_WIRE_FOLD_H
#define VIALATA_WIRE_FOLD_H

#include "wire/safetensors.h"

/* What the arrays of one file take unfolded, at most: a few bytes must not become many gigabytes. */
#define VL_FOLD_MOST_BYTES ((size_t)64 << 20)

struct vl_fold {
    struct vl_metadata *texts;
    size_t count;
};

/* Make the entries, whose data the caller keeps, those of a file, and the texts that go with them.
 * VL_ENOMEM. Free it in any case. */
enum vl_status vl_fold(struct vl_fold *fold, struct vl_tensor_entry *entries, size_t count);
void vl_fold_free(struct vl_fold *fold);

/* What a file's array was before: its name and data are those in the file, which begin at element
 * *first. 'room' is what may still be unfolded, in bytes. VL_EFORMAT if that text cannot be true, or
 * there is no room. */
enum vl_status vl_fold_undo(struct vl_tensor_entry *whole, size_t *first, size_t *room,
                            const struct vl_safetensors *file, const struct vl_tensor_entry *entry);

#endif
