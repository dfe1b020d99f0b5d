#include "cli/clinic/lines.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    char *text; /* in pieces */
    char **line;
    size_t count;
};

static int compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static enum vl_status sort(struct lines *lines, const char *text)
{
    size_t most = 1;
    for (const char *at = text; *at != '\0'; at++)
        most += *at == '\n';
    *lines = (struct lines){.text = strdup(text), .line = calloc(most, sizeof *lines->line)};
    char *next = lines->text;
    if (lines->text == NULL || lines->line == NULL)
        return VL_ENOMEM;
    for (char *line = strsep(&next, "\n"); line != NULL; line = strsep(&next, "\n"))
        if (line[0] != '\0')
            lines->line[lines->count++] = line;
    qsort(lines->line, lines->count, sizeof *lines->line, compare);
    return VL_OK;
}

static void drop(struct lines *lines)
{
    free(lines->line);
    free(lines->text);
}

/* "rank 2": does the other line begin with it, too? */
static int is_of_same_rank(const char *line, const char *other)
{
    size_t length = strcspn(line, ":");
    return line[length] == ':' && strncmp(line, other, length + 1) == 0;
}

/* Both are sorted: what is on one side alone comes first there. */
static enum vl_status find(struct vl_line_difference *difference, const struct lines *got,
                           const struct lines *wanted)
{
    size_t i = 0, j = 0;
    while (i < got->count && j < wanted->count && strcmp(got->line[i], wanted->line[j]) == 0)
        i++, j++;
    const char *odd = i < got->count ? got->line[i] : NULL;
    const char *missing = j < wanted->count ? wanted->line[j] : NULL;
    if (odd != NULL && missing != NULL && !is_of_same_rank(odd, missing)) {
        if (strcmp(odd, missing) < 0)
            missing = NULL;
        else
            odd = NULL;
    }
    difference->got = odd != NULL ? strdup(odd) : NULL;
    difference->wanted = missing != NULL ? strdup(missing) : NULL;
    return (odd != NULL && difference->got == NULL) ||
                   (missing != NULL && difference->wanted == NULL)
               ? VL_ENOMEM
               : VL_OK;
}

enum vl_status vl_lines_differ(struct vl_line_difference *difference, const char *got,
                               const char *wanted)
{
    struct lines left, right;
    *difference = (struct vl_line_difference){0};
    enum vl_status status = sort(&left, got);
    enum vl_status other = sort(&right, wanted);
    status = status != VL_OK ? status : other;
    if (status == VL_OK)
        status = find(difference, &left, &right);
    drop(&left);
    drop(&right);
    return status;
}

void vl_line_difference_free(struct vl_line_difference *difference)
{
    free(difference->got);
    free(difference->wanted);
    *difference = (struct vl_line_difference){0};
}
