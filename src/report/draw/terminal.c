#include "report/draw/terminal.h"

#include "base/number.h"
#include "base/utf8.h"
#include <langinfo.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_UNKNOWN 80
#define WIDTH_LEAST   40
#define WIDTH_MOST    120 /* longer lines are hard to read */

static bool set_and_not_empty(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0';
}

static int measure_columns(int fd, int live)
{
    struct winsize size;
    int columns = 0;
    if (set_and_not_empty("COLUMNS"))
        columns = atoi(getenv("COLUMNS"));
    else if (live && ioctl(fd, TIOCGWINSZ, &size) == 0)
        columns = size.ws_col;
    if (columns <= 0)
        columns = WIDTH_UNKNOWN;
    return columns < WIDTH_LEAST ? WIDTH_LEAST : columns > WIDTH_MOST ? WIDTH_MOST : columns;
}

void vl_terminal_open(struct vl_terminal *terminal, FILE *stream)
{
    int fd = fileno(stream); /* -1 for a stream in memory */
    const char *term = getenv("TERM");
    int smart = term != NULL && term[0] != '\0' && strcmp(term, "dumb") != 0;
    terminal->stream = stream;
    terminal->live = fd >= 0 && isatty(fd) && smart;
    terminal->colour = terminal->live && !set_and_not_empty("NO_COLOR");
    terminal->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    terminal->columns = measure_columns(fd, terminal->live);
}

static const char *style_start(const struct vl_terminal *terminal, enum vl_style style)
{
    static const char *const starts[] = {"", "\033[1m", "\033[2m", "\033[32m", "\033[31m"};
    return terminal->colour ? starts[style] : "";
}

static const char *style_end(const struct vl_terminal *terminal, enum vl_style style)
{
    return terminal->colour && style != VL_STYLE_PLAIN ? "\033[0m" : "";
}

static void put_n(const struct vl_terminal *terminal, enum vl_style style, const char *text,
                  size_t n)
{
    fprintf(terminal->stream, "%s%.*s%s", style_start(terminal, style), (int)n, text,
            style_end(terminal, style));
}

void vl_terminal_put(const struct vl_terminal *terminal, enum vl_style style, int width,
                     const char *text)
{
    int spare = abs(width) - vl_utf8_width(text);
    if (width < 0 && spare > 0)
        fprintf(terminal->stream, "%*s", spare, "");
    put_n(terminal, style, text, strlen(text));
    if (width > 0 && spare > 0)
        fprintf(terminal->stream, "%*s", spare, "");
}

/* Wrapped at ASCII spaces alone, since no-break spaces must hold, and not before a unit. */
void vl_terminal_hang(const struct vl_terminal *terminal, enum vl_style style, int indent, int hang,
                      const char *line, size_t length)
{
    size_t lead = strspn(line, " ");
    do {
        char *rest = strndup(line, length);
        size_t fits = rest != NULL ? vl_utf8_fit(rest, terminal->columns - indent) : length;
        free(rest);
        size_t take = fits;
        if (fits < length) {
            while (take > lead && (line[take] != ' ' || vl_number_parts(line, take)))
                take--;
            if (take <= lead) /* a word longer than the line stays whole */
                take = lead + strcspn(line + lead, " \n");
            if (take > length)
                take = length;
        }
        fprintf(terminal->stream, "%*s", indent, "");
        put_n(terminal, style, line, take);
        fputc('\n', terminal->stream);
        while (take < length && line[take] == ' ')
            take++;
        line += take;
        length -= take;
        lead = 0;
        indent = hang;
    } while (length > 0);
}

void vl_terminal_paragraph(const struct vl_terminal *terminal, enum vl_style style, int indent,
                           const char *text)
{
    char *clean = vl_utf8_clean(text);
    if (clean == NULL)
        return;
    for (const char *line = clean; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        vl_terminal_hang(terminal, style, indent, indent, line, length);
        line += length + (line[length] == '\n');
    }
    free(clean);
}

void vl_terminal_sentence_with(const struct vl_terminal *terminal, enum vl_style style,
                               const char *format, va_list values)
{
    char *sentence = NULL;
    if (vasprintf(&sentence, format, values) < 0)
        return;
    vl_terminal_paragraph(terminal, style, 0, sentence);
    free(sentence);
}

void vl_terminal_sentence(const struct vl_terminal *terminal, enum vl_style style,
                          const char *format, ...)
{
    va_list values;
    va_start(values, format);
    vl_terminal_sentence_with(terminal, style, format, values);
    va_end(values);
}

void vl_terminal_bar(const struct vl_terminal *terminal, enum vl_style style, double share,
                     int width)
{
    if (!(share > 0)) /* a NaN draws an empty bar */
        share = 0;
    int full = share >= 1 ? width : (int)(share * width);
    fputs(style_start(terminal, style), terminal->stream);
    for (int i = 0; i < full; i++)
        fputs(terminal->unicode ? "\xe2\x96\x88" : "#", terminal->stream); /* full block */
    fputs(style_end(terminal, style), terminal->stream);
    fputs(style_start(terminal, VL_STYLE_DIM), terminal->stream);
    for (int i = full; i < width; i++)
        fputs(terminal->unicode ? "\xe2\x96\x91" : ".", terminal->stream); /* light shade */
    fputs(style_end(terminal, VL_STYLE_DIM), terminal->stream);
}

void vl_terminal_restart_line(const struct vl_terminal *terminal)
{
    if (terminal->live)
        fputs("\r\033[K", terminal->stream);
}
