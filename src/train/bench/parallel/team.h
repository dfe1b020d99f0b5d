/*
 * Two ranks that train one model together in some way, step by step: what the benchmarks time.
 *
 *   alone            rank 0 does all of it, and rank 1 sleeps meanwhile; or does the same (a twin)
 *   data parallel    half of the sequences each; ZeRO's stages; experts shared out (ep = 2)
 *   tensor parallel  each layer on both
 *   pipeline         half of the layers each
 *
 * Several teams can live side by side and take turns, so that a busy moment of the machine falls on
 * all of them alike.
 */
#ifndef VIALATA_TRAIN_BENCH_PARALLEL_TEAM_H
#define VIALATA_TRAIN_BENCH_PARALLEL_TEAM_H

#include "engine/mesh/replicated.h"
#include "vialata/schedule.h"
#include <mpi.h>

enum { VL_TEAM_RANKS = 2 };

/* The same for all ways that are compared. */
struct vl_team_model {
    struct vl_shape shape;
    struct vl_expert_shape experts; /* 0 of them: dense layers */
    size_t rows;                    /* sequences of the whole batch */
    size_t micro_batches;           /* that a pipeline makes of them; one device takes one */
};

struct vl_team_way {
    const char *name;
    int dp, tp, pp; /* their product: 1, which is alone, or 2 */
    int ep;         /* divides dp */
    int zero;       /* stage 0 .. 3 */
    int overlap;    /* stage 0: gradients travel while backward runs, and not after it */
    int sequence;   /* sequence parallelism, where tp > 1 */
    int twin;       /* alone: rank 1 does the same at the same time, so that both cores are busy */
    enum vl_status (*schedule)(struct vl_schedule *schedule); /* where pp > 1; NULL otherwise */
    int planned;                                              /* the planner has a model of it */
};

struct vl_team {
    const struct vl_team_way *way;
    const struct vl_team_model *model;
    MPI_Comm comm;
    struct vl_mesh mesh;
    struct vl_schedule schedule;
    size_t borders[VL_TEAM_RANKS + 1]; /* of the stages */
    struct vl_replicated part;
    uint64_t step;                /* steps so far */
    struct vl_step_result result; /* of the last one */
};

/* Make a team of the two ranks of comm. tokens (2,rows,sequence): the batch, then its targets; they
 * are read in every step. Way, model and tokens outlive the team. Weights are those of seed 1.
 * Close it whatever is returned. Collective. */
enum vl_status vl_team_open(struct vl_team *team, const struct vl_team_way *way,
                            const struct vl_team_model *model, MPI_Comm comm,
                            const int32_t *tokens);
void vl_team_close(struct vl_team *team);

/* One step on the same batch as always. *seconds: from barrier to barrier as rank 0 sees it, the
 * same on both ranks. Collective. */
enum vl_status vl_team_turn(double *seconds, struct vl_team *team);

/* The micro-batches that each replica makes. */
static inline size_t vl_team_micro_batches(const struct vl_team_way *way,
                                           const struct vl_team_model *model)
{
    return way->schedule != NULL ? model->micro_batches : 1;
}

#endif
