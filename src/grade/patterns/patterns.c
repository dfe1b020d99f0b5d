#include "grade/patterns/pattern_parts.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

void vl_pattern_say(struct vl_pattern *pattern, const char *code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    *pattern = (struct vl_pattern){code, vl_text_vformat(format, values)};
    va_end(values);
}

void vl_pattern_forget(struct vl_pattern *pattern)
{
    free(pattern->message);
    *pattern = (struct vl_pattern){0};
}

char *vl_pattern_list(const int64_t *values, size_t count)
{
    char *text = vl_text_format("%" PRId64, values[0]);
    for (size_t i = 1; i < count && text != NULL; i++) {
        char *before = text;
        /* Numbers, listed: "1, 2", and the last of them: "1, 2 and 4". */
        text = vl_text_format(i + 1 < count ? _("%1$s, %2$lld") : _("%1$s and %2$lld"), before,
                              (long long)values[i]);
        free(before);
    }
    return text;
}

typedef void finder(struct vl_pattern *pattern, const struct vl_pattern_cases *cases);
static finder *const formulas[] = {vl_pattern_of_factor, vl_pattern_of_relation, vl_pattern_of_term,
                                   vl_pattern_of_sum};
static finder *const conditions[] = {vl_pattern_of_size,  vl_pattern_of_ranks, vl_pattern_of_choice,
                                     vl_pattern_of_shape, vl_pattern_of_pair,  vl_pattern_of_place};

static void find(struct vl_pattern *pattern, const struct vl_facts *list, size_t count,
                 finder *const *finders, size_t finder_count)
{
    struct vl_pattern_cases cases = {.list = list, .count = count};
    for (size_t i = 0; i < count; i++)
        *(list[i].passed ? &cases.passed : &cases.failed) += 1;
    for (size_t i = 0; cases.failed > 0 && pattern->code == NULL && i < finder_count; i++)
        finders[i](pattern, &cases);
}

enum vl_status vl_pattern_find_formula(struct vl_pattern *pattern, const struct vl_facts *list,
                                       size_t count)
{
    *pattern = (struct vl_pattern){0};
    find(pattern, list, count, formulas, sizeof formulas / sizeof *formulas);
    return pattern->code != NULL && pattern->message == NULL ? VL_ENOMEM : VL_OK;
}

enum vl_status vl_pattern_find(struct vl_pattern *pattern, const struct vl_facts *list,
                               size_t count)
{
    enum vl_status status = vl_pattern_find_formula(pattern, list, count);
    if (status == VL_OK)
        find(pattern, list, count, conditions, sizeof conditions / sizeof *conditions);
    return pattern->code != NULL && pattern->message == NULL ? VL_ENOMEM : status;
}
