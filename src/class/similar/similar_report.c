/* What sim_c's report says: pairs of submissions. */
#include "class/similar/similar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 128 /* bytes of a line that are looked at */

/* The pair, whichever of the two is named first; NULL if it is new. */
static struct vl_similar_pair *find_pair(const struct vl_similar *similar,
                                         const struct vl_similar_source *one,
                                         const struct vl_similar_source *other)
{
    for (size_t i = 0; i < similar->count; i++) {
        struct vl_similar_pair *pair = &similar->list[i];
        if (pair->lab == one->lab &&
            ((pair->one == one->student && pair->other == other->student) ||
             (pair->one == other->student && pair->other == one->student)))
            return pair;
    }
    return NULL;
}

static enum vl_status add_pair(struct vl_similar *similar, const struct vl_similar_source *one,
                               const struct vl_similar_source *other, int percent)
{
    const struct vl_similar_pair added = {one->lab, one->student, other->student, percent};
    struct vl_similar_pair *pair = find_pair(similar, one, other);
    if (pair == NULL) {
        struct vl_similar_pair *list = realloc(similar->list, (similar->count + 1) * sizeof *list);
        if (list == NULL)
            return VL_ENOMEM;
        similar->list = list;
        list[similar->count++] = added;
    } else if (percent > pair->percent)
        *pair = added;
    return VL_OK;
}

struct report {
    const struct vl_similar_source *const *sources;
    size_t count;
    size_t *tokens; /* of each source */
    int percent;
};

static enum vl_status take_line(struct vl_similar *similar, const struct report *report,
                                const char *line)
{
    unsigned one, other, share, size;
    if (sscanf(line, "File %6u.c: %9u tokens", &one, &size) == 2 && one < report->count)
        report->tokens[one] = size;
    if (sscanf(line, "%6u.c consists for %4u %% of %6u.c material", &one, &share, &other) != 3 ||
        one >= report->count || other >= report->count || one == other || share > 100)
        return VL_OK;
    bool enough = (int)share >= report->percent && report->tokens[one] >= VL_SIMILAR_TOKENS &&
                  report->tokens[other] >= VL_SIMILAR_TOKENS;
    return enough ? add_pair(similar, report->sources[one], report->sources[other], (int)share)
                  : VL_OK;
}

enum vl_status vl_similar_parse(struct vl_similar *similar, const char *words,
                                const struct vl_similar_source *const *sources, size_t count,
                                int percent)
{
    struct report report = {sources, count, calloc(count + 1, sizeof *report.tokens), percent};
    enum vl_status status = report.tokens != NULL ? VL_OK : VL_ENOMEM;
    while (status == VL_OK && *words != '\0') {
        char line[LINE];
        size_t n = strcspn(words, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(n < LINE ? n : LINE - 1), words);
        status = take_line(similar, &report, line);
        words += n;
        words += *words == '\n';
    }
    free(report.tokens);
    return status;
}
