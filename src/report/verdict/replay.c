#include "report/verdict/replay.h"

#include "base/utf8.h"
#include "grade/catalogue/lab.h"
#include "report/verdict/typed.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vl_shell_word_put(FILE *stream, const char *word)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "/._-+,:@%";
    if (word[0] != '\0' && strspn(word, bare) == strlen(word)) {
        fputs(word, stream);
        return;
    }
    fputc('\'', stream);
    for (const char *c = word; *c != '\0'; c++) {
        if (*c == '\'')
            fputs("'\\''", stream);
        else
            fputc(*c, stream);
    }
    fputc('\'', stream);
}

/* Can it be shown as it is, on one line? */
static bool is_showable(const char *word)
{
    char *clean = vl_utf8_clean(word);
    bool same = clean != NULL && strcmp(clean, word) == 0 && strpbrk(word, "\n\t") == NULL;
    free(clean);
    return same;
}

static void put_escaped(FILE *stream, const char *word)
{
    fputs("$'", stream);
    for (const unsigned char *c = (const unsigned char *)word; *c != '\0'; c++)
        fprintf(stream, *c < ' ' || *c > '~' || *c == '\'' || *c == '\\' ? "\\%03o" : "%c", *c);
    fputc('\'', stream);
}

void vl_shell_word_show(FILE *stream, const char *word)
{
    if (is_showable(word))
        vl_shell_word_put(stream, word);
    else
        put_escaped(stream, word);
}

char *vl_replay_line(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    char *line = NULL;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    if (stream == NULL)
        return NULL;
    if (verdict->is_workspace)
        vl_typed_program(stream);
    else /* read where we are not */
        fputs("./vialata", stream);
    fprintf(stream, " grade %02d --only ", verdict->lab);
    vl_shell_word_show(stream, result->id);
    if (verdict->secret) /* whose file it is, and where, is the instructor's */
        fputs(" --secret FILE", stream);
    else
        fprintf(stream, " --seed %llu", (unsigned long long)verdict->seed);
    if (verdict->student != NULL && !verdict->is_workspace) {
        fputs(" --student ", stream);
        vl_shell_word_show(stream, verdict->student);
    }
    if (verdict->submission != NULL && strcmp(verdict->submission, "reference") == 0) {
        fputs(" --reference", stream);
    } else if (verdict->submission != NULL && !verdict->is_workspace) {
        fputs(verdict->is_mistake ? " --mistake " : " --submission ", stream);
        vl_shell_word_show(stream, verdict->submission);
    }
    if (verdict->asan)
        fputs(" --asan", stream);
    if (fclose(stream) != 0) {
        free(line);
        return NULL;
    }
    return line;
}

/* The place of a function in its lab: the order in which a student meets them. */
static size_t place_of(const struct vl_verdict *verdict, const char *function)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        for (size_t k = 0; vl_labs[i]->number == verdict->lab && k < vl_labs[i]->function_count;
             k++)
            if (strcmp(vl_labs[i]->functions[k].name, function) == 0)
                return k;
    return SIZE_MAX;
}

const struct vl_case_result *vl_verdict_next(const struct vl_verdict *verdict)
{
    const struct vl_case_result *next = NULL, *slow = NULL;
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        if (result->points >= result->max_points)
            continue;
        if (result->group == VL_GROUP_THROUGHPUT) {
            if (slow == NULL)
                slow = result;
        } else if (next == NULL ||
                   place_of(verdict, result->function) < place_of(verdict, next->function)) {
            next = result;
        }
    }
    return next != NULL ? next : slow;
}
