#include "grade/run/bytes.h"

#include "base/text.h"
#include "grade/catalogue/maker.h"
#include "grade/cost/why_bytes.h"
#include "grade/judge/misuse.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FIGURES 32

static bool is_open(const struct vl_seen_case *seen)
{
    return !seen->passed && seen->outputs != NULL && seen->cause.code == NULL;
}

static bool is_of(const struct vl_seen_case *seen, const char *function)
{
    return is_open(seen) && strcmp(seen->c->function, function) == 0;
}

/* Is case i the first open one of its function? */
static bool is_first(const struct vl_seen_case *seen, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (is_of(&seen[k], seen[i].c->function))
            return false;
    return is_open(&seen[i]);
}

/* None is added if the case has no such figures: *count is 0 then, whatever the others have. */
static enum vl_status add_figures(struct vl_bytes_figure *figures, size_t *count,
                                  const struct vl_seen_case *seen, const struct vl_origin *origin)
{
    struct vl_bag *inputs = vl_case_inputs(seen->c, origin), *expected = vl_bag_create();
    enum vl_status status = inputs != NULL && expected != NULL ? VL_OK : VL_ENOMEM;
    if (status == VL_OK)
        status = seen->c->truth(expected, inputs);
    if (status == VL_OK) {
        size_t added = vl_bytes_figures(figures + *count, MOST_FIGURES - *count, seen->c, inputs,
                                        expected, seen->outputs);
        *count = added > 0 ? *count + added : 0;
    }
    vl_bag_free(inputs);
    vl_bag_free(expected);
    return status;
}

/* The figures of all open cases of a function; *count is 0 if one of them has none. */
static enum vl_status take_figures(struct vl_bytes_figure *figures, size_t *count,
                                   const struct vl_seen_case *seen, size_t cases, size_t first,
                                   const struct vl_origin *origin)
{
    enum vl_status status = VL_OK;
    *count = 0;
    for (size_t i = first; i < cases && status == VL_OK; i++) {
        if (!is_of(&seen[i], seen[first].c->function))
            continue;
        status = add_figures(figures, count, &seen[i], origin);
        if (*count == 0 || *count == MOST_FIGURES)
            break;
    }
    return status;
}

/* The cause, and which calls sent the bytes of this case. */
static enum vl_status set_cause(struct vl_seen_case *seen, const struct vl_cause *cause,
                                const struct vl_grading *grading)
{
    char *senders;
    enum vl_status status =
        vl_senders_find(&senders, seen->outputs, seen->c, &grading->build, &grading->sandbox);
    if (status != VL_OK)
        return status;
    char *message =
        senders != NULL ? vl_text_format("%s %s", cause->message, senders) : strdup(cause->message);
    free(senders);
    if (message == NULL)
        return VL_ENOMEM;
    seen->cause = (struct vl_cause){.code = cause->code, .message = message};
    return VL_OK;
}

static enum vl_status set_causes(struct vl_grading *grading, size_t first,
                                 const struct vl_cause *cause)
{
    const char *function = grading->seen[first].c->function;
    enum vl_status status = VL_OK;
    for (size_t i = first; i < grading->seen_count && status == VL_OK; i++)
        if (is_of(&grading->seen[i], function))
            status = set_cause(&grading->seen[i], cause, grading);
    return status;
}

enum vl_status vl_byte_causes(struct vl_grading *grading)
{
    struct vl_seen_case *seen = grading->seen;
    const size_t count = grading->seen_count;
    struct vl_bytes_figure *figures = calloc(MOST_FIGURES, sizeof *figures);
    enum vl_status status = figures != NULL ? VL_OK : VL_ENOMEM;
    for (size_t i = 0; i < count && status == VL_OK; i++) {
        struct vl_cause cause = {0};
        size_t known = 0;
        if (!is_first(seen, i) || !seen[i].c->per_rank || seen[i].c->sealed)
            continue;
        status = take_figures(figures, &known, seen, count, i, &grading->request->origin);
        if (status == VL_OK)
            status = vl_why_bytes(&cause, figures, known);
        if (status == VL_OK && cause.code != NULL)
            status = set_causes(grading, i, &cause);
        free(cause.message);
    }
    free(figures);
    return status;
}
