/* A ranking in words: its subject, what follows from it, its assumptions and its sources. */
#include "report/plan/ranking.h"

#include "base/number.h"
#include "base/text.h"
#include "report/draw/plot.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GIGA       1e9
#define MOST_RATIO 2.0             /* of the plot: larger ones would hide small differences */
#define SUPPOSED   "an assumption" /* how a source begins where nobody has published a figure */

struct numbers {
    char text[4][VL_NUMBER_TEXT];
};

static void heading(const struct vl_terminal *terminal, const char *text)
{
    fputc('\n', terminal->stream);
    vl_terminal_sentence(terminal, VL_STYLE_BOLD, "%s", text);
}

static void paragraph(const struct vl_terminal *terminal, const char *text)
{
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, "%s", text);
}

char *vl_ranking_giga(char text[VL_NUMBER_TEXT], double value)
{
    return value >= 1000 * GIGA ? vl_number_text(text, value / GIGA, 0)
                                : vl_number_short(text, value / GIGA, 4);
}

/* ---- the table ---- */

static void put_title(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    struct numbers n;
    vl_terminal_sentence(terminal, VL_STYLE_BOLD, _("%1$s, chips: %2$s, %3$s"),
                         ranking->model_title, vl_number_text(n.text[0], (double)ranking->chips, 0),
                         ranking->machine_title);
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         ranking->most_pipeline == 1
                             ? _("Layouts without a pipeline that fit into the memory: %s. The "
                                 "fastest first:")
                             : _("Layouts that fit into the memory: %s. The fastest first:"),
                         vl_number_text(n.text[0], (double)ranking->count, 0));
    fputc('\n', terminal->stream);
}

static void put_legend(const struct vl_terminal *terminal)
{
    paragraph(
        terminal,
        _("`dp` times `ep` are whole replicas, and `ep` of them share the experts; `tp` chips "
          "share a layer; `pp` stages have `v` chunks of layers each; a replica makes `m` "
          "micro-batches; `keep` is what forward leaves for backward."));
    paragraph(terminal,
              _("MFU counts attention in full and nothing twice, against the peak of all chips. "
                "The bubble is the share of the step's total time in which a chip waits for other "
                "stages. GB are billions of bytes of one chip: weights, gradients, optimizer state "
                "and what is kept."));
    paragraph(
        terminal,
        _("The columns from arithmetic to left are seconds of one chip in a step, each as if there "
          "were nothing else. What travels in a tensor group is never hidden. What travels in each "
          "micro-batch (experts, pipeline, data) is hidden behind arithmetic, except for what is "
          "exposed. What travels between replicas once per step (closing) is hidden behind the "
          "last backward, except for what is left."));
}

static void put_own(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    struct numbers n;
    const struct vl_forecast *own = &ranking->own;
    const struct vl_cluster *cluster = &ranking->setting.cluster;
    if (!ranking->has_own)
        return;
    fputc('\n', terminal->stream);
    if (!own->fits)
        vl_terminal_sentence(
            terminal, VL_STYLE_BAD,
            _("Your layout does not fit: with the reserve it takes %1$s GB, and a chip has %2$s "
              "GB. A higher `zero`, or `keep=input`, takes less."),
            vl_ranking_giga(n.text[0], own->state_bytes + own->kept_bytes + cluster->reserve_bytes),
            vl_ranking_giga(n.text[1], cluster->memory_bytes));
    else if (ranking->own_place == 1)
        paragraph(terminal, _("No layout is faster than yours."));
    else
        vl_terminal_sentence(
            terminal, VL_STYLE_PLAIN,
            _("Your layout is number %1$s of %2$s: a step takes %3$s longer than with the best."),
            vl_number_text(n.text[0], (double)ranking->own_place, 0),
            vl_number_text(n.text[1], (double)ranking->count, 0),
            vl_number_percent(n.text[2], own->step.seconds / ranking->best[0].step.seconds - 1, 1));
}

/* ---- the crossover ---- */

static bool is_any_finite(const double *values)
{
    for (size_t i = 0; i < VL_RANKING_POINTS; i++)
        if (isfinite(values[i]))
            return true;
    return false;
}

static void say_crossover(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    struct numbers n;
    int over = isinf(ranking->crossover), below = ranking->crossover <= VL_RANKING_LOW;
    vl_ranking_giga(n.text[0], over    ? VL_RANKING_HIGH
                               : below ? VL_RANKING_LOW
                                       : ranking->crossover);
    vl_number_percent(n.text[1], ranking->slack, 1);
    vl_ranking_giga(n.text[2], ranking->setting.cluster.outer.bandwidth);
    const char *format =
        /* TRANSLATORS: a bandwidth, percent, and the bandwidth that the machine has */
        over ? _("Even at %1$s GB/s per chip between domains, the best layout without a pipeline "
                 "takes more than %2$s longer than the best of all. The machine has %3$s GB/s.")
        : below
            ? _("Already at %1$s GB/s per chip between domains, the best layout without a pipeline "
                "takes at most %2$s longer than the best of all. The machine has %3$s GB/s.")
            : _("At %1$s GB/s per chip between domains or more, the best layout without a pipeline "
                "takes at most %2$s longer than the best of all. The machine has %3$s GB/s.");
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, format, n.text[0], n.text[1], n.text[2]);
}

static void plot(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    double more[VL_RANKING_POINTS];
    for (size_t i = 0; i < VL_RANKING_POINTS; i++) {
        double ratio = ranking->without[i] / ranking->with[i];
        more[i] = ratio <= MOST_RATIO ? 100 * (ratio - 1) : NAN;
    }
    if (!is_any_finite(more))
        return;
    fputc('\n', terminal->stream);
    vl_plot_curve(terminal, more, VL_RANKING_POINTS, lround(VL_RANKING_LOW / GIGA),
                  lround(VL_RANKING_HIGH / GIGA));
    fputc('\n', terminal->stream);
    paragraph(terminal,
              _("How much longer, in percent, the best without a pipeline takes than the best with "
                "one, over the GB/s between domains (a logarithmic scale). Where it takes more "
                "than twice as long, nothing is drawn."));
}

/* With the road that the machine has; the crossover need not say it, since on a broader road another
 * layout with a pipeline may be the best. */
static void say_here(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    struct numbers n;
    double best[2] = {INFINITY, INFINITY}; /* without, and with a pipeline */
    for (size_t i = ranking->count; i-- > 0;)
        best[ranking->best[i].division.pipeline > 1] = ranking->best[i].step.seconds;
    if (!isfinite(best[0]) || !isfinite(best[1]))
        return;
    double more = best[0] / best[1] - 1;
    vl_number_percent(n.text[0], fabs(more), 1);
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         more > 0 ? _("At the machine's own bandwidth, the best without a pipeline "
                                      "takes %s longer than the best with one.")
                                  : _("At the machine's own bandwidth, the best without a pipeline "
                                      "takes %s less time than the best with one."),
                         n.text[0]);
}

static void put_crossover(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    heading(terminal, _("Is a pipeline needed?"));
    if (!is_any_finite(ranking->without))
        paragraph(terminal, _("Yes: without a pipeline no layout fits into the memory."));
    else if (!is_any_finite(ranking->with))
        paragraph(terminal, _("No: there is no layout with a pipeline that fits."));
    else {
        say_crossover(ranking, terminal);
        say_here(ranking, terminal);
        plot(ranking, terminal);
        if (ranking->why != NULL) {
            heading(terminal, _("What the crossover depends on"));
            vl_why_write(ranking->why, terminal);
        } else {
            paragraph(terminal, _("`--why` changes one assumption after another, and says how far "
                                  "the crossover moves."));
        }
    }
}

/* ---- assumptions and sources ---- */

/* What a chip reaches, and why it is less than its peak. */
static void put_compute(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    struct numbers n;
    const struct vl_cluster *cluster = &ranking->setting.cluster;
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        /* TRANSLATORS: percent, and two numbers of billions of bytes */
        _("Products that keep all processors busy reach %1$s of a chip's peak. Of its %3$s GB, %2$s "
          "GB are a reserve for buffers and code."),
        vl_number_percent(n.text[0], cluster->efficiency, 0),
        vl_ranking_giga(n.text[1], cluster->reserve_bytes),
        vl_ranking_giga(n.text[2], cluster->memory_bytes));
    if (cluster->processors > 0)
        vl_terminal_sentence(
            terminal, VL_STYLE_PLAIN,
            /* TRANSLATORS: rows, columns, and how many processors a chip has (more than one) */
            _("A product is cut into tiles of %1$s x %2$s, one for each of %3$s processors at a "
              "time."),
            vl_number_text(n.text[0], (double)cluster->tile_rows, 0),
            vl_number_text(n.text[1], (double)cluster->tile_columns, 0),
            vl_number_text(n.text[2], (double)cluster->processors, 0));
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        /* TRANSLATORS: a bandwidth, and percent */
        _("What is not a product takes as long as a chip's memory needs for it, at %1$s GB/s. All in "
          "all the fastest layout reaches %2$s of the peak while it computes."),
        vl_ranking_giga(n.text[0], cluster->memory_bandwidth),
        vl_number_percent(n.text[1], ranking->best[0].efficiency, 0));
}

static void put_assumptions(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    struct numbers n;
    const struct vl_cluster *cluster = &ranking->setting.cluster;
    const struct vl_recipe *recipe = &ranking->setting.recipe;
    heading(terminal, _("What is assumed"));
    put_compute(ranking, terminal);
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        /* TRANSLATORS: four shares in percent */
        _("Compute hides messages for this share of its time: gathers and scatters %1$s, exchanges "
          "of experts %2$s, messages between stages %3$s, and the closing of a step %4$s."),
        vl_number_percent(n.text[0], cluster->hidden_gathers, 0),
        vl_number_percent(n.text[1], cluster->hidden_experts, 0),
        vl_number_percent(n.text[2], cluster->hidden_pipeline, 0),
        vl_number_percent(n.text[3], cluster->hidden_closing, 0));
    paragraph(terminal,
              cluster->levels == 1
                  ? _("Replicas sum and gather in one ring over all chips.")
                  : _("Replicas sum and gather in two levels: first inside a domain, then "
                      "between domains."));
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        /* TRANSLATORS: each pair is a bandwidth reached, and that of the data sheet */
        _("Inside a domain a chip sends %1$s of nominally %2$s GB/s, between domains %3$s of %4$s."),
        vl_ranking_giga(n.text[0], cluster->inner.bandwidth),
        vl_ranking_giga(n.text[1], cluster->inner.nominal),
        vl_ranking_giga(n.text[2], cluster->outer.bandwidth),
        vl_ranking_giga(n.text[3], cluster->outer.nominal));
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN,
                         _("Chips of a domain: %1$s. Network cards that they share: %2$s."),
                         vl_number_text(n.text[0], (double)cluster->domain, 0),
                         vl_number_text(n.text[1], (double)cluster->cards, 0));
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        _("Bytes of a parameter: %1$s for its weight, %2$s for its gradient, %3$s for the "
          "optimizer. Bytes of an element that is kept for backward: %4$s."),
        vl_number_short(n.text[0], recipe->weight_bytes, 4),
        vl_number_short(n.text[1], recipe->gradient_bytes, 4),
        vl_number_short(n.text[2], recipe->optimizer_bytes, 4),
        vl_number_short(n.text[3], recipe->kept_bytes, 4));
    vl_terminal_sentence(
        terminal, VL_STYLE_PLAIN,
        _("Bytes of an element on the road: %1$s between layers, %2$s to an expert "
          "and %3$s back. A batch has %4$s sequences."),
        vl_number_short(n.text[0], recipe->element_bytes, 4),
        vl_number_short(n.text[1], recipe->dispatch_bytes, 4),
        vl_number_short(n.text[2], recipe->combine_bytes, 4),
        vl_number_text(n.text[3], (double)recipe->batch, 0));
    paragraph(terminal, _("The schedule is 1F1B, or interleaved where `v` is above 1; all experts "
                          "get the same number of tokens."));
}

/* The part of a source that figures may share: what is before ": ", or all of an assumption. */
static size_t common_of(const char *source)
{
    const char *end = strstr(source, ": ");
    return end == NULL || strncmp(source, SUPPOSED, strlen(SUPPOSED)) == 0 ? strlen(source)
                                                                           : (size_t)(end - source);
}

static const char *source_of(const json_t *pair)
{
    const char *source = json_string_value(json_array_get(pair, 1));
    return source != NULL ? source : "";
}

static bool is_same(const char *one, const char *other)
{
    return common_of(one) == common_of(other) && strncmp(one, other, common_of(one)) == 0;
}

static char *joined(const char *name, const char *what)
{
    char *text;
    /* TRANSLATORS: a name and what is said of it */
    return asprintf(&text, _("%1$s: %2$s"), name, what) < 0 ? NULL : text;
}

static const char *translated_half(const char *half)
{
    return half[0] != '\0' ? _(half) : half;
}

/* The course's own sources are in the catalogues, half by half (po/figures.cmake); those of another
 * file stay as they are. The caller frees it; NULL without memory. */
static char *translated(const char *source, size_t length)
{
    char *head = strndup(source, length), *text;
    char *colon = head != NULL ? strstr(head, ": ") : NULL;
    if (colon == NULL) {
        text = head != NULL ? strdup(translated_half(head)) : NULL;
    } else {
        *colon = '\0';
        text = joined(translated_half(head), translated_half(colon + 2));
    }
    free(head);
    return text;
}

/* "layers, width: config.json of ...": the figures of this part with one source. */
static void put_source(const struct vl_terminal *terminal, json_t *part, const char *source)
{
    char *text = NULL;
    size_t bytes;
    const char *name;
    json_t *pair;
    FILE *stream = open_memstream(&text, &bytes);
    int count = 0;
    if (stream == NULL)
        return;
    json_object_foreach(part, name, pair)
    {
        if (is_same(source_of(pair), source))
            fprintf(stream, "%s%s", count++ > 0 ? ", " : "", name);
    }
    char *said = translated(source, count > 1 ? common_of(source) : strlen(source));
    char *line = fclose(stream) == 0 && said != NULL ? joined(text, said) : NULL;
    if (line != NULL)
        vl_terminal_paragraph(terminal, VL_STYLE_DIM, 2, line);
    free(line);
    free(said);
    free(text);
}

static void put_part(const struct vl_terminal *terminal, json_t *file, const char *name)
{
    json_t *part = json_object_get(file, name);
    const char *figure, *earlier;
    json_t *pair, *before;
    json_object_foreach(part, figure, pair)
    {
        int is_first = 1;
        json_object_foreach(part, earlier, before)
        {
            if (before == pair)
                break;
            is_first = is_first && !is_same(source_of(before), source_of(pair));
        }
        if (is_first)
            put_source(terminal, part, source_of(pair));
    }
}

void vl_ranking_write_sources(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    static const char *const of_model[] = {"model", "recipe"};
    static const char *const of_machine[] = {"cluster", "inner", "outer"};
    heading(terminal, _("Where the figures are from"));
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, "%s:", ranking->model_title);
    for (size_t i = 0; i < sizeof of_model / sizeof *of_model; i++)
        put_part(terminal, ranking->model_file, of_model[i]);
    vl_terminal_sentence(terminal, VL_STYLE_PLAIN, "%s:", ranking->machine_title);
    for (size_t i = 0; i < sizeof of_machine / sizeof *of_machine; i++)
        put_part(terminal, ranking->machine_file, of_machine[i]);
}

void vl_ranking_write(const struct vl_ranking *ranking, const struct vl_terminal *terminal)
{
    put_title(ranking, terminal);
    vl_ranking_write_table(ranking, terminal);
    put_legend(terminal);
    put_own(ranking, terminal);
    put_crossover(ranking, terminal);
    put_assumptions(ranking, terminal);
    vl_ranking_write_sources(ranking, terminal);
}
