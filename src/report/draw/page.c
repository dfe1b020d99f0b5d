#include "report/draw/page.h"

#include "base/file.h"
#include "base/text.h"
#include "report/draw/markup.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/*
 * Colours of text and of charts (chart.c), on a light and on a dark background. Lines have a
 * contrast of at least 3 with it. In a heat map's cell with 0.7 or more of the heat's colour, the
 * number changes from --on-cold to --on-hot: at 0.7 both are about equally easy to read.
 */
static const char style[] =
    ":root{color-scheme:light dark;--paper:#ffffff;--ink:#1b1f24;--soft:#59626d;--rule:#d5dae0;"
    "--heat:#00457f;--on-cold:#000000;--on-hot:#ffffff;"
    "--c0:#0072b2;--c1:#c04c00;--c2:#007f5c;--c3:#a83f82;--c4:#3c3c3c;--c5:#806000;--c6:#6f4cc3;--"
    "c7:#8b4513}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#16181d;--ink:#e8eaed;--soft:#a9b1bb;"
    "--rule:#3a4049;--heat:#6baed6;--on-cold:#ffffff;--on-hot:#000000;"
    "--c0:#56b4e9;--c1:#f08a3c;--c2:#2fc79a;--c3:#e39bc6;--c4:#dddddd;--c5:#f0e442;--c6:#b3a1ff;--"
    "c7:#d9a273}}\n"
    "body{margin:0 auto;padding:1.5rem;max-width:60rem;background:var(--paper);color:var(--ink);"
    "font:1rem/1.55 system-ui,sans-serif}\n"
    "h1{line-height:1.2}h2{margin-top:2.5rem}p{max-width:45rem}\n"
    "figure{margin:1.5rem 0;overflow-x:auto}figcaption,caption{color:var(--soft);text-align:left;"
    "margin:.3rem 0}\n"
    "svg{display:block;width:100%;max-width:56rem;height:auto;font:12px system-ui,sans-serif;"
    "fill:var(--ink)}\n"
    ".wide{overflow-x:auto}table{border-collapse:collapse;margin:1.2rem 0;"
    "font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.3rem .8rem;border-bottom:1px solid var(--rule);text-align:right;"
    "white-space:nowrap}th:first-child,.words th,.words td{text-align:left}\n"
    "pre{padding:.8rem;border:1px solid var(--rule);white-space:pre-wrap;overflow-wrap:anywhere}\n"
    ".grid{stroke:var(--rule)}.axis{stroke:var(--soft);fill:none}.line{fill:none;stroke-width:2}"
    ".band{stroke:none;fill-opacity:.16}.heat{fill:var(--heat);stroke:var(--rule)}"
    ".cold{fill:var(--on-cold)}.hot{fill:var(--on-hot)}\n"
    "@media print{body{max-width:none}h2,figcaption{break-after:avoid}figure,tr{break-inside:avoid}"
    "}\n";

/* A tag around a text that is not changed. */
static void put_element(struct vl_page *page, const char *tag, const char *text)
{
    if (page->stream == NULL)
        return;
    fprintf(page->stream, "<%s>", tag);
    vl_markup_text(page->stream, text);
    fprintf(page->stream, "</%s>\n", tag);
}

static void put_part(FILE *stream, const char *text, size_t length)
{
    char *part = strndup(text, length);
    vl_markup_text(stream, part);
    free(part);
}

/* A sentence: text between backquotes is code, as on the terminal. */
static void put_prose(FILE *stream, const char *text)
{
    const char *open, *close;
    while (text != NULL && (open = strchr(text, '`')) != NULL &&
           (close = strchr(open + 1, '`')) != NULL) {
        put_part(stream, text, (size_t)(open - text));
        fputs("<code>", stream);
        put_part(stream, open + 1, (size_t)(close - open - 1));
        fputs("</code>", stream);
        text = close + 1;
    }
    vl_markup_text(stream, text);
}

static void put_sentence(struct vl_page *page, const char *tag, const char *text)
{
    if (page->stream == NULL)
        return;
    fprintf(page->stream, "<%s>", tag);
    put_prose(page->stream, text);
    fprintf(page->stream, "</%s>\n", tag);
}

static void put(struct vl_page *page, const char *markup)
{
    if (page->stream != NULL)
        fputs(markup, page->stream);
}

void vl_page_open(struct vl_page *page, const char *title, const char *summary)
{
    char language[16];
    memset(page, 0, sizeof *page);
    page->stream = open_memstream(&page->text, &page->bytes);
    snprintf(language, sizeof language, "%s", vl_text_language());
    if (strchr(language, '_') != NULL)
        *strchr(language, '_') = '-'; /* as the web writes it: pt-BR */
    put(page, "<!DOCTYPE html>\n<html lang=\"");
    put(page, language);
    put(page, "\">\n<head>\n<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
              "content=\"width=device-width, initial-scale=1\"/>\n");
    put_element(page, "title", title);
    put(page, "<style>\n");
    put(page, style);
    put(page, "</style>\n</head>\n<body>\n<main>\n");
    put_element(page, "h1", title);
    vl_page_paragraph(page, summary);
}

void vl_page_heading(struct vl_page *page, const char *text)
{
    put(page, page->sections++ > 0 ? "</section>\n<section>\n" : "<section>\n");
    put_element(page, "h2", text);
}

void vl_page_paragraph(struct vl_page *page, const char *text)
{
    put_sentence(page, "p", text);
}

void vl_page_sentence(struct vl_page *page, const char *format, ...)
{
    va_list values;
    char *text = NULL;
    va_start(values, format);
    if (vasprintf(&text, format, values) < 0)
        text = NULL;
    va_end(values);
    if (text != NULL)
        vl_page_paragraph(page, text);
    free(text);
}

void vl_page_verbatim(struct vl_page *page, const char *text)
{
    put_element(page, "pre", text);
}

void vl_page_how(struct vl_page *page, const char *command, const char *version, const char *commit,
                 const char *date)
{
    vl_page_heading(page, _("How it was run"));
    vl_page_verbatim(page, command);
    vl_page_sentence(page, _("Vialata %1$s, commit %2$s, on %3$s."), version, commit, date);
}

void vl_page_figure(struct vl_page *page, const char *caption)
{
    page->caption = caption;
    put(page, "<figure>\n");
}

void vl_page_end_figure(struct vl_page *page)
{
    put_sentence(page, "figcaption", page->caption);
    put(page, "</figure>\n");
    page->caption = NULL;
}

static void put_cell(struct vl_page *page, const char *tag, const char *scope, const char *text)
{
    if (page->stream == NULL)
        return;
    fprintf(page->stream, "<%s%s>", tag, scope);
    put_prose(page->stream, text);
    fprintf(page->stream, "</%s>", tag);
}

static void begin_table(struct vl_page *page, const char *tag, const char *caption,
                        const char *const *heads, size_t columns)
{
    put(page, "<div class=\"wide\" tabindex=\"0\">\n");
    put(page, tag);
    put_sentence(page, "caption", caption);
    put(page, "<thead>\n<tr>");
    for (size_t i = 0; i < columns; i++)
        put_cell(page, "th", " scope=\"col\"", heads[i]);
    put(page, "</tr>\n</thead>\n<tbody>\n");
}

void vl_page_table(struct vl_page *page, const char *caption, const char *const *heads,
                   size_t columns)
{
    begin_table(page, "<table>\n", caption, heads, columns);
}

void vl_page_table_of_words(struct vl_page *page, const char *caption, const char *const *heads,
                            size_t columns)
{
    begin_table(page, "<table class=\"words\">\n", caption, heads, columns);
}

void vl_page_row(struct vl_page *page, const char *const *cells, size_t columns)
{
    put(page, "<tr>");
    for (size_t i = 0; i < columns; i++)
        put_cell(page, i == 0 ? "th" : "td", i == 0 ? " scope=\"row\"" : "", cells[i]);
    put(page, "</tr>\n");
}

void vl_page_end_table(struct vl_page *page)
{
    put(page, "</tbody>\n</table>\n</div>\n");
}

enum vl_status vl_page_take(struct vl_page *page, char **text)
{
    put(page, page->sections > 0 ? "</section>\n</main>\n</body>\n</html>\n"
                                 : "</main>\n</body>\n</html>\n");
    int failed = page->stream == NULL || ferror(page->stream);
    if (page->stream != NULL)
        failed |= fclose(page->stream) != 0;
    page->stream = NULL;
    *text = failed ? NULL : page->text;
    if (!failed)
        page->text = NULL;
    vl_page_drop(page);
    return failed ? VL_ENOMEM : VL_OK;
}

enum vl_status vl_page_write(struct vl_page *page, const char *path)
{
    char *text;
    enum vl_status status = vl_page_take(page, &text);
    if (status == VL_OK)
        status = vl_file_write(path, text, strlen(text));
    free(text);
    return status;
}

void vl_page_drop(struct vl_page *page)
{
    if (page->stream != NULL)
        fclose(page->stream);
    free(page->text);
    memset(page, 0, sizeof *page);
}

void vl_page_begin_picture(FILE *stream, double wide, double high)
{
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" "
            "height=\"%.0f\">\n<style>%s</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" style=\"fill:var(--paper)\"/>\n",
            wide, high, wide, high, style);
}
