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

enum vl_status vl_pattern_find(struct vl_pattern *pattern, const struct vl_facts *list,
                               size_t count)
{
    static void (*const finders[])(struct vl_pattern *, const struct vl_pattern_cases *) = {
        vl_pattern_of_factor, vl_pattern_of_size,  vl_pattern_of_ranks,
        vl_pattern_of_choice, vl_pattern_of_shape, vl_pattern_of_place};
    struct vl_pattern_cases cases = {.list = list, .count = count};
    *pattern = (struct vl_pattern){0};
    for (size_t i = 0; i < count; i++)
        *(list[i].passed ? &cases.passed : &cases.failed) += 1;
    for (size_t i = 0;
         cases.failed > 0 && pattern->code == NULL && i < sizeof finders / sizeof *finders; i++)
        finders[i](pattern, &cases);
    return pattern->code != NULL && pattern->message == NULL ? VL_ENOMEM : VL_OK;
}
