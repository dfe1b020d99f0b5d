/*
 * What can be asked of `train`, `eval` and `sample`.
 *
 * The options are read twice (options_parse.h): by `vialata`, so that wrong usage is reported
 * before anything is started, and by vialata-trainer, which does the work. option_table.h lists
 * them. Nothing here touches a file.
 */
#ifndef VIALATA_TRAIN_OPTIONS_OPTIONS_H
#define VIALATA_TRAIN_OPTIONS_OPTIONS_H

#include "engine/experts/moe_loss.h"
#include "engine/model/layout.h"
#include "train/log/problem.h"
#include "vialata/recompute.h"
#include "vialata/shape.h"
#include "vialata/status.h"
#include <stdbool.h>
#include <stdint.h>

enum vl_trainer_command { VL_TRAIN, VL_EVAL, VL_SAMPLE, VL_TRAINER_COMMANDS };

/* Options for which vl_options records whether they were given; the others need no number. First
 * those that a checkpoint may contradict. */
enum vl_option {
    VL_OPTION_OTHER,
    VL_OPTION_BATCH,
    VL_OPTION_SEED,
    VL_OPTION_HORIZON,
    VL_OPTION_WARMUP,
    VL_OPTION_LR,
    VL_OPTION_LAYERS,
    VL_OPTION_WIDTH,
    VL_OPTION_HEADS,
    VL_OPTION_FF,
    VL_OPTION_SEQUENCE,
    VL_OPTION_DATA,
    VL_OPTION_EXPERTS,
    VL_OPTION_TOP_K,
    VL_OPTION_EXPERT_GROUPS,
    VL_OPTION_GROUP_LIMIT,
    VL_OPTION_BALANCE,
    VL_OPTION_BIAS_SPEED,
    VL_OPTION_AUX_ALPHA,
    VL_OPTION_AUX_SCOPE,
    /* not in a checkpoint */
    VL_OPTION_ACCUMULATE,
    VL_OPTION_MICRO_BATCHES,
    VL_OPTION_SCHEDULE,
    VL_OPTION_CHUNKS,
    VL_OPTION_STAGE_LAYERS,
    VL_OPTION_EP,
    VL_OPTION_INTERFERENCE,
    VL_OPTIONS /* how many there are */
};

#define VL_MOST_RANKS 256 /* of any layout */

struct vl_options {
    /* train */
    uint64_t steps;      /* where to stop, counted from the very first step */
    uint64_t batch;      /* sequences in the global batch */
    uint64_t seed;       /* of weights and batches; of the choices in sample */
    uint64_t horizon;    /* steps the learning rate is planned for */
    uint64_t warmup;     /* the first of them, in which it rises */
    uint64_t save_every; /* steps between two saves; there is always one at the end */
    double lr;           /* the highest learning rate */
    struct vl_shape shape;
    struct vl_expert_shape experts; /* routed experts of every layer; none: dense */
    const char *log;
    const char *save;
    const char *resume;
    uint64_t replicas;        /* --dp; data replicas are these times expert_ranks */
    uint64_t expert_ranks;    /* expert parallel: how many replicas share the experts out */
    const char *balance;      /* "none", "aux" or "bias" */
    double bias_speed;        /* for "bias": how far a bias moves in a step */
    double aux_alpha;         /* for "aux": the auxiliary loss where load is even */
    const char *aux_scope;    /* "global", "micro-batch" or "sequence" */
    bool interference;        /* compare its gradient with the language model's */
    uint64_t zero;            /* ZeRO stage 0 .. 3 over the replicas */
    uint64_t accumulate;      /* micro-batches of each replica in a step; 0: not known until the
                                 schedule's file has been read */
    uint64_t bucket_bytes;    /* least bytes of a gradient bucket; 0: a unit each */
    bool flat;                /* send gradients after backward, not while it runs */
    uint64_t node_replicas;   /* with 'flat': neighbours on a node, for two levels; 0: one ring */
    uint64_t tensor;          /* tensor parallel: how many ranks share every layer */
    bool sequence_parallel;   /* they share the tokens between the matrices too */
    uint64_t stages;          /* of a pipeline */
    uint64_t micro_batches;   /* as given; 'accumulate' is the one to read */
    uint64_t chunks;          /* virtual stages of each stage; 0 as in accumulate */
    const char *schedule;     /* its name or a file's; NULL: no pipeline */
    const char *stage_layers; /* "3,1": of each virtual stage; NULL: evenly */
    bool meter;               /* log the bytes sent in every step */
    const char *recompute;    /* "none", "selective" or "full" */
    const char *trace;        /* where to write what each rank did in the last step */
    const char *page;         /* where `vialata` writes the page; the trainer only checks it */
    const char *with;         /* "labs": the student's own code where it is finished */
    const char *launcher;     /* "mpirun" or "srun"; `vialata` obeys this and the next */
    const char *hostfile;     /* Open MPI's list of hosts; NULL: this machine */
    const char *labs_from;    /* {"training_step": "student", ...}: what --with came to; JSON that
                                 only `vialata` passes, for the log */

    /* eval and sample */
    const char *checkpoint;
    const char *prompt;
    uint64_t bytes; /* how many to write */
    double temperature;
    bool json;
    bool loads; /* report the load of the experts too */

    const char *data; /* NULL: the course's own text */
    bool events;      /* report everything on standard output, one JSON object per line */

    bool given[VL_OPTIONS]; /* on the command line, not left at their default */
};

/* Every option at its default. */
void vl_options_set_defaults(struct vl_options *options);

bool vl_options_given(const struct vl_options *options, enum vl_option option);

/* How many replicas share the batch: --dp times --ep. */
uint64_t vl_options_replicas(const struct vl_options *options);

/* How many ranks to start for this layout. */
int vl_options_ranks(const struct vl_options *options);

/* VL_EINVAL with a sentence if --recompute names no mode. */
enum vl_status vl_options_check_recompute(const struct vl_options *options,
                                          struct vl_problem *problem);

/* The mode that options->recompute names. */
enum vl_recompute vl_options_recompute(const struct vl_options *options);

/* The place of 'name' among 'count' names; 'count' if it is not one of them. */
size_t vl_options_find_name(const char *name, const char *const *names, size_t count);

/* VL_ESHAPE with a sentence if the model's sizes do not fit together. */
enum vl_status vl_options_check_shape(const struct vl_shape *shape, struct vl_problem *problem);

#endif
