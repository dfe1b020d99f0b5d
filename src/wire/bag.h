/*
 * A bag: named arrays that travel together, in memory or as a safetensors file.
 *
 * The grader puts a case's inputs in a bag, the runner answers with a bag of outputs. Scalars are
 * I64 arrays of one element.
 */
#ifndef VIALATA_WIRE_BAG_H
#define VIALATA_WIRE_BAG_H

#include "vialata/status.h"
#include "wire/poison.h"
#include "wire/safetensors.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct vl_bag;

/* NULL without memory. */
struct vl_bag *vl_bag_create(void);
void vl_bag_free(struct vl_bag *bag);

/* Every array lies between two guards, so many bytes of this value (wire/guards.h): a page, so that
 * writing a whole row too far does not crash a program before it can be reported. */
#define VL_GUARD_BYTES 4096
#define VL_GUARD_VALUE 0xa5

/* Give the guards another value: those of the arrays that are there, and of all that are added. */
void vl_bag_guard(struct vl_bag *bag, unsigned char value);

/* Add a zeroed array and return its memory; NULL without memory or if the name is taken. */
void *vl_bag_add(struct vl_bag *bag, const char *name, enum vl_dtype dtype, size_t dims,
                 const size_t *shape);
float *vl_bag_add_f32(struct vl_bag *bag, const char *name, size_t rows, size_t cols);
double *vl_bag_add_f64(struct vl_bag *bag, const char *name, size_t rows, size_t cols);
int32_t *vl_bag_add_i32(struct vl_bag *bag, const char *name, size_t rows, size_t cols);
/* The same for memory that the caller keeps until the bag is freed; it has no guards. */
bool vl_bag_lend(struct vl_bag *bag, const char *name, enum vl_dtype dtype, size_t count,
                 void *memory);
bool vl_bag_set_int(struct vl_bag *bag, const char *name, int64_t value); /* false if it failed */
bool vl_bag_set_real(struct vl_bag *bag, const char *name, double value); /* F64, one element */

size_t vl_bag_count(const struct vl_bag *bag);
size_t vl_bag_bytes(const struct vl_bag *bag); /* of all arrays and their guards */
const struct vl_tensor_entry *vl_bag_entry(const struct vl_bag *bag, size_t i);
const struct vl_tensor_entry *vl_bag_find(const struct vl_bag *bag, const char *name);
/* The memory of an array of that type (sizes: I64); NULL if there is none of that name and type. */
float *vl_bag_f32(const struct vl_bag *bag, const char *name);
double *vl_bag_f64(const struct vl_bag *bag, const char *name);
int32_t *vl_bag_i32(const struct vl_bag *bag, const char *name);
const size_t *vl_bag_sizes(const struct vl_bag *bag, const char *name);
int64_t vl_bag_int(const struct vl_bag *bag, const char *name); /* 0 if absent */
double vl_bag_real(const struct vl_bag *bag, const char *name); /* 0 if absent */

/* Fill an array with poison (wire/poison.h), so that an unwritten element is found. */
void vl_bag_poison(struct vl_bag *bag, const char *name);
bool vl_bag_is_poison(const struct vl_tensor_entry *entry, size_t i);
/* Let later calls of vl_bag_poison put zeros into this bag (wire/unset.h). */
void vl_bag_poison_with_zeros(struct vl_bag *bag);

/* The name of the first array that differs in 'now' from 'before' (same names), or NULL. */
const char *vl_bag_difference(const struct vl_bag *before, const struct vl_bag *now);
struct vl_bag *vl_bag_copy(const struct vl_bag *bag);

/* To a file, whole or not at all, or into an open stream; folded (wire/fold.h). */
enum vl_status vl_bag_write(const struct vl_bag *bag, const char *path);
enum vl_status vl_bag_put(const struct vl_bag *bag, FILE *stream);

/* A file that a submission may have written must not cost its reader minutes or all memory: VL_EFORMAT
 * beyond these. A real bag has a few dozen arrays. */
#define VL_BAG_MOST_ARRAYS 256
#define VL_BAG_MOST_HEADER ((size_t)1 << 20)  /* bytes */
#define VL_BAG_MOST_BYTES  ((size_t)64 << 20) /* of all arrays, unfolded; of parsed ones alone */
enum vl_status vl_bag_read(struct vl_bag **bag, const char *path);
enum vl_status vl_bag_parse(struct vl_bag **bag, const void *bytes, size_t n); /* of such a file */

#endif
