#include "wire/guards.h"

enum { BOTH = 2 * VL_GUARD_BYTES }; /* guards of an array */

struct run {
    int64_t bytes, value;
};

struct runs {
    struct run *run; /* NULL: they are only counted */
    size_t count;
    struct run last;
};

static void end_run(struct runs *runs)
{
    if (runs->last.bytes > 0 && runs->run != NULL)
        runs->run[runs->count] = runs->last;
    runs->count += runs->last.bytes > 0;
}

static void put_guard(struct runs *runs, const unsigned char *guard)
{
    for (size_t i = 0; i < VL_GUARD_BYTES; i++) {
        if (guard[i] != runs->last.value) {
            end_run(runs);
            runs->last = (struct run){.value = guard[i]};
        }
        runs->last.bytes++;
    }
}

/* Where 'run' is NULL: how many runs there are. */
static size_t put_all(struct run *run, const struct vl_bag *bag, size_t arrays)
{
    struct runs runs = {.run = run};
    for (size_t i = 0; i < arrays; i++) {
        const struct vl_tensor_entry *entry = vl_bag_entry(bag, i);
        const unsigned char *data = entry->data;
        put_guard(&runs, data - VL_GUARD_BYTES);
        put_guard(&runs, data + entry->count * vl_dtype_bytes(entry->dtype));
    }
    end_run(&runs);
    return runs.count;
}

bool vl_guards_add(struct vl_bag *bag)
{
    size_t arrays = vl_bag_count(bag);
    size_t shape[] = {put_all(NULL, bag, arrays), sizeof(struct run) / sizeof(int64_t)};
    struct run *run = vl_bag_add(bag, VL_GUARDS_NAME, VL_I64, 2, shape);
    if (run != NULL)
        put_all(run, bag, arrays);
    return run != NULL;
}

unsigned char vl_guard_of(int rank)
{
    return (unsigned char)(VL_GUARD_VALUE + rank);
}

int64_t vl_guards_damaged(const struct vl_bag *bag, unsigned char value)
{
    const struct vl_tensor_entry *guards = vl_bag_find(bag, VL_GUARDS_NAME);
    int64_t arrays = 0, at = 0, damaged = 0;
    if (guards == NULL || guards->dtype != VL_I64)
        return -1;
    while (vl_bag_entry(bag, (size_t)arrays) != guards)
        arrays++;
    const struct run *run = guards->data;
    for (size_t i = 0; i < guards->count / 2; i++) {
        if (run[i].bytes <= 0 || run[i].bytes > arrays * BOTH - at)
            return -1;
        if (run[i].value != value && damaged == 0)
            damaged = 1 + at / BOTH;
        at += run[i].bytes;
    }
    return at == arrays * BOTH ? damaged : -1;
}
