#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum vl_status vl_arena_create(struct vl_arena *arena, size_t size)
{
    memset(arena, 0, sizeof *arena);
    if (size == 0)
        return VL_OK;
    size_t rounded = (size + VL_ARENA_ALIGN - 1) / VL_ARENA_ALIGN * VL_ARENA_ALIGN;
    if (rounded < size)
        return VL_ENOMEM;
    arena->memory = aligned_alloc(VL_ARENA_ALIGN, rounded);
    if (arena->memory == NULL)
        return VL_ENOMEM;
    arena->size = rounded;
    return VL_OK;
}

size_t vl_arena_size(size_t n, size_t element)
{
    if (element != 0 && n > (SIZE_MAX - VL_ARENA_ALIGN) / element)
        return 0;
    return (n * element + VL_ARENA_ALIGN - 1) / VL_ARENA_ALIGN * VL_ARENA_ALIGN;
}

void *vl_arena_take(struct vl_arena *arena, size_t n, size_t element)
{
    size_t bytes = vl_arena_size(n, element);
    if ((bytes == 0 && n * element != 0) || bytes > arena->size - arena->used)
        return NULL;
    void *taken = arena->memory + arena->used;
    arena->used += bytes;
    if (bytes > 0)
        memset(taken, 0, bytes);
    return taken;
}

void vl_arena_free(struct vl_arena *arena)
{
    free(arena->memory);
    memset(arena, 0, sizeof *arena);
}
