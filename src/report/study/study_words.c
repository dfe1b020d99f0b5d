/* Sentences about a study, chosen by its numbers. */
#include "report/study/study.h"

#include "base/number.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void vl_study_way_name(char text[VL_STUDY_NAME], const struct vl_study_way *way)
{
    char alpha[VL_NUMBER_TEXT];
    if (strcmp(way->balance, "none") == 0)
        snprintf(text, VL_STUDY_NAME, "%s", _("no balancing"));
    else if (strcmp(way->balance, "bias") == 0)
        /* TRANSLATORS: a way of balancing experts: a number added to each one's affinity */
        snprintf(text, VL_STUDY_NAME, "%s", VL_PGETTEXT("expert", "bias"));
    else
        /* TRANSLATORS: a way of balancing experts, and the weight of the loss; keep it short */
        snprintf(text, VL_STUDY_NAME, _("auxiliary loss, α = %s"),
                 vl_number_short(alpha, way->alpha, 3));
}

static char *say_ratio(const struct vl_study *study, const struct vl_study_findings *f)
{
    char *text = NULL, mean[VL_NUMBER_TEXT], least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    vl_number_text(mean, f->ratios.mean, 2);
    vl_number_text(least, f->ratios.least, 2);
    vl_number_text(most, f->ratios.most, 2);
    int made = study->seeds > 1
                   ? asprintf(&text,
                              _("MaxVio with the bias is %1$s times that without balancing (from "
                                "%2$s to %3$s over the seeds), in the last quarter of the steps."),
                              mean, least, most)
                   : asprintf(&text,
                              _("MaxVio with the bias is %s times that without balancing, in the "
                                "last quarter of the steps."),
                              mean);
    return made >= 0 ? text : NULL;
}

static char *say_verdict(const struct vl_study *study, const struct vl_study_findings *f)
{
    char *text = NULL, apart[VL_NUMBER_TEXT], chance[VL_NUMBER_TEXT], alpha[VL_NUMBER_TEXT];
    vl_number_text(apart, fabs(f->difference), 4);
    vl_number_text(chance, f->chance, 4);
    vl_number_short(alpha, study->ways[f->best].alpha, 3);
    const char *format =
        f->verdict == VL_STUDY_ALIKE
            /* TRANSLATORS: numbers: alpha, a difference of losses, and that between seeds */
            ? _("Over the whole text, the bias and the best auxiliary loss (α = %1$s, chosen "
                "afterwards) differ by %2$s nats per byte, and the seeds of one way differ by "
                "%3$s: at this size their losses cannot be told apart.")
            : f->verdict == VL_STUDY_BIAS_BETTER
                  ? _("Over the whole text, the loss with the bias is lower than with the best "
                      "auxiliary loss (α = %1$s, chosen afterwards) by %2$s nats per byte, more "
                      "than the %3$s between seeds of one way. A model this small does not show "
                      "what a large one would do.")
                  : _("Over the whole text, the loss with the best auxiliary loss (α = %1$s, "
                      "chosen afterwards) is lower than with the bias by %2$s nats per byte, more "
                      "than the %3$s between seeds of one way. A model this small does not show "
                      "what a large one would do.");
    int made = f->verdict == VL_STUDY_UNKNOWN
                   ? asprintf(&text, "%s",
                              _("One seed says nothing about chance: whether the losses of two "
                                "ways really differ shows only with several, such as `--seeds 3`."))
                   : asprintf(&text, format, alpha, apart, chance);
    return made >= 0 ? text : NULL;
}

static char *say_hurt(const struct vl_study *study, const struct vl_study_findings *f)
{
    char *text = NULL, large[VL_NUMBER_TEXT], best[VL_NUMBER_TEXT], hurt[VL_NUMBER_TEXT],
         share[VL_NUMBER_TEXT];
    vl_number_short(large, study->ways[f->largest].alpha, 3);
    vl_number_short(best, study->ways[f->best].alpha, 3);
    vl_number_text(hurt, f->hurt, 4);
    vl_number_percent(share, f->hurt / vl_study_evaluated(study, f->best).mean, 1);
    int made =
        f->large_hurts
            /* TRANSLATORS: two values of alpha, a difference of losses, the same in percent */
            ? asprintf(&text,
                       _("A large α hurts: with %1$s the loss over the whole text is %3$s nats per "
                         "byte (%4$s) above that with %2$s, and every run with the first is worse "
                         "than every run with the second."),
                       large, best, hurt, share)
            : asprintf(&text, "%s",
                       _("That a large α hurts was not seen here: the runs with the largest are "
                         "not all worse than those with the best. Try a larger one with "
                         "`--alphas`."));
    return made >= 0 ? text : NULL;
}

static char *say_zero(const struct vl_study_findings *f)
{
    return strdup(f->bias_is_zero
                      ? _("With the bias, size and cosine of the interference were exactly 0 in "
                          "every step of every run: there is no second gradient.")
                      : _("With the bias, the interference was not exactly 0 in every step, and it "
                          "should have been: this is worth a look at the log of such a run."));
}

char *vl_study_sentence(const struct vl_study *study, const struct vl_study_findings *findings,
                        size_t i)
{
    return i == 0   ? say_ratio(study, findings)
           : i == 1 ? say_verdict(study, findings)
           : i == 2 ? say_hurt(study, findings)
           : i == 3 ? say_zero(findings)
                    : NULL;
}
