#include "base/place.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    json_t *info;
    char folder[PATH_MAX];
} place;

static enum vl_status find_folder(char *folder)
{
    const char *chosen = getenv("VIALATA_PLACE");
    if (chosen != NULL && chosen[0] != '\0') {
        if (realpath(chosen, folder) == NULL)
            return VL_ELACK;
        return VL_OK;
    }
    ssize_t n = readlink("/proc/self/exe", folder, PATH_MAX - 1);
    if (n <= 0)
        return VL_ELACK;
    folder[n] = '\0';
    for (int level = 0; level < 2; level++) { /* .../bin/vialata -> ... */
        char *slash = strrchr(folder, '/');
        if (slash == NULL)
            return VL_ELACK;
        *slash = '\0';
    }
    return VL_OK;
}

enum vl_status vl_place_start(void)
{
    vl_place_end();
    enum vl_status status = find_folder(place.folder);
    if (status != VL_OK)
        return status;
    /* A build tree keeps the file at its top; an installed tree in libexec, out of the way. */
    static const char *const names[] = {"buildinfo.json", "libexec/vialata/buildinfo.json"};
    char path[PATH_MAX + 64];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", place.folder, names[i]);
        if (access(path, R_OK) != 0)
            continue;
        json_error_t error;
        place.info = json_load_file(path, 0, &error);
        return json_is_object(place.info) ? VL_OK : VL_EFORMAT;
    }
    return VL_ELACK;
}

const char *vl_place_text(const char *key)
{
    const char *text = json_string_value(json_object_get(place.info, key));
    return text != NULL ? text : "";
}

static char *absolute(const char *item, size_t length, const char *below)
{
    char *path = NULL;
    int made = asprintf(&path, "%s%s%.*s%s%s", item[0] == '/' ? "" : place.folder,
                        item[0] == '/' ? "" : "/", (int)length, item, below != NULL ? "/" : "",
                        below != NULL ? below : "");
    return made < 0 ? NULL : path;
}

char *vl_place_path(const char *key, const char *below)
{
    const char *text = vl_place_text(key);
    return absolute(text, strlen(text), below);
}

char **vl_place_list(const char *key)
{
    const char *text = vl_place_text(key);
    size_t items = 1;
    for (const char *c = text; *c != '\0'; c++)
        items += *c == '\n';
    char **list = calloc(items + 1, sizeof *list);
    size_t filled = 0;
    while (list != NULL && *text != '\0') {
        size_t length = strcspn(text, "\n");
        if (length > 0) {
            int plain = text[0] == '-' || memchr(text, '/', length) == NULL;
            list[filled] = plain ? strndup(text, length) : absolute(text, length, NULL);
            if (list[filled++] == NULL) {
                vl_place_list_free(list);
                return NULL;
            }
        }
        text += length + (text[length] == '\n');
    }
    return list;
}

void vl_place_list_free(char **list)
{
    if (list == NULL)
        return;
    for (char **item = list; *item != NULL; item++)
        free(*item);
    free(list);
}

void vl_place_end(void)
{
    json_decref(place.info);
    place.info = NULL;
}
