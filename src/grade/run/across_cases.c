#include "grade/run/across_cases.h"

#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/patterns/patterns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_QUESTIONS 64 /* in the tables of a function's open cases */

/* A function with an open case and no cause, and what is known of its cases. */
struct group {
    struct vl_seen_case *seen;
    size_t count, first; /* of the open ones */
    const struct vl_case_result *results;
    const struct vl_origin *origin;
    bool (*takes)(const struct vl_sign *sign); /* only such signs; NULL: any */
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

/* ---- signs ---- */

/* Is case i among the open ones of the group? */
static bool asks(const struct group *group, size_t i)
{
    return is_same(group, i) && is_open(&group->seen[i]);
}

static enum vl_status take_sign(struct vl_sign *sign, const struct group *group, size_t i)
{
    const struct vl_seen_case *seen = &group->seen[i];
    struct vl_bag *inputs = vl_case_inputs(seen->c, group->origin);
    enum vl_status status =
        inputs != NULL ? vl_sign_of_case(sign, seen->c, inputs, seen->outputs) : VL_ENOMEM;
    vl_bag_free(inputs);
    return status;
}

/* The signs of the open cases. The first case without one, or with another, ends the search. */
static enum vl_status take_signs(struct vl_sign *signs, bool *stands, const struct group *group)
{
    enum vl_status status = VL_OK;
    size_t shown = 0;
    *stands = true;
    for (size_t i = group->first; i < group->count && status == VL_OK && *stands; i++) {
        if (!asks(group, i))
            continue;
        status = take_sign(&signs[i], group, i);
        *stands =
            vl_signs_agree(&signs[group->first], &signs[i], vl_sign_nearness(group->seen[i].c));
        shown++;
    }
    *stands = *stands && (shown > 1 || !vl_sign_is_weak(&signs[group->first])) &&
              (group->takes == NULL || group->takes(&signs[group->first]));
    return status;
}

/* Let a sign stand as the cause of every open case, if it holds in all of them. */
static enum vl_status find_sign(const struct group *group)
{
    struct vl_sign *signs = calloc(group->count, sizeof *signs);
    bool stands = false;
    enum vl_status status = signs != NULL ? take_signs(signs, &stands, group) : VL_ENOMEM;
    for (size_t i = 0; signs != NULL && i < group->count; i++)
        if (status == VL_OK && stands && asks(group, i))
            group->seen[i].cause =
                (struct vl_cause){.code = signs[i].code, .message = signs[i].message};
        else
            free(signs[i].message);
    free(signs);
    return status;
}

/* ---- patterns ---- */

/* With 'results', also what they show: those of an open case, or the right ones. */
static enum vl_status take_facts(struct vl_facts *facts, const struct group *group, size_t i,
                                 bool results)
{
    const struct vl_seen_case *seen = &group->seen[i];
    struct vl_bag *inputs = vl_case_inputs(seen->c, group->origin);
    struct vl_bag *expected = vl_bag_create();
    enum vl_status status = inputs != NULL && expected != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        vl_facts_of_inputs(facts, seen->c, inputs);
    if (status == VL_OK && results)
        status = seen->c->truth(expected, inputs);
    if (status == VL_OK && results)
        vl_facts_of_outputs(facts, seen->c, expected, seen->outputs);
    facts->passed = seen->passed;
    facts->metered =
        group->results[i].group == VL_GROUP_COMMUNICATION && vl_case_is_composed(seen->c);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    return status;
}

/* The facts of all cases that count, one for one in their order. How large the right numbers are is only
 * worked out if large ones are wrong. */
static enum vl_status take_all_facts(struct vl_facts *facts, size_t *known,
                                     const struct group *group)
{
    enum vl_status status = VL_OK;
    bool large = false;
    for (int passed = 0; passed <= 1; passed++) {
        size_t at = 0;
        for (size_t i = 0; i < group->count && status == VL_OK; i++) {
            const struct vl_seen_case *seen = &group->seen[i];
            if (!counts(group, i))
                continue;
            if (seen->passed == passed)
                status = take_facts(&facts[at], group, i, passed ? large : seen->outputs != NULL);
            large |= !passed && isfinite(facts[at].smallest_wrong) &&
                     facts[at].smallest_wrong >= VL_PATTERN_LARGE;
            at++;
        }
        *known = at;
    }
    return status;
}

/* The same of the questions in a case that is a table of them; none, if it is not. */
static enum vl_status take_table(struct vl_facts *facts, size_t *known, const struct group *group,
                                 size_t i)
{
    const struct vl_seen_case *seen = &group->seen[i];
    struct vl_bag *inputs = vl_case_inputs(seen->c, group->origin);
    struct vl_bag *expected = vl_bag_create();
    enum vl_status status = inputs != NULL && expected != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = seen->c->truth(expected, inputs);
    if (status == VL_OK)
        *known += vl_facts_of_table(facts + *known, MOST_QUESTIONS - *known, seen->c, inputs,
                                    expected, seen->outputs);
    vl_bag_free(inputs);
    vl_bag_free(expected);
    return status;
}

static enum vl_status take_tables(struct vl_facts *facts, size_t *known, const struct group *group)
{
    enum vl_status status = VL_OK;
    *known = 0;
    for (size_t i = group->first; i < group->count && status == VL_OK; i++)
        if (is_same(group, i) && !group->seen[i].passed && group->seen[i].outputs != NULL)
            status = take_table(facts, known, group, i);
    return status;
}

typedef enum vl_status find_function(struct vl_pattern *pattern, const struct vl_facts *cases,
                                     size_t count);

/* Look at the cases, or at the questions in their tables. */
static enum vl_status look(struct vl_pattern *pattern, const struct group *group, bool tables,
                           find_function *find)
{
    const char *sign = group->seen[group->first].cause.code;
    bool told = sign != NULL && strcmp(sign, "scaled") == 0; /* a factor is not told again */
    size_t known = 0;
    struct vl_facts *facts = calloc(tables ? MOST_QUESTIONS : group->count, sizeof *facts);
    enum vl_status status = facts == NULL ? VL_ENOMEM
                            : tables      ? take_tables(facts, &known, group)
                                          : take_all_facts(facts, &known, group);
    for (size_t i = 0; i < known && told; i++)
        facts[i].factor = 0;
    if (status == VL_OK)
        status = find(pattern, facts, known);
    free(facts);
    return status;
}

/* Without open cases, patterns have nothing to look at. */
static enum vl_status find_pattern(const struct group *group, bool open)
{
    struct vl_pattern pattern = {0};
    enum vl_status status = open ? look(&pattern, group, true, vl_pattern_find_formula) : VL_OK;
    if (status == VL_OK && pattern.code == NULL)
        status = look(&pattern, group, false, vl_pattern_find);
    if (status == VL_OK && pattern.code == NULL && open)
        status = look(&pattern, group, true, vl_pattern_find);
    struct vl_cause *place = &group->seen[group->first].pattern;
    free(place->message); /* of what was found before there was a sign */
    *place = (struct vl_cause){.code = pattern.code, .message = pattern.message};
    return status;
}

/* ---- the whole ---- */

/* Is case i the first open one of its function? */
static bool is_first(const struct vl_seen_case *seen, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (is_open(&seen[k]) && strcmp(seen[k].c->function, seen[i].c->function) == 0)
            return false;
    return is_open(&seen[i]);
}

/* Is it told what is wrong, but not why? */
static bool is_told(const struct vl_case_result *result)
{
    static const char *const codes[] = {"unwritten", "out_of_bounds"};
    for (size_t i = 0; i < sizeof codes / sizeof *codes && result->code != NULL; i++)
        if (result->status == VL_CASE_FAILED && strcmp(result->code, codes[i]) == 0)
            return true;
    return false;
}

/* The same of a function without open cases: all its failures are told. */
static bool is_first_told(const struct group *group)
{
    for (size_t i = 0; i < group->count; i++) {
        if (!counts(group, i) || group->seen[i].passed)
            continue;
        if (i < group->first || !is_told(&group->results[i]))
            return false;
    }
    return is_told(&group->results[group->first]);
}

enum vl_status vl_across_cases(struct vl_seen_case *seen, size_t count,
                               const struct vl_case_result *results, const struct vl_origin *origin,
                               enum vl_across what)
{
    static bool (*const takes[])(const struct vl_sign *) = {
        [VL_ACROSS_CERTAIN] = vl_sign_is_certain,
        [VL_ACROSS_PLACES] = vl_sign_is_of_places,
        [VL_ACROSS_SIGNS] = NULL};
    enum vl_status status = VL_OK;
    for (size_t i = 0; i < count && status == VL_OK; i++) {
        const struct group group = {seen, count, i, results, origin, takes[what]};
        if (seen[i].c->sealed)
            continue;
        if (what == VL_ACROSS_PATTERNS && is_first_told(&group))
            status = find_pattern(&group, false);
        if (!is_first(seen, i))
            continue;
        if (what != VL_ACROSS_PATTERNS)
            status = find_sign(&group);
        if (status == VL_OK && (what == VL_ACROSS_PATTERNS || seen[i].cause.code != NULL))
            status = find_pattern(&group, true);
    }
    return status;
}

static enum vl_status add_words(struct vl_case_result *result, const struct vl_cause *more)
{
    char *both =
        more->code != NULL ? vl_text_format("%s %s", result->message, more->message) : NULL;
    if (more->code == NULL)
        return VL_OK;
    if (both == NULL)
        return VL_ENOMEM;
    free(result->message);
    result->message = both;
    if (strcmp(result->code, "wrong_values") != 0)
        return VL_OK;
    char *code = strdup(more->code);
    if (code == NULL)
        return VL_ENOMEM;
    free(result->code);
    result->code = code;
    return VL_OK;
}

enum vl_status vl_across_cases_say(struct vl_case_result *result, const struct vl_seen_case *seen)
{
    enum vl_status status = add_words(result, &seen->pattern);
    return status == VL_OK ? add_words(result, &seen->repair) : status;
}
