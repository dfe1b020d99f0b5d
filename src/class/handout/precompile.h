/*
 * Writes what grade/diagnose/precompiled.h reads: a lab's reference and its mistakes, compiled.
 */
#ifndef VIALATA_CLASS_HANDOUT_PRECOMPILE_H
#define VIALATA_CLASS_HANDOUT_PRECOMPILE_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

/* Compile a lab's reference and mistakes, and write all this into a folder, which must exist. Asks
 * interrupt.h: after Ctrl-C the folder is incomplete. VL_ELACK if the sources are not here,
 * VL_EFORMAT with a sentence in *problem (fresh) if a mistake cannot be read, VL_EINTERNAL if the
 * reference does not compile, VL_EIO (errno), VL_ENOMEM. */
enum vl_status vl_precompile(const char *folder, const struct vl_lab *lab, char **problem);

#endif
