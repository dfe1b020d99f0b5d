#include "report/draw/markup.h"

#include "base/number.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

void vl_markup_text(FILE *stream, const char *text)
{
    char *clean = vl_utf8_clean(text);
    for (const char *at = clean; at != NULL && *at != '\0'; at++) {
        if (*at == '<')
            fputs("&lt;", stream);
        else if (*at == '>')
            fputs("&gt;", stream);
        else if (*at == '&')
            fputs("&amp;", stream);
        else if (*at == '"')
            fputs("&quot;", stream);
        else if (vl_number_parts(clean, (size_t)(at - clean)))
            fputs("\u00a0", stream);
        else
            fputc(*at, stream);
    }
    free(clean);
}

void vl_markup_picture(FILE *stream, double wide, double high, const char *title,
                       const char *description)
{
    fprintf(stream,
            "<svg viewBox=\"0 0 %.0f %.0f\" style=\"max-width:%.0fpx\" role=\"img\">\n<title>",
            wide, high, wide);
    vl_markup_text(stream, title);
    fputs("</title>\n", stream);
    if (description != NULL) {
        fputs("<desc>", stream);
        vl_markup_text(stream, description);
        fputs("</desc>\n", stream);
    }
}

void vl_markup_label(FILE *stream, double x, double y, const char *anchor, const char *text)
{
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    vl_markup_text(stream, text);
    fputs("</text>\n", stream);
}

double vl_markup_tick(double span, int most, int *decimals)
{
    double least = span / most, tick = pow(10, floor(log10(least)));
    tick *= least <= tick ? 1 : least <= 2 * tick ? 2 : least <= 5 * tick ? 5 : 10;
    *decimals = tick >= 1 ? 0 : (int)fmin(9, ceil(-log10(tick) - 1e-9));
    return tick;
}
