/*
 * Files that a command was asked to write.
 */
#ifndef VIALATA_CLI_SHARED_WRITE_H
#define VIALATA_CLI_SHARED_WRITE_H

#include "cli/command.h"
#include "vialata/status.h"
#include <jansson.h>

/* Say what went wrong with writing a file, if anything did. VL_EIO gives 'unwritten'. */
enum vl_exit vl_write_say(enum vl_status status, const char *path, enum vl_exit unwritten);

/* Write a text, whole or not at all, if 'status', which came with the text, is VL_OK. A text of
 * NULL means that there was no memory for it. Says what went wrong. */
enum vl_exit vl_write_text(const char *path, enum vl_status status, const char *text);

/* The same for JSON, which is dropped. Not written gives VL_EXIT_LACK. */
enum vl_exit vl_write_json(const char *path, json_t *value);

#endif
