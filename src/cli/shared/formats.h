/*
 * Formats of a report (report/verdict/report.h) as a person names them.
 */
#ifndef VIALATA_CLI_SHARED_FORMATS_H
#define VIALATA_CLI_SHARED_FORMATS_H

#include "cli/command.h"
#include "report/verdict/report.h"

/* The format that 'word' means; VL_EXIT_USAGE, with a sentence that lists them, if none is. */
enum vl_exit vl_format_named(enum vl_report_format *format, const char *word);

#endif
