#include "cli/commands/sample.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/run/job.h"
#include "cli/train/train.h"
#include <stdio.h>
#include <stdlib.h>

void vl_sample_event(void *context, const json_t *event)
{
    (void)context;
    const char *text = json_string_value(json_object_get(event, "text"));
    char *clean = text != NULL ? vl_utf8_clean(text) : NULL;
    if (clean != NULL)
        fputs(clean, stdout);
    fflush(stdout);
    free(clean);
}

static int run(const struct vl_arguments *arguments)
{
    struct vl_options options;
    int ranks = vl_trainer_ranks(VL_SAMPLE, arguments, &options);
    if (ranks == 0)
        return VL_EXIT_USAGE;
    struct vl_job job = {.command = "sample",
                         .words = (const char *const *)arguments->words,
                         .count = arguments->count,
                         .ranks = ranks,
                         .event = vl_sample_event};
    enum vl_exit status = vl_job_run(&job);
    if (status == VL_EXIT_OK)
        putchar('\n');
    return status;
}

const struct vl_command vl_command_sample = {
    .name = "sample",
    .takes = "",
    .summary = N_("Let a model write."),
    .trainer = VL_SAMPLE,
    .run = run,
};
