/*
 * An arena: one block of memory, measured first and carved afterwards.
 *
 * Everything that lives equally long comes from one arena and is freed with it. 'used', padding
 * included, is what its owner reports as memory. Serial.
 */
#ifndef VIALATA_BASE_ARENA_H
#define VIALATA_BASE_ARENA_H

#include "vialata/status.h"
#include <stddef.h>

#define VL_ARENA_ALIGN 64 /* a cache line, and the widest vector register */

struct vl_arena {
    unsigned char *memory;
    size_t size;
    size_t used;
};

/* Reserve size bytes. VL_ENOMEM if there are none; then the arena is empty and may be freed. */
enum vl_status vl_arena_create(struct vl_arena *arena, size_t size);

/* The bytes that n elements of 'element' bytes take in an arena, padding included. 0 on overflow.
 */
size_t vl_arena_size(size_t n, size_t element);

/* Carve n elements, zeroed. NULL if the arena is too small: measure with vl_arena_size first. */
void *vl_arena_take(struct vl_arena *arena, size_t n, size_t element);

void vl_arena_free(struct vl_arena *arena);

#endif
