/*
 * vialata handin: a lab of the workspace as an archive that `vialata batch` takes, with a receipt.
 *
 *   WORKSPACE/handed-in/NAME-02_collectives.zip                     the archive, or what --out says
 *   WORKSPACE/handed-in/02_collectives-20261123T151242Z.json        the receipt of each one
 *
 * Everything is done with a copy of the files, so what was looked at is what is in the archive.
 */
#ifndef VIALATA_CLI_CLASS_HANDIN_H
#define VIALATA_CLI_CLASS_HANDIN_H

#include "cli/command.h"
#include "grade/build/manifest.h"
#include <stdbool.h>
#include <time.h>

struct vl_handin {
    const struct vl_lab *lab;
    const char *out; /* --out, or NULL */
    bool anyway;
    char *workspace, *own; /* and the lab's folder in it */
    char *student;
    char *scratch; /* all that is made on the way */
    char *copies;  /* in it: the lab's files */
    struct vl_manifest manifest;
    time_t now;
};

/* ---- handin_look.c ---- */

/* Copy the files, and look at them: VL_EXIT_OK if they can be handed in. What should be known is
 * said. */
enum vl_exit vl_handin_look(struct vl_handin *handin);

/* ---- handin_write.c ---- */

/* Write the archive and the receipt, and print it. */
enum vl_exit vl_handin_write(const struct vl_handin *handin);

#endif
