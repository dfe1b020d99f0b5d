/*
 * How questions about plans are put into a bag. Grader and runner both include this, and one
 * compiler builds both, so structures are copied as they are in memory.
 *
 *   questions (n,size) U8    struct vl_question: a case asks several at once
 *   crossover (n,size) U8    struct vl_plan_crossover, each for a search of its own
 *
 * Answers are float64, one array (1,n) for each of their names; of crossovers "bandwidth", and "endless"
 * (I64), nonzero where it is INFINITY. The runner adds "calls" (I64), of the rivals.
 */
#ifndef VIALATA_GRADE_LABS_10_BANDWIDTH_PLAN_BAG_H
#define VIALATA_GRADE_LABS_10_BANDWIDTH_PLAN_BAG_H

#include "vialata/crossover.h"
#include "wire/bag.h"

#include <math.h>

struct vl_plan {
    struct vl_setting setting;
    struct vl_division division;
};

/* A plan, and what the lab's other functions would answer about it. These answers are correct, so a
 * wrong function costs only its own points. */
struct vl_question {
    struct vl_plan plan;
    struct vl_chip chip;
    struct vl_group group;
    struct vl_work work;
    struct vl_loads loads;
    double bytes[2];
    size_t members, stride; /* of a group */
    int missing;            /* which argument the runner leaves out, counted from 1; 0: none */
};

/* What a function answers: numbers in the order of their names, or a structure of such numbers. */
enum { VL_PLAN_MOST_NUMBERS = 11 };
union vl_answer {
    double numbers[VL_PLAN_MOST_NUMBERS];
    struct vl_work work;
    struct vl_traffic traffic;
    struct vl_step_plan step;
};

/* The names, ended by NULL. */
static const char *const vl_names_parameters[] = {"all", "active", NULL};
static const char *const vl_names_chip[] = {"dense_layers", "expert_layers", "common",
                                            "experts",      "unit",          NULL};
static const char *const vl_names_group[] = {"inside", "across", NULL};
static const char *const vl_names_tokens[] = {"tokens", NULL};
static const char *const vl_names_seconds[] = {"seconds", NULL};
static const char *const vl_names_bytes[] = {"bytes", NULL};
static const char *const vl_names_domains[] = {"domains", NULL};
static const char *const vl_names_flops[] = {"useful", "again", "head", NULL};
static const char *const vl_names_traffic[] = {
    "reduced_bytes", "reductions",     "inside_elements", "across_elements",
    "exchanges",     "boundary_bytes", "boundaries",      "each.scatters",
    "each.gathers",  "once.scatters",  "once.gathers",    NULL};
static const char *const vl_names_step[] = {"exposed",           "bubble", "left", "seconds",
                                            "tokens_per_second", "mfu",    "hfu",  NULL};
static const char *const vl_names_whole[] = {"state_bytes", "kept_bytes", "arithmetic", "tensor",
                                             "experts",     "pipeline",   "data",       "closing",
                                             "seconds",     "mfu",        "fits",       NULL};

static inline const struct vl_question *vl_questions(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "questions")->data;
}

static inline size_t vl_question_count(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "questions")->shape[0];
}

/* Answer one question. */
typedef enum vl_status vl_ask(union vl_answer *answer, const struct vl_question *q);

/* Answer all questions into arrays of these names, which are poisoned before. VL_EINTERNAL without
 * memory for them. */
static inline enum vl_status vl_ask_all(struct vl_bag *answers, const struct vl_bag *inputs,
                                        const char *const *names, vl_ask *ask)
{
    double *arrays[VL_PLAN_MOST_NUMBERS];
    size_t questions = vl_question_count(inputs), count = 0;
    for (; names[count] != NULL; count++) {
        if ((arrays[count] = vl_bag_add_f64(answers, names[count], 1, questions)) == NULL)
            return VL_EINTERNAL;
        vl_bag_poison(answers, names[count]);
    }
    enum vl_status status = VL_OK;
    for (size_t i = 0; status == VL_OK && i < questions; i++) {
        union vl_answer answer = {{0}};
        for (size_t a = 0; a < count; a++)
            answer.numbers[a] = arrays[a][i];
        status = ask(&answer, &vl_questions(inputs)[i]);
        for (size_t a = 0; a < count; a++)
            arrays[a][i] = answer.numbers[a];
    }
    return status;
}

/* Each plan is checked five times: as it was drawn, then with one change that may make it
 * impossible. */
enum { VL_PLAN_CHANGES = 5 };

static inline struct vl_plan vl_plan_changed(const struct vl_bag *inputs, size_t i)
{
    struct vl_plan plan = vl_questions(inputs)[i / VL_PLAN_CHANGES].plan;
    size_t change = i % VL_PLAN_CHANGES;
    plan.division.tensor += change == 1;
    plan.division.expert += change == 2;
    plan.division.chunks += change == 3;
    plan.division.micro_batches += change == 4;
    return plan;
}

/* Where the crossover is searched for, and what the two rivals answer. */
struct vl_plan_crossover {
    double low, high, slack;
    double least, volume; /* seconds of the best of all: least + volume / bandwidth */
    double needed;        /* without a pipeline: (1 + needed / bandwidth) times as long, */
    double fits_from;     /* if the bandwidth is at least this; below half of it, nothing fits */
    int64_t fails_at;     /* the call that answers with an error; 0: none */
};

static inline const struct vl_plan_crossover *vl_plan_crossover_of(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "crossover")->data;
}

static inline size_t vl_plan_crossover_count(const struct vl_bag *inputs)
{
    return vl_bag_find(inputs, "crossover")->shape[0];
}

/* A rival's seconds at a bandwidth; context: struct vl_plan_crossover. */
static inline double vl_plan_of_all(void *context, double bandwidth)
{
    const struct vl_plan_crossover *c = context;
    return bandwidth < c->fits_from / 2 ? INFINITY : c->least + c->volume / bandwidth;
}

static inline double vl_plan_without(void *context, double bandwidth)
{
    const struct vl_plan_crossover *c = context;
    return bandwidth < c->fits_from
               ? INFINITY
               : vl_plan_of_all(context, bandwidth) * (1 + c->needed / bandwidth);
}

/* Is doing without a pipeline at most 'slack' slower at this bandwidth? */
static inline int vl_plan_holds(const struct vl_plan_crossover *c, double bandwidth)
{
    struct vl_plan_crossover rivals = *c;
    return bandwidth >= c->fits_from && vl_plan_without(&rivals, bandwidth) <=
                                            (1 + c->slack) * vl_plan_of_all(&rivals, bandwidth);
}

#endif
