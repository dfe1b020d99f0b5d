#include "grade/run/result.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DETAIL_BYTES 2000

static void forget_words(struct vl_case_result *result)
{
    free(result->code);
    free(result->message);
    free(result->detail);
    free(result->replaced);
    result->code = result->message = result->detail = result->replaced = NULL;
}

void vl_result_clear(struct vl_case_result *result)
{
    forget_words(result);
    free(result->shown);
    result->shown = NULL;
}

void vl_result_set(struct vl_case_result *result, enum vl_case_status status, const char *code,
                   const char *format, ...)
{
    va_list values;
    va_start(values, format);
    forget_words(result); /* what the case was given and gave is shown whatever is said of it */
    result->status = status;
    result->code = strdup(code);
    result->message = vl_text_vformat(format, values);
    va_end(values);
}

/* A message without values in it. */
struct fixed_message {
    enum vl_case_status status;
    const char *code;
    const char *sentence; /* N_() */
};

static void set_fixed(struct vl_case_result *result, const struct fixed_message *fixed)
{
    vl_result_set(result, fixed->status, fixed->code, "%s", _(fixed->sentence));
}

static const char hung[] =
    N_("The call did not come back in time and was stopped: look for a loop or "
       "a wait that cannot end.");

static const char too_much_memory[] =
    N_("The call used more memory than a case may use and was stopped: kernels allocate "
       "nothing.");

void vl_result_add(struct vl_case_result *result, char *sentence)
{
    char *before = result->message;
    if (sentence == NULL)
        return;
    result->message = before != NULL ? vl_text_format("%s %s", before, sentence) : strdup(sentence);
    free(before);
    free(sentence);
}

void vl_result_begin(struct vl_case_result *result, char *sentence)
{
    char *after = result->message;
    if (sentence == NULL)
        return;
    result->message = NULL;
    vl_result_add(result, sentence);
    vl_result_add(result, after);
}

/* ---- a run ---- */

static const char *sanitizer_words(const char *words)
{
    const char *report = words != NULL ? strstr(words, "ERROR: AddressSanitizer") : NULL;
    if (report == NULL && words != NULL)
        report = strstr(words, "runtime error:");
    while (report != NULL && report > words && report[-1] != '\n')
        report--;
    return report;
}

/* A run that finished is judged; for one that crashed see set_crash. */
static const struct fixed_message run_messages[] = {
    [VL_RUN_HUNG] = {VL_CASE_HUNG, "hung", hung},
    [VL_RUN_MISUSED] = {VL_CASE_FAILED, "mpi_error",
                        N_("MPI refused a call: look at its ranks, tags, counts and "
                           "communicator.")},
    [VL_RUN_TOO_MUCH_OUTPUT] = {VL_CASE_FAILED, "too_much_output",
                                N_("The call printed without end and was stopped: remove the "
                                   "printing from its loops.")},
    [VL_RUN_TOO_MUCH_MEMORY] = {VL_CASE_FAILED, "too_much_memory", too_much_memory},
    [VL_RUN_SKIPPED] = {VL_CASE_SKIPPED, "skipped_after_hang",
                        N_("Left out, because this function did not come back in two earlier "
                           "cases.")},
    [VL_RUN_NOT_STARTED] = {VL_CASE_CRASHED, "never_started",
                            N_("The program with the submission ended before its first case: look "
                               "for code that runs before any function is called.")},
    [VL_RUN_EXITED] = {VL_CASE_CRASHED, "exited_early",
                       N_("The process exited in the middle of the call: a function returns a "
                          "status and never calls exit.")},
};

static void set_crash(struct vl_case_result *result, int number)
{
    char name[32];
    const char *known = sigabbrev_np(number);
    snprintf(name, sizeof name, "SIG%s", known != NULL ? known : "?");
    if (number == SIGSEGV || number == SIGBUS)
        vl_result_set(result, VL_CASE_CRASHED, "crashed_segfault",
                      _("The call crashed (%s): it touched memory that is not its own. Check "
                        "indices and pointers; `--asan` or `--gdb` shows more."),
                      name);
    else
        vl_result_set(result, VL_CASE_CRASHED, "crashed_signal",
                      _("The call was ended by the signal %s. Rerun this case with `--gdb` to see "
                        "where."),
                      name);
}

/* Say where it was and, of several ranks, which one. */
static void add_place(struct vl_case_result *result, const struct vl_case_run_report *report)
{
    if (report->rank >= 0 && report->place != NULL)
        vl_result_add(result, vl_text_format(_("It was rank %1$d, which was at %2$s."),
                                             report->rank, report->place));
    else if (report->rank >= 0)
        vl_result_add(result, vl_text_format(_("It was rank %d."), report->rank));
    else if (report->place != NULL)
        vl_result_add(result, vl_text_format(_("It was at %s then."), report->place));
}

/* What was found about the ranks together. The detail is the lines about each, then the output. */
static void set_finding(struct vl_case_result *result, const struct vl_case_run_report *report)
{
    const struct vl_finding *finding = report->finding;
    bool crashed = report->end == VL_RUN_CRASHED;
    enum vl_case_status status = report->end == VL_RUN_HUNG                ? VL_CASE_HUNG
                                 : crashed || report->end == VL_RUN_EXITED ? VL_CASE_CRASHED
                                                                           : VL_CASE_FAILED;
    vl_result_set(result, status, finding->code, "%s", finding->message);
    if (crashed)
        vl_result_add(result, strdup(_("Then it crashed.")));
    const char *lines = finding->detail != NULL ? finding->detail : "";
    const char *words = report->words != NULL ? report->words : "";
    const char *between = *lines != '\0' && *words != '\0' ? "\n" : "";
    if (*lines != '\0' || *words != '\0')
        result->detail = vl_text_format("%s%s%.*s", lines, between, DETAIL_BYTES, words);
}

void vl_result_from_run(struct vl_case_result *result, const struct vl_case_run_report *report)
{
    const char *words = report->words, *sanitizer = sanitizer_words(words), *end = NULL;
    if (report->finding != NULL && sanitizer == NULL) {
        set_finding(result, report);
        return;
    }
    if (sanitizer != NULL) {
        vl_result_set(result, VL_CASE_CRASHED, "sanitizer_error",
                      _("The sanitizer found an invalid memory access; its first lines say "
                        "where."));
        words = sanitizer;
        end = strstr(words, "\nSUMMARY:");
    } else {
        if (report->end == VL_RUN_CRASHED)
            set_crash(result, report->signal);
        else
            set_fixed(result, &run_messages[report->end]);
        add_place(result, report);
    }
    if (words != NULL) /* leave out the pages of addresses that end a sanitizer's report */
        result->detail =
            strndup(words, end != NULL && end < words + DETAIL_BYTES ? (size_t)(end - words)
                                                                     : DETAIL_BYTES);
}

/* What it printed, right or wrong. */
void vl_result_add_words(struct vl_case_result *result, const char *words)
{
    if (words == NULL || words[0] == '\0')
        return;
    char *lines = result->detail;
    result->detail = vl_text_format("%s%s%.*s", lines != NULL ? lines : "",
                                    lines != NULL ? "\n" : "", DETAIL_BYTES, words);
    free(lines);
}

/* ---- the build ---- */

int vl_result_from_build(struct vl_case_result *result, const struct vl_build *build,
                         enum vl_function_state state, const char *file)
{
    const struct vl_source *out =
        state == VL_FUNCTION_LEFT_OUT ? vl_build_left_out(build, result->function, file) : NULL;
    if (out != NULL)
        vl_result_set(result, VL_CASE_FAILED, out->code, "%s", out->sentence);
    else if (state == VL_FUNCTION_BROKEN)
        vl_result_set(result, VL_CASE_FAILED, "does_not_compile",
                      _("%s does not compile: the compiler's messages say where."),
                      vl_build_broken(build, file));
    else if (state == VL_FUNCTION_MISSING)
        vl_result_set(result, VL_CASE_FAILED, "function_missing",
                      _("The submission does not define this function: it belongs in %s."), file);
    else if (build->program == NULL)
        vl_result_set(
            result, VL_CASE_FAILED, "does_not_link",
            _("The submission compiles but cannot be linked: the linker's messages say what is "
              "missing or defined twice."));
    else
        return 0;
    return 1;
}

/* ---- throughput ---- */

static const struct fixed_message throughput_messages[] = {
    [VL_THROUGHPUT_WRONG] = {VL_CASE_FAILED, "wrong_when_timed",
                             N_("The results of the timed run differ from the reference's, so its "
                                "speed does not count: try larger sizes.")},
    [VL_THROUGHPUT_REFUSED] = {VL_CASE_FAILED, "refused_when_timed",
                               N_("In the timed run the function returned an error instead of a "
                                  "result.")},
    [VL_THROUGHPUT_CRASHED] = {VL_CASE_CRASHED, "crashed_when_timed",
                               N_("The process ended in the timed run. Its sizes are larger "
                                  "than those of the numeric cases: look for an index that goes "
                                  "too far there.")},
    [VL_THROUGHPUT_HUNG] = {VL_CASE_HUNG, "hung", hung},
    [VL_THROUGHPUT_LARGE] = {VL_CASE_FAILED, "too_much_memory", too_much_memory},
    [VL_THROUGHPUT_CONFUSED] = {VL_CASE_FAILED, "wrong_protocol",
                                N_("The timed run sent an answer that nobody had asked for, so "
                                   "its speed does not count.")},
    [VL_THROUGHPUT_ELSEWHERE] = {VL_CASE_FAILED, "worked_out_of_turn",
                                 N_("It also computed while no clock was running for it, so "
                                    "its speed does not count: a call does all its work before "
                                    "it returns.")},
    [VL_THROUGHPUT_THREADS] =
        {VL_CASE_FAILED, "used_threads",
         N_("It used more than one thread or core per rank, so its speed does "
            "not count.")},
    [VL_THROUGHPUT_NO_REFERENCE] = {VL_CASE_ERROR, "no_reference",
                                    N_("The reference could not be timed next to the "
                                       "submission: grade again, and report this if it happens "
                                       "again.")},
};

/* Nobody is right about its speed, so it is neither slow nor fast: as if this machine had too few cores. */
static void set_wild(struct vl_case_result *result, const struct vl_throughput_result *throughput)
{
    char spread[VL_NUMBER_TEXT];
    vl_result_set(result, VL_CASE_SKIPPED, "unsteady_times",
                  _("The times were too unsteady to judge, twice (spread %s): other programs kept "
                    "this machine busy. Close them and grade again for these points."),
                  vl_number_percent(spread, throughput->spread, 0));
}

static void set_ratio(struct vl_case_result *result, const struct vl_throughput_result *throughput)
{
    char got[VL_NUMBER_TEXT], enough[VL_NUMBER_TEXT];
    result->measured = throughput->ratio;
    result->points = result->max_points * vl_throughput_share(throughput->ratio);
    result->status = VL_CASE_PASSED;
    if (throughput->ratio > VL_THROUGHPUT_MOST) {
        result->points = 0;
        vl_result_set(result, VL_CASE_FAILED, "implausible_speed",
                      _("The clock says %s of the reference's speed. No implementation is that "
                        "fast, so these points wait until somebody looks: make sure that the work "
                        "is done when the function returns."),
                      vl_number_percent(got, throughput->ratio, 0));
    } else if (throughput->ratio < VL_THROUGHPUT_FULL) {
        vl_result_set(result, VL_CASE_FAILED, "too_slow",
                      _("It runs at %1$s of the reference's speed; %2$s is enough for all points."),
                      vl_number_percent(got, throughput->ratio, 0),
                      vl_number_percent(enough, VL_THROUGHPUT_FULL, 0));
    }
}

void vl_result_from_throughput(struct vl_case_result *result,
                               const struct vl_throughput_result *throughput)
{
    result->bound = VL_THROUGHPUT_FULL;
    if (vl_throughput_is_wild(throughput))
        set_wild(result, throughput);
    else if (throughput->end == VL_THROUGHPUT_MEASURED)
        set_ratio(result, throughput);
    else
        set_fixed(result, &throughput_messages[throughput->end]);
}

void vl_result_add_spread(struct vl_case_result *result,
                          const struct vl_throughput_result *throughput)
{
    char spread[VL_NUMBER_TEXT];
    if (throughput->end != VL_THROUGHPUT_MEASURED || throughput->stable ||
        result->status == VL_CASE_PASSED)
        return;
    vl_result_add(
        result,
        vl_text_format(
            _("The times were unsteady (spread %s): close other programs and grade again."),
            vl_number_percent(spread, isfinite(throughput->spread) ? throughput->spread : 1, 0)));
}
