#include "comm/preload/made.h"

#include "comm/beacon.h"
#include "comm/intercept/foreign.h"
#include "comm/intercept/watch.h"
#include "comm/preload/own_code.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define BUCKETS 1024

struct thing {
    struct thing *chain;         /* those with the same bucket, the latest first */
    struct thing *older, *newer; /* those of the same kind that count */
    uintptr_t handle;
    const void *variable, *address;
    uint32_t kind, operation;
    uint32_t times; /* a loop may make the same again and again */
    bool own;
};

static struct thing *bucket[BUCKETS];
static struct thing *newest[VL_MADE_KINDS];

static struct thing **bucket_of(uintptr_t handle)
{
    return &bucket[(uint64_t)handle * 0x9e3779b97f4a7c15u >> 54];
}

_Static_assert(BUCKETS == 1 << (64 - 54), "the upper bits of a product");

/* In Fortran the handle is in a variable of the program, and what C filled is one of ours. */
static const void *variable_of(const void *variable)
{
    return vl_foreign.caller != NULL ? (const void *)vl_foreign.variables : variable;
}

static void show(enum vl_made_kind kind, uint32_t count)
{
    struct vl_beacon_made *made = &vl_beacon_mine()->made[kind];
    const struct thing *latest = newest[kind];
    made->count = count;
    made->call = (struct vl_beacon_call){.operation = VL_OP_NONE};
    if (latest != NULL)
        made->call = (struct vl_beacon_call){.operation = latest->operation,
                                             .address = (uintptr_t)latest->address};
}

static void link_in(struct thing *one)
{
    struct thing **head = bucket_of(one->handle);
    one->chain = *head;
    *head = one;
    if (!one->own)
        return;
    one->newer = NULL;
    one->older = newest[one->kind];
    if (one->older != NULL)
        one->older->newer = one;
    newest[one->kind] = one;
}

static void unlink_from(struct thing *one)
{
    struct thing **at = bucket_of(one->handle);
    while (*at != one)
        at = &(*at)->chain;
    *at = one->chain;
    if (!one->own)
        return;
    if (one->older != NULL)
        one->older->newer = one->newer;
    if (one->newer != NULL)
        one->newer->older = one->older;
    else
        newest[one->kind] = one->older;
}

/* The same thing in the same variable, made at the same place. */
static struct thing *find_again(enum vl_made_kind kind, uintptr_t handle, const void *variable,
                                const void *address)
{
    struct thing *one = *bucket_of(handle);
    while (one != NULL && (one->kind != kind || one->handle != handle ||
                           one->variable != variable || one->address != address))
        one = one->chain;
    return one;
}

void vl_made(enum vl_made_kind kind, uintptr_t handle, const void *variable, uint32_t operation,
             const void *address)
{
    if (!vl_thread_is_watched())
        return;
    variable = variable_of(variable);
    struct thing *one = find_again(kind, handle, variable, address);
    if (one != NULL)
        unlink_from(one); /* now it is the latest */
    else if ((one = calloc(1, sizeof *one)) != NULL)
        *one = (struct thing){.handle = handle,
                              .variable = variable,
                              .address = address,
                              .kind = kind,
                              .operation = operation,
                              .own = vl_is_own_code(address)};
    else
        return;
    one->times++;
    link_in(one);
    if (one->own)
        show(kind, vl_beacon_mine()->made[kind].count + 1);
}

static struct thing *find(enum vl_made_kind kind, uintptr_t handle, const void *variable)
{
    struct thing *latest = NULL;
    for (struct thing *one = *bucket_of(handle); one != NULL; one = one->chain) {
        if (one->kind != kind || one->handle != handle)
            continue;
        if (one->variable == variable)
            return one;
        if (latest == NULL)
            latest = one;
    }
    return latest;
}

void vl_freed(enum vl_made_kind kind, uintptr_t handle, const void *variable)
{
    struct thing *one = vl_thread_is_watched() ? find(kind, handle, variable_of(variable)) : NULL;
    if (one == NULL)
        return;
    bool own = one->own;
    if (--one->times == 0) {
        unlink_from(one);
        free(one);
    }
    if (own)
        show(kind, vl_beacon_mine()->made[kind].count - 1);
}
