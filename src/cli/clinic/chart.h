/*
 * What is remembered of a case, as on a patient's chart: diagnoses, hints, the repair. One JSON file for all cases
 * ("vialata.clinic/1") in the folder of cli/shared/state.h.
 */
#ifndef VIALATA_CLI_CLINIC_CHART_H
#define VIALATA_CLI_CLINIC_CHART_H

#include "cli/command.h"
#include "clinic/case.h"

#include <jansson.h>
#include <stdbool.h>

struct vl_clinic_chart {
    int diagnoses; /* how many there were */
    int points;    /* of the best of them */
    int hints;     /* shown */
    bool whole;    /* ranks, line and cause are known */
    bool report;   /* it was shown */
    bool given_up; /* the answer was shown */
    bool repaired;
};

/* All zero if nothing is remembered, or the file is damaged. */
struct vl_clinic_chart vl_clinic_chart_recall(const struct vl_clinic_case *item);

/* Points of the diagnosis and the repair, of 100. */
int vl_clinic_chart_points(const struct vl_clinic_chart *chart);

/* Says what went wrong. */
enum vl_exit vl_clinic_chart_keep(const struct vl_clinic_case *item,
                                  const struct vl_clinic_chart *chart);

/* {"schema", "score", "max_score", "cases": [{"number", "slug", "score", "diagnoses", ...}]}; NULL without
 * memory. */
json_t *vl_clinic_chart_json(void);

#endif
