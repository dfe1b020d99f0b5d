#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/run/job.h"
#include "cli/train/train.h"
#include "report/draw/terminal.h"
#include <stdio.h>

#define EXPERT_COLUMNS 9 /* "12.5 %" and a gap */
#define EXPERTS_A_ROW  8 /* of one layer; the others follow below */

static void show_json(void *context, const json_t *event)
{
    (void)context;
    json_dumpf(event, stdout, JSON_INDENT(2)); /* all digits */
    putchar('\n');
}

static int name_columns(size_t layers)
{
    char name[64];
    snprintf(name, sizeof name, _("layer %zu"), layers);
    return vl_utf8_width(name) + 2;
}

/* A layer's shares, in rows of a few experts, and its MaxVio at the end. */
static void put_layer(const struct vl_terminal *terminal, size_t layer, int columns,
                      const json_t *shares, double violation)
{
    const json_t *share;
    size_t expert;
    char text[VL_NUMBER_TEXT];
    snprintf(text, sizeof text, _("layer %zu"), layer + 1);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, columns, text);
    json_array_foreach(shares, expert, share)
    {
        if (expert > 0 && expert % EXPERTS_A_ROW == 0)
            fprintf(terminal->stream, "\n%*s", columns, "");
        vl_terminal_put(terminal, VL_STYLE_PLAIN, -EXPERT_COLUMNS,
                        vl_number_percent(text, json_number_value(share), 1));
    }
    fprintf(terminal->stream, "  MaxVio %s\n", vl_number_text(text, violation, 2));
}

static void show_loads(const struct vl_terminal *terminal, const json_t *event)
{
    const json_t *shares, *loads = json_object_get(event, "loads");
    size_t layer;
    if (loads == NULL)
        return;
    fputc('\n', terminal->stream);
    vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 0,
                          _("The share of a layer's choices that each of its experts got, from the "
                            "first to the last:"));
    json_array_foreach(loads, layer, shares) put_layer(
        terminal, layer, name_columns(json_array_size(loads)), shares,
        json_number_value(json_array_get(json_object_get(event, "max_violation"), layer)));
}

static void show(void *context, const json_t *event)
{
    (void)context;
    char text[512], loss[VL_NUMBER_TEXT], windows[VL_NUMBER_TEXT], bytes[VL_NUMBER_TEXT];
    struct vl_terminal terminal;
    if (json_object_get(event, "loss") == NULL)
        return;
    snprintf(text, sizeof text, _("Loss: %1$s nats per byte, over %2$s bytes (windows: %3$s)."),
             vl_number_text(loss, json_number_value(json_object_get(event, "loss")), 4),
             vl_number_text(bytes, json_number_value(json_object_get(event, "bytes")), 0),
             vl_number_text(windows, json_number_value(json_object_get(event, "windows")), 0));
    vl_terminal_open(&terminal, stdout);
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, text);
    show_loads(&terminal, event);
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_options options;
    int ranks = vl_trainer_ranks(VL_EVAL, arguments, &options);
    if (ranks == 0)
        return VL_EXIT_USAGE;
    struct vl_job job = {.command = "eval",
                         .words = (const char *const *)arguments->words,
                         .count = arguments->count,
                         .ranks = ranks,
                         .event = options.json ? show_json : show};
    return vl_job_run(&job);
}

const struct vl_command vl_command_eval = {
    .name = "eval",
    .takes = "",
    .summary = N_("Measure how well a model knows a text: its mean loss."),
    .trainer = VL_EVAL,
    .run = run,
};
