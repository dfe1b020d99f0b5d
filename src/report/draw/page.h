/*
 * A page you can keep: one HTML file with everything in it, no script and nothing to fetch, light
 * or dark as the reader's browser asks. It is XML too (void elements are closed), so any tool can
 * read it.
 *
 *   struct vl_page page;
 *   vl_page_open(&page, _("Title"), _("One sentence on what this is."));
 *   vl_page_heading(&page, _("Loss"));
 *   vl_page_paragraph(&page, sentence);
 *   vl_page_figure(&page, _("Caption"));      ... vl_chart_lines(page.stream, &chart) ...
 *   vl_page_end_figure(&page);
 *   status = vl_page_write(&page, path);      or vl_page_drop
 *
 * Texts may hold any bytes: they are cleaned and escaped here. An error on the way is kept, and
 * returned by vl_page_write.
 */
#ifndef VIALATA_REPORT_DRAW_PAGE_H
#define VIALATA_REPORT_DRAW_PAGE_H

#include "vialata/status.h"
#include <stddef.h>
#include <stdio.h>

struct vl_page {
    FILE *stream; /* for charts; NULL if there was no memory: then nothing is written */
    char *text;
    size_t bytes;
    const char *caption; /* of the figure that is open, the caller's */
    int sections;        /* headings so far */
};

/* In the language in force; 'title' is also the first heading, 'summary' the paragraph below. */
void vl_page_open(struct vl_page *page, const char *title, const char *summary);

/* Begin a section. In its paragraphs, captions and cells, text between two backquotes is code. */
void vl_page_heading(struct vl_page *page, const char *text);
void vl_page_paragraph(struct vl_page *page, const char *text);
/* A paragraph with values in it; 'format' is translated already. */
void vl_page_sentence(struct vl_page *page, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As it is, in a monospaced font: a command, a log. */
void vl_page_verbatim(struct vl_page *page, const char *text);

/* The section "How it was run": the command, and which program ran it on which day. */
void vl_page_how(struct vl_page *page, const char *command, const char *version, const char *commit,
                 const char *date);

/* Between the two, whatever is written to page->stream. The caption stays the caller's until then.
 */
void vl_page_figure(struct vl_page *page, const char *caption);
void vl_page_end_figure(struct vl_page *page);

/* heads[0..columns), then rows of as many cells: the first of a row names it. */
void vl_page_table(struct vl_page *page, const char *caption, const char *const *heads,
                   size_t columns);
/* The same for words rather than numbers: cells are aligned on the left. */
void vl_page_table_of_words(struct vl_page *page, const char *caption, const char *const *heads,
                            size_t columns);
void vl_page_row(struct vl_page *page, const char *const *cells, size_t columns);
void vl_page_end_table(struct vl_page *page);

/* Close the page, and write the whole file or nothing. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_page_write(struct vl_page *page, const char *path);
/* Close the page, and give its text to the caller, who frees it. VL_ENOMEM. */
enum vl_status vl_page_take(struct vl_page *page, char **text);
/* Throw it away. Safe on a zeroed, written, taken or dropped page. */
void vl_page_drop(struct vl_page *page);

/* A picture that stands alone, in the colours of a page: "<svg ...>" with a sheet of paper in it,
 * that size in pixels. "</svg>" ends it. */
void vl_page_begin_picture(FILE *stream, double wide, double high);

#endif
