#include "grade/run/across_cases.h"

#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/diagnose/patterns.h"

#include <stdlib.h>
#include <string.h>

/* A function with an open case and no cause, and what is known of its cases. */
struct group {
    struct vl_seen_case *seen;
    size_t count, first; /* of the open ones */
    const struct vl_case_result *results;
    const struct vl_origin *origin;
};

static bool is_open(const struct vl_seen_case *seen)
{
    return !seen->passed && seen->outputs != NULL && seen->cause.code == NULL;
}

static bool is_same(const struct group *group, size_t i)
{
    return strcmp(group->seen[i].c->function, group->seen[group->first].c->function) == 0;
}

/* Does case i say anything about when the function is right? */
static bool counts(const struct group *group, size_t i)
{
    const struct vl_seen_case *seen = &group->seen[i];
    enum vl_case_status status = group->results[i].status;
    if (!is_same(group, i))
        return false;
    return seen->passed
               ? !seen->idle
               : status == VL_CASE_FAILED || status == VL_CASE_CRASHED || status == VL_CASE_HUNG;
}

static enum vl_status take_facts(struct vl_facts *facts, const struct group *group, size_t i)
{
    const struct vl_seen_case *seen = &group->seen[i];
    struct vl_bag *inputs = vl_case_inputs(seen->c, group->origin);
    struct vl_bag *expected = vl_bag_create();
    enum vl_status status = inputs != NULL && expected != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        vl_facts_of_inputs(facts, seen->c, inputs);
    if (status == VL_OK && is_open(seen)) {
        status = seen->c->truth(expected, inputs);
        if (status == VL_OK)
            vl_facts_of_outputs(facts, seen->c, expected, seen->outputs);
    }
    facts->passed = seen->passed;
    vl_bag_free(inputs);
    vl_bag_free(expected);
    return status;
}

static enum vl_status find_pattern(const struct group *group)
{
    struct vl_facts *facts = calloc(group->count, sizeof *facts);
    struct vl_pattern pattern = {0};
    enum vl_status status = facts != NULL ? VL_OK : VL_ENOMEM;
    size_t known = 0;
    for (size_t i = 0; i < group->count && status == VL_OK; i++)
        if (counts(group, i))
            status = take_facts(&facts[known++], group, i);
    if (status == VL_OK)
        status = vl_pattern_find(&pattern, facts, known);
    if (status == VL_OK)
        group->seen[group->first].pattern =
            (struct vl_cause){.code = pattern.code, .message = pattern.message};
    free(facts);
    return status;
}

/* Is case i the first open one of its function? */
static bool is_first(const struct vl_seen_case *seen, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (is_open(&seen[k]) && strcmp(seen[k].c->function, seen[i].c->function) == 0)
            return false;
    return is_open(&seen[i]);
}

enum vl_status vl_across_cases(struct vl_seen_case *seen, size_t count,
                               const struct vl_case_result *results, const struct vl_origin *origin)
{
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < count && status == VL_OK; i++) {
        const struct group group = {seen, count, i, results, origin};
        if (is_first(seen, i) && !seen[i].c->sealed)
            status = find_pattern(&group);
    }
    return status;
}

enum vl_status vl_across_cases_say(struct vl_case_result *result, const struct vl_seen_case *seen)
{
    const struct vl_cause *pattern = &seen->pattern;
    if (pattern->code == NULL)
        return VL_OK;
    char *both = vl_text_format("%s %s", result->message, pattern->message);
    if (both == NULL)
        return VL_ENOMEM;
    free(result->message);
    result->message = both;
    if (strcmp(result->code, "wrong_values") != 0)
        return VL_OK;
    char *code = strdup(pattern->code);
    if (code == NULL)
        return VL_ENOMEM;
    free(result->code);
    result->code = code;
    return VL_OK;
}
