/*
 * What a submission allocates has no value: the linker leads its calls of malloc through here
 * (--wrap), and in a case the memory is stained (comm/stains.h). So it does not hold zeros by chance.
 * Weak, since in the runner that counts calls (counted/) they are counted instead.
 */
#include "comm/beacon.h"
#include "comm/stains.h"

#include <stdint.h>
#include <stdlib.h>

#define HERE __builtin_return_address(0)

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

static void *stained(void *memory, size_t bytes, const void *address)
{
    const struct vl_beacon_call call = {.operation = VL_OP_ALLOCATE, .address = (uintptr_t)address};
    if (memory != NULL)
        vl_stains_put(memory, bytes, &call, &vl_beacon_mine()->outer);
    return memory;
}

__attribute__((weak)) void *__wrap_malloc(size_t bytes)
{
    return stained(__real_malloc(bytes), bytes, HERE);
}

__attribute__((weak)) void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return stained(__real_aligned_alloc(alignment, bytes), bytes, HERE);
}
