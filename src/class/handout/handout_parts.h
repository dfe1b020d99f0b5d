/*
 * The parts of a handout (handout.h), each written below its folder.
 */
#ifndef VIALATA_CLASS_HANDOUT_HANDOUT_PARTS_H
#define VIALATA_CLASS_HANDOUT_HANDOUT_PARTS_H

#include "class/handout/handout.h"
#include "class/handout/made_for.h"

#define VL_HANDOUT_SHARE "share/vialata"

bool vl_handout_has(const struct vl_handout *handout, const struct vl_lab *lab);

/* ---- handout_programs.c ---- */

/* Programs, contracts, objects and archives, and the buildinfo.json that leads to them. None holds
 * paths of this machine's sources, and those that hold a reference have no local names either. VL_ELACK if one of them or `strip` is missing, VL_EIO, VL_ENOMEM. */
enum vl_status vl_handout_programs(const struct vl_handout *handout, const char *folder);

/* Strip all files of a folder that end in ".o". VL_ELACK, VL_EIO, VL_ENOMEM. */
enum vl_status vl_handout_strip_folder(const char *folder);

/* ---- handout_hard.c ---- */

/* What the earlier class of handout->results found hard in these labs. VL_EFORMAT with a sentence in *problem if that
 * cannot be read, VL_EIO, VL_ENOMEM. */
enum vl_status vl_handout_hard(const struct vl_handout *handout, const char *folder,
                               char **problem);

/* ---- handout_share.c ---- */

/* Translations, locales, texts and the book. VL_EIO, VL_ENOMEM. */
enum vl_status vl_handout_share(const struct vl_handout *handout, const char *folder);

/* What README.md says, in the language of the handout; NULL without memory. */
char *vl_handout_readme(const struct vl_handout *handout, const struct vl_made_for *made_for);

#endif
