#include "report/verdict/table.h"

#include "base/fingerprint.h"
#include "base/number.h"
#include "base/text.h"
#include "base/utf8.h"
#include "grade/catalogue/case.h"
#include "grade/catalogue/lab.h"
#include "report/verdict/compiler_words.h"
#include "report/verdict/replay.h"
#include "report/verdict/summary.h"
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ID_COLUMNS     40
#define DETAIL_LINES   12 /* of a program's own words; the rest is in the JSON */
#define COMPILER_LINES 30 /* the same of a compiler's */

void vl_table_open(struct vl_table *table, FILE *stream)
{
    memset(table, 0, sizeof *table);
    vl_terminal_open(&table->terminal, stream);
}

void vl_table_wait(const struct vl_table *table)
{
    if (!table->terminal.live)
        return;
    vl_terminal_put(&table->terminal, VL_STYLE_DIM, 0, _("Compiling ..."));
    fflush(table->terminal.stream);
}

static const struct vl_lab *lab_of(const struct vl_verdict *verdict)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_labs[i]->number == verdict->lab)
            return vl_labs[i];
    return NULL;
}

/* What is special about a case, as the catalogue of cases says it. */
static const char *purpose_of(const struct vl_verdict *verdict, const char *id)
{
    const struct vl_lab *lab = lab_of(verdict);
    const struct vl_lab_cases *cases = lab != NULL ? vl_lab_cases(lab) : NULL;
    for (size_t i = 0; cases != NULL && i < cases->case_count; i++)
        if (strcmp(cases->cases[i].id, id) == 0 && cases->cases[i].purpose != NULL)
            return _(cases->cases[i].purpose);
    for (size_t i = 0; cases != NULL && i < cases->timing_count; i++)
        if (strcmp(cases->timings[i].id, id) == 0 && cases->timings[i].purpose != NULL)
            return _(cases->timings[i].purpose);
    return "";
}

/* The first lines of a program's output, indented and dimmed. */
static void put_words(const struct vl_terminal *terminal, int indent, const char *words)
{
    const char *end = words;
    for (int line = 0; line < DETAIL_LINES && *end != '\0'; line++) {
        end += strcspn(end, "\n");
        end += *end == '\n';
    }
    char *head = strndup(words, (size_t)(end - words));
    if (head != NULL)
        vl_terminal_paragraph(terminal, VL_STYLE_DIM, indent, head);
    free(head);
    if (*end != '\0')
        vl_terminal_paragraph(terminal, VL_STYLE_DIM, indent, "...");
}

/* Lines as they are, never wrapped: tables, and a compiler's, whose marks point at columns. Of more than 'most' the
 * first. */
static void put_verbatim(const struct vl_terminal *terminal, enum vl_style style, int indent,
                         const char *text, int most)
{
    char *clean = vl_utf8_clean(text), *next = clean;
    int count = 0;
    for (char *line = strsep(&next, "\n"); line != NULL && count <= most;
         line = strsep(&next, "\n")) {
        if (next == NULL && *line == '\0')
            break; /* after the last line */
        fprintf(terminal->stream, "%*s", indent, "");
        vl_terminal_put(terminal, style, 0, count++ < most ? line : "...");
        fputc('\n', terminal->stream);
    }
    free(clean);
}

static bool is_reference(const struct vl_verdict *verdict)
{
    return verdict->submission != NULL && strcmp(verdict->submission, "reference") == 0;
}

/* Whoever grades other people's work must know what it could reach. */
static void put_isolation(const struct vl_terminal *terminal, const struct vl_verdict *verdict)
{
    if (is_reference(verdict) || verdict->is_workspace || verdict->is_mistake)
        return;
    const char *sentence = NULL;
    if (verdict->isolation == VL_ISOLATION_USER)
        sentence = _("Weak isolation: bubblewrap does not work on this machine, so the submission "
                     "runs under a user of its own and can read what every user can read. "
                     "`vialata doctor` says what bubblewrap needs.");
    else if (verdict->isolation == VL_ISOLATION_LIMITS)
        sentence = _("Weak isolation: bubblewrap does not work on this machine, so the submission "
                     "runs under your name and can read and change your files. `vialata doctor` "
                     "says what bubblewrap needs.");
    else if (verdict->bytes_compared == 0)
        sentence = _("The ranks shared one sandbox, so the bytes that they sent each other were "
                     "not compared with the kernel's count. Do not rely on these points for a "
                     "stranger's work; `vialata doctor` says what is missing.");
    if (sentence == NULL)
        return;
    fputc('\n', terminal->stream);
    vl_terminal_paragraph(terminal, VL_STYLE_BAD, 0, sentence);
}

void vl_table_put_compiler(const struct vl_terminal *terminal, const struct vl_verdict *verdict)
{
    if (verdict->compiler == NULL)
        return;
    fprintf(terminal->stream, "\n%s\n", _("The compiler says:"));
    char *ordered = vl_compiler_errors_first(verdict->compiler);
    if (ordered != NULL)
        put_verbatim(terminal, VL_STYLE_DIM, 4, ordered, COMPILER_LINES);
    free(ordered);
}

static void put_heading(struct vl_table *table, const struct vl_verdict *verdict)
{
    const struct vl_terminal *terminal = &table->terminal;
    const struct vl_lab *lab = lab_of(verdict);
    char *submission =
        vl_utf8_clean(is_reference(verdict) ? _("the reference solution") : verdict->submission);
    char title[256];

    table->headed = 1;
    vl_terminal_restart_line(terminal);
    snprintf(title, sizeof title, _("Lab %02d: %s"), verdict->lab,
             lab != NULL ? _(lab->title) : "");
    vl_terminal_put(terminal, VL_STYLE_BOLD, 0, title);
    fputc('\n', terminal->stream);
    const char *name = submission != NULL ? submission : "";
    if (verdict->secret) /* TRANSLATORS: what is graded (a path) and the seed of its inputs */
        fprintf(terminal->stream, _("Graded: %s (secret seed)\n"), name);
    else
        fprintf(terminal->stream, _("Graded: %s (seed %llu)\n"), name,
                (unsigned long long)verdict->seed);
    free(submission);
    put_isolation(terminal, verdict);
    vl_table_put_compiler(terminal, verdict);
    fflush(terminal->stream);
}

static void put_mark(const struct vl_terminal *terminal, enum vl_case_status status)
{
    const char *glyph;
    enum vl_style style;
    if (status == VL_CASE_PASSED) {
        style = VL_STYLE_GOOD;
        glyph = terminal->unicode ? "\xe2\x9c\x93" : "+"; /* check mark */
    } else if (status == VL_CASE_NOT_STARTED || status == VL_CASE_SKIPPED) {
        style = VL_STYLE_DIM;
        glyph = terminal->unicode ? "\xe2\x97\x8b" : "o"; /* white circle */
    } else {
        style = VL_STYLE_BAD;
        glyph = terminal->unicode ? "\xe2\x9c\x97" : "x"; /* ballot x */
    }
    fputs("    ", terminal->stream);
    vl_terminal_put(terminal, style, 2, glyph);
}

static void put_points(const struct vl_terminal *terminal, const struct vl_case_result *result)
{
    char text[2 * VL_NUMBER_TEXT + 2] = ""; /* a given function is worth no points */
    if (result->max_points > 0)
        vl_points_text(text, result->points, result->max_points);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, -8, text);
}

/* 0 if it has none, or more than that is told. */
static uint64_t message_of(const struct vl_case_result *result)
{
    if (result->message == NULL || result->detail != NULL || result->shown != NULL)
        return 0;
    return vl_fingerprint(VL_FINGERPRINT, result->message, strlen(result->message));
}

static void put_case(struct vl_table *table, const struct vl_verdict *verdict,
                     const struct vl_case_result *result)
{
    const struct vl_terminal *terminal = &table->terminal;
    bool wrong = result->status != VL_CASE_PASSED && result->status != VL_CASE_SKIPPED;
    uint64_t said = message_of(result);
    bool again = said != 0 && said == table->said;
    table->said = said;

    put_mark(terminal, result->status);
    vl_terminal_put(terminal, VL_STYLE_PLAIN, ID_COLUMNS, result->id);
    put_points(terminal, result);
    fputs("   ", terminal->stream);
    vl_terminal_put(terminal, VL_STYLE_DIM, 0, purpose_of(verdict, result->id));
    fputc('\n', terminal->stream);
    if (again) /* a sentence is said once */
        return;
    if (result->message != NULL)
        vl_terminal_paragraph(terminal, VL_STYLE_PLAIN, 8, result->message);
    if (result->detail != NULL)
        put_words(terminal, 8, result->detail);
    if (result->shown != NULL)
        put_verbatim(terminal, VL_STYLE_PLAIN, 8, result->shown, INT_MAX - 1);
    if (wrong) {
        char *line = vl_replay_line(verdict, result);
        if (line != NULL) /* never wrapped: it is there to be copied */
            fprintf(terminal->stream, "        %s\n", line);
        free(line);
    }
}

static bool has_many_ranks(const struct vl_verdict *verdict)
{
    const struct vl_lab *lab = lab_of(verdict);
    const struct vl_lab_cases *cases = lab != NULL ? vl_lab_cases(lab) : NULL;
    for (size_t i = 0; cases != NULL && i < cases->case_count; i++)
        if (cases->cases[i].ranks > 1)
            return true;
    return false;
}

/* Where cases run on several ranks, those with the same number of ranks form one section. */
static void put_ranks(struct vl_table *table, int ranks)
{
    char text[128];
    table->ranks = ranks;
    snprintf(text, sizeof text, VL_NGETTEXT("On %d rank", "On %d ranks", (unsigned long)ranks),
             ranks);
    vl_terminal_put(&table->terminal, VL_STYLE_DIM, 0, text);
    fputs("\n\n", table->terminal.stream);
}

static void put_function(struct vl_table *table, const char *function)
{
    if (table->rested || table->after_rest)
        fputc('\n', table->terminal.stream);
    fputs("  ", table->terminal.stream);
    vl_terminal_put(&table->terminal, VL_STYLE_BOLD, 0, function);
    fputc('\n', table->terminal.stream);
    table->titled = 1;
}

/* Has this function been reported as not started before, on fewer ranks? From now on it has. */
static int was_told(struct vl_table *table, const struct vl_verdict *verdict, const char *function)
{
    const struct vl_lab *lab = lab_of(verdict);
    for (size_t i = 0; lab != NULL && i < lab->function_count && i < VL_TABLE_FUNCTIONS; i++)
        if (strcmp(lab->functions[i].name, function) == 0) {
            int told = table->rests[i];
            table->rests[i] = 1;
            return told;
        }
    return 0;
}

/* A function that nobody has begun gets one line, however many cases it has. */
static void put_rest(struct vl_table *table, const struct vl_verdict *verdict, const char *function)
{
    if (table->rested)
        return;
    table->rested = 1;
    if (was_told(table, verdict, function))
        return;
    put_mark(&table->terminal, VL_CASE_NOT_STARTED);
    vl_terminal_put(&table->terminal, VL_STYLE_DIM, ID_COLUMNS, table->titled ? "" : function);
    vl_terminal_put(&table->terminal, VL_STYLE_DIM, 0, _("not started"));
    fputc('\n', table->terminal.stream);
}

/* Is there nothing to report yet? It is not begun, or it needs a function that is not. */
static bool is_at_rest(const struct vl_case_result *result)
{
    return result->status == VL_CASE_NOT_STARTED ||
           (result->code != NULL && strcmp(result->code, "needs_functions") == 0);
}

/* Of a brief table on a terminal: that something happens. */
static void put_count(struct vl_table *table, const struct vl_case_result *result)
{
    char text[160];
    table->right += result->status == VL_CASE_PASSED;
    if (!table->terminal.live)
        return;
    snprintf(text, sizeof text,
             VL_NGETTEXT("%1$zu case right; %2$s", "%1$zu cases right; %2$s",
                         (unsigned long)table->right),
             table->right, result->function);
    vl_terminal_put(&table->terminal, VL_STYLE_DIM, 0, text);
}

/* Is it left out of a brief table? What has been found or printed is told. */
static bool is_left_out(const struct vl_table *table, const struct vl_case_result *result)
{
    return table->brief &&
           (is_at_rest(result) || (result->status == VL_CASE_PASSED && result->message == NULL &&
                                   result->detail == NULL));
}

void vl_table_progress(void *context, const struct vl_verdict *so_far,
                       const struct vl_case_result *result)
{
    struct vl_table *table = context;

    if (!table->headed)
        put_heading(table, so_far);
    if (result == NULL)
        return;
    vl_terminal_restart_line(&table->terminal);
    table->told++;
    if (is_left_out(table, result)) {
        put_count(table, result);
        fflush(table->terminal.stream);
        return;
    }
    int elsewhere = has_many_ranks(so_far) && !is_at_rest(result) && result->ranks != table->ranks;
    if (elsewhere || strcmp(table->function, result->function) != 0) {
        if (table->titled || table->function[0] == '\0')
            fputc('\n', table->terminal.stream);
        snprintf(table->function, sizeof table->function, "%s", result->function);
        table->said = 0;
        table->after_rest = table->rested && !table->titled;
        table->titled = table->rested = 0;
    }
    if (elsewhere)
        put_ranks(table, result->ranks);
    if (is_at_rest(result)) {
        put_rest(table, so_far, result->function);
    } else {
        if (!table->titled)
            put_function(table, result->function);
        put_case(table, so_far, result);
    }
    fflush(table->terminal.stream);
}

void vl_table_close(struct vl_table *table, const struct vl_verdict *verdict)
{
    if (!table->headed)
        put_heading(table, verdict);
    while (table->told < verdict->case_count)
        vl_table_progress(table, verdict, &verdict->cases[table->told]);
    vl_terminal_restart_line(&table->terminal);
    fputc('\n', table->terminal.stream);
    vl_summary_put(&table->terminal, verdict);
    fflush(table->terminal.stream);
}
