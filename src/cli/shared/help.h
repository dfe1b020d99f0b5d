/*
 * Help, printed from the commands' tables.
 */
#ifndef VIALATA_CLI_SHARED_HELP_H
#define VIALATA_CLI_SHARED_HELP_H

#include "cli/command.h"

/* All commands, one line each. */
void vl_help_print(void);

/* One command: how it is written, what it does, its flags. */
void vl_help_print_command(const struct vl_command *command);

#endif
