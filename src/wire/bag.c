#include "wire/bag.h"

#include "wire/fold.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct item {
    struct vl_tensor_entry entry; /* entry.data is data */
    char *name;
    unsigned char *block; /* guard, data, guard; NULL where the data is lent */
    unsigned char *data;
    size_t bytes;
};

struct vl_bag {
    struct item *items;
    size_t count;
    size_t capacity;
    unsigned char guard; /* what is in the guards */
    bool zeros;          /* poison with them */
};

struct vl_bag *vl_bag_create(void)
{
    struct vl_bag *bag = calloc(1, sizeof *bag);
    if (bag != NULL)
        bag->guard = VL_GUARD_VALUE;
    return bag;
}

void vl_bag_free(struct vl_bag *bag)
{
    if (!bag)
        return;
    for (size_t i = 0; i < bag->count; i++) {
        free(bag->items[i].name);
        free(bag->items[i].block);
    }
    free(bag->items);
    free(bag);
}

static struct item *find(const struct vl_bag *bag, const char *name)
{
    for (size_t i = 0; bag && name && i < bag->count; i++)
        if (strcmp(bag->items[i].name, name) == 0)
            return &bag->items[i];
    return NULL;
}

static int grow(struct vl_bag *bag)
{
    if (bag->count < bag->capacity)
        return 1;
    size_t capacity = bag->capacity ? 2 * bag->capacity : 16;
    struct item *items = realloc(bag->items, capacity * sizeof *items);
    if (!items)
        return 0;
    bag->items = items;
    bag->capacity = capacity;
    return 1;
}

/* Bytes of an array, and its number of elements; false if that overflows. */
static bool measure(size_t *bytes, size_t *count, enum vl_dtype dtype, size_t dims,
                    const size_t *shape)
{
    *count = 1;
    for (size_t i = 0; i < dims; i++)
        if (__builtin_mul_overflow(*count, shape[i], count))
            return false;
    if (__builtin_mul_overflow(*count, vl_dtype_bytes(dtype), bytes))
        return false;
    return *bytes <= SIZE_MAX / 2;
}

static void fill_guards(const struct item *item, unsigned char value)
{
    if (item->block == NULL)
        return;
    memset(item->data - VL_GUARD_BYTES, value, VL_GUARD_BYTES);
    memset(item->data + item->bytes, value, VL_GUARD_BYTES);
}

void vl_bag_guard(struct vl_bag *bag, unsigned char value)
{
    for (size_t i = 0; i < vl_bag_count(bag); i++)
        fill_guards(&bag->items[i], value);
    if (bag != NULL)
        bag->guard = value;
}

/* A new array, of which the caller writes every byte. */
static struct item *add(struct vl_bag *bag, const char *name, enum vl_dtype dtype, size_t dims,
                        const size_t *shape)
{
    size_t bytes, count;
    if (!bag || !name || dims > VL_TENSOR_DIMS || find(bag, name) ||
        !measure(&bytes, &count, dtype, dims, shape) || !grow(bag))
        return NULL;

    /* The rear guard starts right after the last element, wherever that is. */
    size_t size = (VL_GUARD_BYTES + bytes + VL_GUARD_BYTES + 63) / 64 * 64;
    struct item item = {.name = strdup(name), .block = aligned_alloc(64, size), .bytes = bytes};
    if (!item.name || !item.block) {
        free(item.name);
        free(item.block);
        return NULL;
    }
    item.data = item.block + VL_GUARD_BYTES;
    fill_guards(&item, bag->guard);
    item.entry = (struct vl_tensor_entry){
        .name = item.name, .dtype = dtype, .dims = dims, .count = count, .data = item.data};
    for (size_t i = 0; i < dims; i++)
        item.entry.shape[i] = shape[i];
    bag->items[bag->count] = item;
    return &bag->items[bag->count++];
}

void *vl_bag_add(struct vl_bag *bag, const char *name, enum vl_dtype dtype, size_t dims,
                 const size_t *shape)
{
    struct item *item = add(bag, name, dtype, dims, shape);
    return item != NULL ? memset(item->data, 0, item->bytes) : NULL;
}

bool vl_bag_lend(struct vl_bag *bag, const char *name, enum vl_dtype dtype, size_t count,
                 void *memory)
{
    struct item item = {.data = memory};
    size_t unused;
    if (!bag || !name || !memory || find(bag, name) ||
        !measure(&item.bytes, &unused, dtype, 1, &count) || !grow(bag))
        return false;
    item.name = strdup(name);
    item.entry = (struct vl_tensor_entry){.name = item.name,
                                          .dtype = dtype,
                                          .dims = 1,
                                          .shape = {count},
                                          .count = count,
                                          .data = memory};
    if (item.name)
        bag->items[bag->count++] = item;
    return item.name != NULL;
}

float *vl_bag_add_f32(struct vl_bag *bag, const char *name, size_t rows, size_t cols)
{
    return vl_bag_add(bag, name, VL_F32, 2, (size_t[]){rows, cols});
}

double *vl_bag_add_f64(struct vl_bag *bag, const char *name, size_t rows, size_t cols)
{
    return vl_bag_add(bag, name, VL_F64, 2, (size_t[]){rows, cols});
}

int32_t *vl_bag_add_i32(struct vl_bag *bag, const char *name, size_t rows, size_t cols)
{
    return vl_bag_add(bag, name, VL_I32, 2, (size_t[]){rows, cols});
}

bool vl_bag_set_int(struct vl_bag *bag, const char *name, int64_t value)
{
    int64_t *memory = vl_bag_add(bag, name, VL_I64, 1, (size_t[]){1});
    if (memory)
        *memory = value;
    return memory != NULL;
}

bool vl_bag_set_real(struct vl_bag *bag, const char *name, double value)
{
    double *memory = vl_bag_add(bag, name, VL_F64, 1, (size_t[]){1});
    if (memory)
        *memory = value;
    return memory != NULL;
}

size_t vl_bag_count(const struct vl_bag *bag)
{
    return bag ? bag->count : 0;
}

size_t vl_bag_bytes(const struct vl_bag *bag)
{
    size_t bytes = 0;
    for (size_t i = 0; i < vl_bag_count(bag); i++)
        bytes += bag->items[i].bytes + (bag->items[i].block != NULL ? 2 * VL_GUARD_BYTES : 0);
    return bytes;
}

const struct vl_tensor_entry *vl_bag_entry(const struct vl_bag *bag, size_t i)
{
    return bag && i < bag->count ? &bag->items[i].entry : NULL;
}

const struct vl_tensor_entry *vl_bag_find(const struct vl_bag *bag, const char *name)
{
    const struct item *item = find(bag, name);
    return item ? &item->entry : NULL;
}

static void *typed(const struct vl_bag *bag, const char *name, enum vl_dtype dtype)
{
    const struct item *item = find(bag, name);
    return item && item->entry.dtype == dtype ? item->data : NULL;
}

float *vl_bag_f32(const struct vl_bag *bag, const char *name)
{
    return typed(bag, name, VL_F32);
}

double *vl_bag_f64(const struct vl_bag *bag, const char *name)
{
    return typed(bag, name, VL_F64);
}

int32_t *vl_bag_i32(const struct vl_bag *bag, const char *name)
{
    return typed(bag, name, VL_I32);
}

const size_t *vl_bag_sizes(const struct vl_bag *bag, const char *name)
{
    _Static_assert(sizeof(size_t) == sizeof(int64_t), "sizes travel as I64");
    return typed(bag, name, VL_I64);
}

int64_t vl_bag_int(const struct vl_bag *bag, const char *name)
{
    const struct vl_tensor_entry *entry = vl_bag_find(bag, name);
    const int64_t *value = typed(bag, name, VL_I64);
    return value && entry->count > 0 ? *value : 0;
}

double vl_bag_real(const struct vl_bag *bag, const char *name)
{
    const struct vl_tensor_entry *entry = vl_bag_find(bag, name);
    const double *value = typed(bag, name, VL_F64);
    return value && entry->count > 0 ? *value : 0;
}

void vl_bag_poison(struct vl_bag *bag, const char *name)
{
    const struct item *item = find(bag, name);
    if (!item || item->bytes == 0)
        return;
    if (bag->zeros)
        memset(item->data, 0, item->bytes);
    else
        vl_poison_fill(item->data, item->bytes, item->entry.dtype);
}

void vl_bag_poison_with_zeros(struct vl_bag *bag)
{
    if (bag != NULL)
        bag->zeros = true;
}

bool vl_bag_is_poison(const struct vl_tensor_entry *entry, size_t i)
{
    return vl_poison_is(entry->data, entry->dtype, i);
}

const char *vl_bag_difference(const struct vl_bag *before, const struct vl_bag *now)
{
    for (size_t i = 0; before && i < before->count; i++) {
        const struct item *old = &before->items[i];
        const struct item *new = find(now, old->name);
        if (!new || new->bytes != old->bytes || new->entry.dtype != old->entry.dtype ||
            memcmp(new->data, old->data, old->bytes) != 0)
            return old->name;
    }
    return NULL;
}

/* Append an array. Another owner holds 'count' of its elements, beginning with element 'first'; the
 * others become poison. */
static int append_part(struct vl_bag *bag, const struct vl_tensor_entry *whole, size_t first,
                       size_t count)
{
    struct item *item = add(bag, whole->name, whole->dtype, whole->dims, whole->shape);
    if (item == NULL)
        return 0;
    const size_t each = vl_dtype_bytes(whole->dtype), ahead = first * each, bytes = count * each;
    vl_poison_fill(item->data, ahead, whole->dtype);
    if (bytes > 0)
        memcpy(item->data + ahead, whole->data, bytes);
    vl_poison_fill(item->data + ahead + bytes, item->bytes - ahead - bytes, whole->dtype);
    return 1;
}

/* Append a copy of an array that another owner holds. */
static int append(struct vl_bag *bag, const struct vl_tensor_entry *entry)
{
    return append_part(bag, entry, 0, entry->count);
}

struct vl_bag *vl_bag_copy(const struct vl_bag *bag)
{
    struct vl_bag *copy = vl_bag_create();
    for (size_t i = 0; copy && i < vl_bag_count(bag); i++) {
        if (!append(copy, &bag->items[i].entry)) {
            vl_bag_free(copy);
            copy = NULL;
        }
    }
    return copy;
}

static struct vl_tensor_entry *entries_of(const struct vl_bag *bag)
{
    struct vl_tensor_entry *entries = calloc(bag->count + 1, sizeof *entries);
    for (size_t i = 0; entries && i < bag->count; i++)
        entries[i] = bag->items[i].entry;
    return entries;
}

/* To the path, or where that is NULL into the stream. */
static enum vl_status put(const struct vl_bag *bag, const char *path, FILE *stream)
{
    struct vl_fold fold = {0};
    struct vl_tensor_entry *entries = entries_of(bag);
    const size_t count = bag->count;
    enum vl_status status = entries ? vl_fold(&fold, entries, count) : VL_ENOMEM;
    if (status == VL_OK && path != NULL)
        status = vl_safetensors_write(path, entries, count, fold.texts, fold.count);
    else if (status == VL_OK)
        status = vl_safetensors_put(stream, entries, count, fold.texts, fold.count);
    int why = errno;
    vl_fold_free(&fold);
    free(entries);
    errno = why;
    return status;
}

enum vl_status vl_bag_put(const struct vl_bag *bag, FILE *stream)
{
    return bag && stream ? put(bag, NULL, stream) : VL_EINVAL;
}

enum vl_status vl_bag_write(const struct vl_bag *bag, const char *path)
{
    return bag && path ? put(bag, path, NULL) : VL_EINVAL;
}

/* All arrays of a file, if they have no more bytes than there is room. */
static enum vl_status append_all(struct vl_bag *bag, const struct vl_safetensors *file, size_t room)
{
    enum vl_status status = vl_safetensors_count(file) > VL_BAG_MOST_ARRAYS ? VL_EFORMAT : VL_OK;
    for (size_t i = 0; status == VL_OK && i < vl_safetensors_count(file); i++) {
        const struct vl_tensor_entry *entry = vl_safetensors_entry(file, i);
        struct vl_tensor_entry whole;
        size_t first;
        status = vl_fold_undo(&whole, &first, file, entry);
        if (status == VL_OK && whole.count > room / vl_dtype_bytes(whole.dtype))
            status = VL_EFORMAT;
        else if (status == VL_OK && !append_part(bag, &whole, first, entry->count))
            status = VL_ENOMEM;
        room -= status == VL_OK ? whole.count * vl_dtype_bytes(whole.dtype) : 0;
    }
    return status;
}

/* Copies of all that the file holds, which is closed then. */
static enum vl_status bag_of(struct vl_bag **bag, struct vl_safetensors *file, size_t room)
{
    struct vl_bag *read = vl_bag_create();
    enum vl_status status = read ? append_all(read, file, room) : VL_ENOMEM;
    vl_safetensors_close(file);
    if (status != VL_OK) {
        vl_bag_free(read);
        return status;
    }
    *bag = read;
    return VL_OK;
}

enum vl_status vl_bag_read(struct vl_bag **bag, const char *path)
{
    struct vl_safetensors *file = NULL;
    *bag = NULL;
    enum vl_status status = vl_safetensors_open_within(&file, path, VL_BAG_MOST_HEADER, NULL);
    return status == VL_OK ? bag_of(bag, file, SIZE_MAX) : status;
}

enum vl_status vl_bag_parse(struct vl_bag **bag, const void *bytes, size_t n)
{
    struct vl_safetensors *file = NULL;
    *bag = NULL;
    enum vl_status status = vl_safetensors_view(&file, bytes, n, VL_BAG_MOST_HEADER, NULL);
    return status == VL_OK ? bag_of(bag, file, VL_BAG_MOST_BYTES) : status;
}
