/* A study as a page you can keep. */
#include "report/study/study.h"

#include "base/number.h"
#include "base/text.h"
#include "report/draw/page.h"
#include "report/study/study_parts.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- cells ---- */

#define CELL (3 * VL_NUMBER_TEXT + 8)

/* "1.752 (1.749 to 1.755)". */
static void spread_text(char text[CELL], struct vl_study_spread spread, int decimals)
{
    char mean[VL_NUMBER_TEXT], least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    vl_number_text(mean, spread.mean, decimals);
    vl_number_text(least, spread.least, decimals);
    vl_number_text(most, spread.most, decimals);
    if (spread.least < spread.most)
        /* TRANSLATORS: in a cell of a table: a mean, and from the least to the most */
        snprintf(text, CELL, _("%1$s (%2$s to %3$s)"), mean, least, most);
    else
        snprintf(text, CELL, "%s", mean);
}

/* A row per way: its name and two spreads. */
static void put_spreads(struct vl_page *page, const struct vl_study *study,
                        const struct vl_study_spread (*rows)[2], const int decimals[2])
{
    for (size_t w = 0; w < study->way_count; w++) {
        char name[VL_STUDY_NAME], one[CELL], other[CELL];
        const char *const cells[] = {name, one, other};
        vl_study_way_name(name, &study->ways[w]);
        spread_text(one, rows[w][0], decimals[0]);
        spread_text(other, rows[w][1], decimals[1]);
        vl_page_row(page, cells, 3);
    }
}

static void put_sentence(struct vl_page *page, const struct vl_study *study, size_t i)
{
    struct vl_study_findings findings;
    vl_study_find(&findings, study);
    char *sentence = vl_study_sentence(study, &findings, i);
    vl_page_paragraph(page, sentence);
    free(sentence);
}

/* ---- sections ---- */

static void put_loss(struct vl_page *page, const struct vl_study *study)
{
    const char *const heads[] = {_("way"), _("last quarter of the steps"), _("whole text")};
    struct vl_study_spread rows[VL_STUDY_WAYS][2];
    vl_page_heading(page, _("Loss"));
    vl_study_put_curve(page, study, VL_STUDY_LOSS, 0);
    vl_study_put_curve(page, study, VL_STUDY_LOSS, vl_study_late_begin(study));
    for (size_t w = 0; w < study->way_count; w++) {
        rows[w][0] = vl_study_late_spread(study, w, VL_STUDY_LOSS);
        rows[w][1] = vl_study_evaluated(study, w);
    }
    vl_page_table(page,
                  _("Loss in nats per byte: mean over the seeds, and from the lowest to the "
                    "highest"),
                  heads, 3);
    put_spreads(page, study, (const struct vl_study_spread(*)[2])rows, (const int[]){4, 4});
    vl_page_end_table(page);
    put_sentence(page, study, 1);
    put_sentence(page, study, 2);
    vl_page_paragraph(
        page, _("What larger models show: Wang et al. 2024 (arXiv:2408.15664) compare the bias "
                "with an auxiliary loss of α = 0.001. With the bias the perplexity was 9.50 "
                "instead of 9.56 at 1 billion parameters, and 7.92 instead of 7.97 at 3 billion."));
}

static void put_load(struct vl_page *page, const struct vl_study *study)
{
    const char *const heads[] = {_("way"), "MaxVio", _("compared with no balancing")};
    vl_page_heading(page, _("How even the load is"));
    vl_page_paragraph(
        page, _("MaxVio is how far the most loaded expert is above the mean: 0 where all have the "
                "same, 1 where one has twice the mean. It is the mean over the layers, of the "
                "batch of each step."));
    vl_study_put_curve(page, study, VL_STUDY_VIOLATION, 0);
    vl_page_table(page,
                  _("MaxVio in the last quarter of the steps: mean over the seeds, and from the "
                    "lowest to the highest"),
                  heads, 3);
    double none = vl_study_late_spread(study, 0, VL_STUDY_VIOLATION).mean;
    for (size_t w = 0; w < study->way_count; w++) {
        struct vl_study_spread late = vl_study_late_spread(study, w, VL_STUDY_VIOLATION);
        char name[VL_STUDY_NAME], cell[CELL], share[VL_NUMBER_TEXT];
        const char *const cells[] = {name, cell, share};
        vl_study_way_name(name, &study->ways[w]);
        spread_text(cell, late, 3);
        vl_number_text(share, late.mean / none, 2);
        vl_page_row(page, cells, 3);
    }
    vl_page_end_table(page);
    put_sentence(page, study, 0);
}

static void put_interference(struct vl_page *page, const struct vl_study *study)
{
    const char *const heads[] = {_("way"), _("size"), _("cosine")};
    struct vl_study_spread rows[VL_STUDY_WAYS][2];
    vl_page_heading(page, _("Interference"));
    vl_page_paragraph(
        page,
        _("An auxiliary loss has a gradient of its own, and the router learns from the sum "
          "of both. Size is the length of this gradient over that of the language model's; "
          "cosine is that of the angle between them: below zero one undoes a part of the "
          "other. Both are measured on the router's weights, and are means over the layers."));
    vl_study_put_curve(page, study, VL_STUDY_SIZE, 0);
    vl_study_put_curve(page, study, VL_STUDY_COSINE, 0);
    for (size_t w = 0; w < study->way_count; w++) {
        rows[w][0] = vl_study_late_spread(study, w, VL_STUDY_SIZE);
        rows[w][1] = vl_study_late_spread(study, w, VL_STUDY_COSINE);
    }
    vl_page_table(page,
                  _("Interference in the last quarter of the steps: mean over the seeds, and from "
                    "the lowest to the highest"),
                  heads, 3);
    put_spreads(page, study, (const struct vl_study_spread(*)[2])rows, (const int[]){4, 4});
    vl_page_end_table(page);
    put_sentence(page, study, 3);
}

static void put_memory(struct vl_page *page, const struct vl_study *study)
{
    char loss[CELL], bias[CELL], stage[64], one[VL_NUMBER_TEXT], other[VL_NUMBER_TEXT];
    const char *const heads[] = {VL_PGETTEXT("pipeline", "stage"), loss, bias};
    const char *const cells[] = {stage, one, other};
    vl_page_heading(page, _("What it costs a pipeline"));
    vl_page_paragraph(
        page, _("The auxiliary loss of a whole batch needs the load of the whole batch, so no "
                "backward may begin before the last forward has ended: the pipeline is bound to "
                "the schedule `afab`, and each stage keeps the activations of every micro-batch. "
                "The bias learns from counts when the batch is over, and is content with `1f1b`."));
    if (!study->has_memory) {
        vl_page_paragraph(page, _("It was not measured here: the two ranks that this takes could "
                                  "not be started on this machine. `vialata doctor` looks at it."));
        return;
    }
    snprintf(loss, sizeof loss, "%s", _("auxiliary loss, afab"));
    snprintf(bias, sizeof bias, "%s", _("bias, 1f1b"));
    vl_page_table(page, _("The most bytes of activations that forward keeps for backward"), heads,
                  3);
    for (size_t s = 0; s < VL_STUDY_STAGES; s++) {
        snprintf(stage, sizeof stage, "%zu", s);
        vl_number_bytes(one, (uint64_t)study->memory[VL_STUDY_LOSS_AFAB][s].kept);
        vl_number_bytes(other, (uint64_t)study->memory[VL_STUDY_BIAS_1F1B][s].kept);
        vl_page_row(page, cells, 3);
    }
    vl_page_end_table(page);
    double kept = study->memory[VL_STUDY_LOSS_AFAB][0].kept,
           lean = study->memory[VL_STUDY_BIAS_1F1B][0].kept;
    vl_page_sentence(page,
                     /* TRANSLATORS: micro-batches, and a ratio of bytes */
                     _("Measured on two stages with %1$zu micro-batches: on the first stage "
                       "the exact loss keeps %2$s times as much."),
                     study->micro_batches, vl_number_text(one, kept / lean, 1));
}

static json_int_t integer_at(const json_t *object, const char *key)
{
    return json_integer_value(json_object_get(object, key));
}

static void put_options(struct vl_page *page, const json_t *options)
{
    char *line = NULL;
    size_t bytes, i;
    const json_t *word;
    FILE *stream = open_memstream(&line, &bytes);
    if (stream == NULL)
        return;
    fputs("vialata train", stream);
    json_array_foreach(options, i, word) fprintf(stream, " %s", json_string_value(word));
    if (fclose(stream) == 0)
        vl_page_verbatim(page, line);
    free(line);
}

static void put_how(struct vl_page *page, const struct vl_study *study)
{
    const json_t *run = study->run, *shape = json_object_get(run, "shape");
    char parameters[VL_NUMBER_TEXT];
    vl_page_how(page, study->command, json_string_value(json_object_get(run, "version")),
                json_string_value(json_object_get(run, "commit")), study->date);
    vl_page_sentence(
        page,
        /* TRANSLATORS: sizes of a model; the last two: experts, and how many a token chooses */
        _("The model has %1$s parameters: layers: %2$d, width: %3$d, heads: %4$d, sequence: %5$d, "
          "experts: %6$d, chosen by a token: %7$d, and a shared one."),
        vl_number_text(parameters, (double)integer_at(run, "parameters"), 0),
        (int)integer_at(shape, "layers"), (int)integer_at(shape, "width"),
        (int)integer_at(shape, "heads"), (int)integer_at(shape, "sequence"),
        (int)integer_at(run, "experts"), (int)integer_at(run, "top_k"));
    vl_page_sentence(page,
                     _("Each way was trained from %1$zu seeds (starting with 1) for %2$zu steps on "
                       "the text of this course, in five languages. The same runs by hand, with "
                       "seed 1, one way after the other:"),
                     study->seeds, study->steps);
    for (size_t w = 0; w < study->way_count; w++)
        put_options(page, study->ways[w].options);
}

enum vl_status vl_study_page(const struct vl_study *study, const char *path)
{
    struct vl_page page;
    vl_page_open(&page, _("Balancing experts: a loss or a bias?"),
                 _("One small model with experts, trained in several ways that differ only in how "
                   "the load of the experts is kept even."));
    put_loss(&page, study);
    put_load(&page, study);
    put_interference(&page, study);
    vl_study_put_languages(&page, study);
    put_memory(&page, study);
    put_how(&page, study);
    return vl_page_write(&page, path);
}
