/* A study for machines: all numbers with all digits. */
#include "report/study/study.h"

#include "report/verdict/formats.h"
#include "version.h"

#include <string.h>

#define SCHEMA "vialata.study.balance/1"

static json_t *list(const double *values, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(all, vl_json_real(values[i]));
    return all;
}

static json_t *spread(struct vl_study_spread s)
{
    return json_pack("{s:o, s:o, s:o}", "mean", vl_json_real(s.mean), "least",
                     vl_json_real(s.least), "most", vl_json_real(s.most));
}

static json_t *late(const struct vl_study *study, const struct vl_study_run *run)
{
    return json_pack(
        "{s:o, s:o, s:o, s:o}", "loss", vl_json_real(vl_study_late(study, run, VL_STUDY_LOSS)),
        "max_violation", vl_json_real(vl_study_late(study, run, VL_STUDY_VIOLATION)),
        "interference_size", vl_json_real(vl_study_late(study, run, VL_STUDY_SIZE)),
        "interference_cosine", vl_json_real(vl_study_late(study, run, VL_STUDY_COSINE)));
}

static json_t *one_run(const struct vl_study *study, const struct vl_study_run *run, size_t seed)
{
    size_t n = study->steps;
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "seed", (json_int_t)seed, "loss",
                     list(run->curves[VL_STUDY_LOSS], n), "max_violation",
                     list(run->curves[VL_STUDY_VIOLATION], n), "interference_size",
                     list(run->curves[VL_STUDY_SIZE], n), "interference_cosine",
                     list(run->curves[VL_STUDY_COSINE], n), "last_quarter", late(study, run),
                     "evaluated_loss", vl_json_real(run->evaluated));
}

/* By language, then by layer: one share per expert. */
static json_t *loads(const struct vl_study *study, const struct vl_study_way *way)
{
    json_t *all = json_object();
    for (size_t p = 0; way->loads != NULL && p < study->part_count; p++) {
        json_t *layers = json_array();
        for (size_t l = 0; l < study->layers; l++)
            json_array_append_new(
                layers,
                list(way->loads + (p * study->layers + l) * study->experts, study->experts));
        json_object_set_new(all, study->parts[p], layers);
    }
    return all;
}

static json_t *one_way(const struct vl_study *study, size_t w)
{
    const struct vl_study_way *way = &study->ways[w];
    json_t *runs = json_array();
    for (size_t s = 0; s < study->seeds; s++)
        json_array_append_new(runs, one_run(study, &way->runs[s], s + 1));
    int aux = strcmp(way->balance, "aux") == 0;
    json_t *quarter = json_pack(
        "{s:o, s:o, s:o, s:o}", "loss", spread(vl_study_late_spread(study, w, VL_STUDY_LOSS)),
        "max_violation", spread(vl_study_late_spread(study, w, VL_STUDY_VIOLATION)),
        "interference_size", spread(vl_study_late_spread(study, w, VL_STUDY_SIZE)),
        "interference_cosine", spread(vl_study_late_spread(study, w, VL_STUDY_COSINE)));
    return json_pack("{s:s, s:o, s:O?, s:o, s:o, s:o, s:o}", "balance", way->balance, "alpha",
                     aux ? json_real(way->alpha) : json_null(), "options", way->options, "runs",
                     runs, "last_quarter", quarter, "evaluated_loss",
                     spread(vl_study_evaluated(study, w)), "loads", loads(study, way));
}

static json_t *findings(const struct vl_study *study)
{
    static const char *const verdicts[] = {[VL_STUDY_UNKNOWN] = "unknown",
                                           [VL_STUDY_ALIKE] = "alike",
                                           [VL_STUDY_BIAS_BETTER] = "bias_better",
                                           [VL_STUDY_AUX_BETTER] = "aux_better"};
    struct vl_study_findings f;
    vl_study_find(&f, study);
    return json_pack("{s:o, s:o, s:f, s:f, s:o, s:o, s:s, s:b, s:o, s:b}",
                     "max_violation_bias_over_none", list(f.ratio, study->seeds),
                     "max_violation_bias_over_none_spread", spread(f.ratios), "best_alpha",
                     study->ways[f.best].alpha, "largest_alpha", study->ways[f.largest].alpha,
                     "best_alpha_less_bias", vl_json_real(f.difference), "between_seeds",
                     vl_json_real(f.chance), "verdict", verdicts[f.verdict], "large_alpha_hurts",
                     f.large_hurts, "largest_less_best_alpha", vl_json_real(f.hurt),
                     "bias_interference_is_zero", f.bias_is_zero);
}

static json_t *pipeline(const struct vl_study *study)
{
    static const struct {
        const char *balance, *schedule;
    } runs[VL_STUDY_PIPELINES] = {
        [VL_STUDY_LOSS_AFAB] = {"aux", "afab"}, [VL_STUDY_BIAS_1F1B] = {"bias", "1f1b"}};
    if (!study->has_memory)
        return json_null();
    json_t *all = json_array();
    for (size_t p = 0; p < VL_STUDY_PIPELINES; p++) {
        json_t *stages = json_array();
        for (size_t s = 0; s < VL_STUDY_STAGES; s++)
            json_array_append_new(
                stages, json_pack("{s:I, s:I}", "kept_bytes", (json_int_t)study->memory[p][s].kept,
                                  "activation_bytes", (json_int_t)study->memory[p][s].activations));
        json_array_append_new(all, json_pack("{s:s, s:s, s:I, s:o}", "balance", runs[p].balance,
                                             "schedule", runs[p].schedule, "micro_batches",
                                             (json_int_t)study->micro_batches, "stages", stages));
    }
    return all;
}

json_t *vl_study_json(const struct vl_study *study)
{
    json_t *ways = json_array();
    for (size_t w = 0; w < study->way_count; w++)
        json_array_append_new(ways, one_way(study, w));
    return json_pack("{s:s, s:s, s:s, s:s, s:s*, s:I, s:I, s:I, s:O?, s:o, s:o, s:o}", "schema",
                     SCHEMA, "version", VL_VERSION, "commit", VL_COMMIT, "date", study->date,
                     "command", study->command, "steps", (json_int_t)study->steps, "seeds",
                     (json_int_t)study->seeds, "last_quarter_from_step",
                     (json_int_t)vl_study_late_begin(study) + 1, "run", study->run, "ways", ways,
                     "findings", findings(study), "pipeline", pipeline(study));
}
