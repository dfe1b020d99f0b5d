/*
 * The toolchain: what a submission is compiled against and linked with, copied to where the user of
 * the sandbox can read it (vialata itself may be in a home folder that is closed to others).
 *
 *   link line = runner objects + the submission's objects + fallback + archives of EARLIER labs
 *
 * A lab's own reference is never on that line: a function that is missing must not be found there.
 * Nor are those of later labs, which may know an answer: vl_absent is in their place.
 * So 'fallback' defines every function of the lab weakly, to return VL_EMISSING. With the objects of
 * another target instead of the runner's, the same line makes a trainer or a simulator (assembly.h).
 */
#ifndef VIALATA_GRADE_BUILD_TOOLCHAIN_H
#define VIALATA_GRADE_BUILD_TOOLCHAIN_H

#include "grade/build/target.h"
#include "grade/catalogue/lab.h"
#include "sandbox/process.h"
#include "vialata/status.h"

#include <stdbool.h>

struct vl_toolchain {
    const struct vl_target *target;
    const struct vl_lab *lab;
    int asan;        /* what is compiled from now on is compiled under AddressSanitizer */
    char *folder;    /* holds the headers in vialata/, objects, archives, fallback.c */
    char **objects;  /* of the target */
    char **archives; /* engine, base, and the references of those labs */
    char *own;       /* the runner's: the reference of this lab; NULL if it has none */
};

/* Copy what compiling needs into a new folder below 'scratch'. VL_ELACK if the build is incomplete,
 * VL_EIO, VL_ENOMEM. */
enum vl_status vl_toolchain_open(struct vl_toolchain *toolchain, const struct vl_target *target,
                                 const struct vl_lab *lab, const char *scratch, int asan);

/* Add what is linked, once: the runner with the references of earlier labs ... */
enum vl_status vl_toolchain_add_runner(struct vl_toolchain *toolchain);

/* Let this sandbox's user, and nobody else's, read the reference of this lab: before it is linked. VL_EIO. */
enum vl_status vl_toolchain_lend_own(const struct vl_toolchain *toolchain,
                                     const struct vl_sandbox *sandbox);

/* ... or another target with the references of all labs but 'mine'. */
enum vl_status vl_toolchain_add_program(struct vl_toolchain *toolchain,
                                        const struct vl_lab *const *mine, size_t count);

void vl_toolchain_close(struct vl_toolchain *toolchain);

/* The compiler and the flags of a lab, one text for the verdict. The caller frees it. */
char *vl_toolchain_flags(int asan);

/* Start compiling 'source' (in folder 'where') to 'object', with 'more' flags after those of a lab
 * (NULL-terminated; may be NULL). */
enum vl_status vl_toolchain_compile(struct vl_process *process,
                                    const struct vl_toolchain *toolchain,
                                    const struct vl_sandbox *sandbox, const char *where,
                                    const char *source, const char *object, char *const *more);

/*
 * Link in the sandbox, then take the program to where its user cannot change it: scratch/name, mode
 * 0755. 'objects' (NULL-terminated) is the submission with its fallback; NULL means the reference
 * of this lab instead. *program and *words are the caller's. If the linker refuses, *program is
 * NULL and *words what it said (with whole paths); the status is about everything else.
 */
enum vl_status vl_toolchain_link(char **program, char **words, const struct vl_toolchain *toolchain,
                                 const struct vl_sandbox *sandbox, const char *scratch,
                                 const char *name, char *const *objects);

/* Wait for a compiler to end; it is ended if its time is up, or at Ctrl-C. */
void vl_toolchain_wait(struct vl_process *process);

/* How long one run of the compiler or linker may take, in seconds; longer on a busy machine. */
#define VL_TOOLCHAIN_SECONDS 20.0

/* Has one that began then, on vl_clock(), had its time? */
bool vl_toolchain_is_over(double began);

/* What they may use, and nm and objcopy too. */
extern const struct vl_limits vl_toolchain_limits;

#endif
