/* Points set by hand: put into verdicts, and told. */
#include "class/book/overrides.h"

#include "base/number.h"
#include "base/text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DIGITS 5 /* of points, for people */

static bool is_about(const struct vl_override *override, const char *student,
                     const struct vl_lab *lab)
{
    return override->lab == lab && strcasecmp(override->student, student) == 0;
}

static void refuse(struct vl_overrides *overrides, const struct vl_override *override, double most)
{
    char text[VL_NUMBER_TEXT], limit[VL_NUMBER_TEXT];
    vl_words_add(&overrides->problems,
                 _("Line %1$zu: %2$s points are more than the maximum of %3$s: write yes in the "
                   "column bonus if you mean it."),
                 override->line, vl_number_short(text, override->points, DIGITS),
                 vl_number_short(limit, most, DIGITS));
}

/* Set *points, which can be 'most'. */
static void set(struct vl_overrides *overrides, struct vl_override *override, double *points,
                double now, double most)
{
    override->used = true; /* told, whatever becomes of it */
    if (isnan(override->points))
        return;
    if (override->points > most && !override->bonus) {
        refuse(overrides, override, most);
        override->points = NAN;
        override->refused = true;
        return;
    }
    override->before = now;
    *points = override->points;
}

static struct vl_case_result *case_of(struct vl_verdict *verdict, const char *id)
{
    for (size_t i = 0; i < verdict->case_count; i++)
        if (strcmp(verdict->cases[i].id, id) == 0)
            return &verdict->cases[i];
    return NULL;
}

void vl_overrides_apply_cases(struct vl_overrides *overrides, const char *student,
                              const struct vl_lab *lab, struct vl_verdict *verdict)
{
    bool changed = false;
    for (size_t i = 0; i < overrides->count; i++) {
        struct vl_override *override = &overrides->list[i];
        struct vl_case_result *result =
            is_about(override, student, lab) ? case_of(verdict, override->id) : NULL;
        if (result != NULL) {
            set(overrides, override, &result->points, result->points, result->max_points);
            changed |= !isnan(override->before);
        }
    }
    if (changed)
        vl_verdict_close(verdict);
}

void vl_overrides_apply_lab(struct vl_overrides *overrides, const char *student,
                            const struct vl_lab *lab, struct vl_verdict *verdict)
{
    double now = NAN, points = NAN;
    if (verdict != NULL && verdict->max_score > 0)
        now = 100 * verdict->score / verdict->max_score;
    for (size_t i = 0; i < overrides->count; i++) {
        struct vl_override *override = &overrides->list[i];
        if (override->id[0] == '\0' && is_about(override, student, lab))
            set(overrides, override, &points, now, 100);
    }
    if (!isnan(points) && verdict != NULL)
        verdict->score = points / 100 * verdict->max_score;
}

double vl_overrides_score(const struct vl_overrides *overrides, const char *student,
                          const struct vl_lab *lab)
{
    for (size_t i = 0; i < overrides->count; i++) {
        const struct vl_override *override = &overrides->list[i];
        if (override->id[0] == '\0' && override->used && !isnan(override->points) &&
            is_about(override, student, lab))
            return override->points;
    }
    return NAN;
}

enum vl_status vl_overrides_tell_unused(struct vl_overrides *overrides,
                                        const struct vl_lab *const *labs, size_t lab_count)
{
    for (size_t i = 0; i < overrides->count; i++) {
        const struct vl_override *override = &overrides->list[i];
        bool asked = false;
        for (size_t k = 0; k < lab_count; k++)
            asked |= labs[k] == override->lab;
        if (asked && !override->used)
            vl_words_add(&overrides->problems,
                         _("Line %1$zu: there is no case `%2$s` in the verdict on %3$s in lab "
                           "%4$02d, or there is no such verdict."),
                         override->line, override->id, override->student, override->lab->number);
    }
    return overrides->problems.failed ? VL_ENOMEM : VL_OK;
}

bool vl_override_counts(const struct vl_override *override)
{
    return override->used && !override->refused &&
           (!isnan(override->points) || override->comment[0] != '\0');
}

const struct vl_override *vl_overrides_next(const struct vl_overrides *overrides,
                                            const char *student, const struct vl_lab *lab,
                                            size_t *at)
{
    while (*at < overrides->count) {
        const struct vl_override *override = &overrides->list[(*at)++];
        if (vl_override_counts(override) && is_about(override, student, lab))
            return override;
    }
    return NULL;
}

/* ---- telling ---- */

static char *points_text(const struct vl_override *override)
{
    char now[VL_NUMBER_TEXT], was[VL_NUMBER_TEXT];
    vl_number_short(now, override->points, DIGITS);
    vl_number_short(was, override->before, DIGITS);
    const char *id = override->id;
    if (id[0] != '\0')
        return vl_text_format(_("`%1$s`: %2$s points instead of %3$s, set by hand"), id, now, was);
    if (isnan(override->before))
        return vl_text_format(_("%s out of 100 for the lab, set by hand"), now);
    return vl_text_format(_("%1$s out of 100 for the lab instead of %2$s, set by hand"), now, was);
}

char *vl_override_text(const struct vl_override *override)
{
    const char *comment = override->comment, *by = override->by;
    char *what = !isnan(override->points)  ? points_text(override)
                 : override->id[0] != '\0' ? vl_text_format("`%s`", override->id)
                                           : strdup("");
    if (what == NULL)
        return NULL;
    char *text =
        vl_text_format("%s%s%s%s%s%s", what, what[0] != '\0' && comment[0] != '\0' ? ". " : "",
                       comment, by[0] != '\0' ? " (" : "", by, by[0] != '\0' ? ")" : "");
    free(what);
    return text;
}
