/*
 * The cells of `vialata study chips`: planned, and simulated a few at a time.
 */
#ifndef VIALATA_CLI_STUDY_STUDY_CHIPS_H
#define VIALATA_CLI_STUDY_STUDY_CHIPS_H

#include "cli/command.h"
#include "report/study/chips.h"

#define VL_CHIPS_LEAST 8
#define VL_CHIPS_MOST  512

struct vl_chips_request {
    char *machines[VL_CHIPS_MACHINES]; /* names, or files */
    size_t machine_count;
    size_t sizes[VL_CHIPS_SIZES]; /* chips: rising powers of two */
    size_t size_count;
    double factors[VL_BANDWIDTH_RATES]; /* rising */
    size_t factor_count;
    const char *command; /* the whole command line; lives as long as the study */
};

/* Read "h100-ib,nvl72", "64,512" and "1/16,0.25,1". VL_EXIT_USAGE, with one sentence, for anything
 * else. Free the request whatever is returned. */
enum vl_exit vl_chips_read(struct vl_chips_request *request, const char *machines,
                           const char *sizes, const char *factors);
void vl_chips_request_free(struct vl_chips_request *request);

/* Where there is no SimGrid, say so and only plan. No processes are left behind, even if it fails.
 * *study is the caller's if all went well; otherwise it is NULL, and what was wrong has been said. */
enum vl_exit vl_chips_run(struct vl_chips **study, const struct vl_chips_request *request);

#endif
