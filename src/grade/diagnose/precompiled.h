/*
 * A lab's reference and its mistakes as compiled files, for a tree that must not hold their sources
 * (a handout; class/handout/precompile.h writes them). A disassembler can still read them.
 *
 *   precompiled/NN_slug/index.json     the files and the mistakes, as this header reads them
 *   precompiled/NN_slug/forward.c.o    a file of the reference, compiled as a submission is
 *   precompiled/NN_slug/<hash>.o       a file for the search for causes, with or without a mistake
 *                                      (variants.h)
 *
 * The switch between variants needs the names of functions. So the index has an outline of each
 * file: its functions, without what is in them.
 */
#ifndef VIALATA_GRADE_DIAGNOSE_PRECOMPILED_H
#define VIALATA_GRADE_DIAGNOSE_PRECOMPILED_H

#include "grade/diagnose/edit.h"
#include "grade/diagnose/mistake.h"

/* What vl_mistakes_read and vl_reference_read give where the references are compiled: mistakes
 * without edits, files whose text is an outline. The shapes of predict.c are the usual ones, so
 * it has no object for a student who has others. VL_ELACK if the lab is not here, VL_ENOMEM. */
enum vl_status vl_precompiled_mistakes(struct vl_mistakes *mistakes, const struct vl_lab *lab);
enum vl_status vl_precompiled_reference(struct vl_reference *reference, const struct vl_lab *lab,
                                        const char *student);

#endif
