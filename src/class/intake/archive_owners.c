#include "class/intake/archive_owners.h"

#include <stdlib.h>
#include <string.h>

#define NAME_MOST 255 /* bytes of one part of a path */

bool vl_archive_part_is_good(const char *part, size_t n)
{
    if (n > NAME_MOST || (n == 2 && memcmp(part, "..", 2) == 0))
        return false;
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)part[i] < 32 || part[i] == 127 || part[i] == '\\')
            return false;
    return true;
}

static bool is_of(const struct vl_archive_owner *owner, const char *part, size_t n)
{
    return strncmp(owner->name, part, n) == 0 && owner->name[n] == '\0';
}

static struct vl_archive_owner *append(struct vl_archive_owners *owners, const char *part, size_t n)
{
    if (owners->count == VL_ARCHIVE_OWNERS)
        return NULL;
    if (owners->count == owners->capacity) {
        size_t more = owners->capacity * 2 + 64;
        struct vl_archive_owner *list = realloc(owners->list, more * sizeof *list);
        if (list == NULL)
            return NULL;
        owners->list = list;
        owners->capacity = more;
    }
    struct vl_archive_owner *owner = &owners->list[owners->count];
    *owner = (struct vl_archive_owner){.name = strndup(part, n)};
    if (owner->name == NULL)
        return NULL;
    owners->last = owners->count++;
    return owner;
}

/* An archive mostly has what belongs to one owner in one place. */
struct vl_archive_owner *vl_archive_owner_of(struct vl_archive_owners *owners, const char *path)
{
    while (path[0] == '.' && path[1] == '/') /* as tar writes what is in "." */
        path += 2;
    size_t n = strcspn(path, "/");
    if (!vl_archive_part_is_good(path, n) || (n == 1 && path[0] == '.'))
        n = 0;
    if (owners->count > 0 && is_of(&owners->list[owners->last], path, n))
        return &owners->list[owners->last];
    for (size_t i = 0; i < owners->count; i++)
        if (is_of(&owners->list[i], path, n)) {
            owners->last = i;
            return &owners->list[i];
        }
    return append(owners, path, n);
}

void vl_archive_owners_free(struct vl_archive_owners *owners)
{
    for (size_t i = 0; i < owners->count; i++) {
        free(owners->list[i].name);
        free(owners->list[i].problem);
    }
    free(owners->list);
    *owners = (struct vl_archive_owners){0};
}
