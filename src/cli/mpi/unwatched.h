/*
 * What a program did that is not watched (enum vl_unwatched): said once, at the end of a report.
 */
#ifndef VIALATA_CLI_MPI_UNWATCHED_H
#define VIALATA_CLI_MPI_UNWATCHED_H

#include "report/draw/terminal.h"

#include <jansson.h>
#include <stdint.h>

/* One sentence; nothing if 'kinds' has no bit. */
void vl_unwatched_tell(const struct vl_terminal *terminal, uint32_t kinds);

/* ["spawn", "files" ...]; NULL without memory. */
json_t *vl_unwatched_json(uint32_t kinds);

#endif
