/*
 * The arenas of base/arena.h, for ranks that share one process and compute nothing: all of them
 * take the same memory, since what is in it does not matter. So 2048 ranks need no more than one.
 *
 * What does matter are the choices of tokens and their counts, which decide who sends what. They
 * are few, and vl_moe_routing_take gets memory of its own for them (routing.c).
 */
#include "base/arena.h"

#include "simulate/ranks/arena.h"
#include "simulate/ranks/shared.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define MOST ((size_t)1 << 36) /* of addresses: pages are used only once they are written to */

static unsigned char *shared; /* what vl_shared has: asked for with every message */

bool vl_arena_is_shared(const void *at)
{
    const unsigned char *byte = at;
    return shared != NULL && byte >= shared && byte < shared + MOST;
}

enum vl_status vl_arena_create(struct vl_arena *arena, size_t size)
{
    memset(arena, 0, sizeof *arena);
    struct vl_shared *all = vl_shared();
    if (all != NULL && all->arena == NULL) {
        void *at = mmap(NULL, MOST, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        all->arena = at != MAP_FAILED ? at : NULL;
    }
    shared = all != NULL ? all->arena : NULL;
    if (shared == NULL)
        return VL_ENOMEM;
    if (size > MOST)
        return VL_ENOMEM;
    arena->memory = shared;
    arena->size = size;
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
    void *taken = arena->memory + arena->used; /* zero already, as everything here stays */
    arena->used += bytes;
    return taken;
}

void vl_arena_free(struct vl_arena *arena)
{
    memset(arena, 0, sizeof *arena);
}
