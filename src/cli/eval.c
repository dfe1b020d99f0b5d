#include "base/number.h"
#include "base/text.h"
#include "cli/job.h"
#include "cli/train.h"
#include "report/terminal.h"
#include <stdio.h>

static void show_json(void *context, const json_t *event)
{
    (void)context;
    json_dumpf(event, stdout, JSON_INDENT(2)); /* all digits */
    putchar('\n');
}

static void show(void *context, const json_t *event)
{
    (void)context;
    char text[512], loss[VL_NUMBER_TEXT], windows[VL_NUMBER_TEXT], bytes[VL_NUMBER_TEXT];
    struct vl_terminal terminal;
    if (json_object_get(event, "loss") == NULL)
        return;
    snprintf(text, sizeof text, _("Loss: %1$s nats a byte, over %2$s bytes (windows: %3$s)."),
             vl_number_text(loss, json_number_value(json_object_get(event, "loss")), 4),
             vl_number_text(bytes, json_number_value(json_object_get(event, "bytes")), 0),
             vl_number_text(windows, json_number_value(json_object_get(event, "windows")), 0));
    vl_terminal_open(&terminal, stdout);
    vl_terminal_paragraph(&terminal, VL_STYLE_PLAIN, 0, text);
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

static const struct vl_flag flags[] = {
    {"checkpoint", "FILE", N_("the model, as `train --save` wrote it")},
    {"data", "FILE", N_("the text to be judged on; the course's own by default")},
    {"json", NULL, N_("the result as JSON, with all digits")},
    {0},
};

const struct vl_command vl_command_eval = {
    .name = "eval",
    .takes = "",
    .summary = N_("Measure how well a model knows a text: its mean loss."),
    .flags = flags,
    .trainer = 1,
    .run = run,
};
