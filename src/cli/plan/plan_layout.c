#include "cli/plan/plan_layout.h"

#include "base/text.h"
#include "cli/shared/arguments.h"
#include "cli/shared/say.h"
#include "plan/blueprint_file.h"
#include "report/plan/ranking.h"

#include <stdio.h>
#include <string.h>

#define MOST 1000000 /* of one size, and of chips */

enum part { DATA, EXPERT, TENSOR, PIPELINE, CHUNKS, MICRO_BATCHES, ZERO, KEEP, PARTS };

static const char *const names[PARTS] = {"dp", "ep", "tp", "pp", "v", "m", "zero", "keep"};

struct wish {
    uint64_t sizes[PARTS];
    int said[PARTS];
};

/* ---- reading ---- */

static enum vl_exit refuse_part(const char *word)
{
    return vl_say(VL_EXIT_USAGE,
                  _("`--layout` takes sizes such as %1$s, each once, with commas between them, and "
                    "`%2$s` is none of them."),
                  "dp=2,ep=64,tp=1,pp=16,v=1,m=120,zero=1,keep=selected", word);
}

static int find_keep(uint64_t *keep, const char *value)
{
    for (int k = VL_KEEP_ALL; k <= VL_KEEP_INPUT; k++)
        if (strcmp(vl_keep_name((enum vl_keep)k), value) == 0) {
            *keep = (uint64_t)k;
            return 1;
        }
    return 0;
}

/* word: "dp=2". */
static enum vl_exit read_part(struct wish *wish, const char *word)
{
    size_t part = 0, length = strcspn(word, "=");
    while (part < PARTS &&
           (strlen(names[part]) != length || strncmp(names[part], word, length) != 0))
        part++;
    if (part == PARTS || word[length] == '\0' || wish->said[part]++)
        return refuse_part(word);
    const char *value = word + length + 1;
    if (part == KEEP)
        return find_keep(&wish->sizes[KEEP], value) ? VL_EXIT_OK : refuse_part(word);
    return vl_argument_number(&wish->sizes[part], names[part], value, part == ZERO ? 0 : 1,
                              part == ZERO ? 3 : MOST)
               ? VL_EXIT_OK
               : VL_EXIT_USAGE;
}

static enum vl_exit read_wish(struct wish *wish, const char *text)
{
    for (const char *at = text;; at++) {
        char word[64];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), at);
        enum vl_exit result = length < sizeof word ? read_part(wish, word) : refuse_part(word);
        at += length;
        if (result != VL_EXIT_OK || *at == '\0')
            return result;
    }
}

/* ---- how many chips ---- */

static enum vl_exit count_chips(struct wish *wish, uint64_t *chips)
{
    uint64_t *sizes = wish->sizes;
    for (int part = DATA; part <= CHUNKS; part++)
        sizes[part] = wish->said[part] ? sizes[part] : 1;
    uint64_t others = sizes[EXPERT] * sizes[TENSOR]; /* each at most 1e6: three fit */
    others *= sizes[PIPELINE];
    if (!wish->said[DATA] && *chips > 0 && *chips % others == 0)
        sizes[DATA] = *chips / others;
    double product = (double)others * (double)sizes[DATA];
    if (*chips == 0 && product <= (double)MOST)
        *chips = others * sizes[DATA];
    if (product == (double)*chips)
        return VL_EXIT_OK;
    return vl_say(VL_EXIT_USAGE,
                  _("`dp` times `ep` times `tp` times `pp` of this layout are %1$.0f chips, and "
                    "there are %2$llu: change one of them, or `--chips`."),
                  product, *chips > 0 ? (unsigned long long)*chips : (unsigned long long)MOST);
}

/* ---- why it is impossible ---- */

static enum vl_exit refuse_division(const struct vl_setting *setting, const struct vl_division *d)
{
    const struct vl_blueprint *model = &setting->model;
    size_t replicas = d->data * d->expert;
    if (model->heads % d->tensor != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("This layout is impossible: `tp=%1$zu` does not divide the %2$zu heads of "
                        "the model."),
                      d->tensor, model->heads);
    if (model->experts == 0 && d->expert > 1)
        return vl_say(VL_EXIT_USAGE, _("This layout is impossible: the model has no experts, so "
                                       "`ep` must be 1."));
    if (model->experts % (d->tensor * d->expert) != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("This layout is impossible: `tp` times `ep` is %1$zu and does not divide "
                        "the %2$zu experts of the model."),
                      d->tensor * d->expert, model->experts);
    if (d->pipeline * d->chunks > model->layers + (d->chunks > 1 ? 2 : 0))
        return vl_say(VL_EXIT_USAGE,
                      _("This layout is impossible: `pp` times `v` is %1$zu, and the model has "
                        "%2$zu layers."),
                      d->pipeline * d->chunks, model->layers);
    if (d->chunks > 1 && d->pipeline == 1)
        return vl_say(VL_EXIT_USAGE, _("This layout is impossible: several chunks (`v`) need "
                                       "several stages (`pp`)."));
    if (replicas > setting->recipe.batch)
        return vl_say(VL_EXIT_USAGE,
                      _("This layout is impossible: `dp` times `ep` make %1$zu replicas, and the "
                        "batch has %2$zu sequences. Give a larger `--batch`, or take fewer "
                        "replicas."),
                      replicas, setting->recipe.batch);
    if (d->chunks > 1 && d->micro_batches % d->pipeline != 0)
        return vl_say(VL_EXIT_USAGE,
                      _("This layout is impossible: with chunks (`v`), `pp` has to divide `m`."));
    return vl_say(VL_EXIT_USAGE,
                  _("This layout is impossible: shared by `dp` times `ep` (%2$zu), the batch of "
                    "%1$zu sequences is too small for so many micro-batches (`m`)."),
                  setting->recipe.batch, replicas);
}

enum vl_exit vl_plan_read_layout(struct vl_forecast *forecast, uint64_t *chips,
                                 const struct vl_setting *setting, const char *text)
{
    struct wish wish = {0};
    const uint64_t *sizes = wish.sizes;
    enum vl_exit result = read_wish(&wish, text);
    if (result == VL_EXIT_OK)
        result = count_chips(&wish, chips);
    if (result != VL_EXIT_OK)
        return result;
    const struct vl_division asked = {.tensor = sizes[TENSOR],
                                      .expert = sizes[EXPERT],
                                      .data = sizes[DATA],
                                      .pipeline = sizes[PIPELINE],
                                      .chunks = sizes[CHUNKS],
                                      .micro_batches = sizes[MICRO_BATCHES],
                                      .zero = wish.said[ZERO] ? sizes[ZERO] : VL_RANKING_ANY_ZERO,
                                      .keep = wish.said[KEEP] ? (enum vl_keep)sizes[KEEP]
                                                              : VL_RANKING_ANY_KEEP};
    enum vl_status status = vl_ranking_complete(forecast, setting, &asked);
    if (status == VL_ESHAPE)
        return refuse_division(setting, &asked);
    return vl_say_status(status);
}
