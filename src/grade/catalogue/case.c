#include "grade/catalogue/case.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct vl_lab_cases *vl_lab_cases(const struct vl_lab *lab)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        if (vl_labs[i] == lab)
            return vl_all_cases[i];
    return NULL;
}

const struct vl_lab *vl_case_lab(const struct vl_case *c)
{
    for (size_t i = 0; i < vl_lab_count; i++)
        for (size_t k = 0; k < vl_labs[i]->function_count; k++)
            if (strcmp(vl_labs[i]->functions[k].name, c->function) == 0)
                return vl_labs[i];
    return NULL;
}

bool vl_case_is_composed(const struct vl_case *c)
{
    return strncmp(c->function, "vl_", 3) != 0;
}

const char *vl_ranked(char text[VL_RANKED_NAME], const char *name, int rank)
{
    snprintf(text, VL_RANKED_NAME, "%s@%d", name, rank);
    return text;
}

int vl_split_name(char bare[VL_RANKED_NAME], const char *name)
{
    const char *at = strrchr(name, '@');
    snprintf(bare, VL_RANKED_NAME, "%.*s", (int)(at != NULL ? (size_t)(at - name) : strlen(name)),
             name);
    return at != NULL ? atoi(at + 1) : -1;
}

const char *vl_shown_name(char text[VL_SHOWN_NAME], const char *name)
{
    char bare[VL_RANKED_NAME];
    int rank = vl_split_name(bare, name);
    if (rank < 0)
        snprintf(text, VL_SHOWN_NAME, "%s", bare);
    else /* TRANSLATORS: an array of one of several ranks. */
        snprintf(text, VL_SHOWN_NAME, _("%1$s (rank %2$d)"), bare, rank);
    return text;
}
