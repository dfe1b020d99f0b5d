#include "grade/run/result.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DETAIL_BYTES 2000

void vl_result_clear(struct vl_case_result *result)
{
    free(result->code);
    free(result->message);
    free(result->detail);
    result->code = result->message = result->detail = NULL;
}

void vl_result_set(struct vl_case_result *result, enum vl_case_status status, const char *code,
                   const char *message)
{
    vl_result_clear(result);
    result->status = status;
    result->code = code != NULL ? strdup(code) : NULL;
    result->message = message != NULL ? strdup(message) : NULL;
}

/* A sentence with one word in it. */
static void remark_with(struct vl_case_result *result, enum vl_case_status status, const char *code,
                        const char *sentence, const char *word)
{
    char *message = NULL;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (asprintf(&message, sentence, word) < 0)
        message = NULL;
#pragma GCC diagnostic pop
    vl_result_set(result, status, code, message);
    free(message);
}

/* One more sentence behind the message. Takes it. */
static void add_sentence(struct vl_case_result *result, char *sentence)
{
    char *both = NULL;
    if (sentence != NULL && result->message != NULL &&
        asprintf(&both, "%s %s", result->message, sentence) >= 0) {
        free(result->message);
        result->message = both;
    }
    free(sentence);
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

static void remark_crash(struct vl_case_result *result, int number)
{
    char name[32] = "SIG";
    const char *known = sigabbrev_np(number);
    snprintf(name + 3, sizeof name - 3, "%s", known != NULL ? known : "?");
    if (number == SIGSEGV || number == SIGBUS)
        remark_with(result, VL_CASE_CRASHED, "crashed_segfault",
                    _("The call crashed (%s): it touched memory that is not its own. Check indices "
                      "and pointers; `--asan` or `--gdb` shows more."),
                    name);
    else
        remark_with(result, VL_CASE_CRASHED, "crashed_signal",
                    _("The call was ended by the signal %s. Rerun this case with `--gdb` to see "
                      "where."),
                    name);
}

static void remark_hung(struct vl_case_result *result)
{
    vl_result_set(
        result, VL_CASE_HUNG, "hung",
        _("The call did not come back in time and was stopped: look for a loop or a wait that "
          "cannot end."));
}

/* Where it was; of several ranks, which one. */
static void add_place(struct vl_case_result *result, const struct vl_case_run_report *report)
{
    char *sentence = NULL;
    int written = 0;
    if (report->rank >= 0 && report->place != NULL)
        written =
            asprintf(&sentence, _("It was rank %1$d, at %2$s then."), report->rank, report->place);
    else if (report->rank >= 0)
        written = asprintf(&sentence, _("It was rank %d."), report->rank);
    else if (report->place != NULL)
        written = asprintf(&sentence, _("It was at %s then."), report->place);
    add_sentence(result, written < 0 ? NULL : sentence);
}

/* What the ranks did to each other; below the lines about them, what they printed. */
static void remark_finding(struct vl_case_result *result, const struct vl_case_run_report *report)
{
    const struct vl_finding *finding = report->finding;
    enum vl_case_status status = report->end == VL_RUN_HUNG     ? VL_CASE_HUNG
                                 : report->end == VL_RUN_EXITED ? VL_CASE_CRASHED
                                                                : VL_CASE_FAILED;
    vl_result_set(result, status, finding->code, finding->message);
    const char *lines = finding->detail != NULL ? finding->detail : "";
    const char *words = report->words != NULL ? report->words : "";
    int both = *lines != '\0' && *words != '\0';
    if (*lines == '\0' && *words == '\0')
        return;
    if (asprintf(&result->detail, "%s%s%.*s", lines, both ? "\n" : "", DETAIL_BYTES, words) < 0)
        result->detail = NULL;
}

void vl_result_from_run(struct vl_case_result *result, const struct vl_case_run_report *report)
{
    const char *words = report->words;
    if (report->finding != NULL && sanitizer_words(words) == NULL) {
        remark_finding(result, report);
        return;
    }
    switch (report->end) {
    case VL_RUN_CRASHED:
        remark_crash(result, report->signal);
        break;
    case VL_RUN_HUNG:
        remark_hung(result);
        break;
    case VL_RUN_MISUSED:
        vl_result_set(result, VL_CASE_FAILED, "mpi_error",
                      _("MPI refused a call: look at its ranks, tags, counts and communicator."));
        break;
    case VL_RUN_TOO_MUCH_OUTPUT:
        vl_result_set(
            result, VL_CASE_FAILED, "too_much_output",
            _("The call printed without end and was stopped: remove the printing from its "
              "loops."));
        break;
    case VL_RUN_TOO_MUCH_MEMORY:
        vl_result_set(
            result, VL_CASE_FAILED, "too_much_memory",
            _("The call took more memory than a case may and was stopped: kernels allocate "
              "nothing."));
        break;
    case VL_RUN_SKIPPED:
        vl_result_set(result, VL_CASE_SKIPPED, "skipped_after_hang",
                      _("Left out, because this function did not come back in two cases before."));
        break;
    case VL_RUN_NOT_STARTED:
        vl_result_set(
            result, VL_CASE_CRASHED, "never_started",
            _("The program with the submission ended before its first case: look for code "
              "that runs before any function is called."));
        break;
    case VL_RUN_EXITED:
    case VL_RUN_FINISHED:
        vl_result_set(
            result, VL_CASE_CRASHED, "exited_early",
            _("The process left in the middle of the call: a function returns a status, it "
              "never calls exit."));
        break;
    }
    const char *sanitizer = sanitizer_words(words);
    if (sanitizer != NULL) {
        vl_result_set(result, VL_CASE_CRASHED, "sanitizer_error",
                      _("The sanitizer found a wrong access; its first lines say where."));
        words = sanitizer;
    } else {
        add_place(result, report);
    }
    const char *end = sanitizer != NULL ? strstr(words, "\nSUMMARY:") : NULL;
    if (words != NULL) /* of a sanitizer's report not the pages of addresses at its end */
        result->detail =
            strndup(words, end != NULL && end < words + DETAIL_BYTES ? (size_t)(end - words)
                                                                     : DETAIL_BYTES);
}

/* ---- the build ---- */

int vl_result_from_build(struct vl_case_result *result, const struct vl_build *build,
                         enum vl_function_state state, const char *file)
{
    if (build->defines_main)
        vl_result_set(
            result, VL_CASE_FAILED, "defines_main",
            _("The submission defines main, but the grader brings its own: remove or rename "
              "it."));
    else if (state == VL_FUNCTION_BROKEN)
        remark_with(result, VL_CASE_FAILED, "does_not_compile",
                    _("%s does not compile: the compiler's words say where."), file);
    else if (state == VL_FUNCTION_MISSING)
        remark_with(result, VL_CASE_FAILED, "function_missing",
                    _("The submission does not define this function: it belongs in %s."), file);
    else if (build->program == NULL)
        vl_result_set(
            result, VL_CASE_FAILED, "does_not_link",
            _("The submission compiles but cannot be linked: the linker's words say what is "
              "missing or defined twice."));
    else
        return 0;
    return 1;
}

void vl_result_waits(struct vl_case_result *result, const char *function, int unwritten)
{
    if (unwritten)
        remark_with(result, VL_CASE_SKIPPED, "needs_functions",
                    _("This waits for %s, which is still to be written."), function);
    else
        remark_with(result, VL_CASE_SKIPPED, "needs_numerics",
                    _("The clock starts when the numbers of %s are right."), function);
}

/* ---- throughput ---- */

static void remark_ratio(struct vl_case_result *result,
                         const struct vl_throughput_result *throughput)
{
    char got[VL_NUMBER_TEXT], enough[VL_NUMBER_TEXT], spread[VL_NUMBER_TEXT];
    char *message = NULL;
    result->measured = throughput->ratio;
    result->points = result->max_points * vl_throughput_share(throughput->ratio);
    vl_result_set(result, VL_CASE_PASSED, NULL, NULL);
    if (throughput->ratio < VL_THROUGHPUT_FULL) {
        vl_number_percent(got, throughput->ratio, 0);
        vl_number_percent(enough, VL_THROUGHPUT_FULL, 0);
        if (asprintf(&message,
                     _("It runs at %1$s of the reference's speed; %2$s is enough for all points."),
                     got, enough) < 0)
            message = NULL;
        vl_result_set(result, VL_CASE_FAILED, "too_slow", message);
        free(message);
    }
    if (throughput->stable)
        return;
    vl_number_percent(spread, isfinite(throughput->spread) ? throughput->spread : 1, 0);
    if (asprintf(&message,
                 _("The times were unsteady (spread %s): close other programs and grade again."),
                 spread) < 0)
        return;
    if (result->message != NULL) {
        add_sentence(result, message);
    } else {
        result->message = message;
    }
}

void vl_result_from_throughput(struct vl_case_result *result,
                               const struct vl_throughput_result *throughput)
{
    result->bound = VL_THROUGHPUT_FULL;
    switch (throughput->end) {
    case VL_THROUGHPUT_MEASURED:
        remark_ratio(result, throughput);
        break;
    case VL_THROUGHPUT_WRONG:
        vl_result_set(
            result, VL_CASE_FAILED, "wrong_when_timed",
            _("The results of the timed run differ from the reference's, so its speed does "
              "not count: try larger sizes."));
        break;
    case VL_THROUGHPUT_REFUSED:
        vl_result_set(result, VL_CASE_FAILED, "refused_when_timed",
                      _("In the timed run the function returned an error instead of a result."));
        break;
    case VL_THROUGHPUT_CRASHED:
        vl_result_set(
            result, VL_CASE_CRASHED, "crashed_when_timed",
            _("The process ended in the timed run: larger sizes may reach further than the "
              "numeric cases did."));
        break;
    case VL_THROUGHPUT_HUNG:
        remark_hung(result);
        break;
    case VL_THROUGHPUT_CONFUSED:
        vl_result_set(
            result, VL_CASE_FAILED, "wrong_protocol",
            _("The timed run answered what nobody had asked, so its speed does not count."));
        break;
    case VL_THROUGHPUT_NO_REFERENCE:
        vl_result_set(result, VL_CASE_ERROR, "no_reference",
                      _("The reference could not be timed beside the submission: grade again, and "
                        "report it if it stays so."));
        break;
    }
}
