/*
 * The runs of `vialata study balance`: started side by side, followed, and evaluated afterwards.
 */
#ifndef VIALATA_CLI_STUDY_STUDY_BALANCE_H
#define VIALATA_CLI_STUDY_STUDY_BALANCE_H

#include "cli/command.h"
#include "report/study/study.h"

struct vl_study_request {
    double alphas[VL_STUDY_ALPHAS];
    char spelled[VL_STUDY_ALPHAS][32]; /* the same, as they were written */
    size_t alpha_count, steps, seeds;
    const char *command; /* the whole command line; lives as long as the study */
};

/* The runs leave nothing behind, even if they fail. *study is the caller's if all went well;
 * otherwise it is NULL, and what was wrong has been said. */
enum vl_exit vl_study_run(struct vl_study **study, const struct vl_study_request *request);

#endif
