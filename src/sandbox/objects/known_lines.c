#include "sandbox/objects/known_lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Nobody but the kernel sets the time of a file's last change. */
static bool describe(struct vl_known_line *line, const char *program)
{
    struct stat info;
    if (stat(program, &info) != 0)
        return false;
    line->device = info.st_dev;
    line->file = info.st_ino;
    line->changed = info.st_ctim;
    return true;
}

static bool is_same(const struct vl_known_line *one, const struct vl_known_line *other)
{
    return one->device == other->device && one->file == other->file &&
           one->changed.tv_sec == other->changed.tv_sec &&
           one->changed.tv_nsec == other->changed.tv_nsec && one->count == other->count &&
           memcmp(one->addresses, other->addresses, one->count * sizeof *one->addresses) == 0;
}

bool vl_known_lines_find(char **text, const struct vl_known_lines *lines, const char *program,
                         const uint64_t *addresses, size_t count)
{
    struct vl_known_line asked = {.addresses = (uint64_t *)addresses, .count = count};
    *text = NULL;
    if (lines == NULL || !describe(&asked, program))
        return false;
    for (size_t i = 0; i < lines->count; i++)
        if (is_same(&lines->list[i], &asked)) {
            *text = lines->list[i].text != NULL ? strdup(lines->list[i].text) : NULL;
            return true;
        }
    return false;
}

void vl_known_lines_keep(struct vl_known_lines *lines, const char *program,
                         const uint64_t *addresses, size_t count, const char *text)
{
    if (lines == NULL || lines->count == VL_KNOWN_LINES)
        return;
    struct vl_known_line *line = &lines->list[lines->count];
    *line = (struct vl_known_line){.count = count};
    if (!describe(line, program))
        return;
    line->addresses = malloc((count + 1) * sizeof *line->addresses);
    line->text = text != NULL ? strdup(text) : NULL;
    if (line->addresses == NULL || (text != NULL && line->text == NULL)) {
        free(line->addresses);
        free(line->text);
        return;
    }
    memcpy(line->addresses, addresses, count * sizeof *addresses);
    lines->count++;
}

void vl_known_lines_free(struct vl_known_lines *lines)
{
    for (size_t i = 0; lines != NULL && i < lines->count; i++) {
        free(lines->list[i].addresses);
        free(lines->list[i].text);
    }
    if (lines != NULL)
        lines->count = 0;
}
