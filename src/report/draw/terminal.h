/*
 * Where text for a person goes: a terminal with colours and a width, or a plain file.
 *
 * Colours and redrawing are for terminals only; NO_COLOR and TERM=dumb switch colours off. Glyphs
 * outside ASCII (bars, ticks, curves) are used only if the character set in force is UTF-8.
 */
#ifndef VIALATA_REPORT_DRAW_TERMINAL_H
#define VIALATA_REPORT_DRAW_TERMINAL_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct vl_terminal {
    FILE *stream;
    int live;    /* a terminal that can redraw a line */
    int colour;  /* escape sequences for colours are welcome */
    int unicode; /* UTF-8 glyphs are welcome */
    int columns; /* width to fill, at least 40 */
};

enum vl_style { VL_STYLE_PLAIN, VL_STYLE_BOLD, VL_STYLE_DIM, VL_STYLE_GOOD, VL_STYLE_BAD };

void vl_terminal_open(struct vl_terminal *terminal, FILE *stream);

/* Clean text (utf8.h) in a style; a negative width pads on the left, a positive one on the right.
 */
void vl_terminal_put(const struct vl_terminal *terminal, enum vl_style style, int width,
                     const char *text);

/* A paragraph wrapped at the terminal's width, every line indented. Cleans the text itself; its
 * own newlines stay. */
void vl_terminal_paragraph(const struct vl_terminal *terminal, enum vl_style style, int indent,
                           const char *text);

/* One clean line, wrapped in the same way: what comes after the first break is indented by 'hang'. */
void vl_terminal_hang(const struct vl_terminal *terminal, enum vl_style style, int indent, int hang,
                      const char *line, size_t length);

/* A paragraph that is a sentence with values in it; 'format' is translated already. */
void vl_terminal_sentence(const struct vl_terminal *terminal, enum vl_style style,
                          const char *format, ...) __attribute__((format(printf, 3, 4)));
void vl_terminal_sentence_with(const struct vl_terminal *terminal, enum vl_style style,
                               const char *format, va_list values)
    __attribute__((format(printf, 3, 0)));

/* A bar of 'width' columns, 'share' of it filled. */
void vl_terminal_bar(const struct vl_terminal *terminal, enum vl_style style, double share,
                     int width);

/* Go back to the start of the line and clear it (nothing where that cannot be done). */
void vl_terminal_restart_line(const struct vl_terminal *terminal);

#endif
