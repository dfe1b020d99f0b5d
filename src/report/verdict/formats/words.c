/* What several formats say of a verdict. */
#include "report/verdict/formats.h"

#include "base/text.h"
#include "base/utf8.h"
#include "grade/catalogue/lab.h"
#include "report/verdict/compiles.h"
#include "report/verdict/summary.h"
#include <math.h>
#include <stdlib.h>

static bool is_first_not_to_compile(const struct vl_verdict *verdict,
                                    const struct vl_case_result *result)
{
    for (size_t i = 0; i < verdict->case_count; i++)
        if (vl_case_does_not_compile(&verdict->cases[i]))
            return result == &verdict->cases[i];
    return false;
}

/* Both texts with 'between' between them, cleaned; NULL counts as "". */
static char *joined(const char *first, const char *between, const char *second)
{
    bool both = first != NULL && second != NULL && first[0] != '\0' && second[0] != '\0';
    char *text = vl_text_format("%s%s%s", first != NULL ? first : "", both ? between : "",
                                second != NULL ? second : "");
    char *clean = text != NULL ? vl_utf8_clean(text) : NULL;
    free(text);
    return clean;
}

char *vl_case_details(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    const char *compiler = is_first_not_to_compile(verdict, result) ? verdict->compiler : NULL;
    return joined(result->detail, "\n", compiler);
}

char *vl_case_words(const struct vl_verdict *verdict, const struct vl_case_result *result)
{
    const char *message = result->message;
    if (message == NULL && result->status == VL_CASE_NOT_STARTED)
        message = _("Not started yet.");
    char *details = vl_case_details(verdict, result);
    char *words = details != NULL ? joined(message, "\n\n", details) : NULL;
    free(details);
    return words;
}

static void put_verdict(FILE *stream, const struct vl_verdict *verdict)
{
    const struct vl_lab *lab = vl_lab_find(verdict->slug);
    char points[2 * VL_NUMBER_TEXT + 2];
    fprintf(stream, _("Lab %02d: %s"), verdict->lab, lab != NULL ? _(lab->title) : verdict->slug);
    if (isfinite(verdict->score) && isfinite(verdict->max_score)) {
        vl_points_text(points, verdict->score, verdict->max_score);
        fprintf(stream, " (%s)", points);
    }
    fputc('\n', stream);
    if (verdict->message != NULL)
        fprintf(stream, "%s\n", verdict->message);
    if (verdict->compiler != NULL)
        fprintf(stream, "%s\n", verdict->compiler);
}

char *vl_verdicts_words(const struct vl_verdict *verdicts, size_t count)
{
    char *words = NULL;
    size_t size;
    FILE *stream = open_memstream(&words, &size);
    if (stream == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        put_verdict(stream, &verdicts[i]);
    bool failed = fclose(stream) != 0;
    char *clean = !failed ? vl_utf8_clean(words) : NULL;
    free(words);
    return clean;
}

struct vl_verdicts_sum vl_verdicts_sum(const struct vl_verdict *verdicts, size_t count)
{
    struct vl_verdicts_sum sum = {.graded = true, .passed = count > 0};
    for (size_t i = 0; i < count; i++) {
        const struct vl_verdict *verdict = &verdicts[i];
        sum.graded = sum.graded && verdict->status != VL_VERDICT_ERROR;
        sum.passed = sum.passed && verdict->case_count > 0;
        sum.score += isfinite(verdict->score) ? verdict->score : 0;
        sum.max_score += isfinite(verdict->max_score) ? verdict->max_score : 0;
        for (size_t c = 0; c < verdict->case_count; c++) {
            const struct vl_case_result *result = &verdict->cases[c];
            sum.seconds += isfinite(result->seconds) ? result->seconds : 0;
            if (result->status != VL_CASE_PASSED && result->group != VL_GROUP_BONUS)
                sum.passed = false;
        }
    }
    return sum;
}

const char *vl_verdict_folder(const struct vl_verdict *verdict)
{
    const struct vl_lab *lab = vl_lab_find(verdict->slug);
    return lab != NULL ? lab->folder : verdict->slug;
}
