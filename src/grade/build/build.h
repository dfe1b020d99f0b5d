/*
 * From a submission's files to a runner program.
 *
 * Each file is compiled alone, so that one that does not compile costs its own functions only. All
 * of it happens in the sandbox: a source file may name any file of this machine in an #include, or
 * keep the compiler busy forever.
 */
#ifndef VIALATA_GRADE_BUILD_BUILD_H
#define VIALATA_GRADE_BUILD_BUILD_H

#include "grade/build/manifest.h"
#include "grade/build/sources.h"
#include "grade/build/toolchain.h"
#include "sandbox/sandbox.h"
#include "vialata/status.h"

enum vl_function_state {
    VL_FUNCTION_PRESENT,
    VL_FUNCTION_MISSING,
    VL_FUNCTION_BROKEN,
    VL_FUNCTION_LEFT_OUT /* with its file: vl_build_left_out */
};

/* Bytes of variables outside functions that the files of a submission may have together. Kernels
 * need none, a case may hold 1 GiB of memory, and addresses in a program end at 2 GiB. */
#define VL_BUILD_VARIABLES ((uint64_t)1 << 30)

struct vl_build {
    struct vl_toolchain toolchain;
    char *folder;   /* the copied sources; file:line is looked for below it */
    char *fallback; /* the object that answers for what is missing */
    struct vl_source sources[VL_SOURCES];
    size_t source_count;
    char hash[VL_HASH_TEXT]; /* of what the submission brought (manifest.h) */
    char *words;             /* what compiler or linker said, paths shortened; NULL if nothing */
    char *program;           /* the runner with the submission; NULL if it could not be linked */
    char *reference;         /* the runner with the reference; NULL unless asked for */
};

/*
 * Copy the submission (vl_sources_copy) below 'scratch', and compile and link it. What is wrong
 * with the submission is in *build; the status is about everything else: VL_EINVAL if 'path' does
 * not exist or has no file of this lab. Without a path (NULL) the lab's reference is linked,
 * of which a handout has the objects; VL_ELACK if they are not here.
 */
enum vl_status vl_build_make(struct vl_build *build, const struct vl_lab *lab, const char *path,
                             const char *scratch, const struct vl_sandbox *sandbox, int asan);

/* The first half of it, for any target: copy and compile, link nothing. */
enum vl_status vl_build_compile(struct vl_build *build, const struct vl_target *target,
                                const struct vl_lab *lab, const char *path, const char *scratch,
                                const struct vl_sandbox *sandbox, int asan);

/* Add to the build's words. Of a sentence, 'format' has one %s. */
void vl_build_add_words(struct vl_build *build, const struct vl_sandbox *sandbox,
                        const char *words);
void vl_build_add_sentence(struct vl_build *build, const struct vl_sandbox *sandbox,
                           const char *format, const char *name);

/* What is linked, and the fallback, NULL-terminated; VL_SOURCES + 2 entries at most. Returns how
 * many. The texts belong to the build. */
size_t vl_build_objects(const struct vl_build *build, char **objects);

/* Link the reference's runner too. VL_ELACK if this lab has no reference. */
enum vl_status vl_build_reference(struct vl_build *build, const char *scratch,
                                  const struct vl_sandbox *sandbox);

/* 'file' is where the function should be; NULL (a composed case) is always present. */
enum vl_function_state vl_build_function(const struct vl_build *build, const char *function,
                                         const char *file);

/* The name of the file that does not compile where 'file' belongs: one file of another name counts as every
 * file. NULL if there is none. */
const char *vl_build_broken(const struct vl_build *build, const char *file);

/* The file with this function that compiles but was left out, or NULL. */
const struct vl_source *vl_build_left_out(const struct vl_build *build, const char *function,
                                          const char *file);

void vl_build_free(struct vl_build *build);

#endif
