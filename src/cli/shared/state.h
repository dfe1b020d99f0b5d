/*
 * What is remembered from one day to the next: the last verdict on each lab's own folder.
 *
 * One JSON file per lab: "vialata.verdict/1" with one more member, "fingerprint", of the files that
 * were graded. Its folder is $VIALATA_STATE, else $XDG_STATE_HOME/vialata, else
 * ~/.local/state/vialata. Grading again brings back whatever is lost, so no command fails for it.
 */
#ifndef VIALATA_CLI_SHARED_STATE_H
#define VIALATA_CLI_SHARED_STATE_H

#include "grade/catalogue/lab.h"
#include "grade/catalogue/verdict.h"
#include "vialata/status.h"
#include <jansson.h>

/* Remember a verdict on files with that fingerprint (grade/build/lab_files.h). VL_EIO if it could
 * not be written (errno), VL_ENOMEM. */
enum vl_status vl_state_keep(const struct vl_lab *lab, const struct vl_verdict *verdict,
                             const char *fingerprint);

/* The last verdict on that lab, or NULL; the caller decrefs it. */
json_t *vl_state_recall(const struct vl_lab *lab);

/* The first function with points still to earn, numbers before speed; NULL if none. Lives as long
 * as the verdict. */
const char *vl_state_next_function(const json_t *verdict);

/* The path of a file in the state folder, which is made if need be. The caller frees it; NULL if
 * the folder cannot be made (errno). */
char *vl_state_path(const char *name);

/* The same path, whether the folder is there or not: for reading. */
char *vl_state_file(const char *name);

#endif
