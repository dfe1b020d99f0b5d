/*
 * Objects of one lab, made ready to stand beside those of others.
 */
#ifndef VIALATA_GRADE_BUILD_NAMES_APART_H
#define VIALATA_GRADE_BUILD_NAMES_APART_H

#include "grade/build/build.h"
#include "grade/sandbox/sandbox.h"

/*
 * Give every global name in the build's objects that does not begin with "vl_" a name of this lab
 * ("square" becomes "square.01_training_step"), where it is defined and where it is used. The list
 * is written below 'scratch'. VL_ELACK if nm or objcopy cannot be started, VL_EIO, VL_ENOMEM.
 */
enum vl_status vl_names_apart(const struct vl_build *build, const char *scratch,
                              const struct vl_sandbox *sandbox);

#endif
