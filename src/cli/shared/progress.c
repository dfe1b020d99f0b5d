#include "cli/shared/progress.h"

#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "report/draw/plot.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BAR_COLUMNS    20
#define MEMORY_COLUMNS 40
#define MOST_BARS      64
#define REDRAW_SECONDS 0.1
#define PLAIN_TELLS    10 /* lines that a run leaves in a plain file */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

void vl_progress_open(struct vl_progress *progress, FILE *stream)
{
    memset(progress, 0, sizeof *progress);
    vl_terminal_open(&progress->terminal, stream);
}

static long integer_at(const json_t *object, const char *key)
{
    return (long)json_integer_value(json_object_get(object, key));
}

/* One bar per rank: the bytes of state it holds, on the scale of the fullest. */
static void draw_memory(const struct vl_progress *progress, const json_t *memory)
{
    static const char *const kinds[] = {"weights", "gradients", "moments", "lent"};
    const json_t *rank;
    size_t number;
    double most = 1, held[MOST_BARS] = {0};
    json_array_foreach(memory, number, rank)
    {
        for (size_t k = 0; number < MOST_BARS && k < sizeof kinds / sizeof *kinds; k++)
            held[number] += (double)integer_at(rank, kinds[k]);
        if (number < MOST_BARS && held[number] > most)
            most = held[number];
    }
    if (progress->whole > most)
        most = progress->whole;
    for (size_t i = 0; i < number && i < MOST_BARS; i++) {
        char text[128], bytes[VL_NUMBER_TEXT];
        /* TRANSLATORS: before a bar of the memory that one rank holds. */
        snprintf(text, sizeof text, _("rank %zu"), i);
        vl_terminal_put(&progress->terminal, VL_STYLE_PLAIN, 9, text);
        vl_terminal_bar(&progress->terminal, VL_STYLE_GOOD, held[i] / most, MEMORY_COLUMNS);
        fprintf(progress->terminal.stream, "  %s\n", vl_number_bytes(bytes, (uint64_t)held[i]));
    }
}

/* How the ranks share the model itself, if they do. */
static void tell_layout(const struct vl_progress *progress, const json_t *run)
{
    char text[512];
    long ranks = integer_at(run, "ranks"), dp = integer_at(run, "dp"), tp = integer_at(run, "tp"),
         pp = integer_at(run, "pp");
    if (tp < 2 && pp < 2)
        return;
    if (pp > 1)
        snprintf(text, sizeof text,
                 /* TRANSLATORS: ranks, three options, a schedule's name, micro-batches */
                 _("%1$ld ranks: `--dp %2$ld`, `--tp %3$ld`, `--pp %4$ld`, schedule `%5$s`, "
                   "micro-batches: %6$ld."),
                 ranks, dp, tp, pp, json_string_value(json_object_get(run, "schedule")),
                 integer_at(run, "micro_batches"));
    else
        snprintf(text, sizeof text, _("%1$ld ranks: `--dp %2$ld`, `--tp %3$ld`."), ranks, dp, tp);
    vl_terminal_paragraph(&progress->terminal, VL_STYLE_PLAIN, 0, text);
}

static void tell_experts(const struct vl_progress *progress, const json_t *run)
{
    char text[512];
    if (integer_at(run, "experts") < 1)
        return;
    /* TRANSLATORS: experts, how many a token chooses, and two options */
    snprintf(text, sizeof text,
             _("Experts in every layer: %1$ld, of which a token chooses %2$ld (`--ep %3$ld`, "
               "`--balance %4$s`)."),
             integer_at(run, "experts"), integer_at(run, "top_k"), integer_at(run, "ep"),
             json_string_value(json_object_get(run, "balance")));
    vl_terminal_paragraph(&progress->terminal, VL_STYLE_PLAIN, 0, text);
}

/* What the ranks are for, if there are several, and what each holds. */
static void tell_ranks(struct vl_progress *progress, const json_t *run)
{
    char text[512];
    long ranks = integer_at(run, "ranks"), dp = integer_at(run, "dp") * integer_at(run, "ep"),
         cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (ranks < 2)
        return;
    tell_layout(progress, run);
    progress->whole = 16.0 * (double)integer_at(run, "parameters");
    snprintf(text, sizeof text,
             ngettext("%1$ld replica, ZeRO stage %2$ld. Bytes of weights, gradients and optimizer "
                      "state on each rank (a full bar is what one device needs):",
                      "%1$ld replicas, ZeRO stage %2$ld. Bytes of weights, gradients and optimizer "
                      "state on each rank (a full bar is what one device needs):",
                      (unsigned long)dp),
             dp, integer_at(run, "zero"));
    vl_terminal_paragraph(&progress->terminal, VL_STYLE_PLAIN, 0, text);
    draw_memory(progress, json_object_get(run, "memory"));
    if (ranks > cores) {
        snprintf(text, sizeof text,
                 ngettext("They share %ld core, so this shows how it works, not how fast it is.",
                          "They share %ld cores, so this shows how it works, not how fast it is.",
                          (unsigned long)cores),
                 cores);
        vl_terminal_paragraph(&progress->terminal, VL_STYLE_PLAIN, 0, text);
    }
}

/* What recomputation leaves of the activations, if it is on. */
static void tell_kept(const struct vl_progress *progress, const json_t *run)
{
    const char *mode = json_string_value(json_object_get(run, "recompute"));
    const json_t *rank = json_array_get(json_object_get(run, "memory"), 0);
    char text[512], bytes[VL_NUMBER_TEXT];
    if (mode == NULL || strcmp(mode, "none") == 0 || rank == NULL)
        return;
    /* TRANSLATORS: bytes of activations, and a mode of recomputation */
    snprintf(text, sizeof text,
             _("Forward keeps %1$s for backward on each device (`--recompute %2$s`)."),
             vl_number_bytes(bytes, (uint64_t)integer_at(rank, "kept")), mode);
    vl_terminal_paragraph(&progress->terminal, VL_STYLE_PLAIN, 0, text);
}

/* What MFU is counted against. */
static void tell_peak(const struct vl_progress *progress, const json_t *run)
{
    const json_t *peak = json_object_get(run, "peak");
    double rate = json_number_value(json_object_get(peak, "flops_per_second"));
    char text[512], number[VL_NUMBER_TEXT];
    if (peak == NULL)
        return;
    /* TRANSLATORS: GFLOP/s; how many rows, and how many columns, the matrices have */
    snprintf(text, sizeof text,
             _("Measured peak: %1$s GFLOP/s (float32 matrix products of %2$ld by %2$ld, all ranks "
               "together). MFU is the share of this peak that the model needs, with attention in "
               "full and nothing counted twice."),
             vl_number_text(number, 1e-9 * rate, 0), integer_at(peak, "size"));
    vl_terminal_paragraph(&progress->terminal, VL_STYLE_PLAIN, 0, text);
}

static void tell_run(struct vl_progress *progress, const json_t *run)
{
    char text[512], parameters[VL_NUMBER_TEXT];
    progress->steps = integer_at(run, "steps");
    clock_gettime(CLOCK_MONOTONIC, &progress->began);
    vl_number_text(parameters, (double)integer_at(run, "parameters"), 0);
    if (integer_at(run, "resumed_from") > 0)
        snprintf(text, sizeof text,
                 _("Training %1$s parameters, resumed after step %2$ld, up to step %3$ld."),
                 parameters, integer_at(run, "resumed_from"), progress->steps);
    else
        snprintf(text, sizeof text, _("Training %1$s parameters, up to step %2$ld."), parameters,
                 progress->steps);
    vl_terminal_paragraph(&progress->terminal, VL_STYLE_PLAIN, 0, text);
    tell_experts(progress, run);
    tell_ranks(progress, run);
    tell_kept(progress, run);
    tell_peak(progress, run);
    fflush(progress->terminal.stream);
}

static void draw(struct vl_progress *progress)
{
    const struct vl_terminal *terminal = &progress->terminal;
    char loss[VL_NUMBER_TEXT], speed[VL_NUMBER_TEXT], mfu[VL_NUMBER_TEXT], left[VL_NUMBER_TEXT],
        text[512];
    long done = progress->last - progress->first + 1;
    double rest =
        seconds_since(&progress->began) / (double)done * (double)(progress->steps - progress->last);
    vl_terminal_restart_line(terminal);
    vl_terminal_bar(terminal, VL_STYLE_GOOD,
                    progress->steps > 0 ? (double)progress->last / (double)progress->steps : 1,
                    BAR_COLUMNS);
    /* TRANSLATORS: one line of progress; keep it short. loss, speed, MFU with its sign for per cent,
     * seconds left */
    snprintf(text, sizeof text, _(" %1$ld/%2$ld  loss %3$s  %4$s tokens/s  MFU %5$s  %6$s s left"),
             progress->last, progress->steps,
             vl_number_text(loss, progress->losses[progress->count - 1], 3),
             vl_number_text(speed, progress->tokens_per_second, 0),
             vl_number_percent(mfu, progress->mfu, 0), vl_number_text(left, rest, 0));
    /* A line longer than the terminal would wrap, and then be drawn below itself. */
    size_t fits =
        terminal->live ? vl_utf8_fit(text, terminal->columns - BAR_COLUMNS - 1) : strlen(text);
    fprintf(terminal->stream, "%.*s%s", (int)fits, text, terminal->live ? "" : "\n");
    fflush(terminal->stream);
    clock_gettime(CLOCK_MONOTONIC, &progress->drawn);
    progress->told = progress->last;
}

static bool is_time_to_draw(const struct vl_progress *progress)
{
    if (progress->last >= progress->steps)
        return true;
    if (progress->terminal.live)
        return seconds_since(&progress->drawn) >= REDRAW_SECONDS;
    long stride = (progress->steps - progress->first + 1) / PLAIN_TELLS;
    return progress->last == progress->first ||
           progress->last - progress->told >= (stride > 0 ? stride : 1);
}

static void take_step(struct vl_progress *progress, const json_t *event)
{
    if (progress->count == progress->capacity) {
        size_t capacity = progress->capacity > 0 ? 2 * progress->capacity : 1024;
        double *larger = realloc(progress->losses, capacity * sizeof *larger);
        if (larger == NULL)
            return; /* the curve ends here; the run goes on */
        progress->losses = larger;
        progress->capacity = capacity;
    }
    progress->last = integer_at(event, "step");
    if (progress->count == 0)
        progress->first = progress->last;
    progress->losses[progress->count++] = json_number_value(json_object_get(event, "loss"));
    progress->tokens_per_second = json_number_value(json_object_get(event, "tokens_per_second"));
    progress->mfu = json_number_value(json_object_get(event, "mfu"));
    if (is_time_to_draw(progress))
        draw(progress);
}

static void tell_saved(const struct vl_progress *progress, const json_t *event)
{
    char text[4352];
    vl_terminal_restart_line(&progress->terminal);
    snprintf(text, sizeof text, _("Saved after step %1$ld: %2$s"), integer_at(event, "step"),
             json_string_value(json_object_get(event, "saved")));
    fprintf(progress->terminal.stream, "%s\n", text);
}

static void tell_end(const struct vl_progress *progress, const json_t *event)
{
    char text[256], seconds[VL_NUMBER_TEXT];
    const char *why = json_string_value(json_object_get(event, "stopped"));
    vl_terminal_restart_line(&progress->terminal);
    vl_number_text(seconds, json_number_value(json_object_get(event, "seconds")), 1);
    if (why != NULL && strcmp(why, "signal") == 0)
        snprintf(text, sizeof text, _("Ended early, after step %1$ld (%2$s s), as you asked."),
                 integer_at(event, "step"), seconds);
    else
        snprintf(text, sizeof text, _("Done: step %1$ld (%2$s s)."), integer_at(event, "step"),
                 seconds);
    fprintf(progress->terminal.stream, "%s\n", text);
}

void vl_progress_event(void *context, const json_t *event)
{
    struct vl_progress *progress = context;
    if (json_object_get(event, "run") != NULL)
        tell_run(progress, json_object_get(event, "run"));
    else if (json_object_get(event, "loss") != NULL)
        take_step(progress, event);
    else if (json_object_get(event, "saved") != NULL)
        tell_saved(progress, event);
    else if (json_object_get(event, "stopped") != NULL)
        tell_end(progress, event);
}

void vl_progress_close(struct vl_progress *progress)
{
    FILE *stream = progress->terminal.stream;
    vl_terminal_restart_line(&progress->terminal);
    if (progress->count > 1) {
        fprintf(stream, "\n%s\n", _("Loss, step by step (nats per byte):"));
        vl_plot_curve(&progress->terminal, progress->losses, progress->count, progress->first,
                      progress->last);
    }
    fflush(stream);
    free(progress->losses);
    progress->losses = NULL;
}
