#include "report/draw/roofline_picture.h"

#include "base/number.h"
#include "base/text.h"
#include "report/draw/markup.h"
#include "report/draw/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LEFT   64.0 /* pixels */
#define WIDE   560.0
#define GAP    44.0 /* to the labels */
#define RIGHT  250.0
#define TOP    44.0
#define HIGH   384.0
#define BELOW  50.0
#define LABEL  16.0 /* from one label to the next */
#define RADIUS 4.5

/* Logarithms of what the axes begin and end with: whole decades. */
struct sheet {
    FILE *stream;
    const struct vl_roofline *roofline;
    double top; /* of the picture, pixels */
    double x_low, x_high, y_low, y_high;
};

void vl_roofline_add(struct vl_roofline *roofline, const struct vl_roofline_point *point)
{
    if (roofline->count < VL_ROOFLINE_POINTS && point->intensity > 0 && point->gflops > 0)
        roofline->points[roofline->count++] = *point;
}

static void widen(double *low, double *high, double value)
{
    *low = fmin(*low, floor(log10(value)));
    *high = fmax(*high, ceil(log10(value)));
}

static void find_scale(struct sheet *sheet)
{
    const struct vl_roofline *r = sheet->roofline;
    sheet->x_low = sheet->y_low = INFINITY;
    sheet->x_high = sheet->y_high = -INFINITY;
    widen(&sheet->x_low, &sheet->x_high, r->gflops / r->gbytes);
    widen(&sheet->y_low, &sheet->y_high, r->gflops);
    for (size_t i = 0; i < r->count; i++) {
        widen(&sheet->x_low, &sheet->x_high, r->points[i].intensity);
        widen(&sheet->y_low, &sheet->y_high, r->points[i].gflops);
    }
    if (sheet->x_high <= sheet->x_low)
        sheet->x_high = sheet->x_low + 1;
    if (sheet->y_high <= sheet->y_low)
        sheet->y_low = sheet->y_high - 1;
}

static double x_of(const struct sheet *sheet, double intensity)
{
    return LEFT + WIDE * (log10(intensity) - sheet->x_low) / (sheet->x_high - sheet->x_low);
}

static double y_of(const struct sheet *sheet, double gflops)
{
    return sheet->top + TOP +
           HIGH * (sheet->y_high - log10(gflops)) / (sheet->y_high - sheet->y_low);
}

/* ---- axes and the roof ---- */

static void put_decade(char number[VL_NUMBER_TEXT], int power)
{
    vl_number_text(number, pow(10, power), power < 0 ? -power : 0);
}

static void put_axes(const struct sheet *sheet)
{
    double bottom = sheet->top + TOP + HIGH;
    char number[VL_NUMBER_TEXT];
    for (int power = (int)sheet->y_low; power <= (int)sheet->y_high; power++) {
        double y = y_of(sheet, pow(10, power));
        fprintf(sheet->stream, "<path class=\"grid\" d=\"M%.1f %.1fh%.1f\"/>\n", LEFT, y, WIDE);
        put_decade(number, power);
        vl_markup_label(sheet->stream, LEFT - 8, y + 4, "end", number);
    }
    for (int power = (int)sheet->x_low; power <= (int)sheet->x_high; power++) {
        double x = x_of(sheet, pow(10, power));
        fprintf(sheet->stream, "<path class=\"grid\" d=\"M%.1f %.1fv%.1f\"/>\n", x, bottom, -HIGH);
        put_decade(number, power);
        vl_markup_label(sheet->stream, x, bottom + 18, "middle", number);
    }
    vl_markup_label(sheet->stream, 8, sheet->top + TOP - 12, "start", "GFLOP/s");
    vl_markup_label(sheet->stream, LEFT + WIDE, bottom + 36, "end",
                    /* TRANSLATORS: the name of an axis */
                    _("FLOPs per byte"));
}

static void put_roof(const struct sheet *sheet)
{
    const struct vl_roofline *r = sheet->roofline;
    double first = pow(10, sheet->x_low), ridge = r->gflops / r->gbytes;
    double begin = fmax(first, pow(10, sheet->y_low) / r->gbytes);
    fprintf(sheet->stream,
            "<path class=\"line\" style=\"stroke:var(--c1)\" d=\"M%.1f %.1fL%.1f %.1fH%.1f\"/>\n",
            x_of(sheet, begin), y_of(sheet, begin * r->gbytes), x_of(sheet, ridge),
            y_of(sheet, r->gflops), LEFT + WIDE);
}

/* ---- points and their labels ---- */

static int by_height(const void *a, const void *b)
{
    double x = ((const struct vl_roofline_point *)a)->gflops,
           y = ((const struct vl_roofline_point *)b)->gflops;
    return (y > x) - (y < x);
}

/* As high as its point where that is free, else below the label before it; all end above the axis. */
static void find_labels(double y[VL_ROOFLINE_POINTS], const struct sheet *sheet)
{
    const struct vl_roofline *r = sheet->roofline;
    double last = sheet->top + TOP + HIGH;
    for (size_t i = 0; i < r->count; i++) {
        y[i] = y_of(sheet, r->points[i].gflops);
        if (i > 0)
            y[i] = fmax(y[i], y[i - 1] + LABEL);
    }
    for (size_t i = r->count; i-- > 0; last -= LABEL)
        y[i] = fmin(y[i], last);
}

static void put_points(const struct sheet *sheet)
{
    const struct vl_roofline *r = sheet->roofline;
    double labels[VL_ROOFLINE_POINTS], beside = LEFT + WIDE + GAP;
    find_labels(labels, sheet);
    for (size_t i = 0; i < r->count; i++)
        fprintf(sheet->stream,
                "<path class=\"axis\" style=\"stroke-width:.6\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
                x_of(sheet, r->points[i].intensity), y_of(sheet, r->points[i].gflops), beside - 4,
                labels[i]);
    for (size_t i = 0; i < r->count; i++) {
        const struct vl_roofline_point *p = &r->points[i];
        char share[VL_NUMBER_TEXT], text[256];
        fprintf(sheet->stream,
                "<circle style=\"fill:var(--c0)\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
                x_of(sheet, p->intensity), y_of(sheet, p->gflops), RADIUS);
        snprintf(text, sizeof text, "%s %s", p->name, vl_number_percent(share, p->share, 0));
        vl_markup_label(sheet->stream, beside, labels[i] + 4, "start", text);
    }
}

static void put_part(FILE *stream, const struct vl_roofline *part, double top)
{
    struct vl_roofline sorted = *part;
    struct sheet sheet = {.stream = stream, .roofline = &sorted, .top = top};
    char text[256], gflops[VL_NUMBER_TEXT], gbytes[VL_NUMBER_TEXT];
    /* TRANSLATORS: a model's shape, then what the machine can do */
    snprintf(text, sizeof text, _("%1$s (%2$s GFLOP/s, %3$s GB/s)"), part->title,
             vl_number_text(gflops, part->gflops, 1), vl_number_text(gbytes, part->gbytes, 1));
    qsort(sorted.points, sorted.count, sizeof *sorted.points, by_height);
    find_scale(&sheet);
    vl_markup_label(stream, LEFT, top + 16, "start", text);
    put_axes(&sheet);
    put_roof(&sheet);
    put_points(&sheet);
}

enum vl_status vl_roofline_svg(char **svg, const struct vl_roofline *parts, size_t count)
{
    const double wide = LEFT + WIDE + GAP + RIGHT, high = TOP + HIGH + BELOW;
    size_t bytes = 0;
    *svg = NULL;
    FILE *stream = open_memstream(svg, &bytes);
    if (stream == NULL)
        return VL_ENOMEM;
    vl_page_begin_picture(stream, wide, (double)count * high);
    vl_markup_picture(stream, wide, (double)count * high, _("Roofline of the operators of a step"),
                      _("`vialata bench step --operators` prints the numbers; both axes are "
                        "logarithmic. An operator without FLOPs has no point."));
    for (size_t i = 0; i < count; i++)
        put_part(stream, &parts[i], (double)i * high);
    fputs("</svg>\n</svg>\n", stream);
    int bad = ferror(stream) != 0;
    if (fclose(stream) != 0 || bad) {
        free(*svg);
        *svg = NULL;
        return VL_ENOMEM;
    }
    return VL_OK;
}
