/*
 * The runs of `vialata study bandwidth`: two hosts (cli/hosts/two_hosts.h), whose road gets one
 * rate after the other, and on each of them the trainer's benchmark of that name.
 */
#ifndef VIALATA_CLI_STUDY_STUDY_BANDWIDTH_H
#define VIALATA_CLI_STUDY_STUDY_BANDWIDTH_H

#include "cli/command.h"
#include "report/study/bandwidth.h"

#define VL_BANDWIDTH_SPELLED 24 /* bytes of a rate as it was written */

struct vl_bandwidth_request {
    double rates[VL_BANDWIDTH_RATES];                       /* bytes/s, rising */
    char spelled[VL_BANDWIDTH_RATES][VL_BANDWIDTH_SPELLED]; /* for `tc`: "100mbit" */
    size_t count, steps, runs;
    const char *command; /* the whole command line; lives as long as the study */
};

/* Read "100mbit,1gbit": from two to VL_BANDWIDTH_RATES different rates, sorted here. VL_EXIT_USAGE,
 * with one sentence, for anything else. */
enum vl_exit vl_bandwidth_read_rates(struct vl_bandwidth_request *request, const char *text);

/* Neither hosts nor processes are left behind, even if it fails. *study is the caller's if all went
 * well; otherwise it is NULL, and what was wrong has been said. */
enum vl_exit vl_bandwidth_run(struct vl_bandwidth **study,
                              const struct vl_bandwidth_request *request);

#endif
