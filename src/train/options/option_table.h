/*
 * Every option of `train`, `eval` and `sample`, in one table that help prints and the parser uses.
 * A new option needs an entry here and a field of struct vl_options, with its default in options.c.
 */
#ifndef VIALATA_TRAIN_OPTIONS_OPTION_TABLE_H
#define VIALATA_TRAIN_OPTIONS_OPTION_TABLE_H

#include "train/options/options.h"
#include <stddef.h>

enum vl_option_kind { VL_OPTION_COUNT, VL_OPTION_REAL, VL_OPTION_TEXT, VL_OPTION_SWITCH };

/* The help of an option that only `vialata` passes: accepted, but not shown. */
#define VL_OPTION_HIDDEN ""

struct vl_option_rule {
    const char *name;                      /* "--steps" */
    const char *value;                     /* "N", as help shows it; NULL for a switch */
    const char *help[VL_TRAINER_COMMANDS]; /* N_(), by command; NULL: not an option of it */
    enum vl_option_kind kind;              /* how its value is read */
    size_t offset;                         /* where it goes in struct vl_options */
    double least, most;                    /* of a count or a real number, both inclusive */
    enum vl_option option;                 /* VL_OPTION_OTHER: given[] does not record it */
};

/* In the order of help; ended by a NULL name. */
extern const struct vl_option_rule vl_option_rules[];

/* Does this command's help show the option? */
bool vl_option_is_shown(const struct vl_option_rule *rule, enum vl_trainer_command command);

/* The option of this command that 'word' ("--batch" or "--batch=8") names, or NULL. */
const struct vl_option_rule *vl_option_find(enum vl_trainer_command command, const char *word);

/* "--batch" of VL_OPTION_BATCH, for sentences about it. */
const char *vl_option_name(enum vl_option option);

#endif
