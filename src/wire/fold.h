/*
 * Folded arrays. A rank's file of inputs has the shapes of all ranks' arrays, and of most of them one
 * rank has one row: the others are poison, and need not travel. So whole blocks of poison
 * (VL_POISON_BLOCK) at both ends of an array stay out of its file, and a text with it (safetensors'
 * metadata) says what it was. If a block had two elements:
 *
 *   array       poison poison 1 2 3 poison poison     shape [7]
 *   in a file   1 2 3                                 "whole NAME": "2 7", begins at element 2, shape [7]
 *
 * Bags are folded when they are written and unfolded when they are read (bag.h).
 */
#ifndef VIALATA_WIRE_FOLD_H
#define VIALATA_WIRE_FOLD_H

#include "wire/safetensors.h"

/* An array has at most so many times the elements that are in its file, however much of it is poison:
 * whoever makes a reader spend much must write much. */
#define VL_FOLD_MOST 8

struct vl_fold {
    struct vl_metadata *texts;
    size_t count;
};

/* Fold the entries, whose data the caller keeps, and make the texts of those that are folded. VL_ENOMEM.
 * Free it in any case. */
enum vl_status vl_fold(struct vl_fold *fold, struct vl_tensor_entry *entries, size_t count);
void vl_fold_free(struct vl_fold *fold);

/* What a file's array was before: its name and data are those in the file, and these begin at element
 * *first. VL_EFORMAT if the text cannot be true, VL_ENOMEM. */
enum vl_status vl_fold_undo(struct vl_tensor_entry *whole, size_t *first,
                            const struct vl_safetensors *file, const struct vl_tensor_entry *entry);

#endif
