/*
 * What an instructor hands out: a tree that grades some labs and has no solution in it.
 *
 *   README.md, vialata        what this is; the entrance, as in the course (./vialata tour)
 *   bin/ lib/vialata/         the programs, and what submissions are linked with, stripped; those of
 *                             `simulate` too, if this tree was built with SimGrid
 *   include/vialata/          the contracts
 *   share/vialata/labs/       the labs handed out; of others only what programs read
 *   share/vialata/precompiled/ their references and mistakes (grade/diagnose/precompiled.h)
 *   share/vialata/hard/       what an earlier class found hard in them (class/book/hard.h), if asked for
 *   share/vialata/...         translations, locales, texts of these labs, the book
 *   libexec/vialata/          buildinfo.json; made-for: the machines that it works on
 *
 * The programs are those of this build, so a handout works on the same system and architecture, and
 * on processors that know what the labs were compiled for (VIALATA_CPU). Whoever has it can
 * disassemble the references: points that count come from `vialata batch`.
 */
#ifndef VIALATA_CLASS_HANDOUT_HANDOUT_H
#define VIALATA_CLASS_HANDOUT_HANDOUT_H

#include "grade/catalogue/lab.h"
#include "vialata/status.h"
#include <stdbool.h>

/* What a handout asks for whose `start` requires a name; a lab's number goes in. */
#define VL_HANDOUT_ASK_NAME                                                                        \
    N_("Start with your own name, as your instructor knows it: `vialata start %02d --student "     \
       "NAME`.")

struct vl_handout {
    const struct vl_lab **labs; /* in the order of the course */
    size_t lab_count;
    const char *language; /* our code for the only one besides English; NULL: all */
    bool named;           /* `start` requires --student */
    const char *results;  /* of an earlier class; NULL: none */
};

/*
 * Make it in a folder, which must be there and be empty. Asks interrupt.h: after Ctrl-C the folder
 * is incomplete. VL_ELACK if something of this tree is missing; VL_EFORMAT with a sentence in
 * *problem, freed by the caller, if a mistake or the results cannot be read; VL_EIO (errno), VL_EINTERNAL,
 * VL_ENOMEM.
 */
enum vl_status vl_handout_make(const struct vl_handout *handout, const char *folder,
                               char **problem);

/* The sources of these labs' references alone, a folder NN_slug for each, into such a folder. The
 * same errors. */
enum vl_status vl_handout_solutions(const struct vl_handout *handout, const char *folder);

#endif
