/* A study of bandwidth on a terminal: a row for each road, and sentences about them. */
#include "report/study/bandwidth.h"
#include "report/study/bandwidth_parts.h"

#include "base/text.h"
#include "base/utf8.h"

#include <math.h>
#include <stdlib.h>

#define LEAST_COLUMNS 6 /* of a number */
#define GAP           2

/* Short names, so that all ways fit on a line. */
static const char *heading_of(enum vl_bandwidth_way way)
{
    static const char *const headings[VL_BANDWIDTH_WAYS] = {
        [VL_BANDWIDTH_ALONE] = N_("alone"),
        [VL_BANDWIDTH_DP] = "DP",
        /* TRANSLATORS: data parallel, overlapped; keep it short */
        [VL_BANDWIDTH_DP_OVERLAP] = N_("DP overl."),
        [VL_BANDWIDTH_ZERO3] = "ZeRO-3",
        [VL_BANDWIDTH_TP] = "TP",
        [VL_BANDWIDTH_PP] = "1F1B",
        [VL_BANDWIDTH_EP] = "EP"};
    return way == VL_BANDWIDTH_ALONE || way == VL_BANDWIDTH_DP_OVERLAP ? _(headings[way])
                                                                       : headings[way];
}

static void put(const struct vl_terminal *terminal, enum vl_style style, const char *heading,
                const char *text)
{
    int columns = vl_utf8_width(heading);
    vl_terminal_put(terminal, style, -((columns > LEAST_COLUMNS ? columns : LEAST_COLUMNS) + GAP),
                    text);
}

static void put_number(const struct vl_terminal *terminal, const char *heading, double value,
                       int decimals)
{
    char text[VL_NUMBER_TEXT];
    put(terminal, VL_STYLE_PLAIN, heading,
        isfinite(value) ? vl_number_text(text, value, decimals) : "-");
}

/* The largest distance between quartiles on a road, as a share of the median. */
static double spread_of(const struct vl_bandwidth *study, size_t road)
{
    double widest = 0;
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++) {
        struct vl_bandwidth_spread s = vl_bandwidth_measured(study, road, (enum vl_bandwidth_way)w);
        widest = fmax(widest, (s.high - s.low) / s.median);
    }
    return widest;
}

/* Whether any source has this way: a column of only dashes says nothing. */
static int has_column(const struct vl_bandwidth *study, size_t way)
{
    for (int s = 0; s < VL_BANDWIDTH_SOURCES; s++)
        if (vl_bandwidth_has_way(study, (enum vl_bandwidth_way)way, (enum vl_bandwidth_source)s))
            return 1;
    return 0;
}

static void put_heads(const struct vl_terminal *terminal, const struct vl_bandwidth *study,
                      const char *unit, const char *spread)
{
    put(terminal, VL_STYLE_BOLD, unit, unit);
    if (study->roads[0].runs > 0)
        put(terminal, VL_STYLE_BOLD, "MB/s", "MB/s");
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
        if (has_column(study, w))
            put(terminal, VL_STYLE_BOLD, heading_of((enum vl_bandwidth_way)w),
                heading_of((enum vl_bandwidth_way)w));
    if (spread != NULL)
        put(terminal, VL_STYLE_BOLD, spread, spread);
    fputc('\n', terminal->stream);
}

void vl_bandwidth_put_table(const struct vl_terminal *terminal, const struct vl_bandwidth *study,
                            enum vl_bandwidth_source source)
{
    int measured = source == VL_BANDWIDTH_MEASURED, gb = study->unit == VL_BANDWIDTH_GB;
    const char *unit = gb ? "GB/s" : "Mbit/s";
    const char *spread = measured && vl_bandwidth_steps(study, 0) > 1
                             /* TRANSLATORS: a column of a table: how far the steps of a cell are
                              * apart, in percent */
                             ? _("+-%")
                             : NULL;
    char rate[VL_NUMBER_TEXT];
    vl_terminal_sentence(terminal, VL_STYLE_BOLD, _("Milliseconds of a step, %s:"),
                         vl_bandwidth_source_name(source));
    put_heads(terminal, study, unit, spread);
    for (size_t r = 0; r < study->count; r++) {
        const struct vl_bandwidth_road *road = &study->roads[r];
        put(terminal, VL_STYLE_PLAIN, unit, vl_bandwidth_rate(rate, study, road->rate));
        if (road->runs > 0)
            put_number(terminal, "MB/s", 1e-6 / road->beta, 0);
        for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
            if (has_column(study, w))
                put_number(terminal, heading_of((enum vl_bandwidth_way)w),
                           1e3 * vl_bandwidth_seconds(study, r, (enum vl_bandwidth_way)w, source),
                           gb);
        if (spread != NULL)
            put_number(terminal, spread, 100 * spread_of(study, r), 0);
        fputc('\n', terminal->stream);
    }
    fputc('\n', terminal->stream);
}

void vl_bandwidth_table(const struct vl_bandwidth *study, const struct vl_terminal *terminal)
{
    struct vl_bandwidth_findings findings;
    char *sentence;
    for (int s = 0; s < VL_BANDWIDTH_SOURCES; s++)
        if (vl_bandwidth_has(study, (enum vl_bandwidth_source)s))
            vl_bandwidth_put_table(terminal, study, (enum vl_bandwidth_source)s);
    vl_terminal_paragraph(
        terminal, VL_STYLE_PLAIN, 0,
        _("Mbit/s: the rate that the road was given. MB/s: what arrived on it. DP: data parallel. "
          "TP: tensor parallel. 1F1B: pipeline. EP: expert parallel. Alone: each host does all "
          "of the work, and nothing is sent."));
    vl_bandwidth_find(&findings, study);
    for (size_t i = 0; (sentence = vl_bandwidth_sentence(study, &findings, i)) != NULL; i++) {
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0, sentence);
        free(sentence);
    }
}
