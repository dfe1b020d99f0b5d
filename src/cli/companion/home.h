/*
 * `vialata` without a word: for a student who has begun, the labs, how far each is, and the next step; for others,
 * the help.
 */
#ifndef VIALATA_CLI_COMPANION_HOME_H
#define VIALATA_CLI_COMPANION_HOME_H

#include "cli/command.h"

enum vl_exit vl_home(void);

#endif
