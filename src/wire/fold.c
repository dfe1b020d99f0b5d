#include "wire/fold.h"

#include "base/text.h"
#include "wire/poison.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define KEY "whole %s"

/* "2 7"; fresh, NULL without memory. */
static char *tell(const struct vl_tensor_entry *whole, size_t first)
{
    char *text = vl_text_format("%zu", first);
    for (size_t d = 0; d < whole->dims && text != NULL; d++) {
        char *longer = vl_text_format("%s %zu", text, whole->shape[d]);
        free(text);
        text = longer;
    }
    return text;
}

static enum vl_status fold_one(struct vl_metadata *text, struct vl_tensor_entry *entry)
{
    const size_t each = vl_dtype_bytes(entry->dtype), n = entry->count * each;
    const size_t most = n - (n + VL_FOLD_MOST - 1) / VL_FOLD_MOST; /* that may be left out */
    if (each == 0)
        return VL_OK; /* a type that nobody knows; who writes it will say so */
    const size_t ahead = vl_poison_ahead(entry->data, most, entry->dtype);
    const char *last = (const char *)entry->data + n - (most - ahead);
    const size_t behind = vl_poison_behind(last, most - ahead, entry->dtype);
    if (ahead + behind == 0)
        return VL_OK;
    text->key = vl_text_format(KEY, entry->name);
    text->value = tell(entry, ahead / each);
    entry->count = (n - ahead - behind) / each;
    entry->dims = 1;
    entry->shape[0] = entry->count;
    entry->data = (const char *)entry->data + ahead;
    return text->key != NULL && text->value != NULL ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_fold(struct vl_fold *fold, struct vl_tensor_entry *entries, size_t count)
{
    *fold = (struct vl_fold){.texts = calloc(count + 1, sizeof *fold->texts)};
    enum vl_status status = fold->texts != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < count && status == VL_OK; i++) {
        struct vl_metadata *text = &fold->texts[fold->count];
        status = fold_one(text, &entries[i]);
        fold->count += text->key != NULL || text->value != NULL;
    }
    return status;
}

void vl_fold_free(struct vl_fold *fold)
{
    for (size_t i = 0; i < fold->count; i++) {
        free((char *)fold->texts[i].key);
        free((char *)fold->texts[i].value);
    }
    free(fold->texts);
    *fold = (struct vl_fold){0};
}

/* One number of a text, and what follows it. */
static bool read_number(size_t *number, const char **text)
{
    char *end;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(*text, &end, 10);
    *number = (size_t)value;
    *text = end + (*end == ' ');
    return errno == 0 && value <= INT64_MAX;
}

static bool read_text(struct vl_tensor_entry *whole, size_t *first, const char *text)
{
    bool good = read_number(first, &text);
    whole->count = 1;
    for (whole->dims = 0; good && *text != '\0'; whole->dims++)
        good = whole->dims < VL_TENSOR_DIMS && read_number(&whole->shape[whole->dims], &text) &&
               !__builtin_mul_overflow(whole->count, whole->shape[whole->dims], &whole->count);
    return good;
}

enum vl_status vl_fold_undo(struct vl_tensor_entry *whole, size_t *first,
                            const struct vl_safetensors *file, const struct vl_tensor_entry *entry)
{
    char *key = vl_text_format(KEY, entry->name);
    if (key == NULL)
        return VL_ENOMEM;
    const char *text = vl_safetensors_metadata(file, key);
    free(key);
    *whole = *entry;
    *first = 0;
    if (text == NULL)
        return VL_OK;
    bool good = entry->dims == 1 && read_text(whole, first, text) &&
                whole->count <= VL_FOLD_MOST * entry->count && *first <= whole->count &&
                entry->count <= whole->count - *first;
    return good ? VL_OK : VL_EFORMAT;
}
