#include "report/draw/terminal_page.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_GOOD_TO_READ 78

/* The columns of "2. " or "* ", with which an item of a list begins; 0 for other lines. */
static size_t marker(const char *line)
{
    size_t digits = strspn(line, "0123456789");
    if (digits > 0 && line[digits] == '.' && line[digits + 1] == ' ')
        return digits + 2;
    return line[0] == '*' && line[1] == ' ' ? 2 : 0;
}

/* The line under a heading: one sign, again and again. */
static bool is_rule(const char *line, size_t length)
{
    return length >= 3 && ispunct((unsigned char)line[0]) && line[0] != '.' &&
           strspn(line, (char[]){line[0], '\0'}) == length;
}

static void put_line(const struct vl_terminal *terminal, const char *line, size_t length)
{
    size_t lead = strspn(line, " ");
    if (lead >= length) { /* an empty one */
        fputc('\n', terminal->stream);
    } else if (line[length - 1] == ' ') {
        fprintf(terminal->stream, "%.*s\n", (int)length - 1, line);
    } else if (is_rule(line, length)) {
        int shown = (int)length < terminal->columns ? (int)length : terminal->columns;
        fprintf(terminal->stream, "%.*s\n", shown, line);
    } else {
        vl_terminal_hang(terminal, VL_STYLE_PLAIN, (int)lead, (int)(lead + marker(line + lead)),
                         line + lead, length - lead);
    }
}

void vl_terminal_page(const struct vl_terminal *terminal, const char *text)
{
    struct vl_terminal page = *terminal;
    char *clean = vl_utf8_clean(text);
    if (page.columns > WIDTH_GOOD_TO_READ)
        page.columns = WIDTH_GOOD_TO_READ;
    for (const char *line = clean != NULL ? clean : ""; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        put_line(&page, line, length);
        line += length + (line[length] == '\n');
    }
    free(clean);
}
