/*
 * A command of the program: what it is called, what it takes, and what runs.
 *
 * The tables hold everything that help prints and the parser accepts (arguments.h; for train, eval
 * and sample train/options/option_table.h), so the two cannot drift apart. Results go to standard
 * output, and everything about errors to standard error.
 */
#ifndef VIALATA_CLI_COMMAND_H
#define VIALATA_CLI_COMMAND_H

#include "base/words.h"
#include "train/options/options.h"
#include <stdbool.h>
#include <stddef.h>

/* How every command ends. */
enum vl_exit {
    VL_EXIT_OK = 0,    /* done; full score */
    VL_EXIT_BELOW = 1, /* graded below full score */
    VL_EXIT_USAGE = 2, /* wrong usage: the message says what is right */
    VL_EXIT_LACK = 3,  /* something is missing: the message says what to do */
    VL_EXIT_FAULT = 4  /* a fault of vialata itself */
};

struct vl_flag {
    const char *name;  /* "seed", without its dashes */
    const char *value; /* "N", as help shows it; NULL for a switch. "NAME ...": may be given again,
                          and the values are joined with commas */
    const char *help;  /* N_() */
};

struct vl_arguments {
    const struct vl_command *command;
    const char **values; /* one for each of command->flags; NULL: not given */
    int count;           /* words that are not flags */
    char **words;
    bool help;              /* --help was among them */
    struct vl_words joined; /* values of flags that were given again */
};

struct vl_command {
    const char *name;
    const char *takes;               /* "LAB [1-3]" */
    int least, most;                 /* how many words */
    const char *summary;             /* N_(): one sentence */
    const struct vl_flag *flags;     /* ended by a NULL name; NULL: those of a trainer's command */
    enum vl_trainer_command trainer; /* then: train/options reads its words, and has the flags */
    int (*run)(const struct vl_arguments *arguments); /* returns enum vl_exit */
};

/* In the order of help; ended by a NULL name. */
extern const struct vl_command *const vl_commands[];

extern const struct vl_command vl_command_tour, vl_command_list, vl_command_start,
    vl_command_explain, vl_command_hint, vl_command_watch, vl_command_solution, vl_command_next,
    vl_command_grade, vl_command_handin, vl_command_reset, vl_command_update, vl_command_handout,
    vl_command_batch, vl_command_compare, vl_command_export, vl_command_platform, vl_command_forget,
    vl_command_train, vl_command_eval, vl_command_sample, vl_command_bench, vl_command_timeline,
    vl_command_schedule, vl_command_plan, vl_command_simulate, vl_command_study, vl_command_mpi,
    vl_command_clinic, vl_command_book, vl_command_doctor;

#endif
