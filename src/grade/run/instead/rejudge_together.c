/* Which functions one mistake is in: those of a file that belong together, and what a composed function
 * alone sees. */
#include "grade/run/instead/rejudge.h"

#include <string.h>

static bool is_same(const char *one, const char *other)
{
    return strcmp(one, other) == 0;
}

static bool uses(const struct vl_case *c, const char *function)
{
    const char *used;
    for (size_t k = 0; (used = vl_rejudge_used(c, k)) != NULL; k++)
        if (is_same(used, function))
            return true;
    return false;
}

/* ---- functions of one file ---- */

static bool is_in(const struct vl_lab_function *function, const char *file)
{
    return function->file != NULL && is_same(function->file, file);
}

static size_t count_wrong(const struct vl_grading *grading, const char *file)
{
    const struct vl_lab *lab = grading->request->lab;
    size_t wrong = 0;
    for (size_t i = 0; i < lab->function_count; i++)
        wrong +=
            is_in(&lab->functions[i], file) && vl_rejudge_is_wrong(grading, &lab->functions[i]);
    return wrong;
}

/* Has a case of the one to do with the other? */
static bool are_linked(const struct vl_grading *grading, const char *one, const char *other)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        if ((is_same(c->function, one) && uses(c, other)) ||
            (is_same(c->function, other) && uses(c, one)))
            return true;
    }
    return false;
}

/* Is it linked with another one of the file or, if several are wrong, with a wrong one? */
static bool has_link(const struct vl_grading *grading, const char *file,
                     const struct vl_lab_function *function, bool several)
{
    const struct vl_lab *lab = grading->request->lab;
    for (size_t i = 0; i < lab->function_count; i++) {
        const struct vl_lab_function *other = &lab->functions[i];
        if (other != function && is_in(other, file) &&
            (!several || vl_rejudge_is_wrong(grading, other)) &&
            are_linked(grading, function->name, other->name))
            return true;
    }
    return false;
}

static bool use_one_another(const struct vl_grading *grading, const char *file)
{
    const struct vl_lab *lab = grading->request->lab;
    const size_t wrong = count_wrong(grading, file);
    for (size_t i = 0; i < lab->function_count; i++) {
        const struct vl_lab_function *function = &lab->functions[i];
        if (is_in(function, file) && vl_rejudge_is_wrong(grading, function) &&
            !has_link(grading, file, function, wrong > 1))
            return false;
    }
    return wrong > 0;
}

/* ---- functions that fit one another ---- */

static bool uses_all_wrong(const struct vl_grading *grading, const char *file,
                           const struct vl_case *c)
{
    const struct vl_lab *lab = grading->request->lab;
    for (size_t i = 0; i < lab->function_count; i++) {
        const struct vl_lab_function *function = &lab->functions[i];
        if (is_in(function, file) && vl_rejudge_is_wrong(grading, function) &&
            !uses(c, function->name))
            return false;
    }
    return true;
}

/* Does it pass as it was handed in, and would not if nothing were done? */
static bool is_evidence(const struct vl_grading *grading, size_t i)
{
    const struct vl_case_result *result = &grading->verdict->cases[i];
    const struct vl_seen_case *seen = &grading->seen[i];
    return result->status == VL_CASE_PASSED && result->replaced == NULL && !seen->idle &&
           seen->c->idle <= 0;
}

bool vl_rejudge_fit(const struct vl_grading *grading, const char *file)
{
    if (count_wrong(grading, file) < 2)
        return false;
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        if (!is_in(vl_grading_function(grading, c->function), file) &&
            uses_all_wrong(grading, file, c) && is_evidence(grading, i))
            return true;
    }
    return false;
}

/* ---- functions that fail at one place ---- */

/* The next "transfer.c:161" of this file in a text, with its length; NULL if there is none. */
static const char *next_place(const char *text, const char *file, size_t *length)
{
    static const char digits[] = "0123456789";
    const size_t name = strlen(file);
    for (const char *at = text; at != NULL && (at = strstr(at, file)) != NULL; at += name) {
        size_t line = at[name] == ':' ? strspn(at + name + 1, digits) : 0;
        *length = name + 1 + line;
        if (line > 0)
            return at;
    }
    return NULL;
}

static bool tells_place(const char *text, const char *file, const char *place, size_t length)
{
    size_t other;
    for (const char *at = text; (at = next_place(at, file, &other)) != NULL; at += other)
        if (other == length && strncmp(at, place, length) == 0)
            return true;
    return false;
}

/* Does a failure of the function name the place? */
static bool fails_at(const struct vl_grading *grading, const char *function, const char *file,
                     const char *place, size_t length)
{
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case_result *result = &grading->verdict->cases[i];
        if (vl_rejudge_fails(result) && is_same(result->function, function) &&
            tells_place(result->message, file, place, length))
            return true;
    }
    return false;
}

static bool all_fail_at(const struct vl_grading *grading, const char *file, const char *place,
                        size_t length)
{
    const struct vl_lab *lab = grading->request->lab;
    for (size_t i = 0; i < lab->function_count; i++)
        if (is_in(&lab->functions[i], file) && vl_rejudge_is_wrong(grading, &lab->functions[i]) &&
            !fails_at(grading, lab->functions[i].name, file, place, length))
            return false;
    return true;
}

/* Is the mistake in something that all of them call: do their failures name one line? */
static bool fail_at_one_place(const struct vl_grading *grading, const char *file)
{
    size_t length;
    if (count_wrong(grading, file) < 2)
        return false;
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case_result *result = &grading->verdict->cases[i];
        const char *at = vl_rejudge_fails(result) ? result->message : NULL;
        for (; (at = next_place(at, file, &length)) != NULL; at += length)
            if (all_fail_at(grading, file, at, length))
                return true;
    }
    return false;
}

static bool has_undone(const struct vl_grading *grading, const char *file)
{
    const struct vl_lab *lab = grading->request->lab;
    for (size_t i = 0; i < lab->function_count; i++)
        if (is_in(&lab->functions[i], file) && vl_rejudge_is_undone(grading, &lab->functions[i]))
            return true;
    return false;
}

bool vl_rejudge_belong_together(const struct vl_grading *grading, const char *file)
{
    if (has_undone(grading, file))
        return false;
    return use_one_another(grading, file) || vl_rejudge_fit(grading, file) ||
           fail_at_one_place(grading, file);
}

/* ---- what only others see ---- */

static bool fails_somewhere(const struct vl_grading *grading, const char *function)
{
    for (size_t i = 0; i < grading->seen_count; i++)
        if (is_same(grading->seen[i].c->function, function) &&
            vl_rejudge_fails(&grading->verdict->cases[i]))
            return true;
    return false;
}

/* Does a composed function that uses this one still fail? */
static bool costs_composed(const struct vl_grading *grading, const char *function)
{
    for (size_t i = 0; i < grading->seen_count; i++)
        if (vl_grading_function(grading, grading->seen[i].c->function)->file == NULL &&
            uses(grading->seen[i].c, function) && vl_rejudge_fails(&grading->verdict->cases[i]))
            return true;
    return false;
}

/* May a failure of 'used' hang on what this function fails of, too: are both in one file, and linked? */
static bool may_share(const struct vl_grading *grading, const struct vl_lab_function *function,
                      const char *used)
{
    return function->file != NULL && is_in(vl_grading_function(grading, used), function->file) &&
           are_linked(grading, function->name, used);
}

bool vl_rejudge_pays_alone(const struct vl_grading *grading, const struct vl_lab_function *function)
{
    if (!fails_somewhere(grading, function->name) || vl_rejudge_is_undone(grading, function) ||
        (function->file != NULL && !costs_composed(grading, function->name)))
        return false;
    for (size_t i = 0; i < grading->seen_count; i++) {
        const struct vl_case *c = grading->seen[i].c;
        const char *used;
        for (size_t k = 0;
             is_same(c->function, function->name) && (used = vl_rejudge_used(c, k)) != NULL; k++)
            if (!is_same(used, c->function) && fails_somewhere(grading, used) &&
                !may_share(grading, function, used))
                return false;
    }
    return true;
}

/* Do all failed cases of the payer use it? */
static bool all_use(const struct vl_grading *grading, const char *payer, const char *function)
{
    for (size_t i = 0; i < grading->seen_count; i++)
        if (is_same(grading->seen[i].c->function, payer) &&
            vl_rejudge_fails(&grading->verdict->cases[i]) && !uses(grading->seen[i].c, function))
            return false;
    return true;
}

/* Is it right as far as its own cases tell, and does it do something? */
static bool is_right(const struct vl_grading *grading, const char *function)
{
    bool works = false;
    for (size_t i = 0; i < grading->verdict->case_count; i++) {
        const struct vl_case_result *result = &grading->verdict->cases[i];
        if (result->group == VL_GROUP_THROUGHPUT || !is_same(result->function, function))
            continue;
        if (result->status != VL_CASE_PASSED)
            return false;
        works |= i >= grading->seen_count || !grading->seen[i].idle;
    }
    return works;
}

bool vl_rejudge_may_owe(const struct vl_grading *grading, const struct vl_lab_function *payer,
                        const struct vl_lab_function *function)
{
    if (!vl_rejudge_is_written(function))
        return false;
    return payer->file == NULL ||
           (is_right(grading, function->name) && all_use(grading, payer->name, function->name));
}
