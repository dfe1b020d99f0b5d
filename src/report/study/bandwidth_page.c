/* A study of bandwidth as a page you can keep. */
#include "report/study/bandwidth.h"
#include "report/study/bandwidth_parts.h"

#include "base/text.h"
#include "version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CELL (3 * VL_NUMBER_TEXT + 8)

static void put_sentences(struct vl_page *page, const struct vl_bandwidth *study)
{
    struct vl_bandwidth_findings findings;
    char *sentence;
    vl_bandwidth_find(&findings, study);
    for (size_t i = 0; (sentence = vl_bandwidth_sentence(study, &findings, i)) != NULL; i++) {
        vl_page_paragraph(page, sentence);
        free(sentence);
    }
}

static void put_crossover(struct vl_page *page, const struct vl_bandwidth *study)
{
    vl_page_heading(page, _("From narrow to broad"));
    vl_page_paragraph(
        page, _("With data parallelism every host computes with the whole model, and sends all "
                "gradients once a step: the broader the road, the sooner they arrive. A pipeline "
                "sends little, but its hosts wait for each other at the beginning and at the end, "
                "however broad the road is. So the two lines cross."));
    vl_bandwidth_put_figure(page, study,
                            vl_bandwidth_steps(study, 0) > 1
                                ? _("Seconds of a step. Lines: medians, straight between the "
                                    "roads. Bands: from the lower to the upper quartile.")
                                : _("Seconds of a step, straight between the roads."));
    put_sentences(page, study);
}

/* ---- the table ---- */

/* "412 (405 to 431)", in milliseconds. */
static void measured_text(char text[CELL], struct vl_bandwidth_spread spread)
{
    char median[VL_NUMBER_TEXT], low[VL_NUMBER_TEXT], high[VL_NUMBER_TEXT];
    vl_number_text(median, 1e3 * spread.median, 0);
    vl_number_text(low, 1e3 * spread.low, 0);
    vl_number_text(high, 1e3 * spread.high, 0);
    if (spread.low < spread.high)
        /* TRANSLATORS: in a cell of a table: a median, and from one quartile to the other */
        snprintf(text, CELL, _("%1$s (%2$s to %3$s)"), median, low, high);
    else
        snprintf(text, CELL, "%s", median);
}

/* Seconds of another source, and how far they are from the measured ones. */
static void other_text(char text[CELL], double seconds, double measured)
{
    char number[VL_NUMBER_TEXT], gap[VL_NUMBER_TEXT];
    if (!isfinite(seconds)) {
        snprintf(text, CELL, "-");
        return;
    }
    vl_number_text(number, 1e3 * seconds, 0);
    vl_number_percent(gap, fabs(seconds / measured - 1), 0);
    snprintf(text, CELL, seconds < measured ? "%s (−%s)" : "%s (+%s)", number, gap);
}

static void put_cells(struct vl_page *page, const struct vl_bandwidth *study, int simulated)
{
    for (size_t r = 0; r < study->count; r++)
        for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++) {
            enum vl_bandwidth_way way = (enum vl_bandwidth_way)w;
            struct vl_bandwidth_spread spread = vl_bandwidth_measured(study, r, way);
            char rate[VL_NUMBER_TEXT], name[CELL], measured[CELL], planned[CELL], simulation[CELL];
            const char *const cells[] = {name, measured, planned, simulation};
            /* TRANSLATORS: the name of a row: a rate, and how the model was trained */
            snprintf(name, sizeof name, _("%1$s Mbit/s, %2$s"),
                     vl_bandwidth_rate(rate, study, study->roads[r].rate), vl_bandwidth_name(way));
            measured_text(measured, spread);
            other_text(planned, study->roads[r].cells[w].planned, spread.median);
            other_text(simulation, study->roads[r].cells[w].simulated, spread.median);
            vl_page_row(page, cells, simulated ? 4 : 3);
        }
}

static void put_table(struct vl_page *page, const struct vl_bandwidth *study)
{
    const char *const heads[] = {_("road and layout"),
                                 vl_bandwidth_source_name(VL_BANDWIDTH_MEASURED),
                                 vl_bandwidth_source_name(VL_BANDWIDTH_PLANNED),
                                 vl_bandwidth_source_name(VL_BANDWIDTH_SIMULATED)};
    int simulated = vl_bandwidth_has(study, VL_BANDWIDTH_SIMULATED);
    vl_page_heading(page, _("All numbers"));
    vl_page_table(
        page,
        simulated ? _("Milliseconds of a step: the median and quartiles of the measured times, and "
                      "the planned and simulated times with their distance from that median")
                  : _("Milliseconds of a step: the median and quartiles of the measured times, and "
                      "the planned time with its distance from that median"),
        heads, simulated ? 4 : 3);
    put_cells(page, study, simulated);
    vl_page_end_table(page);
}

static void put_roads(struct vl_page *page, const struct vl_bandwidth *study)
{
    const char *const heads[] = {_("rate, Mbit/s"), _("μs per message"), _("MB/s measured"),
                                 _("load average")};
    vl_page_heading(page, _("The roads, and the machine"));
    vl_page_paragraph(
        page, _("The two hosts are two network namespaces of this machine, and the road between "
                "them is a virtual cable whose rate `tc` limits. The rest is real: Open MPI talks "
                "over TCP, and each message is copied by the cores that also compute. The last "
                "column is the load average before each road: above the number of cores, other "
                "work made every step slower."));
    vl_page_table(page, _("What each road was like"), heads, 4);
    for (size_t r = 0; r < study->count; r++) {
        const struct vl_bandwidth_road *road = &study->roads[r];
        char rate[VL_NUMBER_TEXT], alpha[VL_NUMBER_TEXT], wide[VL_NUMBER_TEXT],
            load[VL_NUMBER_TEXT] = "-";
        const char *const cells[] = {rate, alpha, wide, load};
        vl_bandwidth_rate(rate, study, road->rate);
        vl_number_text(alpha, 1e6 * road->alpha, 0);
        vl_number_text(wide, 1e-6 / road->beta, 1);
        if (isfinite(road->load))
            vl_number_text(load, road->load, 1);
        vl_page_row(page, cells, 4);
    }
    vl_page_end_table(page);
}

/* ---- how ---- */

static size_t size_at(const json_t *object, const char *key)
{
    return (size_t)json_integer_value(json_object_get(object, key));
}

static void put_how(struct vl_page *page, const struct vl_bandwidth *study)
{
    const json_t *model = study->model;
    char parameters[VL_NUMBER_TEXT];
    vl_page_how(page, study->command, VL_VERSION, VL_COMMIT, study->date);
    vl_page_sentence(
        page,
        /* TRANSLATORS: sizes of a model; the last two: experts, and how many a token chooses */
        _("The model has %1$s parameters: layers: %2$zu, width: %3$zu, heads: %4$zu, sequence: "
          "%5$zu, experts: %6$zu, chosen by a token: %7$zu, and a shared one. A batch has %8$zu "
          "sequences, of which the pipeline makes %9$zu micro-batches."),
        vl_number_text(parameters, (double)size_at(model, "parameters"), 0),
        size_at(model, "layers"), size_at(model, "width"), size_at(model, "heads"),
        size_at(model, "sequence"), size_at(model, "experts"), size_at(model, "top_k"),
        size_at(model, "batch"), size_at(model, "micro_batches"));
    vl_page_sentence(
        page,
        _("On each road all layouts took turns, step by step, so that other work on "
          "the machine slowed all of them. Steps timed for each: %zu, after one that "
          "does not count. Their losses agree, so all of them trained the same model."),
        vl_bandwidth_steps(study, 0));
    vl_page_paragraph(
        page, _("The planner of lab 10 knows three things about this machine: the median step of a "
                "host that does all of the work while the other one does the same, and the time of "
                "a message and of a byte on each road. The road moves messages while the hosts "
                "compute, so the planner assumes that all messages that a layout sends early are "
                "hidden: weights of ZeRO-3, what a stage passes on, and gradients where they "
                "overlap. The bubble is that of the trainer's own schedule, in which a stage "
                "passes gradients on before it computes those of its weights. The planner takes "
                "both stages to be equally slow, and it shares out all of the work, even the "
                "update of the weights, which data parallelism repeats on every host. What it gets "
                "wrong is in the table."));
}

enum vl_status vl_bandwidth_page(const struct vl_bandwidth *study, const char *path)
{
    struct vl_page page;
    vl_page_open(&page, _("How broad must the road be?"),
                 _("One model on two hosts, trained in several ways over roads of several widths: "
                   "measured here, and computed by the planner."));
    put_crossover(&page, study);
    put_table(&page, study);
    put_roads(&page, study);
    put_how(&page, study);
    return vl_page_write(&page, path);
}
