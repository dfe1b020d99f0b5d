/*
 * The checks of `doctor`: one question about this machine each.
 */
#ifndef VIALATA_CLI_SHARED_CHECKS_H
#define VIALATA_CLI_SHARED_CHECKS_H

#include <stdbool.h>
#include <stddef.h>

#define VL_CHECKS_MOST 16

struct vl_check {
    const char *id;     /* "mpirun": stable, for machines */
    const char *name;   /* N_() */
    const char *remedy; /* N_(): what to do where it is missing */
    int needed;         /* grading or training does not work without it */
    int found;
    char what[256]; /* version, path or amount, or what is missing; cleaned by whoever shows it */
};

/* Is this a copy of the course, where `./vialata` installs and builds, and not an installed tree? */
bool vl_checks_can_build(void);

/* Ask all questions, those about building only where that is done; returns how many. */
size_t vl_checks_make(struct vl_check checks[VL_CHECKS_MOST]);

/* Ask one of them ("sphinx"): is it found? */
int vl_check_make(struct vl_check *check, const char *id);

#endif
