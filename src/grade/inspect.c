#include "grade/inspect.h"

#include <string.h>

static const struct vl_inspector *const tables[] = {
    vl_inspectors_pipeline_parallel, vl_inspectors_expert_balancing, vl_inspectors_bandwidth};

const struct vl_inspector *vl_inspector_of(const char *function)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct vl_inspector *one = tables[i]; one->function != NULL; one++)
            if (strcmp(one->function, function) == 0)
                return one;
    return NULL;
}
