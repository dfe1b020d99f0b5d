/* The crossover as a picture. */
#include "report/plan/ranking.h"

#include "base/number.h"
#include "base/text.h"
#include "report/draw/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define GIGA 1e9

void vl_ranking_draw(const struct vl_ranking *ranking, FILE *stream)
{
    char *title = NULL, chips[VL_NUMBER_TEXT];
    const struct vl_series series[] = {
        {.name = _("best with a pipeline"), .values = ranking->with},
        {.name = _("best without a pipeline"), .values = ranking->without},
    };
    vl_number_text(chips, (double)ranking->chips, 0);
    /* TRANSLATORS: title of a chart: a model, a number of chips, a machine */
    if (asprintf(&title, _("%1$s, chips: %2$s, %3$s"), ranking->model_title, chips,
                 ranking->machine_title) < 0)
        return;
    const struct vl_chart chart = {
        .title = title,
        .description = _("Seconds of the best layout with a pipeline and of the best without, over "
                         "the bandwidth between domains; both axes are logarithmic."),
        .x_label = _("bandwidth of one chip between domains, GB/s"),
        .y_label = _("s/step"),
        .first = log10(VL_RANKING_LOW / GIGA),
        .last = log10(VL_RANKING_HIGH / GIGA),
        .count = VL_RANKING_POINTS,
        .series = series,
        .series_count = sizeof series / sizeof *series,
        .logarithmic = 1,
        .x_decades = 1,
        .alone = 1};
    vl_chart_lines(stream, &chart);
    free(title);
}
