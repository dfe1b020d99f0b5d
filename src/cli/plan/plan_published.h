/*
 * `vialata plan --published`: runs that were published, each planned with its own layout.
 */
#ifndef VIALATA_CLI_PLAN_PLAN_PUBLISHED_H
#define VIALATA_CLI_PLAN_PLAN_PUBLISHED_H

#include "cli/command.h"

#include <stdio.h>

/* Write the table, or JSON, to the stream. What is wrong is said in one sentence. */
enum vl_exit vl_plan_write_published(FILE *stream, int as_json);

#endif
