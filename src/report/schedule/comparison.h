/*
 * A pipeline's step as it was measured, and the same schedule on paper with the costs that were
 * measured: two rows per stage on one axis, from the first task to the last.
 *
 *   stage 0 measured  F0F1 ...B0 W0 F2B1
 *   stage 0 predicted F0F1...B0W0F2B1W1
 *
 * A task costs the median over tasks of the same stage, kind and chunk. The prediction knows
 * neither messages nor noise, so the difference to the measured rows is what those cost. Serial.
 */
#ifndef VIALATA_REPORT_SCHEDULE_COMPARISON_H
#define VIALATA_REPORT_SCHEDULE_COMPARISON_H

#include "engine/schedule/schedule_text.h"
#include "report/timeline/timeline.h"

struct vl_compared_stage {
    int rank;                             /* the one shown: the first of this stage */
    double measured_idle, predicted_idle; /* of total time, each of its own */
    size_t live;                          /* at most, in micro-batches or chunks */
};

struct vl_comparison {
    char name[256]; /* of the schedule; any bytes */
    struct vl_schedule schedule;
    struct vl_timeline *timeline; /* rows: measured and predicted, stage by stage */
    struct vl_compared_stage stages[VL_SCHEDULE_STAGES];
    double measured_seconds, predicted_seconds; /* from the first task to the last */
    double measured_idle, predicted_idle;       /* of total time, means over the stages */
    double predicted_bubble;                    /* of ideal time */
    int has_more_ranks;                         /* stages have ranks that are not shown */
};

/*
 * Make it from a trace as train/run/trace.h describes it, and from the timeline read from it, whose
 * ranks get their stages here. *comparison is NULL if the trace has no pipeline (then *reason is
 * NULL too), or if it cannot be compared (*reason is a sentence, not to be freed).
 * VL_OK or VL_ENOMEM.
 */
enum vl_status vl_comparison_read(struct vl_comparison **comparison, struct vl_timeline *timeline,
                                  const json_t *trace, const char **reason);
/* NULL is fine. */
void vl_comparison_free(struct vl_comparison *comparison);

/* Rows, axis, a table and sentences. */
enum vl_status vl_comparison_draw(const struct vl_comparison *comparison,
                                  const struct vl_terminal *terminal);
/* For machines; the caller's, NULL without memory. */
json_t *vl_comparison_json(const struct vl_comparison *comparison);
/* A title over its rows in a picture. The caller frees it, NULL without memory. */
char *vl_comparison_title(const struct vl_comparison *comparison);

#endif
