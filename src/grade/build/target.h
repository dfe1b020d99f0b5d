/*
 * What a submission is compiled for, and which program it becomes a part of.
 *
 *              headers and messages    program             references on the link line
 *   runner     Open MPI                vialata-runner      those of earlier labs
 *   trainer    Open MPI                vialata-trainer     those of the labs that are not replaced
 *   simulator  SimGrid                 vialata-simulator   the same, compiled against SimGrid
 *
 * A text is a key of buildinfo.json, whose list it stands for; "" is an empty list.
 */
#ifndef VIALATA_GRADE_BUILD_TARGET_H
#define VIALATA_GRADE_BUILD_TARGET_H

struct vl_target {
    const char *name;                           /* of the program's file */
    const char *includes, *flags;               /* folders of headers; more flags of the compiler */
    const char *objects, *archives, *solutions; /* the program, what it builds on, the references */
    const char *wraps, *libraries;              /* --wrap flags of the linker; MPI */
    const char *const *link;                    /* more of its flags, NULL-terminated */
    const char *seen;                           /* the name that others see; "" if there is none */
    const char *phantoms; /* functions that are the program's own, whatever a submission defines */
};

extern const struct vl_target vl_target_runner, vl_target_trainer, vl_target_simulator;

/* The runner, which counts (counting.h): 'objects' are those that it has besides the runner's. */
extern const struct vl_target vl_target_counting;

#endif
