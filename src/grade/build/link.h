/*
 * Linking in the sandbox: a program made of what a submission is and what stands around it.
 */
#ifndef VIALATA_GRADE_BUILD_LINK_H
#define VIALATA_GRADE_BUILD_LINK_H

#include "grade/build/toolchain.h"
#include "grade/sandbox/sandbox.h"
#include "vialata/status.h"

/*
 * Link as in vl_toolchain_link, then take the program to where the sandbox's user cannot change it:
 * scratch/name, mode 0755. *program and *words are the caller's. If the linker refuses, *program is
 * NULL and *words what it said (with whole paths); the status is about everything else.
 */
enum vl_status vl_link(char **program, char **words, const struct vl_toolchain *toolchain,
                       const struct vl_sandbox *sandbox, const char *scratch, const char *name,
                       char *const *objects);

#endif
