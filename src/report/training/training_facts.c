#include "report/training/training_facts.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fact {
    const char *words;  /* N_() */
    const char *option; /* that sets it; "" if none does */
    const char *key;    /* in "run" ... */
    const char *below;  /* ... or in this object of it; NULL: in "run" itself */
};

static const struct fact model_facts[] = {
    {N_("parameters"), "", "parameters", NULL},
    {N_("layers"), "--layers", "layers", "shape"},
    {N_("width"), "--width", "width", "shape"},
    {N_("attention heads"), "--heads", "heads", "shape"},
    {N_("width of the feed-forward part, or of one expert"), "--ff", "ff", "shape"},
    {N_("bytes in a sequence"), "--sequence", "sequence", "shape"},
    {N_("experts in every layer, in addition to a shared one"), "--experts", "experts", NULL},
    {N_("experts that a token chooses"), "--top-k", "top_k", NULL},
    {N_("how their load is kept even"), "--balance", "balance", NULL},
    {N_("sequences in the global batch"), "--batch", "batch", NULL},
    {N_("highest learning rate"), "--lr", "peak_learning_rate", "optimizer"},
    {N_("seed"), "--seed", "seed", NULL},
};

static const struct fact layout_facts[] = {
    {N_("ranks"), "", "ranks", NULL},
    {N_("replicas that share the batch"), "--dp", "dp", NULL},
    {N_("ranks that share the experts"), "--ep", "ep", NULL},
    {N_("ranks that share every matrix"), "--tp", "tp", NULL},
    {N_("share the tokens between these matrices too"), "--sequence-parallel", "sequence_parallel",
     NULL},
    {N_("stages of the pipeline"), "--pp", "pp", NULL},
    {N_("schedule"), "--schedule", "schedule", NULL},
    {N_("chunks of the model on each stage"), "--chunks", "chunks", NULL},
    {N_("layers of each stage or chunk, in order"), "--stage-layers", "stage_layers", NULL},
    {N_("micro-batches in a step"), "--micro-batches", "micro_batches", NULL},
    {N_("ZeRO stage"), "--zero", "zero", NULL},
    {N_("activations forgotten and computed again"), "--recompute", "recompute", NULL},
};

/* ---- values as text ---- */

static void put_list(char *text, size_t size, const json_t *list)
{
    const json_t *one;
    size_t i, used = 0;
    text[0] = '\0';
    json_array_foreach(list, i, one)
    {
        if (used + 24 > size)
            return;
        used += (size_t)snprintf(text + used, size - used, "%s%lld", i > 0 ? ", " : "",
                                 (long long)json_integer_value(one));
    }
}

/* False for a value that is missing, "none" or off, or a count below 'least'. */
static bool put_value(char *text, size_t size, const json_t *value, long long least)
{
    char number[VL_NUMBER_TEXT];
    const char *word = json_string_value(value);
    text[0] = '\0';
    if (word != NULL && strcmp(word, "none") != 0)
        snprintf(text, size, "%s", word);
    else if (json_is_integer(value) && json_integer_value(value) >= least)
        snprintf(text, size, "%s", vl_number_text(number, (double)json_integer_value(value), 0));
    else if (json_is_real(value))
        snprintf(text, size, "%s", vl_number_short(number, json_real_value(value), 4));
    else if (json_is_true(value))
        snprintf(text, size, "%s", _("yes"));
    else if (json_is_array(value))
        put_list(text, size, value);
    return text[0] != '\0';
}

/* The first is always shown. */
static void put_facts(struct vl_page *page, const char *caption, const struct fact *facts,
                      size_t count, long long least, const json_t *run)
{
    const char *const heads[] = {_("What"), _("Option"), _("Value")};
    char value[512];
    vl_page_table_of_words(page, caption, heads, 3);
    for (size_t i = 0; i < count; i++) {
        const struct fact *fact = &facts[i];
        const json_t *from = fact->below != NULL ? json_object_get(run, fact->below) : run;
        const char *const cells[] = {_(fact->words), fact->option, value};
        if (put_value(value, sizeof value, json_object_get(from, fact->key), i > 0 ? least : 0))
            vl_page_row(page, cells, 3);
    }
    vl_page_end_table(page);
}

void vl_training_facts_model(struct vl_page *page, const json_t *run)
{
    put_facts(page, _("The model"), model_facts, sizeof model_facts / sizeof *model_facts, 1, run);
}

void vl_training_facts_layout(struct vl_page *page, const json_t *run)
{
    put_facts(page, _("The layout"), layout_facts, sizeof layout_facts / sizeof *layout_facts, 2,
              run);
}

/* ---- what came out ---- */

static void put_number(struct vl_page *page, const char *words, const char *value)
{
    const char *const cells[] = {words, value};
    vl_page_row(page, cells, 2);
}

static int ascending(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(const double *values, size_t count)
{
    double *sorted = malloc((count + 1) * sizeof *sorted), middle = NAN;
    size_t n = 0;
    for (size_t i = 0; sorted != NULL && i < count; i++)
        if (isfinite(values[i]))
            sorted[n++] = values[i];
    if (n > 0) {
        qsort(sorted, n, sizeof *sorted, ascending);
        middle = 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
    }
    free(sorted);
    return middle;
}

static double sum(const double *values, size_t count)
{
    double all = 0;
    for (size_t i = 0; i < count; i++)
        all += isfinite(values[i]) ? values[i] : 0;
    return all;
}

static void put_loss(struct vl_page *page, const struct vl_training_page *training, size_t i,
                     const char *format)
{
    char number[VL_NUMBER_TEXT], words[128];
    snprintf(words, sizeof words, format, i == 0 ? training->first : training->last);
    put_number(page, words, vl_number_text(number, training->values[VL_CURVE_LOSS][i], 4));
}

void vl_training_facts_numbers(struct vl_page *page, const struct vl_training_page *training)
{
    const char *const heads[] = {_("What"), _("Value")};
    const json_t *seconds = json_object_get(training->end, "seconds");
    double sent = sum(training->values[VL_CURVE_SENT], training->count);
    char number[VL_NUMBER_TEXT];
    vl_page_table(page, _("The run in numbers"), heads, 2);
    put_loss(page, training, 0, _("loss at step %ld, the first"));
    put_loss(page, training, training->count - 1, _("loss at step %ld, the last"));
    put_number(
        page, _("tokens per second (median of the steps)"),
        vl_number_text(number, median(training->values[VL_CURVE_SPEED], training->count), 0));
    if (seconds != NULL)
        put_number(page, _("seconds in all"),
                   vl_number_text(number, json_number_value(seconds), 1));
    if (sent > 0)
        put_number(page, _("sent between the ranks, in all"),
                   vl_number_bytes(number, (uint64_t)sent));
    if (isfinite(training->values[VL_CURVE_VIOLATION][training->count - 1]))
        put_number(
            page, _("MaxVio at the last step"),
            vl_number_text(number, training->values[VL_CURVE_VIOLATION][training->count - 1], 3));
    vl_page_end_table(page);
}
