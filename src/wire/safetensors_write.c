#include "wire/safetensors.h"

#include "base/file.h"

#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX   8
#define METADATA "__metadata__"

static enum vl_status entry_bytes(const struct vl_tensor_entry *entry, size_t *bytes)
{
    size_t count = 1;
    if (entry->name == NULL || entry->dims > VL_TENSOR_DIMS || vl_dtype_bytes(entry->dtype) == 0)
        return VL_EINVAL;
    for (size_t d = 0; d < entry->dims; d++)
        if (__builtin_mul_overflow(count, entry->shape[d], &count))
            return VL_EINVAL;
    if (count != entry->count || (count > 0 && entry->data == NULL) ||
        __builtin_mul_overflow(count, vl_dtype_bytes(entry->dtype), bytes) ||
        *bytes > VL_SAFETENSORS_MAX_DATA)
        return VL_EINVAL;
    return VL_OK;
}

/* {"dtype", "shape", "data_offsets"} of one entry; NULL without memory. */
static json_t *describe(const struct vl_tensor_entry *entry, size_t begin, size_t end)
{
    json_t *shape = json_array();
    for (size_t d = 0; d < entry->dims; d++)
        json_array_append_new(shape, json_integer((json_int_t)entry->shape[d]));
    return json_pack("{s:s, s:o, s:[I, I]}", "dtype", vl_dtype_name(entry->dtype), "shape", shape,
                     "data_offsets", (json_int_t)begin, (json_int_t)end);
}

static enum vl_status make_header(json_t *header, const struct vl_tensor_entry *entries,
                                  size_t count, const struct vl_metadata *metadata,
                                  size_t metadata_count)
{
    json_t *words = json_object();
    if (json_object_set_new(header, METADATA, words) != 0 ||
        json_object_set_new(words, "format", json_string("pt")) != 0)
        return VL_ENOMEM;
    for (size_t i = 0; i < metadata_count; i++)
        if (json_object_set_new(words, metadata[i].key, json_string(metadata[i].value)) != 0)
            return VL_EINVAL;
    size_t begin = 0;
    for (size_t i = 0; i < count; i++) {
        size_t bytes;
        enum vl_status status = entry_bytes(&entries[i], &bytes);
        if (status != VL_OK)
            return status;
        if (json_object_get(header, entries[i].name) != NULL ||
            begin + bytes > VL_SAFETENSORS_MAX_DATA)
            return VL_EINVAL;
        json_t *description = describe(&entries[i], begin, begin + bytes);
        if (description == NULL)
            return VL_ENOMEM;
        if (json_object_set_new(header, entries[i].name, description) != 0)
            return VL_EINVAL; /* not UTF-8 */
        begin += bytes;
    }
    return VL_OK;
}

static bool put_all(FILE *stream, const char *header, const struct vl_tensor_entry *entries,
                    size_t count)
{
    size_t length = strlen(header);
    uint64_t padded = (length + 7) / 8 * 8;
    bool good = fwrite(&padded, PREFIX, 1, stream) == 1 &&
                fprintf(stream, "%-*s", (int)padded, header) == (int)padded;
    for (size_t i = 0; good && i < count; i++) {
        size_t bytes = entries[i].count * vl_dtype_bytes(entries[i].dtype);
        good = bytes == 0 || fwrite(entries[i].data, bytes, 1, stream) == 1;
    }
    return good;
}

enum vl_status vl_safetensors_put(FILE *stream, const struct vl_tensor_entry *entries, size_t count,
                                  const struct vl_metadata *metadata, size_t metadata_count)
{
    json_t *header = json_object();
    enum vl_status status =
        header == NULL ? VL_ENOMEM : make_header(header, entries, count, metadata, metadata_count);
    char *text = status == VL_OK ? json_dumps(header, JSON_COMPACT) : NULL;
    if (status == VL_OK)
        status = text == NULL                                ? VL_ENOMEM
                 : strlen(text) >= VL_SAFETENSORS_MAX_HEADER ? VL_EINVAL
                 : put_all(stream, text, entries, count)     ? VL_OK
                                                             : VL_EIO;
    int why = errno;
    free(text);
    json_decref(header);
    errno = why;
    return status;
}

enum vl_status vl_safetensors_write(const char *path, const struct vl_tensor_entry *entries,
                                    size_t count, const struct vl_metadata *metadata,
                                    size_t metadata_count)
{
    struct vl_file_new file;
    enum vl_status status = vl_file_begin(&file, path);
    if (status != VL_OK)
        return status;
    return vl_file_end(&file,
                       vl_safetensors_put(file.stream, entries, count, metadata, metadata_count));
}
