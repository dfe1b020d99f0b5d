#include "cli/shared/texts.h"

#include "base/file.h"
#include "base/place.h"
#include "base/text.h"
#include "cli/workspace/workspace.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_LIMIT ((size_t)4 << 20) /* bytes; the longest text is a hundredth of this */

static char *read_text(char *path)
{
    char *bytes = NULL;
    size_t n;
    if (path != NULL && vl_file_read(&bytes, &n, path, TEXT_LIMIT) != VL_OK)
        bytes = NULL;
    free(path);
    return bytes;
}

char *vl_text_of_lab(const struct vl_lab *lab, const char *name, int *source)
{
    char below[256];
    *source = 0;
    snprintf(below, sizeof below, "texts/%s/labs/%s/%s.txt", vl_text_language(), lab->folder, name);
    char *text = read_text(vl_place_path("share", below));
    if (text != NULL)
        return text;
    *source = 1;
    snprintf(below, sizeof below, "%s.md", name);
    return read_text(vl_course_lab(lab, below));
}

/* Does this line name the function, and nothing but it? "## `vl_x`" and "vl_x" do. */
static bool is_heading_of(const char *line, size_t length, const char *function)
{
    while (length > 0 && strchr("#`\" \t*", line[0]) != NULL) {
        line++;
        length--;
    }
    size_t name = strlen(function);
    if (length < name || strncmp(line, function, name) != 0)
        return false;
    for (size_t i = name; i < length; i++)
        if (strchr("`\" \t\r*()", line[i]) == NULL)
            return false;
    return true;
}

int vl_text_heading(const char *line)
{
    static const char underlines[] = "=-~^";
    size_t marks = strspn(line, "#");
    if (marks > 0)
        return line[marks] == ' ' ? (int)marks : 0;
    const char *next = strchr(line, '\n');
    if (next == NULL || next == line || isspace((unsigned char)line[0]))
        return 0;
    const char *rank = next[1] != '\0' ? strchr(underlines, next[1]) : NULL;
    size_t length = rank != NULL ? strspn(next + 1, (char[]){*rank, '\0'}) : 0;
    if (length < 3 || (next[1 + length] != '\n' && next[1 + length] != '\0'))
        return 0;
    return (int)(rank - underlines) + 1;
}

const char *vl_text_next_line(const char *line)
{
    line += strcspn(line, "\n");
    return line + (*line == '\n');
}

/* The number that opens a list item, 0 for other lines. */
static int item_number(const char *line)
{
    line += strspn(line, " ");
    return isdigit((unsigned char)line[0]) && line[1] == '.' && line[2] == ' ' ? line[0] - '0' : 0;
}

char *vl_hint_find(const char *hints, const char *function, int level)
{
    const char *line = hints;
    while (*line != '\0' &&
           !(vl_text_heading(line) && is_heading_of(line, strcspn(line, "\n"), function)))
        line = vl_text_next_line(line);
    if (*line == '\0')
        return NULL;
    for (line = vl_text_next_line(line); *line != '\0' && item_number(line) != level;
         line = vl_text_next_line(line))
        if (vl_text_heading(line))
            return NULL;
    const char *begin = strchr(line, '.');
    if (begin == NULL)
        return NULL;
    begin += 2;
    const char *end = vl_text_next_line(line);
    while (*end != '\0' && item_number(end) != level + 1 && !vl_text_heading(end))
        end = vl_text_next_line(end);
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    return strndup(begin, (size_t)(end - begin));
}
