/* A study of machines that are not here, as a page you can keep. */
#include "report/study/bandwidth_parts.h"
#include "report/study/chips.h"

#include "base/text.h"
#include "version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CELL 192

/* ---- all machines at a glance ---- */

static void put_crossovers(struct vl_page *page, const struct vl_chips *study)
{
    const char *const heads[] = {_("machine, chips"), _("in the file, GB/s"),
                                 vl_bandwidth_source_name(VL_BANDWIDTH_SIMULATED),
                                 vl_bandwidth_source_name(VL_BANDWIDTH_PLANNED)};
    vl_page_heading(page, _("Above which bandwidth is the pipeline no longer faster?"));
    vl_page_paragraph(
        page, _("With data parallelism every chip computes with the whole model, and all "
                "gradients are summed once a step: the broader the link, the sooner that is done. "
                "A pipeline sends little, but its chips wait for each other at the beginning and "
                "at the end, however broad the link is. So the two lines cross."));
    vl_page_table(page,
                  _("The crossover: the bandwidth above which data parallelism is at least as fast "
                    "as the pipeline"),
                  heads, 4);
    for (size_t p = 0; p < study->count; p++) {
        const struct vl_chips_panel *panel = &study->panels[p];
        struct vl_chips_findings f;
        char name[CELL], rate[VL_NUMBER_TEXT], simulated[VL_BANDWIDTH_PLACE],
            planned[VL_BANDWIDTH_PLACE];
        const char *const cells[] = {name, rate, simulated, planned};
        vl_chips_find(&f, panel);
        snprintf(name, sizeof name, _("%1$s, %2$zu chips"), panel->title, panel->chips);
        vl_bandwidth_rate(rate, &panel->roads, panel->bandwidth);
        vl_bandwidth_place(simulated, &panel->roads, f.crossover[VL_BANDWIDTH_SIMULATED]);
        vl_bandwidth_place(planned, &panel->roads, f.crossover[VL_BANDWIDTH_PLANNED]);
        vl_page_row(page, cells, 4);
    }
    vl_page_end_table(page);
}

/* ---- one of them ---- */

static void how_summed(char text[CELL], const struct vl_chips_layout *layout)
{
    if (layout->division.zero > 0)
        snprintf(text, CELL, "%s", _("in one ring, unit by unit, as weights are gathered"));
    else if (layout->overlap)
        snprintf(text, CELL, "%s", _("in one ring, in buckets, while backward runs"));
    else if (layout->neighbours > 0)
        snprintf(text, CELL, _("in two levels, first among %zu neighbours, after backward"),
                 layout->neighbours);
    else
        snprintf(text, CELL, "%s", _("in one ring, after backward"));
}

static void put_layouts(struct vl_page *page, const struct vl_chips_panel *panel)
{
    const char *const heads[] = {_("way"), _("layout"), _("how gradients are summed")};
    vl_page_table_of_words(page, _("How each way divides the work"), heads, 3);
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++) {
        const struct vl_chips_layout *layout = &panel->layouts[w];
        char division[VL_CHIPS_LAYOUT], code[CELL], summed[CELL];
        const char *const cells[] = {vl_bandwidth_name((enum vl_bandwidth_way)w), code, summed};
        if (layout->division.data == 0)
            continue;
        snprintf(code, sizeof code, "`%s`", vl_chips_layout_text(division, &layout->division));
        how_summed(summed, layout);
        vl_page_row(page, cells, 3);
    }
    vl_page_end_table(page);
}

/* "56.1 (58.0)": simulated, and planned in brackets; what is missing is left out. */
static void put_cell(char text[CELL], const struct vl_bandwidth *roads, size_t road,
                     enum vl_bandwidth_way way)
{
    double simulated = vl_bandwidth_seconds(roads, road, way, VL_BANDWIDTH_SIMULATED),
           planned = vl_bandwidth_seconds(roads, road, way, VL_BANDWIDTH_PLANNED);
    char one[VL_NUMBER_TEXT], other[VL_NUMBER_TEXT];
    vl_number_text(one, 1e3 * simulated, 1);
    vl_number_text(other, 1e3 * planned, 1);
    if (!isfinite(planned))
        snprintf(text, CELL, "-");
    else if (isfinite(simulated))
        snprintf(text, CELL, "%s (%s)", one, other);
    else
        snprintf(text, CELL, "(%s)", other);
}

static void put_numbers(struct vl_page *page, const struct vl_chips_panel *panel)
{
    const char *heads[1 + VL_BANDWIDTH_WAYS] = {_("GB/s of a chip")}, *cells[1 + VL_BANDWIDTH_WAYS];
    char texts[1 + VL_BANDWIDTH_WAYS][CELL], rate[VL_NUMBER_TEXT], factor[VL_NUMBER_TEXT];
    size_t columns = 1;
    for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
        if (panel->layouts[w].division.data > 0)
            heads[columns++] = vl_bandwidth_name((enum vl_bandwidth_way)w);
    vl_page_table(page, _("Milliseconds of a step: simulated, and planned in brackets"), heads,
                  columns);
    for (size_t r = 0; r < panel->roads.count; r++) {
        double bandwidth = panel->roads.roads[r].rate;
        size_t column = 0;
        /* TRANSLATORS: the name of a row: a bandwidth, and how many times that of the file it is */
        snprintf(texts[column++], CELL, _("%1$s (%2$s times the file's)"),
                 vl_bandwidth_rate(rate, &panel->roads, bandwidth),
                 vl_number_short(factor, bandwidth / panel->bandwidth, 3));
        for (size_t w = 0; w < VL_BANDWIDTH_WAYS; w++)
            if (panel->layouts[w].division.data > 0)
                put_cell(texts[column++], &panel->roads, r, (enum vl_bandwidth_way)w);
        for (size_t c = 0; c < column; c++)
            cells[c] = texts[c];
        vl_page_row(page, cells, column);
    }
    vl_page_end_table(page);
}

static void put_panel(struct vl_page *page, const struct vl_chips_panel *panel)
{
    struct vl_chips_findings findings;
    char name[CELL], *sentence;
    snprintf(name, sizeof name, _("%1$s, %2$zu chips"), panel->title, panel->chips);
    vl_page_heading(page, name);
    vl_bandwidth_put_figure(page, &panel->roads,
                            vl_bandwidth_has(&panel->roads, VL_BANDWIDTH_SIMULATED)
                                ? _("Seconds of a step, simulated and planned, straight between "
                                    "the bandwidths.")
                                : _("Seconds of a step, planned, straight between the "
                                    "bandwidths."));
    vl_chips_find(&findings, panel);
    for (size_t i = 0; (sentence = vl_chips_sentence(panel, &findings, i)) != NULL; i++) {
        vl_page_paragraph(page, sentence);
        free(sentence);
    }
    put_layouts(page, panel);
    put_numbers(page, panel);
}

/* ---- what it means ---- */

static void put_simulation(struct vl_page *page, const struct vl_chips *study)
{
    vl_page_heading(page, _("What is simulated, and what is not"));
    if (study->scale == 0) {
        vl_page_paragraph(page, _("Nothing is simulated on this page: SimGrid was missing. "
                                  "`vialata simulate` says how to get it."));
        return;
    }
    vl_page_paragraph(
        page, _("The messages are those of this course's engine and of the references of its labs: "
                "who sends to whom, in which order, and how many bytes. They travel through "
                "SimGrid, on links that are shared fairly; a message of n bytes that has a link to "
                "itself takes the latency, and n over the bandwidth."));
    vl_page_paragraph(
        page, _("The computing is not done. Each operator takes the larger of two times: its FLOPs "
                "at the speed of the chip, and its bytes at the speed of its memory, both as the "
                "machine's file has them. Every expert gets as many tokens. So there is no loss, "
                "and nothing is learnt."));
    vl_page_sentence(
        page,
        _("Widths and sequences are divided by %zu, and links, memory and chips are slowed down so "
          "that every time stays what it was. Messages travel as float32; the model has 2 bytes "
          "for each element, gradients too, so the links are faster by a factor of two. A step is "
          "simulated once: it always takes exactly the same time."),
        study->scale);
    vl_page_paragraph(
        page, _("Pieces of a sum that one chip sends to another travel one after the other, as on "
                "one connection. A ring through several domains leaves each of them by one chip, "
                "so it uses one of its links; two levels use them all. On a torus a ring uses one "
                "axis at a time, and one direction of it. Real machines use all axes and both "
                "directions at once, and so does the planner. Small sums, such as that of the "
                "loss, go around rings of all replicas, too. Real machines use trees for them."));
}

static void put_planner(struct vl_page *page)
{
    vl_page_heading(page, _("What the planner assumes"));
    vl_page_paragraph(
        page, _("The planner of lab 10 computes the same layouts from the same files, and it sums "
                "gradients as the simulation does: in as many levels, and with nothing to hide "
                "them where they are summed after backward. As in the simulator, products of all "
                "sizes are equally fast, although lab 10 knows that small ones are slower. All "
                "else is as `vialata plan` has it: the machine's file says how much is hidden "
                "behind compute."));
    vl_page_paragraph(
        page, _("The planner leaves out the update of the weights, which reads and writes a chip's "
                "whole state. The simulator counts it, and a pipeline shares it out among its "
                "stages, which data parallelism does not. Nobody has measured any of this: where "
                "the two disagree, at least one of them is wrong."));
}

static void put_how(struct vl_page *page, const struct vl_chips *study)
{
    const struct vl_blueprint *m = &study->model;
    char parameters[VL_NUMBER_TEXT];
    vl_page_how(page, study->command, VL_VERSION, VL_COMMIT, study->date);
    vl_page_sentence(
        page,
        /* TRANSLATORS: sizes of a model; 6 and 7: experts, and how many a token chooses */
        _("The model has %1$s parameters: layers: %2$zu, width: %3$zu, heads: %4$zu, sequence: "
          "%5$zu, experts: %6$zu, chosen by a token: %7$zu, and a shared one. A batch has %8$zu "
          "sequences for each chip, so more chips have more to do. Nothing is computed twice."),
        vl_number_text(parameters, study->parameters, 0), m->layers, m->width, m->heads,
        m->sequence, m->experts, m->chosen, study->recipe.batch);
}

enum vl_status vl_chips_page(const struct vl_chips *study, const char *path)
{
    struct vl_page page;
    vl_page_open(&page, _("How broad must the links be, on machines that are not here?"),
                 _("One model on several machines, divided among their chips in several ways, over "
                   "links of several bandwidths: simulated, and computed by the planner."));
    put_crossovers(&page, study);
    for (size_t p = 0; p < study->count; p++)
        put_panel(&page, &study->panels[p]);
    put_simulation(&page, study);
    put_planner(&page);
    put_how(&page, study);
    return vl_page_write(&page, path);
}
