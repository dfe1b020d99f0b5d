/*
 * JUnit's XML, which has no standard, in two forms.
 *
 *   junit       follows junit-10.xsd of jenkinsci/xunit-plugin, as of 2025, the schema of what Jenkins
 *               reads; continuous integration reads it too
 *   codegrade   for a "Unit Test" step of CodeGrade, which adds up the weights of the cases that pass.
 *               Follows cg_junit/__init__.py of CodeGrade's open source as of 2021: it refuses a file
 *               with <properties>, and takes what is "skipped" out of the points that can be had. So
 *               properties are left out, what is not started is a failure, a weight is a case's points,
 *               and a case with a part of its points is told as two, one that passes and one that fails.
 *
 * It is a handful of elements, so it is written by hand: every text goes through put_xml, which cleans
 * (no control characters, valid UTF-8) and escapes.
 */
#include "report/verdict/formats.h"

#include "base/text.h"
#include "base/utf8.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static void put_xml(FILE *stream, const char *text)
{
    char *clean = vl_utf8_clean(text);
    for (const char *c = clean != NULL ? clean : ""; *c != '\0'; c++) {
        switch (*c) {
        case '&':
            fputs("&amp;", stream);
            break;
        case '<':
            fputs("&lt;", stream);
            break;
        case '>': /* so that no text has "]]>" in it */
            fputs("&gt;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        case '\n': /* a bare one would become a space in an attribute */
            fputs("&#10;", stream);
            break;
        case '\t':
            fputs("&#9;", stream);
            break;
        default:
            fputc(*c, stream);
        }
    }
    free(clean);
}

static void put_attribute(FILE *stream, const char *name, const char *text)
{
    fprintf(stream, " %s=\"", name);
    put_xml(stream, text);
    fputc('"', stream);
}

struct counts {
    int tests;
    int failures;
    int errors;
    int skipped;
    double seconds;
};

/* The element for a case's result; NULL when it passed. What was not tried is "skipped", unless it is
 * to weigh. */
static const char *fate(enum vl_case_status status, bool weighted)
{
    switch (status) {
    case VL_CASE_PASSED:
        return NULL;
    case VL_CASE_NOT_STARTED:
    case VL_CASE_SKIPPED:
        return weighted ? "failure" : "skipped";
    case VL_CASE_ERROR:
        return "error";
    default:
        return "failure";
    }
}

/* A submission that could not be graded has no case to carry the reason: it gets one, "build". */
static bool needs_build_case(const struct vl_verdict *verdict)
{
    return verdict->status == VL_VERDICT_ERROR || verdict->case_count == 0;
}

/* It has earned a part of its points. */
static bool is_partial(const struct vl_case_result *result)
{
    return result->status != VL_CASE_PASSED && result->points > 0 &&
           result->points < result->max_points;
}

static double seconds_of(const struct vl_case_result *result)
{
    return isfinite(result->seconds) ? result->seconds : 0;
}

static struct counts count_cases(const struct vl_verdict *verdict, bool weighted)
{
    struct counts counts = {.tests = (int)verdict->case_count};
    for (size_t i = 0; i < verdict->case_count; i++) {
        const char *element = fate(verdict->cases[i].status, weighted);
        counts.tests += weighted && is_partial(&verdict->cases[i]);
        counts.seconds += seconds_of(&verdict->cases[i]);
        counts.failures += element != NULL && element[0] == 'f';
        counts.errors += element != NULL && element[0] == 'e';
        counts.skipped += element != NULL && element[0] == 's';
    }
    if (needs_build_case(verdict)) {
        counts.tests++;
        counts.errors++;
    }
    return counts;
}

static void put_counts(FILE *stream, const struct counts *counts)
{
    fprintf(stream, " tests=\"%d\" failures=\"%d\" errors=\"%d\" time=\"%.3f\"", counts->tests,
            counts->failures, counts->errors, counts->seconds);
}

/* "<testcase ..." with no end yet; a weight that is not finite is left out. */
static void put_case_start(FILE *stream, const char *slug, const char *function, const char *name,
                           double seconds, double weight)
{
    fputs("    <testcase classname=\"", stream);
    put_xml(stream, slug);
    if (function != NULL) {
        fputc('.', stream);
        put_xml(stream, function);
    }
    fputc('"', stream);
    put_attribute(stream, "name", name);
    fprintf(stream, " time=\"%.3f\"", seconds);
    if (isfinite(weight))
        fprintf(stream, " weight=\"%.6g\"", weight);
}

static void put_case(FILE *stream, const struct vl_verdict *verdict,
                     const struct vl_case_result *result, bool weighted)
{
    const char *element = fate(result->status, weighted);
    double seconds = seconds_of(result), most = weighted ? result->max_points : NAN;
    if (weighted && is_partial(result)) {
        put_case_start(stream, verdict->slug, result->function, result->id, 0, result->points);
        fputs("/>\n", stream);
        most -= result->points;
    }
    put_case_start(stream, verdict->slug, result->function, result->id, seconds, most);
    if (element == NULL) {
        fputs("/>\n", stream);
        return;
    }
    fprintf(stream, ">\n      <%s", element);
    if (element[0] != 's') /* <skipped> has no type */
        put_attribute(stream, "type",
                      result->code != NULL ? result->code : vl_case_status_code(result->status));
    put_attribute(stream, "message",
                  result->message != NULL ? result->message : vl_case_status_code(result->status));
    fputc('>', stream);
    char *more = vl_case_details(verdict, result);
    put_xml(stream, more);
    free(more);
    fprintf(stream, "</%s>\n    </testcase>\n", element);
}

static void put_property(FILE *stream, const char *name, const char *value)
{
    fputs("      <property", stream);
    put_attribute(stream, "name", name);
    put_attribute(stream, "value", value);
    fputs("/>\n", stream);
}

static void put_properties(FILE *stream, const struct vl_verdict *verdict)
{
    char number[64];
    fputs("    <properties>\n", stream);
    put_property(stream, "version", verdict->version);
    put_property(stream, "commit", verdict->commit);
    put_property(stream, "machine", verdict->machine);
    put_property(stream, "submission", verdict->submission);
    if (!verdict->secret) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)verdict->seed);
        put_property(stream, "seed", number);
    }
    put_property(stream, "status", vl_verdict_status_code(verdict->status));
    snprintf(number, sizeof number, "%.6g", verdict->score);
    put_property(stream, "score", number);
    snprintf(number, sizeof number, "%.6g", verdict->max_score);
    put_property(stream, "max_score", number);
    fputs("    </properties>\n", stream);
}

static void put_build_case(FILE *stream, const struct vl_verdict *verdict, bool weighted)
{
    double weight = verdict->max_score > 0 ? verdict->max_score : 1;
    put_case_start(stream, verdict->slug, NULL, "build", 0, weighted ? weight : NAN);
    fputs(">\n      <error type=\"build\"", stream);
    put_attribute(stream, "message",
                  verdict->message != NULL ? verdict->message : _("Nothing could be graded."));
    fputc('>', stream);
    put_xml(stream, verdict->compiler);
    fputs("</error>\n    </testcase>\n", stream);
}

static void put_suite(FILE *stream, const struct vl_verdict *verdict, bool weighted)
{
    struct counts counts = count_cases(verdict, weighted);
    fputs("  <testsuite", stream);
    put_attribute(stream, "name", verdict->slug);
    put_counts(stream, &counts);
    fprintf(stream, " skipped=\"%d\">\n", counts.skipped);
    if (!weighted)
        put_properties(stream, verdict);
    if (needs_build_case(verdict))
        put_build_case(stream, verdict, weighted);
    for (size_t i = 0; i < verdict->case_count; i++)
        put_case(stream, verdict, &verdict->cases[i], weighted);
    fputs("  </testsuite>\n", stream);
}

static enum vl_status write_suites(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                   bool weighted)
{
    struct counts total = {0};
    for (size_t i = 0; i < count; i++) {
        struct counts counts = count_cases(&verdicts[i], weighted);
        total.tests += counts.tests;
        total.failures += counts.failures;
        total.errors += counts.errors;
        total.skipped += counts.skipped;
        total.seconds += counts.seconds;
    }
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"vialata\"", stream);
    put_counts(stream, &total);
    fputs(">\n", stream);
    for (size_t i = 0; i < count; i++)
        put_suite(stream, &verdicts[i], weighted);
    fputs("</testsuites>\n", stream);
    return ferror(stream) ? VL_EIO : VL_OK;
}

enum vl_status vl_report_write_junit(FILE *stream, const struct vl_verdict *verdicts, size_t count,
                                     int list)
{
    (void)list;
    return write_suites(stream, verdicts, count, false);
}

enum vl_status vl_report_write_codegrade(FILE *stream, const struct vl_verdict *verdicts,
                                         size_t count, int list)
{
    (void)list;
    return write_suites(stream, verdicts, count, true);
}
