#include "cli/workspace/record.h"

#include "base/file.h"
#include "base/path.h"
#include "version.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KIND   "vialata.workspace/"
#define SCHEMA 1
#define LIMIT  ((size_t)1 << 20)

static enum vl_record_state state_of(const json_t *json)
{
    const char *schema = json_string_value(json_object_get(json, "schema"));
    if (schema == NULL || strncmp(schema, KIND, strlen(KIND)) != 0)
        return VL_RECORD_DAMAGED;
    return atoi(schema + strlen(KIND)) > SCHEMA ? VL_RECORD_NEWER : VL_RECORD_READ;
}

static bool complete(json_t *json)
{
    return json_is_object(json_object_get(json, "written")) ||
           json_object_set_new(json, "written", json_object()) == 0;
}

enum vl_status vl_record_read(struct vl_record *record, const char *workspace)
{
    char *path = vl_path_join(workspace, VL_RECORD_NAME), *bytes = NULL;
    size_t n = 0;
    *record = (struct vl_record){.state = VL_RECORD_ABSENT};
    if (path == NULL)
        return VL_ENOMEM;
    if (access(path, F_OK) == 0) {
        json_error_t error;
        if (vl_file_read(&bytes, &n, path, LIMIT) == VL_OK) {
            record->json = json_loadb(bytes, n, 0, &error);
            free(bytes);
        }
        record->state = state_of(record->json);
    }
    free(path);
    const char *version = json_string_value(json_object_get(record->json, "version"));
    snprintf(record->version, sizeof record->version, "%s", version != NULL ? version : "");
    if (record->state != VL_RECORD_READ && record->state != VL_RECORD_NEWER) {
        json_decref(record->json);
        record->json = json_object();
    }
    return record->json != NULL && complete(record->json) ? VL_OK : VL_ENOMEM;
}

enum vl_status vl_record_write(const struct vl_record *record, const char *workspace)
{
    char schema[32];
    snprintf(schema, sizeof schema, KIND "%d", SCHEMA);
    json_object_set_new(record->json, "schema", json_string(schema));
    json_object_set_new(record->json, "version", json_string(VL_VERSION));
    char *path = vl_path_join(workspace, VL_RECORD_NAME);
    char *text = json_dumps(record->json, JSON_INDENT(2));
    enum vl_status status =
        path != NULL && text != NULL ? vl_file_write(path, text, strlen(text)) : VL_ENOMEM;
    free(text);
    free(path);
    return status;
}

const char *vl_record_student(const struct vl_record *record)
{
    return json_string_value(json_object_get(record->json, "student"));
}

void vl_record_free(struct vl_record *record)
{
    json_decref(record->json);
    *record = (struct vl_record){0};
}
