#include "report/verdict/replay.h"

#include "base/place.h"
#include "grade/catalogue/lab.h"
#include "report/draw/utf8.h"
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *lab_folder(int number)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_labs[i]->number == number)
            return vl_labs[i]->folder;
    return "";
}

/* Is this the folder that is graded anyway when nothing is said? */
static int is_own_folder(const struct vl_verdict *verdict)
{
    char *own = vl_place_path("labs", lab_folder(verdict->lab));
    char real_own[PATH_MAX], real_given[PATH_MAX];
    int same = own != NULL && realpath(own, real_own) != NULL &&
               realpath(verdict->submission, real_given) != NULL &&
               strcmp(real_own, real_given) == 0;
    free(own);
    return same;
}

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

char *vl_replay_line(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    char *line = NULL;
    size_t size;
    FILE *stream = open_memstream(&line, &size);
    if (stream == NULL)
        return NULL;
    fprintf(stream, "./vialata grade %02d --only ", verdict->lab);
    vl_shell_word_put(stream, result->id);
    fprintf(stream, " --seed %llu", (unsigned long long)verdict->seed);
    if (verdict->submission != NULL && strcmp(verdict->submission, "reference") == 0) {
        fputs(" --reference", stream);
    } else if (verdict->submission != NULL && !is_own_folder(verdict)) {
        fputs(" --submission ", stream);
        vl_shell_word_put(stream, verdict->submission);
    }
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
