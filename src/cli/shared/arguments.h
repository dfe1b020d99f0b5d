/*
 * Words after a command's name: `--flag value`, `--flag=value`, switches, and the rest. A flag of one letter
 * may have one dash: `-n 4`. After `--`, all are words.
 */
#ifndef VIALATA_CLI_SHARED_ARGUMENTS_H
#define VIALATA_CLI_SHARED_ARGUMENTS_H

#include "cli/command.h"
#include <stdbool.h>
#include <stdint.h>

/*
 * Read argc words of argv (reordered: words that are not flags come first). VL_EXIT_USAGE, with one
 * sentence on standard error, for what the command does not take. For a command of the trainer
 * only --help is found here; its words stay as they are. Free the result whatever is returned.
 */
enum vl_exit vl_arguments_read(struct vl_arguments *arguments, const struct vl_command *command,
                               int argc, char **argv);

void vl_arguments_free(struct vl_arguments *arguments);

/* The value of a flag of the command, "" for a switch; NULL if it was not given. */
const char *vl_argument(const struct vl_arguments *arguments, const char *flag);

/* A whole number from least to most; 0, with a sentence, if 'text' is not one. */
int vl_argument_number(uint64_t *number, const char *name, const char *text, uint64_t least,
                       uint64_t most);

/* The same for the value of a flag of the command; *number stays as it is if it was not given. */
bool vl_argument_number_of(uint64_t *number, const struct vl_arguments *arguments, const char *flag,
                           uint64_t least, uint64_t most);

/* Take `--lang X` or `--lang=X` out of the words, wherever it is. *language is NULL if there is
 * none, "" if its value is missing. */
void vl_arguments_take_language(int *argc, char **argv, const char **language);

/* The name that 'word' was probably meant to be, or NULL: at most two letters away. 'name_of(i)'
 * gives the names and NULL after the last. */
const char *vl_arguments_nearest(const char *word,
                                 const char *(*name_of)(size_t i, const void *context),
                                 const void *context);

#endif
