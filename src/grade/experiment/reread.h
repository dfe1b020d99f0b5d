/*
 * Is a wrong answer the right one for inputs that were misread (reading.h)?
 */
#ifndef VIALATA_GRADE_EXPERIMENT_REREAD_H
#define VIALATA_GRADE_EXPERIMENT_REREAD_H

#include "grade/experiment/reading/reading.h"
#include "grade/experiment/trial.h"

/*
 * Find the reading that explains every open case of the function of this trial, and that no case
 * refutes that it has right. Not beyond 'until', on vl_clock(). Runs nothing but truths. False if there
 * is none; else its names live as long as the trial.
 */
bool vl_reread(struct vl_reading *found, const struct vl_trial *trial,
               const struct vl_trials *trials, double until);

/* Does it explain all that the trial's probes have shown, too? Round numbers may agree by chance. */
bool vl_reread_holds(const struct vl_reading *reading, const struct vl_trial *trial);

#endif
