/*
 * What one can do with a case of the clinic: each is a form of `vialata clinic N`.
 */
#ifndef VIALATA_CLI_CLINIC_VISIT_H
#define VIALATA_CLI_CLINIC_VISIT_H

#include "cli/clinic/chart.h"
#include "cli/clinic/shelf.h"
#include "cli/command.h"
#include "clinic/case.h"

struct vl_clinic_visit {
    const struct vl_clinic_case *item;
    struct vl_clinic_shelf shelf;
    struct vl_clinic_chart chart;
    const struct vl_arguments *arguments;
};

/* All cases, with what is known of each; as JSON into the file of --json. */
enum vl_exit vl_clinic_list(const struct vl_arguments *arguments);
enum vl_exit vl_clinic_causes(void);

/* What the program should do, and what to type next. */
enum vl_exit vl_clinic_story(struct vl_clinic_visit *visit);
/* --run, and with --report what was found. The program's status is not ours. */
enum vl_exit vl_clinic_look(struct vl_clinic_visit *visit);
/* --rank, --line, --cause. VL_EXIT_BELOW unless all three are right. */
enum vl_exit vl_clinic_diagnose(struct vl_clinic_visit *visit);
enum vl_exit vl_clinic_hint(struct vl_clinic_visit *visit);
/* --check: is it repaired? VL_EXIT_BELOW if not. */
enum vl_exit vl_clinic_check(struct vl_clinic_visit *visit);
/* --give-up: the answer. */
enum vl_exit vl_clinic_answer(struct vl_clinic_visit *visit);
enum vl_exit vl_clinic_reset(struct vl_clinic_visit *visit);

/* Why it happens, for whoever knows or has given up. */
void vl_clinic_explain(const struct vl_clinic_visit *visit);

#endif
