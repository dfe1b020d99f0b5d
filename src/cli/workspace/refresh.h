/*
 * A file of a started lab, brought to what the course gives today. What the student wrote is never
 * lost: three versions are compared.
 *
 *   given   as the student last got it (given.h)
 *   mine    as it is in the workspace
 *   today   as the course has it now
 *
 *   mine is missing                          today is put there        added
 *   today is mine, or what was given         nothing                   same
 *   mine is what was given                   today takes its place     replaced
 *   both changed, and git can merge them     the result takes its      merged
 *                                            place, mine is kept in a backup
 *   both changed, or given is not known      today is put next to it,  beside
 *                                            as FILE.new
 *
 * What was given is remembered last, so an interrupted update is completed by the next one.
 */
#ifndef VIALATA_CLI_WORKSPACE_REFRESH_H
#define VIALATA_CLI_WORKSPACE_REFRESH_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdbool.h>

enum vl_refresh_kind {
    VL_REFRESH_SAME,
    VL_REFRESH_ADDED,
    VL_REFRESH_REPLACED,
    VL_REFRESH_MERGED,
    VL_REFRESH_BESIDE
};

struct vl_refresh {
    const char *workspace, *student; /* the student of the workspace, or NULL */
    const struct vl_lab *lab;
    bool dry;      /* look only */
    char *backup;  /* the folder with what was merged; NULL: none yet */
    char *problem; /* with VL_EIO: the path that could not be written; else NULL */
};

/* One file. *beside is the name that today's version got, freed by the caller, or NULL.
 * VL_ELACK if the course lacks the file, VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_refresh_file(enum vl_refresh_kind *kind, char **beside,
                               struct vl_refresh *refresh, const char *name);

void vl_refresh_free(struct vl_refresh *refresh);

#endif
