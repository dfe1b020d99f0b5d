/* What travels, step by step and message by message. */
#include "oracle/planner.h"

#include "oracle/collectives.h"
#include "oracle/pipeline.h"

#include <math.h>

size_t vl_oracle_plan_inside(size_t members, size_t stride, size_t domain)
{
    size_t inside = 1;
    /* 'tried' blocks of 'stride' chips, with one member each, must fit in every domain. */
    for (size_t tried = 2; tried <= members; tried++)
        if (tried * stride <= domain && members % tried == 0)
            inside = tried;
    return inside;
}

static size_t axes_of(size_t inside, const struct vl_cluster *cluster)
{
    size_t axes = 0;
    for (size_t block = 2; block <= inside && axes < cluster->torus; block *= 2)
        axes++;
    return axes == 0 ? 1 : axes;
}

double vl_oracle_plan_gather(size_t inside, size_t across, const struct vl_cluster *cluster,
                             double bytes)
{
    const struct vl_link *in = &cluster->inner, *out = &cluster->outer;
    double axes = (double)axes_of(inside, cluster);
    const struct vl_oracle_road inner = {in->latency, 1 / in->bandwidth / axes};
    const struct vl_oracle_road outer = {out->latency, 1 / out->bandwidth};
    return vl_oracle_ring_seconds(inner, (int)inside, bytes, 1) +
           vl_oracle_ring_seconds(outer, (int)across, bytes / (double)inside, 1);
}

double vl_oracle_plan_exchange(size_t inside, size_t across, const struct vl_cluster *cluster,
                               double inside_bytes, double across_bytes)
{
    double in = 0, out = 0, longer = 1;
    if (cluster->torus > 0) {
        double axes = (double)axes_of(inside, cluster);
        longer = pow((double)inside, 1 / axes) / 4;
        if (longer < 1 / axes)
            longer = 1 / axes;
    }
    for (size_t i = 1; i < inside; i++)
        in += cluster->inner.latency +
              longer * inside_bytes / (double)(inside - 1) / cluster->inner.bandwidth;
    for (size_t i = 1; i < across; i++)
        out +=
            cluster->outer.latency + across_bytes / (double)(across - 1) / cluster->outer.bandwidth;
    return in > out ? in : out;
}

/* Groups are taken one by one, 'met' more of 'left', of which 'here' are in the domain looked at; then
 * the experts, one by one, from 'hits' groups of the domain among all that were taken. */
static double missed(size_t left, size_t here, size_t met, size_t hits,
                     const struct vl_blueprint *m)
{
    if (met > 0) {
        double chance = (double)here / (double)left, sum = 0;
        if (here > 0)
            sum += chance * missed(left - 1, here - 1, met - 1, hits + 1, m);
        if (left > here)
            sum += (1 - chance) * missed(left - 1, here, met - 1, hits, m);
        return sum;
    }
    double chance = 1, each = (double)(m->experts / m->expert_groups);
    for (double taken = 0; taken < (double)m->chosen; taken++) {
        double all = each * (double)m->groups_met - taken;
        chance *= fmax(0, all - each * (double)hits) / all;
    }
    return chance;
}

double vl_oracle_plan_domains(const struct vl_blueprint *model, size_t across)
{
    struct vl_blueprint m = *model;
    size_t groups = m.expert_groups, parts = 1;
    double met = 0;
    if (across % groups != 0 && groups % across != 0) {
        m.expert_groups = m.groups_met = 1;
        return vl_oracle_plan_domains(&m, across);
    }
    if (across > groups) { /* each group is cut into parts, of which a token takes all or none */
        parts = across / groups;
        double each = (double)(m.experts / across), all = each * (double)(parts * m.groups_met);
        double none = 1;
        for (double taken = 0; taken < (double)m.chosen; taken++)
            none *= fmax(0, all - each - taken) / (all - taken);
        return (1 - none) * (double)(m.groups_met * parts);
    }
    for (size_t domain = 0; domain < across; domain++)
        met += 1 - missed(groups, groups / across, m.groups_met, 0, &m);
    return met;
}

/* Rows that one token sends to the other members of a domain, and to the other domains. */
static void one_token(double *beside, double *beyond, size_t inside, size_t across,
                      const struct vl_setting *setting)
{
    double domains =
        setting->model.experts > 0 ? vl_oracle_plan_domains(&setting->model, across) : 0;
    *beside = *beyond = 0;
    for (size_t other = 1; other < inside; other++)
        *beside += (double)setting->model.chosen / (double)inside;
    for (size_t other = 1; other < across; other++)
        *beyond += domains / (double)across;
}

void vl_oracle_plan_traffic(double traffic[VL_ORACLE_TRAFFIC], const struct vl_oracle_chip *chip,
                            size_t inside, size_t across, const struct vl_setting *setting,
                            const struct vl_division *division)
{
    double tokens =
        (double)(vl_oracle_plan_rows(&setting->recipe, division) * setting->model.sequence);
    double rows = tokens / (double)division->tensor, d = (double)setting->model.width;
    double beside, beyond, bytes = setting->recipe.element_bytes;
    for (int i = 0; i < VL_ORACLE_TRAFFIC; i++)
        traffic[i] = 0;
    one_token(&beside, &beyond, inside, across, setting);
    for (size_t i = 0; i < division->micro_batches; i++) {
        for (size_t layer = 0; layer < chip->dense_layers + chip->expert_layers; layer++) {
            traffic[1] += division->tensor > 1 ? 2 + 2 : 0; /* forward, backward */
            if (layer >= chip->dense_layers && inside * across > 1)
                traffic[4] += 1 + 1;
        }
        for (size_t chunk = 0; chunk < division->chunks && division->pipeline > 1; chunk++)
            traffic[6] += 1 + 1;
    }
    traffic[0] = traffic[1] > 0 ? tokens * d * bytes : 0;
    traffic[2] = traffic[4] > 0 ? beside * rows * d : 0;
    traffic[3] = traffic[4] > 0 ? beyond * rows * d : 0;
    traffic[5] = traffic[6] > 0 ? rows * d * bytes : 0;
    if (division->data * division->expert == 1)
        return;
    traffic[7] = division->zero >= 2;             /* each micro-batch: gradients to their shards */
    traffic[8] = division->zero == 3 ? 1 + 1 : 0; /* weights for forward, weights for backward */
    traffic[9] = 1 - traffic[7];
    traffic[10] = division->zero < 3;
}

static double what_shows(double road, double cover)
{
    return fmax(0, road - cover);
}

void vl_oracle_plan_step(double step[VL_ORACLE_STEP], const double loads[VL_ORACLE_LOADS],
                         double useful, double again, const struct vl_setting *setting,
                         const struct vl_division *division)
{
    const struct vl_cluster *cluster = &setting->cluster;
    double m = (double)division->micro_batches, cover = loads[0];
    const double shares[3] = {cluster->hidden_experts, cluster->hidden_pipeline,
                              cluster->hidden_gathers};
    double tokens = (double)setting->recipe.batch * (double)setting->model.sequence;
    double chips = 1;
    const size_t ways[4] = {division->tensor, division->expert, division->data, division->pipeline};
    for (int i = 0; i < 4; i++)
        chips *= (double)ways[i];
    step[0] = 0;
    for (int kind = 0; kind < 3; kind++) {
        double road = loads[2 + kind], unseen = fmin(fmin(road, shares[kind] * loads[0]), cover);
        cover -= unseen; /* no arithmetic hides two messages */
        step[0] += road - unseen;
    }
    double one = (loads[0] + loads[1] + step[0]) / m; /* one micro-batch */
    step[1] = 0;
    for (size_t stage = 1; stage < division->pipeline; stage++)
        step[1] += one / (double)division->chunks; /* each other stage is waited for once */
    double forward = loads[0] / m / 3;
    step[2] = what_shows(loads[5], cluster->hidden_closing * (forward + forward));
    step[3] = m * one + step[1] + step[2];
    step[4] = tokens / step[3];
    step[5] = tokens * useful / (step[3] * chips * cluster->peak);
    step[6] = tokens * (useful + again) / (step[3] * chips * cluster->peak);
}

/* ---- all of it ---- */

/* Seconds of the reduce-scatters and all-gathers of one kind of parameters. */
static double data_seconds(double parameters, size_t members, size_t stride, double scatters,
                           double gathers, const struct vl_setting *setting, size_t zero)
{
    const struct vl_recipe *recipe = &setting->recipe;
    size_t inside = vl_oracle_plan_inside(members, stride, setting->cluster.domain);
    if (setting->cluster.levels == 1 && inside < members)
        inside = 1; /* one ring, and some of its links leave a domain */
    double back = zero == 0 ? recipe->gradient_bytes : recipe->weight_bytes;
    return scatters * vl_oracle_plan_gather(inside, members / inside, &setting->cluster,
                                            parameters * recipe->gradient_bytes) +
           gathers * vl_oracle_plan_gather(inside, members / inside, &setting->cluster,
                                           parameters * back);
}

static void loads_of(double loads[VL_ORACLE_LOADS], const struct vl_oracle_chip *chip,
                     const struct vl_setting *setting, const struct vl_division *division)
{
    double t[VL_ORACLE_TRAFFIC], m = (double)division->micro_batches;
    const struct vl_cluster *cluster = &setting->cluster;
    size_t tensor = division->tensor, model = tensor * division->expert;
    size_t inside = vl_oracle_plan_inside(model, 1, cluster->domain), across = model / inside;
    vl_oracle_plan_traffic(t, chip, inside, across, setting, division);

    size_t beside = vl_oracle_plan_inside(tensor, 1, cluster->domain);
    loads[1] = t[1] * 2 * vl_oracle_plan_gather(beside, tensor / beside, cluster, t[0]);
    double there = setting->recipe.dispatch_bytes, back = setting->recipe.combine_bytes;
    loads[2] = t[4] * vl_oracle_plan_exchange(inside, across, cluster, t[2] * there, t[3] * there);
    loads[2] += t[4] * vl_oracle_plan_exchange(inside, across, cluster, t[2] * back, t[3] * back);
    int near = vl_oracle_plan_inside(division->pipeline, model * division->data, cluster->domain) ==
               division->pipeline;
    const struct vl_link *link = near ? &cluster->inner : &cluster->outer;
    loads[3] = t[6] * (link->latency + t[5] / link->bandwidth);
    loads[4] = loads[5] = 0;
    const double parameters[2] = {chip->common, chip->experts};
    const size_t members[2] = {division->data * division->expert, division->data};
    const size_t stride[2] = {tensor, model};
    for (int i = 0; i < 2; i++) {
        loads[4] += m * data_seconds(parameters[i], members[i], stride[i], t[7], t[8], setting,
                                     division->zero);
        loads[5] += data_seconds(parameters[i], members[i], stride[i], t[9], t[10], setting,
                                 division->zero);
    }
}

void vl_oracle_plan_forecast(struct vl_oracle_forecast *forecast, const struct vl_setting *setting,
                             const struct vl_division *division)
{
    struct vl_oracle_chip chip;
    double useful, again;
    vl_oracle_plan_chip(&chip, &setting->model, division);
    vl_oracle_plan_flops(&useful, &again, &setting->model, division->keep);
    forecast->state_bytes = vl_oracle_plan_state_bytes(&chip, &setting->recipe, division);
    forecast->kept_bytes = vl_oracle_plan_kept_bytes(&chip, setting, division);
    loads_of(forecast->loads, &chip, setting, division);
    struct vl_setting reached = *setting;
    double head = vl_oracle_plan_head(&setting->model);
    reached.cluster.efficiency =
        vl_oracle_plan_efficiency(useful + again - head, setting, division);
    forecast->loads[0] = vl_oracle_plan_arithmetic(useful + again, head, &reached, division);
    vl_oracle_plan_step(forecast->step, forecast->loads, useful, again, setting, division);
    double room = setting->cluster.memory_bytes - setting->cluster.reserve_bytes;
    forecast->fits = forecast->state_bytes + forecast->kept_bytes <= room;
}

double vl_oracle_crossover(double low, double high, double slack,
                           double (*without)(void *context, double bandwidth),
                           double (*of_all)(void *context, double bandwidth), void *context)
{
    for (double at = low; at <= high; at *= 1.0001)
        if (isfinite(without(context, at)) &&
            without(context, at) <= of_all(context, at) * (1 + slack))
            return at;
    return INFINITY;
}
