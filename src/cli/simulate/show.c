#include "cli/simulate/show.h"

#include "base/number.h"
#include "base/text.h"
#include "cli/shared/say.h"
#include "plan/blueprint_file.h"
#include "report/draw/terminal.h"
#include "simulate/scale.h"

#include <stdio.h>

static double tokens_per_second(const struct vl_simulate_request *r,
                                const struct vl_simulate_result *found)
{
    return (double)r->setting.recipe.batch * (double)r->setting.model.sequence / found->seconds;
}

static double memory_rate(const struct vl_simulate_request *r)
{
    return r->memory > 0 ? r->memory : r->setting.cluster.peak / VL_SIMULATE_FLOPS_PER_BYTE;
}

/* ---- JSON ---- */

static json_t *load_json(const struct vl_link_load *load)
{
    return json_pack("{sf sf}", "mean_bytes", load->mean, "most_bytes", load->most);
}

static json_t *division_json(const struct vl_division *d)
{
    return json_pack(
        "{sI sI sI sI sI sI sI ss}", "dp", (json_int_t)d->data, "ep", (json_int_t)d->expert, "tp",
        (json_int_t)d->tensor, "pp", (json_int_t)d->pipeline, "v", (json_int_t)d->chunks, "m",
        (json_int_t)d->micro_batches, "zero", (json_int_t)d->zero, "keep", vl_keep_name(d->keep));
}

static enum vl_exit print_json(const struct vl_simulate_request *r,
                               const struct vl_simulate_result *found)
{
    json_t *stages = json_array();
    for (size_t i = 0; i < found->stages; i++)
        json_array_append_new(stages, json_real(found->stage_idle[i]));
    json_t *all = json_pack(
        "{ss so* so* sI sI so sb sI sf sf sf sf s{sf sf sf so} s{so so} sf}", "schema",
        "vialata.simulation/1", "model", json_incref(json_object_get(r->model, "title")), "machine",
        json_incref(json_object_get(r->machine, "title")), "chips", (json_int_t)r->chips, "batch",
        (json_int_t)r->setting.recipe.batch, "layout", division_json(&r->forecast.division),
        "two_level", r->two_level, "scale", (json_int_t)r->scale, "memory_rate", memory_rate(r),
        "seconds", found->seconds, "planned_seconds", r->forecast.step.seconds, "tokens_per_second",
        tokens_per_second(r, found), "idle", "mean", found->idle, "least", found->least_idle,
        "most", found->most_idle, "stages", stages, "sent_by_a_chip", "inner",
        load_json(&found->inner), "outer", load_json(&found->outer), "messages", found->messages);
    if (all == NULL)
        return vl_say_status(VL_ENOMEM);
    if (r->with != NULL)
        json_object_set(all, "with", r->with);
    json_dumpf(all, stdout, JSON_INDENT(2));
    putchar('\n');
    json_decref(all);
    return VL_EXIT_OK;
}

/* ---- for a person ---- */

static void show_layout(const struct vl_terminal *t, const struct vl_simulate_request *r)
{
    const struct vl_division *d = &r->forecast.division;
    char text[160];
    snprintf(text, sizeof text, "dp=%zu,ep=%zu,tp=%zu,pp=%zu,v=%zu,m=%zu,zero=%zu,keep=%s", d->data,
             d->expert, d->tensor, d->pipeline, d->chunks, d->micro_batches, d->zero,
             vl_keep_name(d->keep));
    vl_terminal_sentence(t, VL_STYLE_BOLD, _("%1$s on %2$llu chips of %3$s"),
                         json_string_value(json_object_get(r->model, "title")),
                         (unsigned long long)r->chips,
                         json_string_value(json_object_get(r->machine, "title")));
    vl_terminal_sentence(t, VL_STYLE_PLAIN, "%s", text);
    if (r->two_level)
        vl_terminal_sentence(t, VL_STYLE_PLAIN,
                             _("Gradients are summed in two levels, after backward."));
}

static void show_step(const struct vl_terminal *t, const struct vl_simulate_request *r,
                      const struct vl_simulate_result *found)
{
    char seconds[VL_NUMBER_TEXT], planned[VL_NUMBER_TEXT], tokens[VL_NUMBER_TEXT],
        mean[VL_NUMBER_TEXT], least[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT];
    vl_terminal_sentence(t, VL_STYLE_PLAIN,
                         _("A step takes %1$s s (%2$s tokens/s); the planner says %3$s s."),
                         vl_number_short(seconds, found->seconds, 4),
                         vl_number_text(tokens, tokens_per_second(r, found), 0),
                         vl_number_short(planned, r->forecast.step.seconds, 4));
    vl_terminal_sentence(t, VL_STYLE_PLAIN,
                         _("A chip spends %1$s of the step without computing (mean; from %2$s to "
                           "%3$s)."),
                         vl_number_percent(mean, found->idle, 1),
                         vl_number_percent(least, found->least_idle, 1),
                         vl_number_percent(most, found->most_idle, 1));
}

static void show_stages(const struct vl_terminal *t, const struct vl_simulate_result *found)
{
    char share[VL_NUMBER_TEXT];
    for (size_t i = 0; i < found->stages && found->stages > 1; i++) {
        /* TRANSLATORS: a stage of a pipeline, from 0; the bar shows how long its chips do not
         * compute */
        fprintf(t->stream, _("  stage %3zu  "), i);
        vl_terminal_bar(t, VL_STYLE_PLAIN, found->stage_idle[i], 30);
        fprintf(t->stream, "  %s\n", vl_number_percent(share, found->stage_idle[i], 1));
    }
}

static void show_links(const struct vl_terminal *t, const struct vl_simulate_result *found)
{
    char mean[VL_NUMBER_TEXT], most[VL_NUMBER_TEXT], messages[VL_NUMBER_TEXT];
    vl_terminal_sentence(t, VL_STYLE_PLAIN,
                         _("A chip sends %1$s inside its domain (at most %2$s)."),
                         vl_number_bytes(mean, (uint64_t)found->inner.mean),
                         vl_number_bytes(most, (uint64_t)found->inner.most));
    vl_terminal_sentence(t, VL_STYLE_PLAIN, _("A chip sends %1$s between domains (at most %2$s)."),
                         vl_number_bytes(mean, (uint64_t)found->outer.mean),
                         vl_number_bytes(most, (uint64_t)found->outer.most));
    vl_terminal_sentence(t, VL_STYLE_PLAIN, _("All chips together send %s messages."),
                         vl_number_text(messages, found->messages, 0));
}

static void show_assumptions(const struct vl_terminal *t, const struct vl_simulate_request *r)
{
    char rate[VL_NUMBER_TEXT];
    vl_terminal_sentence(
        t, VL_STYLE_DIM,
        _("Scale 1:%1$llu; a chip's memory moves %2$s GB/s. `docs/simulate.md` says what is "
          "simulated and what is not."),
        (unsigned long long)r->scale, vl_number_text(rate, 1e-9 * memory_rate(r), 0));
}

enum vl_exit vl_simulate_show(const struct vl_simulate_request *request,
                              const struct vl_simulate_result *result)
{
    struct vl_terminal terminal;
    if (request->json)
        return print_json(request, result);
    vl_terminal_open(&terminal, stdout);
    show_layout(&terminal, request);
    show_step(&terminal, request, result);
    show_stages(&terminal, result);
    show_links(&terminal, result);
    show_assumptions(&terminal, request);
    return VL_EXIT_OK;
}
