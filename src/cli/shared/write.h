/*
 * Files that a command was asked to write.
 */
#ifndef VIALATA_CLI_SHARED_WRITE_H
#define VIALATA_CLI_SHARED_WRITE_H

#include "cli/command.h"
#include "vialata/status.h"

/* What became of writing the file: says what went wrong. 'unwritten' is returned for VL_EIO. */
enum vl_exit vl_write_say(enum vl_status status, const char *path, enum vl_exit unwritten);

/* Write a text, whole or not at all, if 'status', of whoever made it, is VL_OK; NULL is a text for
 * which there was no memory. Says what went wrong. */
enum vl_exit vl_write_text(const char *path, enum vl_status status, const char *text);

#endif
