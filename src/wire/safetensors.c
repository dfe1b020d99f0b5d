#include "wire/safetensors.h"

#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the format is little-endian");

#define PREFIX   8
#define METADATA "__metadata__"

static const struct {
    const char *name;
    size_t bytes;
} dtypes[] = {
    [VL_F32] = {"F32", 4}, [VL_F64] = {"F64", 8}, [VL_I32] = {"I32", 4},
    [VL_I64] = {"I64", 8}, [VL_U8] = {"U8", 1},
};
#define DTYPES (sizeof dtypes / sizeof *dtypes)

size_t vl_dtype_bytes(enum vl_dtype dtype)
{
    return (size_t)dtype < DTYPES ? dtypes[dtype].bytes : 0;
}

const char *vl_dtype_name(enum vl_dtype dtype)
{
    return (size_t)dtype < DTYPES ? dtypes[dtype].name : "";
}

struct vl_safetensors {
    json_t *header;            /* owns the names and the metadata */
    struct vl_arena own;       /* the data, if it was read from a file */
    const unsigned char *data; /* in 'own', or in the caller's bytes */
    struct vl_arena copies;    /* of arrays that would not be aligned for their type */
    struct vl_tensor_entry *entries;
    size_t *begins; /* of entry i, in the data */
    size_t count;
};

/* A size must be a JSON integer, and not negative: 1.0 and -1 are refused. */
static int read_size(const json_t *value, size_t *size)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return 0;
    *size = (size_t)json_integer_value(value);
    return 1;
}

/* NULL, or what is wrong with this description. */
static const char *read_entry(struct vl_tensor_entry *entry, size_t *begin, const json_t *object,
                              size_t data_bytes)
{
    const json_t *shape = json_object_get(object, "shape");
    const json_t *offsets = json_object_get(object, "data_offsets");
    const char *dtype = json_string_value(json_object_get(object, "dtype"));
    if (json_object_size(object) != 3 || !json_is_array(shape) || !json_is_array(offsets) ||
        dtype == NULL)
        return "a tensor is not described by dtype, shape and data_offsets";
    size_t type = 0, end, bytes;
    while (type < DTYPES && strcmp(dtype, dtypes[type].name) != 0)
        type++;
    if (type == DTYPES)
        return "a tensor has an unknown dtype";
    entry->dtype = (enum vl_dtype)type;
    entry->dims = json_array_size(shape);
    if (entry->dims > VL_TENSOR_DIMS)
        return "a tensor has too many dimensions";
    entry->count = 1;
    for (size_t d = 0; d < entry->dims; d++)
        if (!read_size(json_array_get(shape, d), &entry->shape[d]) ||
            __builtin_mul_overflow(entry->count, entry->shape[d], &entry->count))
            return "a tensor has an impossible shape";
    if (json_array_size(offsets) != 2 || !read_size(json_array_get(offsets, 0), begin) ||
        !read_size(json_array_get(offsets, 1), &end) || end < *begin || end > data_bytes)
        return "a tensor lies outside the file";
    if (__builtin_mul_overflow(entry->count, dtypes[type].bytes, &bytes) || bytes != end - *begin)
        return "a tensor's shape does not fit its bytes";
    return NULL;
}

static const char *read_metadata(const json_t *metadata)
{
    if (!json_is_object(metadata))
        return "the metadata is not an object";
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)metadata, key, value)
    {
        if (!json_is_string(value))
            return "the metadata holds something else than texts";
    }
    return NULL;
}

struct extent {
    size_t begin, end;
};

static int by_place(const void *left, const void *right)
{
    const struct extent *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

/* The arrays must fill the data exactly: no gap, no overlap, nothing after them. */
static enum vl_status check_cover(const struct vl_safetensors *file, size_t data_bytes,
                                  const char **reason)
{
    struct extent *extents = calloc(file->count + 1, sizeof *extents);
    if (extents == NULL)
        return VL_ENOMEM;
    for (size_t i = 0; i < file->count; i++) {
        const struct vl_tensor_entry *entry = &file->entries[i];
        extents[i].begin = file->begins[i];
        extents[i].end = file->begins[i] + entry->count * vl_dtype_bytes(entry->dtype);
    }
    qsort(extents, file->count, sizeof *extents, by_place);
    size_t reached = 0;
    int covered = 1;
    for (size_t i = 0; covered && i < file->count; i++) {
        covered = extents[i].begin == reached;
        reached = extents[i].end;
    }
    free(extents);
    if (covered && reached == data_bytes)
        return VL_OK;
    *reason = "tensors overlap, or bytes belong to none";
    return VL_EFORMAT;
}

static enum vl_status read_header(struct vl_safetensors *file, size_t data_bytes,
                                  const char **reason)
{
    size_t members = json_object_size(file->header);
    file->entries = calloc(members + 1, sizeof *file->entries);
    file->begins = calloc(members + 1, sizeof *file->begins);
    if (file->entries == NULL || file->begins == NULL)
        return VL_ENOMEM;
    const char *name, *wrong = NULL;
    json_t *object;
    json_object_foreach(file->header, name, object)
    {
        if (strcmp(name, METADATA) == 0) {
            wrong = read_metadata(object);
        } else {
            struct vl_tensor_entry *entry = &file->entries[file->count];
            entry->name = name;
            wrong = read_entry(entry, &file->begins[file->count], object, data_bytes);
            file->count++;
        }
        if (wrong != NULL) {
            *reason = wrong;
            return VL_EFORMAT;
        }
    }
    return check_cover(file, data_bytes, reason);
}

static int is_aligned(const struct vl_safetensors *file, size_t i)
{
    uintptr_t begin = (uintptr_t)file->data + file->begins[i];
    return begin % vl_dtype_bytes(file->entries[i].dtype) == 0;
}

/* Point the entries into the data; copy those that would not be aligned for their type. */
static enum vl_status place_entries(struct vl_safetensors *file)
{
    size_t copied = 0;
    for (size_t i = 0; i < file->count; i++) {
        const struct vl_tensor_entry *entry = &file->entries[i];
        if (!is_aligned(file, i))
            copied += vl_arena_size(entry->count, vl_dtype_bytes(entry->dtype));
    }
    if (vl_arena_create(&file->copies, copied) != VL_OK)
        return VL_ENOMEM;
    for (size_t i = 0; i < file->count; i++) {
        struct vl_tensor_entry *entry = &file->entries[i];
        size_t element = vl_dtype_bytes(entry->dtype);
        entry->data = file->data;
        if (entry->count == 0)
            continue;
        entry->data = file->data + file->begins[i];
        if (!is_aligned(file, i)) {
            void *copy = vl_arena_take(&file->copies, entry->count, element);
            if (copy == NULL)
                return VL_ENOMEM;
            memcpy(copy, entry->data, entry->count * element);
            entry->data = copy;
        }
    }
    return VL_OK;
}

/* Where the bytes come from: an open file, or memory. */
struct source {
    int file;
    const unsigned char *bytes; /* what was not taken yet; NULL: read the file */
    size_t size;                /* of the whole */
};

/* Exactly n bytes, or VL_EFORMAT when the file ends before. */
static enum vl_status read_exactly(int file, void *to, size_t n)
{
    for (size_t filled = 0; filled < n;) {
        ssize_t got = read(file, (char *)to + filled, n - filled);
        if (got < 0 && errno != EINTR)
            return VL_EIO;
        if (got == 0)
            return VL_EFORMAT;
        filled += got > 0 ? (size_t)got : 0;
    }
    return VL_OK;
}

/* The next n bytes; whoever asks has looked at the size. */
static enum vl_status take(struct source *source, void *to, size_t n)
{
    if (source->bytes == NULL)
        return read_exactly(source->file, to, n);
    memcpy(to, source->bytes, n);
    source->bytes += n;
    return VL_OK;
}

/* A file is read whole, never mapped: a mapped file that someone cuts short kills its reader. */
static enum vl_status take_data(struct vl_safetensors *file, struct source *source, size_t n)
{
    file->data = source->bytes;
    if (source->bytes != NULL)
        return VL_OK;
    enum vl_status status = vl_arena_create(&file->own, n);
    file->data = file->own.memory;
    return status == VL_OK ? read_exactly(source->file, file->own.memory, n) : status;
}

static enum vl_status parse_header(struct vl_safetensors *file, struct source *source,
                                   size_t header_bytes, const char **reason)
{
    char *text = malloc(header_bytes);
    if (text == NULL)
        return VL_ENOMEM;
    enum vl_status status = take(source, text, header_bytes);
    if (status == VL_OK) {
        json_error_t error;
        file->header = json_loadb(text, header_bytes, JSON_REJECT_DUPLICATES, &error);
        if (!json_is_object(file->header)) {
            *reason = "the header is not a JSON object with distinct names";
            status = VL_EFORMAT;
        }
    }
    free(text);
    return status;
}

static enum vl_status parse(struct vl_safetensors *file, struct source *source, size_t most_header,
                            const char **reason)
{
    uint64_t header_bytes;
    *reason = "the file is cut short";
    if (source->size < PREFIX)
        return VL_EFORMAT;
    enum vl_status status = take(source, &header_bytes, PREFIX);
    if (status != VL_OK)
        return status;
    if (header_bytes < 2 || header_bytes > most_header || header_bytes > source->size - PREFIX) {
        *reason = "the length of the header is impossible";
        return VL_EFORMAT;
    }
    size_t data_bytes = source->size - PREFIX - (size_t)header_bytes;
    status = parse_header(file, source, (size_t)header_bytes, reason);
    if (status == VL_OK)
        status = read_header(file, data_bytes, reason);
    if (status == VL_OK)
        status = take_data(file, source, data_bytes);
    return status == VL_OK ? place_entries(file) : status;
}

static enum vl_status look_at_file(struct source *source, const char **reason)
{
    struct stat info;
    if (source->file < 0 || fstat(source->file, &info) != 0)
        return VL_EIO;
    source->size = (size_t)info.st_size;
    *reason = "not a regular file of a safe size";
    return S_ISREG(info.st_mode) && (uintmax_t)info.st_size <= VL_SAFETENSORS_MAX_DATA ? VL_OK
                                                                                       : VL_EFORMAT;
}

/* Tell what happened; the file is opened, or nothing is left of it. */
static enum vl_status finish(struct vl_safetensors **file, struct vl_safetensors *opened,
                             enum vl_status status, const char *wrong, const char **reason)
{
    *file = status == VL_OK ? opened : NULL;
    if (status != VL_OK)
        vl_safetensors_close(opened);
    if (reason != NULL)
        *reason = status == VL_OK       ? ""
                  : status == VL_EIO    ? "the file cannot be read"
                  : status == VL_ENOMEM ? "there is not enough memory"
                                        : wrong;
    return status;
}

enum vl_status vl_safetensors_open_within(struct vl_safetensors **file, const char *path,
                                          size_t most_header, const char **reason)
{
    const char *wrong = "";
    struct source source = {.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    struct vl_safetensors *opened = NULL;
    enum vl_status status = look_at_file(&source, &wrong);
    if (status == VL_OK)
        opened = calloc(1, sizeof *opened);
    if (status == VL_OK)
        status = opened != NULL ? parse(opened, &source, most_header, &wrong) : VL_ENOMEM;
    int why = errno;
    if (source.file >= 0)
        close(source.file);
    status = finish(file, opened, status, wrong, reason);
    errno = why;
    return status;
}

enum vl_status vl_safetensors_view(struct vl_safetensors **file, const void *bytes, size_t n,
                                   size_t most_header, const char **reason)
{
    const char *wrong = "";
    struct source source = {.file = -1, .bytes = bytes, .size = n};
    struct vl_safetensors *opened = calloc(1, sizeof *opened);
    enum vl_status status =
        opened != NULL ? parse(opened, &source, most_header, &wrong) : VL_ENOMEM;
    return finish(file, opened, status, wrong, reason);
}

enum vl_status vl_safetensors_open(struct vl_safetensors **file, const char *path,
                                   const char **reason)
{
    return vl_safetensors_open_within(file, path, VL_SAFETENSORS_MAX_HEADER, reason);
}

size_t vl_safetensors_count(const struct vl_safetensors *file)
{
    return file->count;
}

const struct vl_tensor_entry *vl_safetensors_entry(const struct vl_safetensors *file, size_t i)
{
    return i < file->count ? &file->entries[i] : NULL;
}

const struct vl_tensor_entry *vl_safetensors_find(const struct vl_safetensors *file,
                                                  const char *name)
{
    for (size_t i = 0; i < file->count; i++)
        if (strcmp(file->entries[i].name, name) == 0)
            return &file->entries[i];
    return NULL;
}

const char *vl_safetensors_metadata(const struct vl_safetensors *file, const char *key)
{
    return json_string_value(json_object_get(json_object_get(file->header, METADATA), key));
}

void vl_safetensors_close(struct vl_safetensors *file)
{
    if (file == NULL)
        return;
    json_decref(file->header);
    vl_arena_free(&file->own);
    vl_arena_free(&file->copies);
    free(file->entries);
    free(file->begins);
    free(file);
}
