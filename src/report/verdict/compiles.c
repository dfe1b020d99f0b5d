#include "report/verdict/compiles.h"

#include <string.h>

bool vl_case_does_not_compile(const struct vl_case_result *result)
{
    return result->code != NULL && strcmp(result->code, "does_not_compile") == 0;
}

/* How many cases do not compile, and how many that are worth points could be tried? */
static void count_compiling(size_t *broken, size_t *tried, const struct vl_verdict *verdict)
{
    *broken = *tried = 0;
    for (size_t i = 0; i < verdict->case_count; i++) {
        const struct vl_case_result *result = &verdict->cases[i];
        bool is_broken = vl_case_does_not_compile(result);
        *broken += is_broken;
        *tried += !is_broken && result->status != VL_CASE_SKIPPED && result->max_points > 0;
    }
}

bool vl_verdict_compiles_in_part(const struct vl_verdict *verdict)
{
    size_t broken, tried;
    count_compiling(&broken, &tried, verdict);
    return broken > 0 && tried > 0;
}

bool vl_verdict_does_not_compile(const struct vl_verdict *verdict)
{
    size_t broken, tried;
    count_compiling(&broken, &tried, verdict);
    return broken > 0 && tried == 0;
}
