/*
 * safetensors: named arrays in one file, readable by every other tool.
 *
 *   8 bytes  length of the header, little-endian
 *   header   JSON: {"__metadata__": {"key": "text"}, "name": {"dtype": "F32", "shape": [..],
 *            "data_offsets": [begin, end]}, ...}, padded with spaces to a multiple of 8
 *   data     the arrays, row-major, little-endian, without gaps
 *
 * Used for checkpoints, and for what the grader and the runner give each other; so a reader trusts
 * nothing: sizes, offsets, overlaps, names and types are all checked before anything is used.
 * Source: https://github.com/huggingface/safetensors (format description).
 */
#ifndef VIALATA_WIRE_SAFETENSORS_H
#define VIALATA_WIRE_SAFETENSORS_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum vl_dtype { VL_F32, VL_F64, VL_I32, VL_I64, VL_U8 };

#define VL_TENSOR_DIMS            4
#define VL_SAFETENSORS_MAX_HEADER ((size_t)16 << 20) /* bytes; some 100 000 tensors */
#define VL_SAFETENSORS_MAX_DATA   ((size_t)1 << 40)

struct vl_tensor_entry {
    const char *name;
    enum vl_dtype dtype;
    size_t dims;
    size_t shape[VL_TENSOR_DIMS];
    size_t count;     /* product of the shape */
    const void *data; /* reading: the file's memory; writing: the caller's */
};

struct vl_metadata {
    const char *key;
    const char *value;
};

/* Write all entries and metadata ("format": "pt" is added if absent) whole-or-not-at-all. VL_EINVAL
 * for names that repeat or are not UTF-8, VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_safetensors_write(const char *path, const struct vl_tensor_entry *entries,
                                    size_t count, const struct vl_metadata *metadata,
                                    size_t metadata_count);

/* The same bytes into an open stream, which has no old content to keep. */
enum vl_status vl_safetensors_put(FILE *stream, const struct vl_tensor_entry *entries, size_t count,
                                  const struct vl_metadata *metadata, size_t metadata_count);

struct vl_safetensors; /* an open, validated file */

/* VL_EIO, VL_EFORMAT (truncated, corrupt, not safetensors), VL_ENOMEM. *reason, if not NULL,
 * receives a short English phrase for the log, never NULL. The data is aligned for its type. */
enum vl_status vl_safetensors_open(struct vl_safetensors **file, const char *path,
                                   const char **reason);
/* The same, refusing a header of more bytes than that before it is parsed. */
enum vl_status vl_safetensors_open_within(struct vl_safetensors **file, const char *path,
                                          size_t most_header, const char **reason);
/* The same of n bytes in memory (not NULL), which the caller keeps until the file is closed: entries point into
 * them. VL_EFORMAT, VL_ENOMEM. */
enum vl_status vl_safetensors_view(struct vl_safetensors **file, const void *bytes, size_t n,
                                   size_t most_header, const char **reason);
size_t vl_safetensors_count(const struct vl_safetensors *file);
const struct vl_tensor_entry *vl_safetensors_entry(const struct vl_safetensors *file, size_t i);
/* NULL if there is none of that name. */
const struct vl_tensor_entry *vl_safetensors_find(const struct vl_safetensors *file,
                                                  const char *name);
const char *vl_safetensors_metadata(const struct vl_safetensors *file, const char *key);
void vl_safetensors_close(struct vl_safetensors *file);

size_t vl_dtype_bytes(enum vl_dtype dtype);
const char *vl_dtype_name(enum vl_dtype dtype); /* "F32" */

#endif
