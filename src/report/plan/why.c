#include "report/plan/why.h"

#include "base/number.h"
#include "base/text.h"
#include "report/plan/ranking.h"
#include "report/verdict/formats.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* An assumption, and by which factors it is changed. A share stays a share. */
struct assumption {
    const char *figure;
    size_t offset; /* of a double in struct vl_setting */
    double down, up;
    int is_share;
};

#define OF_CLUSTER(field) offsetof(struct vl_setting, cluster.field)

/* The factors say how far the figure could be from the truth: published figures of efficiency differ
 * by a tenth, those of what is hidden by more, and nobody publishes reserves and latencies. */
static const struct assumption assumptions[] = {
    {"efficiency", OF_CLUSTER(efficiency), 0.9, 1.1, 1},
    {"memory_bandwidth", OF_CLUSTER(memory_bandwidth), 0.8, 1.25, 0},
    {"hidden_gathers", OF_CLUSTER(hidden_gathers), 0.625, 1.25, 1},
    {"hidden_experts", OF_CLUSTER(hidden_experts), 0.625, 1.25, 1},
    {"hidden_pipeline", OF_CLUSTER(hidden_pipeline), 0.625, 1.25, 1},
    {"hidden_closing", OF_CLUSTER(hidden_closing), 0.625, 1.25, 1},
    {"reserve_bytes", OF_CLUSTER(reserve_bytes), 0.5, 2, 0},
    {"inner.bandwidth", OF_CLUSTER(inner.bandwidth), 0.8, 1.25, 0},
    {"outer.latency", OF_CLUSTER(outer.latency), 0.5, 2, 0},
    {"kept_bytes", offsetof(struct vl_setting, recipe.kept_bytes), 0.8, 1.25, 0},
};

static double *figure_of(struct vl_setting *setting, const struct assumption *assumption)
{
    return (double *)(void *)((char *)setting + assumption->offset);
}

static enum vl_status crossover_with(double *crossover, double *value,
                                     const struct vl_ranking *ranking,
                                     const struct assumption *assumption, double factor)
{
    struct vl_ranking changed = {
        .setting = ranking->setting, .chips = ranking->chips, .slack = ranking->slack};
    double *figure = figure_of(&changed.setting, assumption);
    *figure *= factor;
    if (assumption->is_share && *figure > 1)
        *figure = 1;
    *value = *figure;
    enum vl_status status = vl_ranking_make(&changed);
    *crossover = changed.count > 0 ? changed.crossover : INFINITY;
    vl_ranking_free(&changed);
    return status;
}

/* By which factor the crossover moves; 1 if it stays. */
static double reach_of(const struct vl_why_line *line)
{
    double a = line->crossovers[0], b = line->crossovers[1];
    return isinf(a) && isinf(b) ? 1 : fmax(a, b) / fmin(a, b);
}

/* For qsort: the one that moves it more comes first. */
static int compare(const void *one, const void *other)
{
    double a = reach_of(one), b = reach_of(other);
    return (a < b) - (a > b);
}

enum vl_status vl_why_make(struct vl_why *why, const struct vl_ranking *ranking)
{
    *why = (struct vl_why){.least = ranking->crossover, .most = ranking->crossover};
    for (size_t i = 0; i < sizeof assumptions / sizeof *assumptions; i++) {
        const struct assumption *a = &assumptions[i];
        struct vl_setting now = ranking->setting;
        struct vl_why_line line = {.figure = a->figure};
        if (!(*figure_of(&now, a) > 0)) /* what is 0 is not scaled */
            continue;
        for (int up = 0; up < 2; up++) {
            enum vl_status status = crossover_with(&line.crossovers[up], &line.values[up], ranking,
                                                   a, up ? a->up : a->down);
            if (status != VL_OK)
                return status;
            why->least = fmin(why->least, line.crossovers[up]);
            why->most = fmax(why->most, line.crossovers[up]);
        }
        why->lines[why->count++] = line;
    }
    qsort(why->lines, why->count, sizeof *why->lines, compare);
    return VL_OK;
}

/* ---- shown ---- */

static char *bandwidth_text(char text[VL_NUMBER_TEXT], double bandwidth)
{
    return isinf(bandwidth) ? vl_ranking_giga(text, VL_RANKING_HIGH)
                            : vl_ranking_giga(text, bandwidth);
}

static const char *sign_of(double bandwidth)
{
    return isinf(bandwidth) ? "> " : bandwidth <= VL_RANKING_LOW ? "<= " : "";
}

static void put_line(const struct vl_why_line *line, const struct vl_terminal *terminal)
{
    char value[2][VL_NUMBER_TEXT], found[2][VL_NUMBER_TEXT];
    for (int up = 0; up < 2; up++) {
        vl_number_short(value[up], line->values[up], 3);
        bandwidth_text(found[up], line->crossovers[up]);
    }
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        /* TRANSLATORS: a figure's name, a value, "> " or nothing and GB/s, and the same again */
        _("`%1$s`: with %2$s it is %3$s%4$s GB/s, with %5$s %6$s%7$s GB/s."), line->figure,
        value[0], sign_of(line->crossovers[0]), found[0], value[1], sign_of(line->crossovers[1]),
        found[1]);
}

void vl_why_write(const struct vl_why *why, const struct vl_terminal *terminal)
{
    char least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    if (why->count == 0)
        return;
    bandwidth_text(least, why->least);
    bandwidth_text(most, why->most);
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        /* TRANSLATORS: bandwidths; "> ", "<= " or nothing stands before each */
        _("With one assumption changed at a time, the crossover is from %1$s%2$s to "
          "%3$s%4$s GB/s."),
        sign_of(why->least), least, sign_of(why->most), most);
    if (reach_of(&why->lines[0]) > 1)
        vl_terminal_sentence(terminal, VL_STYLE_PLAIN, _("What moves it most is `%s`."),
                             why->lines[0].figure);
    fputc('\n', terminal->stream);
    for (size_t i = 0; i < why->count; i++)
        put_line(&why->lines[i], terminal);
}

json_t *vl_why_json(const struct vl_why *why)
{
    json_t *figures = json_array();
    for (size_t i = 0; i < why->count; i++) {
        const struct vl_why_line *line = &why->lines[i];
        json_array_append_new(figures, json_pack("{ss s[oo] s[oo]}", "figure", line->figure,
                                                 "values", vl_json_real(line->values[0]),
                                                 vl_json_real(line->values[1]), "crossovers",
                                                 vl_json_real(line->crossovers[0]),
                                                 vl_json_real(line->crossovers[1])));
    }
    return json_pack("{so so so}", "least", vl_json_real(why->least), "most",
                     vl_json_real(why->most), "figures", figures);
}
