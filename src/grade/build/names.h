/*
 * Names that a submission may use and define.
 *
 * The linker knows no owners: a submission that defines memcmp becomes the memcmp of the runner,
 * and one that calls a function of lab 10 gets the course's. So before an object is linked, its
 * names are compared with those of everything that it would be linked with, in a list that the
 * build makes (CMakeLists.txt):
 *
 *   it may use      what libraries have; functions of its own and of earlier labs; status.h
 *   not             later labs; the engine, the meter and the rest of the runner; PMPI; dlsym
 *   it may define   functions of its own lab, and names that nobody else knows
 *   not             what the runner and the references define, or take from a library
 *
 * A static name is the file's own business. This is a courtesy, not the wall: it says in a sentence
 * what would otherwise be a riddle, or a way around the rules. Code that wants to harm the runner
 * finds its functions in memory without asking for their names. Constructors are allowed for the
 * same reason: what they can do, the first call can do as well.
 */
#ifndef VIALATA_GRADE_BUILD_NAMES_H
#define VIALATA_GRADE_BUILD_NAMES_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"

#include <stddef.h>

struct vl_names;

/* Read the list, for submissions of this lab. VL_ELACK if the build is incomplete, VL_ENOMEM. The
 * caller frees *names in any case. */
enum vl_status vl_names_read(struct vl_names **names, const struct vl_lab *lab);
void vl_names_free(struct vl_names *names);

/* What is defined by labs that are not linked (vl_lab_does_without): start with *at zero. Returns the
 * next name, not ended by a zero byte, or NULL after the last. */
const char *vl_names_absent(int *length, const struct vl_names *names, size_t *at);

/* Why an object must not be linked. */
struct vl_refusal {
    const char *code; /* NULL: it may be linked */
    char *sentence;   /* the caller's; NULL without memory */
};

/* The first name in 'symbols' (symbols.h), those of 'file', that is not a submission's. */
struct vl_refusal vl_names_look(const struct vl_names *names, const char *file,
                                const char *symbols);

#endif
