/*
 * What Vialata knows of a workspace, in .vialata/workspace.json ("vialata.workspace/1"):
 *
 *   version     of the Vialata that last worked on it
 *   repository  true if Vialata made the repository, and so may commit to it
 *   student     whose shapes the predictions have; absent for the usual ones
 *   written     file for editors -> fingerprint of what Vialata wrote there
 *
 * Losing it costs nothing that the student wrote.
 */
#ifndef VIALATA_CLI_WORKSPACE_RECORD_H
#define VIALATA_CLI_WORKSPACE_RECORD_H

#include "vialata/status.h"
#include <jansson.h>

#define VL_RECORD_NAME ".vialata/workspace.json"

enum vl_record_state {
    VL_RECORD_ABSENT,
    VL_RECORD_READ,
    VL_RECORD_DAMAGED, /* not JSON, or of another kind */
    VL_RECORD_NEWER    /* of a schema that this Vialata does not know */
};

struct vl_record {
    enum vl_record_state state;
    json_t *json;     /* always an object, with "written" in it */
    char version[64]; /* that it had when it was read; "" if it had none */
};

/* VL_ENOMEM alone; whatever is wrong with the file is in the state. Freed by the caller. */
enum vl_status vl_record_read(struct vl_record *record, const char *workspace);

/* Write it, as of this version. VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_record_write(const struct vl_record *record, const char *workspace);

/* The student that the workspace was started for; NULL if for nobody in particular. */
const char *vl_record_student(const struct vl_record *record);

void vl_record_free(struct vl_record *record);

#endif
