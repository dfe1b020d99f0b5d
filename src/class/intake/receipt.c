#include "class/intake/receipt.h"

#include "base/json_file.h"
#include <stdlib.h>
#include <string.h>

#define SCHEMA "vialata.receipt/1"

static json_t *files_json(const struct vl_manifest *manifest)
{
    json_t *files = json_array();
    for (size_t i = 0; i < manifest->count; i++)
        json_array_append_new(files, json_pack("{ss sI ss}", "name", manifest->files[i].name,
                                               "bytes", (json_int_t)manifest->files[i].bytes,
                                               "sha256", manifest->files[i].hash));
    return files;
}

json_t *vl_receipt_json(const struct vl_receipt *receipt, const struct vl_manifest *manifest)
{
    json_t *git = receipt->commit != NULL ? json_pack("{ss sb}", "commit", receipt->commit,
                                                      "committed", receipt->committed)
                                          : json_null();
    return json_pack("{ss ss ss ss ss so ss so}", "schema", SCHEMA, "lab", receipt->lab, "student",
                     receipt->student, "handed_in_at", receipt->handed_in_at, "version",
                     receipt->version, "files", files_json(manifest), "hash", manifest->hash, "git",
                     git);
}

/* ---- reading one ---- */

static bool is_hash(const char *text)
{
    return text != NULL && strlen(text) == VL_HASH_TEXT - 1 &&
           strspn(text, "0123456789abcdef") == VL_HASH_TEXT - 1;
}

static enum vl_status take(char **text, const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    if (value == NULL)
        return VL_EFORMAT;
    *text = strdup(value);
    return *text != NULL ? VL_OK : VL_ENOMEM;
}

static enum vl_status take_all(struct vl_receipt *receipt, const json_t *object)
{
    const char *schema = json_string_value(json_object_get(object, "schema"));
    const char *hash = json_string_value(json_object_get(object, "hash"));
    const json_t *git = json_object_get(object, "git");
    if (schema == NULL || strcmp(schema, SCHEMA) != 0 || !is_hash(hash))
        return VL_EFORMAT;
    memcpy(receipt->hash, hash, VL_HASH_TEXT);
    receipt->committed = json_is_true(json_object_get(git, "committed"));
    enum vl_status status = take(&receipt->lab, object, "lab");
    if (status == VL_OK)
        status = take(&receipt->student, object, "student");
    if (status == VL_OK)
        status = take(&receipt->handed_in_at, object, "handed_in_at");
    if (status == VL_OK)
        status = take(&receipt->version, object, "version");
    if (status == VL_OK && json_is_object(git))
        status = take(&receipt->commit, git, "commit");
    return status;
}

enum vl_status vl_receipt_read(struct vl_receipt *receipt, const char *path)
{
    json_t *object;
    *receipt = (struct vl_receipt){0};
    enum vl_status status = vl_json_file_read(&object, path, VL_RECEIPT_MOST_BYTES);
    if (status == VL_OK)
        status = take_all(receipt, object);
    json_decref(object);
    if (status != VL_OK)
        vl_receipt_free(receipt);
    return status;
}

void vl_receipt_free(struct vl_receipt *receipt)
{
    free(receipt->lab);
    free(receipt->student);
    free(receipt->handed_in_at);
    free(receipt->version);
    free(receipt->commit);
    *receipt = (struct vl_receipt){0};
}
