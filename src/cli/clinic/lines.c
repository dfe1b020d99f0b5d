#include "cli/clinic/lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MARK "rank " /* clinic_say puts it before each line; MPI's own words do not have it */

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
        if (strncmp(line, MARK, strlen(MARK)) == 0)
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
static bool is_of_same_rank(const char *line, const char *other)
{
    return strncmp(line, other, strcspn(line, ":") + 1) == 0;
}

/* The first line of one side that the other lacks; 'other' is sorted. */
static const char *first_alone(const struct lines *lines, const struct lines *other)
{
    size_t at = 0;
    for (size_t i = 0; i < lines->count; i++) {
        while (at < other->count && strcmp(other->line[at], lines->line[i]) < 0)
            at++;
        if (at == other->count || strcmp(other->line[at], lines->line[i]) != 0)
            return lines->line[i];
        at++; /* it has met one */
    }
    return NULL;
}

static enum vl_status find(struct vl_line_difference *difference, const struct lines *got,
                           const struct lines *wanted)
{
    const char *odd = first_alone(got, wanted), *missing = first_alone(wanted, got);
    if (odd != NULL && missing != NULL && !is_of_same_rank(odd, missing))
        odd = NULL;
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
