/*
 * Every option of `train`, `eval` and `sample`, in one table: help prints it, and the parser reads
 * by it. An option is added here and as a field of struct vl_options, and nowhere else.
 */
#ifndef VIALATA_TRAIN_OPTIONS_OPTION_TABLE_H
#define VIALATA_TRAIN_OPTIONS_OPTION_TABLE_H

#include "train/options/options.h"
#include <stddef.h>

enum vl_option_kind { VL_OPTION_COUNT, VL_OPTION_REAL, VL_OPTION_TEXT, VL_OPTION_SWITCH };

/* Stands for the sentence of an option that `vialata` alone gives: accepted, but not in help. */
#define VL_OPTION_HIDDEN ""

struct vl_option_rule {
    const char *name;                      /* "--steps" */
    const char *value;                     /* "N", as help shows it; NULL for a switch */
    const char *help[VL_TRAINER_COMMANDS]; /* N_(), by command; NULL: it does not take this one */
    enum vl_option_kind kind;              /* how its value is read */
    size_t offset;                         /* where it goes in struct vl_options */
    double least, most;                    /* of a count or a real number, both included */
    enum vl_option option;                 /* VL_OPTION_OTHER: nobody asks whether it was given */
};

/* In the order of help; ended by a NULL name. */
extern const struct vl_option_rule vl_option_rules[];

/* Does this command's help show the option? */
bool vl_option_is_shown(const struct vl_option_rule *rule, enum vl_trainer_command command);

/* The option of this command that 'word' ("--batch" or "--batch=8") names; NULL if there is none. */
const struct vl_option_rule *vl_option_find(enum vl_trainer_command command, const char *word);

/* "--batch" of VL_OPTION_BATCH, for sentences about it. */
const char *vl_option_name(enum vl_option option);

#endif
