/*
 * What `vialata simulate` was asked for.
 */
#ifndef VIALATA_CLI_SIMULATE_REQUEST_H
#define VIALATA_CLI_SIMULATE_REQUEST_H

#include "cli/command.h"
#include "vialata/crossover.h"
#include <jansson.h>
#include <stdint.h>

#define VL_SIMULATE_MOST_CHIPS 2048

struct vl_simulate_request {
    struct vl_setting setting;
    struct vl_forecast forecast; /* its division, and what the planner says of it */
    json_t *model, *machine;     /* their files */
    uint64_t chips, scale;
    double memory;     /* bytes/s of a chip's memory; 0: not said */
    const char *trace; /* NULL: none */
    int two_level;     /* sum gradients in two levels */
    int in_order;      /* as in simulate/task.h */
    int json;
    int with_labs; /* the student's code */
    json_t *with;  /* whose code each lab's is; NULL: all is the course's */
};

/* VL_EXIT_USAGE, with a sentence, for what is impossible. Free it whatever is returned. */
enum vl_exit vl_simulate_request_read(struct vl_simulate_request *request,
                                      const struct vl_arguments *arguments);
/* VL_EXIT_USAGE, with a sentence: a student's labs in `--real`. */
enum vl_exit vl_simulate_refuse_real_labs(void);
void vl_simulate_request_free(struct vl_simulate_request *request);

#endif
